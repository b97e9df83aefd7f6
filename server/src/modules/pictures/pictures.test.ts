import { randomBytes } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'
import sharp, { type Sharp } from 'sharp'
import { describe, expect, test } from 'vitest'
import { useShop, useUser } from '../../../test/use-shop.ts'
import { sql } from '../../platform/database/queries.ts'
import { forgetUnusedPictures } from './pictures.ts'

const shop = useShop()
const admin = useUser(shop, { role: 'admin' })

const plain = (width: number, height: number, background = '#2f7de1'): Sharp =>
  sharp({ create: { width, height, channels: 3, background } })
/** Something that no format makes small. */
const noise = (width: number, height: number): Sharp =>
  sharp(randomBytes(width * height * 3), { raw: { width, height, channels: 3 } })
const svg = (inside: string, more = '') =>
  Buffer.from(
    `<?xml version="1.0"?><!-- a logo --><svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" ${more}>${inside}</svg>`,
  )

const send = (path: string, body: object) => shop.call('POST', `/admin/${path}`, { token: admin.token, body })
const upload = (file: Buffer) => send('product-pictures', { content: file.toString('base64') })
const uploadOfShop = (file: Buffer, use: 'logo' | 'icon') =>
  send('shop-pictures', { content: file.toString('base64'), use })
const open = (url: string, headers = {}) => shop.app.inject({ method: 'GET', url, headers })
const read = async (url: string) => sharp((await open(url)).rawPayload).metadata()
const toSmall = (address: string) => address.replace('.', '-small.')
const countPictures = async () =>
  (await shop.database.one<{ count: number }>(sql`SELECT count(*)::int AS count FROM picture`)).count

describe('a picture', () => {
  test.each(['png', 'jpeg', 'webp'] as const)(
    'of %s is drawn again, without what a camera wrote into it',
    async (type) => {
      const file = await plain(1600, 800)
        .withExif({ IFD0: { Copyright: 'somebody', Artist: 'at home' } })
        .toFormat(type)
        .toBuffer()
      expect(file.includes('somebody')).toBe(true)
      const { status, body } = await upload(file)
      expect([status, body.data]).toEqual([
        201,
        { address: expect.stringMatching(/^\/pictures\/[0-9a-f]{32}\.webp$/), width: 1024, height: 512 },
      ])
      const { address } = body.data
      expect(await read(address)).toMatchObject({ format: 'webp', width: 1024, height: 512 })
      expect(await read(toSmall(address))).toMatchObject({ format: 'webp', width: 512, height: 256 })
      const { exif, icc, xmp } = await read(address)
      expect([exif, icc, xmp]).toEqual([undefined, undefined, undefined])
    },
  )

  test('that was taken on its side is shown upright, and a small one stays as large as it is', async () => {
    const file = await plain(40, 20).withMetadata({ orientation: 6 }).jpeg().toBuffer()
    expect((await upload(file)).body.data).toMatchObject({ width: 20, height: 40 })
  })

  test('of svg is served as a drawing of it, as large as is needed', async () => {
    const file = svg('<defs><linearGradient id="g"/></defs><path fill="url(#g)" d="M0 0h24v24z"/><use href="#g"/>')
    const { status, body } = await upload(file)
    expect([status, body.data]).toMatchObject([201, { width: 1024, height: 1024 }])
    const served = await open(body.data.address)
    expect(served.headers['content-type']).toBe('image/webp')
    expect(served.payload).not.toContain('<svg')
  })

  test('for the header has its height, and one for tabs is square, as a png', async () => {
    const wide = await plain(2000, 200).png().toBuffer()
    expect((await uploadOfShop(wide, 'logo')).body.data).toMatchObject({ width: 480, height: 48 })
    const { address, ...size } = (await uploadOfShop(wide, 'icon')).body.data
    expect([address.endsWith('.png'), size]).toEqual([true, { width: 512, height: 512 }])
    expect(await read(toSmall(address))).toMatchObject({ format: 'png', width: 192, height: 192 })
  })

  test('is one row, however often and by however many it is uploaded', async () => {
    const file = await plain(30, 30, '#123456').png().toBuffer()
    const before = await countPictures()
    const answers = await Promise.all(Array.from({ length: 20 }, () => upload(file)))
    const refused = answers.filter(({ status }) => status === 503)
    const added = answers.filter(({ status }) => status === 201)
    expect(added.length + refused.length).toBe(20)
    // One is drawn, and eight wait for it.
    expect(added.length).toBeGreaterThanOrEqual(9)
    expect(new Set(added.map(({ body }) => body.data.address)).size).toBe(1)
    expect(await countPictures()).toBe(before + 1)
  })
})

/** A png of so many pixels that says nothing of them. */
function hollowPng(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const named = Buffer.concat([Buffer.from(type), data])
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(data.length)
    sum.writeUInt32BE(crc32(named))
    return Buffer.concat([length, named, sum])
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 2, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(Buffer.alloc(100))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

const half = async (picture: Promise<Buffer>) => {
  const file = await picture
  return file.subarray(0, file.length / 2)
}

describe('what is no picture is refused with what is wrong with it', () => {
  test.each<[what: string, fault: string, file: () => Buffer | Promise<Buffer>]>([
    ['an empty file', 'picture_empty', () => Buffer.alloc(0)],
    ['more than 4 MB', 'picture_too_large', () => Buffer.alloc(4 * 1024 * 1024 + 3, 1)],
    ['a page that is called a png', 'picture_unknown', () => Buffer.from('<!DOCTYPE html><html><svg></svg></html>')],
    ['a gif', 'picture_unknown', () => plain(9, 9).gif().toBuffer()],
    ['a tiff', 'picture_unknown', () => plain(9, 9).tiff().toBuffer()],
    [
      'the first bytes of a png before a page',
      'picture_broken',
      () => Buffer.concat([hollowPng(9, 9).subarray(0, 8), Buffer.from('<script>alert(1)</script>')]),
    ],
    ['100 megapixels', 'picture_too_many_pixels', () => hollowPng(20_000, 5_000)],
    [
      'an svg of 100 megapixels',
      'picture_too_many_pixels',
      () => svg('<path d="M0 0h9"/>', 'width="20000" height="5000"'),
    ],
    ['half a png', 'picture_broken', () => half(noise(200, 200).png().toBuffer())],
    ['half a jpeg', 'picture_broken', () => half(noise(200, 200).jpeg().toBuffer())],
    ['half a webp', 'picture_broken', () => half(noise(200, 200).webp().toBuffer())],
    ['an svg that is not closed', 'picture_broken', () => svg('<path d="M0 0h9"/>').subarray(0, -6)],
    ['an svg with a script', 'picture_unsafe', () => svg('<script>alert(1)</script>')],
    [
      'an svg with a script by another name',
      'picture_unsafe',
      () => svg('<svg:script xmlns:svg="http://www.w3.org/2000/svg"/>'),
    ],
    ['an svg that does something when it is loaded', 'picture_unsafe', () => svg('<g/>', 'onload="alert(1)"')],
    ['an svg with a page in it', 'picture_unsafe', () => svg('<foreignObject><p/></foreignObject>')],
    [
      'an svg with a picture from elsewhere',
      'picture_unsafe',
      () => svg('<image href="https://elsewhere.example/a.png"/>'),
    ],
    ['an svg with a file of the server', 'picture_unsafe', () => svg('<use xlink:href="file:///etc/passwd#a"/>')],
    [
      'an svg with styles from elsewhere',
      'picture_unsafe',
      () => svg('<style>@import "https://elsewhere.example";</style>'),
    ],
    [
      'an svg with a colour from elsewhere',
      'picture_unsafe',
      () => svg('<path fill="url(https://elsewhere.example#a)"/>'),
    ],
    ['an svg with a link', 'picture_unsafe', () => svg('<a href="&#106;avascript:alert(1)"/>')],
    [
      'an svg with endless filters',
      'picture_unsafe',
      () => svg('<filter id="f"><feTurbulence numOctaves="99999"/></filter>'),
    ],
    ['an svg with entities', 'picture_unknown', () => Buffer.from('<!DOCTYPE svg [<!ENTITY a "b">]><svg>&a;</svg>')],
  ])('%s: %s', async (_what, fault, file) => {
    const before = await countPictures()
    const { status, body } = await upload(await file())
    expect([status, body.error.code, body.error.details]).toEqual([400, 'VALIDATION_FAILED', { content: fault }])
    expect(await countPictures()).toBe(before)
  })

  test('and what is far too large is not even read', async () => {
    const { status, body } = await upload(Buffer.alloc(5 * 1024 * 1024))
    expect([status, body.error.code]).toEqual([413, 'BODY_TOO_LARGE'])
  })
})

test('whoever sells waits for no picture', async () => {
  const file = await plain(5000, 4000).jpeg().toBuffer()
  let isDrawn = false
  const drawing = upload(file).then((answer) => {
    isDrawn = true
    return answer
  })
  for (let sale = 0; sale < 20; sale++) expect((await shop.call('GET', '/health')).status).toBe(200)
  expect(isDrawn).toBe(false)
  expect((await drawing).status).toBe(201)
})

describe('an address', () => {
  test('has the same bytes for ever, for browsers that ask once and run nothing of it', async () => {
    const { address } = (await upload(await noise(900, 900).png().toBuffer())).body.data
    const served = await open(address)
    expect(served.headers).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      etag: expect.stringMatching(/^"[0-9a-f]{32}"$/),
    })
    const again = await open(address, { 'if-none-match': served.headers.etag })
    expect([again.statusCode, again.payload, again.headers.etag]).toEqual([304, '', served.headers.etag])
    const small = await open(toSmall(address))
    expect(small.headers.etag).not.toBe(served.headers.etag)
    expect(small.rawPayload.length).toBeLessThan(served.rawPayload.length)
    const head = await shop.app.inject({ method: 'HEAD', url: address })
    expect([head.statusCode, head.payload]).toEqual([200, ''])
  })

  test.each([
    (hash: string) => `/pictures/${hash}.png`,
    (hash: string) => `/pictures/${hash}-large.webp`,
    (hash: string) => `/pictures/${hash}.svg`,
    (hash: string) => `/pictures/${hash}`,
    (hash: string) => `/pictures/${hash.replace(/./g, '0')}.webp`,
    () => '/pictures/..%2Fsecret',
  ])('that no picture has is not found, and may be one later', async (toPath) => {
    const { address } = (await upload(await plain(20, 20).png().toBuffer())).body.data
    const { statusCode, headers } = await open(toPath(address.slice(10, 42)))
    expect([statusCode, headers['cache-control'] ?? 'no-store']).toEqual([404, 'no-store'])
  })
})

describe('a product', () => {
  const add = (imageUrl: string) =>
    shop.call('POST', '/admin/products', { token: admin.token, body: { name: 'Pictured', imageUrl } })

  test('shows its picture, and in lists the small one', async () => {
    const { address } = (await upload(await plain(800, 600, '#aa3366').png().toBuffer())).body.data
    const { slug } = (await add(address)).body.data
    expect((await shop.call('GET', `/products/slug/${slug}`)).body.image_url).toBe(address)
    const listed = (await shop.call('GET', '/products')).body.find((product: { slug: string }) => product.slug === slug)
    expect(listed.image_url).toBe(toSmall(address))
  })

  test('is refused a picture that there is not, and one that is for something else', async () => {
    const { address } = (await uploadOfShop(await plain(64, 64).png().toBuffer(), 'logo')).body.data
    for (const imageUrl of [`/pictures/${'0'.repeat(32)}.webp`, address]) {
      const { status, body } = await add(imageUrl)
      expect([status, body.error.details]).toEqual([400, { imageUrl: 'picture_missing' }])
    }
    expect((await add('/pictures/a.webp')).body.error.details).toEqual({ imageUrl: 'invalid_image_url' })
  })
})

test('a picture that nothing has shown for a month goes, and what anything shows stays', async () => {
  const colors = ['#111111', '#222222', '#333333', '#444444', '#555555']
  const files = await Promise.all(colors.map((color) => plain(50, 50, color).png().toBuffer()))
  const address = async (file: Buffer | undefined) => (await upload(file as Buffer)).body.data.address as string
  const [shown, onFlag, fresh, late, gone] = [
    await address(files[0]),
    await address(files[1]),
    await address(files[2]),
    await address(files[3]),
    await address(files[4]),
  ]
  const { address: logo } = (await uploadOfShop(files[0] as Buffer, 'logo')).body.data
  const change = (path: string, body: object) => shop.call('PUT', path, { token: admin.token, body })
  const add = (path: string, body: object) => shop.call('POST', path, { token: admin.token, body })
  const product = (await add('/admin/products', { name: 'Shows it', imageUrl: shown })).body.data
  await add('/admin/regions', { name: 'Flagged', code: 'FL', flag: onFlag })
  // What an older version of the settings says may be brought back.
  expect((await change('/admin/shop', { logo })).status).toBe(200)
  await change('/admin/shop', { logo: null })
  await shop.database.run(sql`UPDATE picture SET used_at = now() - interval '31 days'`)
  await upload(files[2] as Buffer)
  // What is chosen in this very moment stays as well.
  await change(`/admin/products/${product.id}`, { imageUrl: late })
  await change(`/admin/products/${product.id}`, { imageUrl: shown })
  await forgetUnusedPictures(shop)
  const statuses = await Promise.all(
    [shown, onFlag, fresh, late, gone, logo].map(async (one) => (await open(one)).statusCode),
  )
  expect(statuses).toEqual([200, 200, 200, 200, 404, 200])
})
