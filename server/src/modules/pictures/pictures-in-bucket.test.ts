import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { type S3Double, startS3 } from '../../../test/doubles/s3.ts'
import { aUser, type TestUser } from '../../../test/factories.ts'
import { openShop, type ShopOptions, startShop, type TestShop } from '../../../test/shop.ts'
import { sql } from '../../platform/database/queries.ts'
import { forgetUnusedPictures } from './pictures.ts'

let s3: S3Double
/** Two nodes that keep pictures in the bucket, and one that keeps them in the database. */
let shop: TestShop
let other: TestShop
let without: TestShop
let admin: TestUser

const bucketSettings = () => ({
  PICTURES_S3_URL: `${s3.url}/shop`,
  PICTURES_S3_KEY_ID: s3.keyId,
  PICTURES_S3_SECRET: s3.secret,
  PICTURES_S3_REGION: s3.region,
})
const openBeside = (settings: Record<string, string>, options: Pick<ShopOptions, 'logLines'> = {}) =>
  openShop(settings, {
    url: shop.config.databaseUrl as string,
    secretKey: shop.config.secretKey as Buffer,
    ...options,
  })

beforeAll(async () => {
  s3 = await startS3()
  shop = await startShop(bucketSettings())
  other = await openBeside(bucketSettings())
  without = await openBeside({})
  admin = await aUser(shop, { role: 'admin' })
})
afterAll(async () => {
  await without.close()
  await other.close()
  await shop.close()
  await s3.close()
})
beforeEach(() => {
  Object.assign(s3, { failing: undefined, trouble: undefined, onAsked: undefined, removing: 'done', isReadOnly: false })
  s3.asked.length = 0
})

let made = 0
/** A picture of a width that no other one has: colours that are close to each other are drawn alike. */
const draw = (side = 60): Promise<Buffer> =>
  sharp({ create: { width: side + ++made, height: side, channels: 3, background: '#2f7de1' } })
    .png()
    .toBuffer()
const upload = (file: Buffer, to = shop) =>
  to.call('POST', '/admin/product-pictures', { token: admin.token, body: { content: file.toString('base64') } })
const add = async (file?: Buffer, to?: TestShop): Promise<string> =>
  (await upload(file ?? (await draw()), to)).body.data.address
const open = (url: string, { headers = {}, at = shop } = {}) => at.app.inject({ method: 'GET', url, headers })
const toSmall = (address: string) => address.replace('.', '-small.')
const toHash = (address: string) => address.slice(10, 42)
const readRow = (address: string) =>
  shop.database.maybe<{ object: string | null; in_row: boolean }>(
    sql`SELECT object, large IS NOT NULL AS in_row FROM picture WHERE hash = ${toHash(address)}`,
  )
const toKeys = (object: string) => [`shop/${object}`, `shop/${object.replace('.', '-small.')}`]
const readKeys = async (address: string) => toKeys(String((await readRow(address))?.object))
const countAll = () =>
  shop.database.one<{ pictures: number; audited: number }>(sql`
    SELECT (SELECT count(*) FROM picture)::int AS pictures,
      (SELECT count(*) FROM audit_entry WHERE action = 'picture.add')::int AS audited`)
const refused = (answer: { statusCode: number; headers: object; payload: string }) => {
  const { statusCode, headers, payload } = answer
  return { statusCode, code: JSON.parse(payload).error.code, headers }
}
const unavailable = {
  statusCode: 503,
  code: 'PICTURES_UNAVAILABLE',
  headers: expect.objectContaining({ 'retry-after': '1', 'cache-control': 'no-store' }),
}

describe('a picture', () => {
  test('lies in the bucket alone, and every node serves it under the address it has for ever', async () => {
    const address = await add(await draw(700))
    expect(await readRow(address)).toEqual({ object: expect.stringContaining(toHash(address)), in_row: false })
    const [large = '', small = ''] = await readKeys(address)
    for (const at of [shop, other]) {
      const served = await open(address, { at })
      expect(served.headers).toMatchObject({
        'content-type': 'image/webp',
        'cache-control': 'public, max-age=31536000, immutable',
        'content-security-policy': "default-src 'none'; sandbox",
        etag: `"${toHash(address)}"`,
      })
      expect(served.rawPayload.equals(s3.objects.get(large)?.body as Buffer)).toBe(true)
      expect((await open(toSmall(address), { at })).rawPayload.equals(s3.objects.get(small)?.body as Buffer)).toBe(true)
    }
    expect(await sharp(s3.objects.get(small)?.body).metadata()).toMatchObject({ format: 'webp', width: 512 })
  })

  test('that a browser has is not asked for at the bucket, even while that is away', async () => {
    const address = await add()
    const { etag = '' } = (await open(address)).headers
    s3.asked.length = 0
    s3.trouble = 'silent'
    const again = await open(address, { headers: { 'if-none-match': etag } })
    expect([again.statusCode, again.payload, again.headers.etag, s3.asked]).toEqual([304, '', etag, []])
  })

  test('of the time before the bucket is served from the database, and stays there when it comes again', async () => {
    const file = await draw()
    const address = await add(file, without)
    expect(await add(file)).toBe(address)
    expect(await readRow(address)).toEqual({ object: null, in_row: true })
    s3.trouble = 'silent'
    expect((await open(address)).statusCode).toBe(200)
    expect(s3.asked).toEqual([])
  })

  test('that twenty upload to two nodes at once is one, and what the others put is removed', async () => {
    const file = await draw()
    const answers = await Promise.all(Array.from({ length: 20 }, (_, at) => upload(file, at % 2 ? shop : other)))
    const added = answers.filter(({ status }) => status === 201).map(({ body }) => body.data.address)
    expect(new Set(added).size).toBe(1)
    expect(added.length).toBeGreaterThanOrEqual(9)
    const [address = ''] = added
    const own = () => [...s3.objects.keys()].filter((key) => key.includes(toHash(address)))
    await shop.database.run(sql`UPDATE picture_object SET leaves_at = now() WHERE leaves_at IS NOT NULL`)
    await forgetUnusedPictures(shop)
    expect(own().sort()).toEqual((await readKeys(address)).sort())
    expect((await open(address, { at: other })).statusCode).toBe(200)
  })

  test('that the bucket has lost is there again once it is uploaded again', async () => {
    const file = await draw()
    const address = await add(file)
    for (const key of await readKeys(address)) s3.objects.delete(key)
    expect(refused(await open(address))).toMatchObject(unavailable)
    expect(await add(file)).toBe(address)
    expect((await open(address)).statusCode).toBe(200)
  })
})

describe('an upload is refused, and nothing half is left,', () => {
  test.each<[what: string, trouble: () => Partial<S3Double>]>([
    ['while the bucket takes nothing', () => ({ isReadOnly: true })],
    [
      'while it takes one of the two files',
      () => ({ onAsked: async (line) => void Object.assign(s3, { isReadOnly: line.includes('-small') }) }),
    ],
  ])('%s', async (_what, trouble) => {
    const before = await countAll()
    const file = await draw()
    Object.assign(s3, trouble())
    const { status, body, headers } = await upload(file)
    expect([status, body.error, headers['retry-after']]).toEqual([
      503,
      { code: 'PICTURES_UNAVAILABLE', message: 'Service Unavailable' },
      '1',
    ])
    expect(await countAll()).toEqual(before)
    await shop.database.run(sql`UPDATE picture_object SET leaves_at = now() WHERE leaves_at IS NOT NULL`)
    const { objects } = await shop.database.one<{ objects: number }>(
      sql`SELECT count(*)::int AS objects FROM picture_object WHERE leaves_at <= now()`,
    )
    expect(objects).toBe(1)
    Object.assign(s3, { isReadOnly: false, onAsked: undefined })
    await forgetUnusedPictures(shop)
    const pictures = await shop.database.rows<{ object: string }>(
      sql`SELECT object FROM picture WHERE object IS NOT NULL`,
    )
    expect([...s3.objects.keys()].sort()).toEqual(pictures.flatMap(({ object }) => toKeys(object)).sort())
    expect((await upload(file)).status).toBe(201)
  })

  test('with wrong credentials, of which no line of the log has anything', async () => {
    const logLines: string[] = []
    const wrong = { ...bucketSettings(), PICTURES_S3_SECRET: 'a-secret-of-another' }
    const mistaken = await openBeside(wrong, { logLines })
    onTestFinished(() => mistaken.close())
    const address = await add()
    const before = await countAll()
    const { status, body } = await upload(await draw(), mistaken)
    expect([status, body.error.code]).toEqual([503, 'PICTURES_UNAVAILABLE'])
    expect(refused(await open(address, { at: mistaken }))).toMatchObject(unavailable)
    expect(await countAll()).toEqual(before)
    const log = logLines.join('')
    expect(log).toContain('S3 returned 403 – SignatureDoesNotMatch')
    for (const secret of [wrong.PICTURES_S3_SECRET, s3.keyId, 'AWS4-HMAC-SHA256']) expect(log).not.toContain(secret)
    expect(log).not.toMatch(/[\da-f]{64}/i)
  })

  test('when what it puts is about to be removed', async () => {
    const before = await countAll()
    s3.onAsked = async () =>
      void (await shop.database.run(
        sql`UPDATE picture_object SET leaves_at = now() + interval '1 minute' WHERE leaves_at IS NOT NULL`,
      ))
    const { status, body } = await upload(await draw())
    expect([status, body.error.code, await countAll()]).toEqual([503, 'PICTURES_UNAVAILABLE', before])
  })
})

const putInstead = (key: string, body: Buffer) => s3.objects.set(key, { body, changedAt: new Date() })

describe('a picture can be read later, and no cache keeps that it could not,', () => {
  test.each<[what: string, trouble: (key: string) => unknown]>([
    ['while the bucket is overloaded', () => Object.assign(s3, { failing: { method: 'GET', times: 1 } })],
    ['when the connection breaks in the middle of it', () => Object.assign(s3, { trouble: 'leaving' })],
    ['when the bucket has something shorter', (key) => putInstead(key, Buffer.from('x'))],
    ['when the bucket has something longer', (key) => putInstead(key, Buffer.alloc(1024 * 1024, 1))],
  ])('%s', async (_what, trouble) => {
    const address = await add()
    const [large = ''] = await readKeys(address)
    const whole = s3.objects.get(large) as { body: Buffer; changedAt: Date }
    trouble(large)
    const answer = await open(address)
    expect(refused(answer)).toMatchObject(unavailable)
    expect(answer.headers.etag).toBeUndefined()
    Object.assign(s3, { failing: undefined, trouble: undefined })
    s3.objects.set(large, whole)
    expect((await open(address)).rawPayload.equals(whole.body)).toBe(true)
  })

  test('at a node that has no bucket', async () => {
    expect(refused(await open(await add(), { at: without }))).toMatchObject(unavailable)
  })

  test('while the bucket never answers, and a crowd does not wait for it', async () => {
    const address = await add()
    s3.asked.length = 0
    s3.trouble = 'silent'
    const answers = await Promise.all(Array.from({ length: 200 }, () => open(address)))
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([503]))
    expect(s3.asked.length).toBeLessThanOrEqual(32)
    expect((await open(`/pictures/${'0'.repeat(32)}.webp`)).statusCode).toBe(404)
  })
})

/** Lets the bucket remove one file and refuse to remove any other. */
function refuseFromTheSecond(): (line: string) => Promise<void> {
  let asked = 0
  return async () => void Object.assign(s3, { removing: asked++ === 0 ? 'done' : 'refused' })
}

describe('what nothing shows', () => {
  const age = (address: string) =>
    shop.database.run(sql`UPDATE picture SET used_at = now() - interval '31 days' WHERE hash = ${toHash(address)}`)
  const come = (object: string) =>
    shop.database.run(sql`UPDATE picture_object SET leaves_at = now() WHERE name = ${object} AND leaves_at IS NOT NULL`)
  const isListed = async (object: string) =>
    (await shop.database.maybe(sql`SELECT 1 AS one FROM picture_object WHERE name = ${object}`)) !== undefined

  test('goes from the table, and from the bucket once no kept backup shows it', async () => {
    const [gone, shown] = [await add(), await add()]
    const [inDatabase] = [await add(undefined, without)]
    await shop.call('POST', '/admin/products', { token: admin.token, body: { name: 'Shows it', imageUrl: shown } })
    const [object, keys] = [String((await readRow(gone))?.object), await readKeys(gone)]
    for (const address of [gone, shown, inDatabase]) await age(address)
    await forgetUnusedPictures(shop)
    const statuses = async () => Promise.all([gone, shown, inDatabase].map(async (one) => (await open(one)).statusCode))
    expect(await statuses()).toEqual([404, 200, 404])
    expect(keys.every((key) => s3.objects.has(key))).toBe(true)
    const { days } = await shop.database.one<{ days: number }>(sql`
      SELECT round(extract(epoch FROM leaves_at - now()) / 86400)::int AS days
      FROM picture_object WHERE name = ${object}`)
    expect(days).toBe(30)

    await come(object)
    await forgetUnusedPictures(shop)
    expect([keys.some((key) => s3.objects.has(key)), await isListed(object)]).toEqual([false, false])
    expect(await statuses()).toEqual([404, 200, 404])
  })

  test.each<[what: string, trouble: Partial<S3Double>]>([
    ['that may not be removed', { removing: 'refused' }],
    ['while the bucket is away', { failing: { method: 'DELETE', times: 9 } }],
    ['of which one file could be removed', { onAsked: refuseFromTheSecond() }],
  ])('goes later from a bucket %s', async (_what, trouble) => {
    const address = await add()
    const [object, keys] = [String((await readRow(address))?.object), await readKeys(address)]
    await age(address)
    await forgetUnusedPictures(shop)
    await come(object)
    Object.assign(s3, trouble)
    await expect(forgetUnusedPictures(shop)).rejects.toThrow(/S3 returned (403|503)/)
    expect(await isListed(object)).toBe(true)
    // A store may say that what was removed the first time is not there.
    Object.assign(s3, { failing: undefined, onAsked: undefined, removing: 'strict' })
    await forgetUnusedPictures(other)
    expect([keys.some((key) => s3.objects.has(key)), await isListed(object)]).toEqual([false, false])
  })

  test('waits in the bucket where a node has none', async () => {
    const address = await add()
    const [object, keys] = [String((await readRow(address))?.object), await readKeys(address)]
    await age(address)
    await forgetUnusedPictures(without)
    await come(object)
    await forgetUnusedPictures(without)
    expect([keys.every((key) => s3.objects.has(key)), await isListed(object)]).toEqual([true, true])
  })
})
