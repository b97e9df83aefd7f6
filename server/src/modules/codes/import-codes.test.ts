import { randomUUID } from 'node:crypto'
import { type AddressInfo, connect } from 'node:net'
import * as LIMITS from '@olmos/contract/limits'
import { describe, expect, test } from 'vitest'
import { anOffer, aUser, type TestOffer } from '../../../test/factories.ts'
import { toSnapshot } from '../../../test/snapshot.ts'
import { useShop, useUser } from '../../../test/use-shop.ts'
import { untilWaiting } from '../../../test/waiting.ts'
import { sql } from '../../platform/database/queries.ts'
import { codeRow } from './codes.store.ts'
import { importCodes } from './import-codes.ts'
import { removeOffer } from './on-sale.ts'

const shop = useShop()
const admin = useUser(shop, { role: 'admin' })

let count = 0
/** Makes codes nobody has imported yet, at $1 and 80 ₽ for 100. */
const newLines = (amount: number, tail = '1,80,100') =>
  Array.from({ length: amount }, () => `NEW-${String(++count).padStart(6, '0')},${tail}`)

const send = (offer: Pick<TestOffer, 'productId'>, lines: unknown, more: object = {}, query = '') =>
  shop.call('POST', `/admin/codes/bulk${query}`, {
    token: admin.token,
    body: { productId: offer.productId, regionId: 0, lines, ...more },
  })

const countStock = async ({ productId }: TestOffer) => {
  const { body } = await shop.call('GET', `/products/${productId}/codes/0`)
  return Object.fromEntries(
    body.map((entry: { game_amount: number; available_count: number }) => [entry.game_amount, entry.available_count]),
  )
}

const countCodes = async () =>
  (await shop.database.one<{ count: number }>(sql`SELECT count(*)::int AS count FROM code`)).count

/** The report of an import that added something and so has a batch. */
const report = (change: { added?: number; [field: string]: unknown } = {}) => ({
  added: 0,
  batch_id: change.added ? expect.any(Number) : null,
  duplicates: [],
  elsewhere: [],
  invalid: [],
  price_changes: [],
  ...change,
})

describe('an import', () => {
  test.each(['a text', 'a list'])('puts the codes of %s on the shelf', async (form) => {
    const offer = await anOffer(shop)
    const lines = newLines(3)
    const answer = await send(offer, form === 'a text' ? lines.join('\r\n') : lines)
    expect([answer.status, answer.body]).toEqual([200, report({ added: 3 })])
    expect(await countStock(offer)).toEqual({ 100: 3 })
  })

  test('seals each of many codes for its own row, beside some that were there before', async () => {
    const offer = await anOffer(shop)
    const lines = newLines(2_500)
    await send(offer, [lines[0], lines[999], lines[1_000], lines[2_499]])
    const answer = await send(offer, lines)
    expect(answer.body).toEqual(report({ added: 2_496, duplicates: [1, 1_000, 1_001, 2_500] }))
    const rows = await shop.database.rows<{ id: number; keyId: number; ciphertext: Buffer }>(sql`
      SELECT id, key_id AS "keyId", ciphertext FROM code WHERE offer_id = ${offer.id} ORDER BY id`)
    const plain = await Promise.all(rows.map(({ id, ...sealed }) => shop.vault.unseal(sealed, codeRow(id))))
    expect(plain.toSorted()).toEqual(lines.map((line) => line.split(',')[0]))
    expect(new Set(rows.map(({ ciphertext }) => ciphertext.subarray(0, 12).toString('hex'))).size).toBe(2_500)
  })

  test('makes the packages that are missing and, once it is confirmed, prices those that are there', async () => {
    const offer = await anOffer(shop, { priceUsd: 100, priceRub: 8_000 })
    const lines = [...newLines(1, '1.50,120,100'), ...newLines(2, '9.99,899.9,1000')]
    const answer = await send(offer, lines, { confirmPrices: true })
    expect(answer.body).toEqual(
      report({
        added: 3,
        price_changes: [
          expect.objectContaining({ game_amount: 100, price_usd: 1.5, price_rub: 120, was_usd: 1, was_rub: 80 }),
          expect.objectContaining({ game_amount: 1000, price_usd: 9.99, price_rub: 899.9, was_usd: null }),
        ],
      }),
    )
    const { body } = await shop.call('GET', `/products/${offer.productId}/codes/0`)
    expect(body).toMatchObject([
      { game_amount: 100, price_usd: 1.5, price_rub: 120, available_count: 1 },
      { game_amount: 1000, price_usd: 9.99, price_rub: 899.9, available_count: 2 },
    ])
    const versions = await shop.database.rows(sql`
      SELECT version, price_usd FROM offer_price WHERE offer_id = ${offer.id} ORDER BY version`)
    expect(versions).toEqual([
      { version: 1, price_usd: 100 },
      { version: 2, price_usd: 150 },
    ])
    expect((await send(offer, newLines(1, '1.50,120,100'))).body).toEqual(report({ added: 1 }))
  })

  test('into a region stays in that region', async () => {
    const offer = await anOffer(shop, { region: 'KZ', stock: 1 })
    await send(offer, newLines(2), { regionId: offer.regionId })
    const inRegion = await shop.call('GET', `/products/${offer.productId}/codes/${offer.regionId}`)
    expect(inRegion.body).toMatchObject([{ available_count: 3 }])
    expect(await countStock(offer)).toEqual({})
  })

  test('is written down by name and number, without a code', async () => {
    const offer = await anOffer(shop)
    const lines = newLines(2)
    await send(offer, lines)
    const entry = await shop.database.one<{ actor_id: number; action: string; after: object }>(sql`
      SELECT actor_id, action, after FROM audit_entry WHERE after->>'productId' = ${String(offer.productId)}`)
    expect(entry).toMatchObject({ actor_id: admin.id, action: 'codes.import', after: { added: 2 } })
    expect(JSON.stringify(entry)).not.toContain('NEW-')
  })

  test('takes nothing when a line is invalid, and names every one', async () => {
    const offer = await anOffer(shop)
    const before = await toSnapshot(shop.database)
    const answer = await send(offer, [...newLines(2, '2,160,100'), 'ABC', 'D,0,80,100', '', 'E,1,80,x'])
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({
      added: 0,
      invalid: [
        { line: 3, reason: 'wrong_columns' },
        { line: 4, reason: 'price_usd_invalid' },
        { line: 6, reason: 'game_amount_invalid' },
      ],
    })
    expect(await toSnapshot(shop.database)).toEqual(before)
  })

  test.each(['true', '1'])('with dryRun=%s says the same and changes nothing', async (dryRun) => {
    const offer = await anOffer(shop, { stock: 1 })
    const [first, second] = newLines(2, '2,160,100')
    const lines = [first, second, first, `${offer.codes[0]},2,160,100`, ...newLines(1, '5,400,500')]
    const before = await toSnapshot(shop.database)
    const tried = await send(offer, lines, {}, `?dryRun=${dryRun}`)
    expect(tried.body).toMatchObject({ added: 3, duplicates: [3, 4] })
    expect(tried.body.price_changes).toHaveLength(2)
    expect(await toSnapshot(shop.database)).toEqual(before)
    const { body } = await send(offer, lines, { confirmPrices: true }, '?dryRun=false')
    expect(body).toEqual({ ...tried.body, batch_id: expect.any(Number) })
  })

  test.each([
    ['an unknown product', { productId: 2_147_483_647 }, 404, 'NOT_FOUND'],
    ['an unknown region', { regionId: 2_147_483_647 }, 404, 'NOT_FOUND'],
    ['no lines', { lines: undefined }, 400, 'VALIDATION_FAILED'],
    ['lines that are no texts', { lines: [1] }, 400, 'VALIDATION_FAILED'],
  ])('for %s is refused', async (_name, change, status, code) => {
    const answer = await send(await anOffer(shop), newLines(1), change)
    expect([answer.status, answer.body.error.code]).toEqual([status, code])
  })
})

describe('a code is in stock once', () => {
  test('within an import, across imports, products and regions, and after it was sold', async () => {
    const [offer, other] = [await anOffer(shop), await anOffer(shop, { region: 'UZ' })]
    const [first, second] = newLines(2)
    expect((await send(offer, [first, second, ` "${first?.split(',')[0]}" ,1,80,100`])).body).toEqual(
      report({ added: 2, duplicates: [3] }),
    )
    expect((await send(offer, [...newLines(1), second])).body).toEqual(report({ added: 1, duplicates: [2] }))
    await shop.database.run(sql`UPDATE code SET status = 'used' WHERE offer_id = ${offer.id}`)
    const elsewhere = await send(other, [second], { regionId: other.regionId })
    expect(elsewhere.body).toEqual(report({ duplicates: [1], elsewhere: [1] }))
  })

  test('when two imports bring the same codes at the same moment', async () => {
    for (const round of [1, 2, 3]) {
      const [offer, other] = [await anOffer(shop), await anOffer(shop)]
      const lines = newLines(1_000)
      const before = await countCodes()
      // The second import has another order, and in one round another product.
      const answers = await Promise.all([send(offer, lines), send(round === 3 ? other : offer, lines.toReversed())])
      expect(answers.map((answer) => answer.status)).toEqual([200, 200])
      expect(await countCodes()).toBe(before + 1_000)
      const [one, two] = answers.map(({ body }) => body)
      expect(one.added + two.added).toBe(1_000)
      expect(one.duplicates.length + two.duplicates.length).toBe(1_000)
      const { audited } = await shop.database.one<{ audited: number }>(sql`
        SELECT sum((after->>'added')::int)::int AS audited FROM audit_entry
        WHERE action = 'codes.import' AND (after->>'productId')::int IN (${offer.productId}, ${other.productId})`)
      expect(audited).toBe(1_000)
    }
  })
})

describe('an import in parts', () => {
  test('is one batch, and goes on only where it began', async () => {
    const [offer, other] = [await anOffer(shop), await anOffer(shop)]
    const { body: first } = await send(offer, newLines(2))
    const more = { batchId: first.batch_id }
    expect((await send(offer, newLines(3), more)).body).toEqual(report({ added: 3, ...{ batch_id: first.batch_id } }))
    const { body: listed } = await shop.call('GET', `/admin/codes?batch=${first.batch_id}`, { token: admin.token })
    expect(listed.total).toBe(5)

    const stranger = await aUser(shop, { role: 'admin' })
    const refused = [
      await send(other, newLines(1), more),
      await send(offer, newLines(1), { batchId: 999_999 }),
      await shop.call('POST', '/admin/codes/bulk', {
        token: stranger.token,
        body: { productId: offer.productId, regionId: 0, lines: newLines(1), ...more },
      }),
    ]
    expect(refused.map(({ body }) => body.error.details)).toEqual(Array(3).fill({ batchId: 'not_found' }))
  })

  /** Imports a code in a transaction that is open while `meanwhile` runs: by nobody, since the audit log has one writer at a time. */
  const whileOneIsWritten = <T>(offer: TestOffer, meanwhile: () => Promise<T>) =>
    shop.database.transaction(async (tx) => {
      const place = { productId: offer.productId, regionId: null }
      const codes = { ...place, lines: newLines(1), dryRun: false, adminId: null, mayPrice: false }
      await importCodes(tx, shop.vault, codes)
      return meanwhile()
    })

  test('is written side by side, and keeps nobody from pricing', async () => {
    const offer = await anOffer(shop)
    const { body: first } = await send(offer, newLines(1))
    await whileOneIsWritten(offer, async () => {
      const beside = await send(offer, newLines(3), { batchId: first.batch_id })
      expect(beside.body).toEqual(report({ added: 3, ...{ batch_id: first.batch_id } }))
      const priced = await send(offer, newLines(1, '1.1,88,100'), { confirmPrices: true })
      expect(priced.body.price_changes).toMatchObject([{ price_usd: 1.1, was_usd: 1 }])
    })
    expect(await countStock(offer)).toEqual({ 100: 6 })
    const { body } = await shop.call('GET', `/products/${offer.productId}/codes/0`)
    expect(body).toMatchObject([{ price_usd: 1.1, price_rub: 88 }])
  })

  test('of new packages, grouped by amount, does not get in its own way', async () => {
    const offer = await anOffer(shop)
    const { body: first } = await send(offer, newLines(1))
    const parts = Array.from({ length: 6 }, (_, at) => [...newLines(300), ...newLines(300, `1,80,${200 + at}`)])
    const answers = await Promise.all(
      parts.map((lines) => send(offer, lines, { batchId: first.batch_id, confirmPrices: true })),
    )
    expect(answers.map(({ body }) => body.added ?? body.error)).toEqual(Array(6).fill(600))
  })

  test('keeps its package until it is written, and one that is deleted gets no more', async () => {
    const offer = await anOffer(shop)
    await send(offer, newLines(1))
    const remove = (seen: number) =>
      shop.call('DELETE', `/admin/offers/${offer.id}?seenCodes=${seen}`, { token: admin.token })
    const { removal } = await whileOneIsWritten(offer, async () => {
      const removal = remove(1)
      await untilWaiting(shop.database, 1, 'pg_advisory_xact_lock(')
      return { removal }
    })
    expect((await removal).body.error.details).toMatchObject({ reason: 'more_codes', unsold_codes: 2 })
    const { late } = await shop.database.transaction(async (tx) => {
      await removeOffer(tx, admin.id, { id: offer.id })
      const rows = [{ line: 1, code: `LATE-${offer.id}`, gameAmount: 100 }]
      const late = shop.call('POST', '/admin/codes/bulk', {
        token: admin.token,
        body: { productId: offer.productId, regionId: 0, rows },
      })
      await untilWaiting(shop.database, 1, 'pg_advisory_xact_lock_shared(')
      return { late }
    })
    expect((await late).body.error.code).toBe('OFFER_NOT_FOUND')
  })
})

describe('a large import', () => {
  test.each(['a text', 'a list'])('of more lines than may be, as %s, is refused before they are read', async (form) => {
    const offer = await anOffer(shop)
    const lines = Array<string>(LIMITS.importLinesMax + 1).fill('A,1,1,1')
    const answer = await send(offer, form === 'a text' ? lines.join('\n') : lines)
    expect([answer.status, answer.body.error.details]).toEqual([400, { lines: 'too_many_lines' }])
  })

  test('of 50,000 codes takes a few seconds, and once more finds them all', { timeout: 60_000 }, async () => {
    const offer = await anOffer(shop)
    const text = newLines(50_000).join('\n')
    const usage = process.cpuUsage()
    expect((await send(offer, text)).body).toEqual(report({ added: 50_000 }))
    // Measures processor time instead of the clock, because other tests run beside this one.
    const { user, system } = process.cpuUsage(usage)
    expect((user + system) / 1e6).toBeLessThan(4)
    const again = await send(offer, text)
    expect([again.body.added, again.body.duplicates.length]).toEqual([0, 50_000])
    expect(await countStock(offer)).toEqual({ 100: LIMITS.stockShownMax })
  })

  test('above 10 MB is BODY_TOO_LARGE, right below it is read', async () => {
    const offer = await anOffer(shop)
    const filler = (bytes: number) => `${newLines(1)[0]}\n${' '.repeat(bytes)}`
    const body = (text: string) => `{"productId":${offer.productId},"lines":${JSON.stringify(text)}}`
    const post = (payload: string) =>
      shop.app.inject({
        method: 'POST',
        url: '/api/admin/codes/bulk',
        headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'application/json' },
        payload,
      })
    const room = LIMITS.bulkBodyBytes - body(filler(0)).length
    const fits = await post(body(filler(room)))
    expect([fits.statusCode, fits.json().added]).toEqual([200, 1])
    const tooLarge = await post(body(filler(room + 1)))
    expect([tooLarge.statusCode, tooLarge.json().error.code]).toEqual([413, 'BODY_TOO_LARGE'])
  })

  test.each([
    ['says so', `content-length: ${2 ** 31}`, /^HTTP\/1\.1 413 .*"code":"BODY_TOO_LARGE"/s],
    ['does not say so', 'transfer-encoding: chunked', /^HTTP\/1\.1 413 .*"code":"BODY_TOO_LARGE"/s],
  ])('of 2 GB that %s is refused early, and nothing of it is kept', async (_how, length, expected) => {
    const before = await countCodes()
    if (!shop.app.server.listening) await shop.app.listen({ port: 0, host: '127.0.0.1' })
    const socket = connect((shop.app.server.address() as AddressInfo).port, '127.0.0.1')
    let answer = ''
    socket.setEncoding('utf8').on('data', (text) => {
      answer += text
    })
    // What is written to a store that has hung up is an error, as it should be.
    const closed = new Promise((done) => socket.on('error', () => {}).on('close', done))
    const line = 'FAR-TOO-MANY-1,1,80,100\\n'
    const piece = line.repeat(0x1_0000 / line.length)
    const body = length.startsWith('transfer') ? `${piece.length.toString(16)}\r\n${piece}\r\n` : piece
    socket.write(
      `POST /api/admin/codes/bulk HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${admin.token}\r\n` +
        `content-type: application/json\r\n${length}\r\n\r\n`,
    )
    const memory = () => process.memoryUsage().arrayBuffers
    const atFirst = memory()
    let [sent, most] = [0, 0]
    while (sent < 2 ** 31 && answer === '' && !socket.destroyed) {
      await new Promise((written) => socket.write(body, written))
      sent += piece.length
      most = Math.max(most, memory() - atFirst)
    }
    await closed
    expect(answer).toMatch(expected)
    expect(sent).toBeLessThan(4 * LIMITS.bulkBodyBytes)
    expect(most).toBeLessThan(4 * LIMITS.bulkBodyBytes)
    expect(await countCodes()).toBe(before)
  })
})

describe('rows of a file', () => {
  const sendRows = (offer: Pick<TestOffer, 'productId'>, rows: object[], more: object = {}, query = '') =>
    shop.call('POST', `/admin/codes/bulk${query}`, {
      token: admin.token,
      body: { productId: offer.productId, regionId: 0, rows, ...more },
    })
  const priceInForce = ({ id }: TestOffer) =>
    shop.database.one<{ price_usd: number; price_rub: number }>(
      sql`SELECT price_usd, price_rub FROM offer WHERE id = ${id}`,
    )

  test('without prices are sold at the price in force, whatever it is by then', async () => {
    const offer = await anOffer(shop, { priceUsd: 345, priceRub: 27_600 })
    const rows = [...Array(20)].map((_, n) => ({ line: n + 2, code: `ROWS-KEEP-${n}`, gameAmount: 100 }))
    const change = shop.call('PUT', `/admin/offers/${offer.id}`, {
      token: admin.token,
      body: { priceUsd: 3.5, priceRub: 280 },
    })
    const sent = rows.map((row) => sendRows(offer, [row]))
    expect((await change).status).toBe(200)
    for (const answer of await Promise.all(sent)) expect(answer.body).toEqual(report({ added: 1 }))
    expect(await priceInForce(offer)).toEqual({ price_usd: 350, price_rub: 28_000 })
  })

  test('of a package that is not there need a price, its own or that of another row', async () => {
    const offer = await anOffer(shop)
    const rows = [
      { line: 7, code: 'ROWS-NEW-1', gameAmount: 5_000 },
      { line: 9, code: 'ROWS-NEW-2', gameAmount: 6_000 },
      { line: 12, code: 'ROWS-NEW-3', gameAmount: 6_000, priceUsd: 6, priceRub: 480 },
    ]
    const expected = { added: 2, invalid: [{ line: 7, reason: 'price_missing' }] }
    const rehearsed = await sendRows(offer, rows, {}, '?dryRun=true')
    expect(rehearsed.body).toMatchObject(expected)
    expect((await sendRows(offer, rows)).body).toMatchObject(expected)
    expect(await countStock(offer)).toEqual({ 100: 0, 6000: 2 })
  })

  test('ask before they change a price, and leave out those that disagree with an earlier row', async () => {
    const offer = await anOffer(shop)
    const price = (priceUsd: number, priceRub: number) => ({ gameAmount: 100, priceUsd, priceRub })
    const rows = [
      { line: 1, code: 'ROWS-PRICE-1', ...price(1.2, 96) },
      { line: 2, code: 'ROWS-PRICE-2', ...price(1.3, 104) },
      { line: 3, code: 'ROWS-PRICE-3', gameAmount: 100 },
    ]
    const refused = await sendRows(offer, rows)
    expect([refused.status, refused.body.error.code]).toEqual([409, 'PRICE_CHANGED'])
    expect(await priceInForce(offer)).toEqual({ price_usd: 100, price_rub: 8_000 })
    expect((await sendRows(offer, rows, { confirmPrices: true })).body).toMatchObject({
      added: 2,
      invalid: [{ line: 2, reason: 'price_differs_within_import' }],
    })
    expect(await priceInForce(offer)).toEqual({ price_usd: 120, price_rub: 9_600 })
  })

  test('are known when they are in stock, and told apart when it is as something else', async () => {
    const [offer, other] = [await anOffer(shop, { stock: 1 }), await anOffer(shop, { stock: 1 })]
    const codes = [offer.codes[0], other.codes[0], 'ROWS-TWICE', 'ROWS-TWICE']
    const rows = codes.map((code, index) => ({ line: 10 * (index + 1), code, gameAmount: 100 }))
    expect((await sendRows(offer, rows)).body).toEqual(report({ added: 1, duplicates: [10, 20, 40], elsewhere: [20] }))
  })

  test('may be codes of several lines, which the buyer reads as they were', async () => {
    const offer = await anOffer(shop)
    const code = 'Login: lola@example.com\nPassword: x9\nPIN: 0042'
    expect((await sendRows(offer, [{ line: 1, code, gameAmount: 100 }])).body.added).toBe(1)
    const again = await sendRows(offer, [{ line: 1, code, gameAmount: 100 }])
    expect(again.body).toEqual(report({ duplicates: [1] }))
    const buyer = await aUser(shop, { usd: 1_000 })
    const body = { offerId: offer.id, quantity: 1, currency: 'USD', amount: 1 }
    const headers = { 'idempotency-key': randomUUID() }
    const bought = await shop.call('POST', '/payment/buy-now', { token: buyer.token, body, headers })
    const receipt = await shop.call('GET', `/orders/${bought.body.order.id}`, { token: buyer.token })
    expect(receipt.body.items).toMatchObject([{ code, codes: [code] }])
  })

  test.each([
    ['a mask', { code: '••••-QWE' }],
    ['one price of two', { priceUsd: 1 }],
    ['no code', { code: ' ' }],
    ['no amount', { gameAmount: 0 }],
  ])('are refused with %s', async (_name, part) => {
    const offer = await anOffer(shop)
    const answer = await sendRows(offer, [{ line: 1, code: 'ROWS-X', gameAmount: 100, ...part }])
    expect([answer.status, answer.body.error.code]).toEqual([400, 'VALIDATION_FAILED'])
  })

  test('or lines: one of both', async () => {
    const offer = await anOffer(shop)
    for (const more of [{ lines: ['A,1,80,100'] }, { rows: undefined }])
      expect((await sendRows(offer, [], more)).status).toBe(400)
  })
})
