import type { SavedView } from '@olmos/contract/admin-orders'
import * as LIMITS from '@olmos/contract/limits'
import { beforeEach, describe, expect, test } from 'vitest'
import { anOffer, aUser, type TestOffer, type TestUser, toCart } from '../../../test/factories.ts'
import { someGenerated } from '../../../test/game-codes.ts'
import { useShop, useUser } from '../../../test/use-shop.ts'
import { sql } from '../../platform/database/queries.ts'

const logLines: string[] = []
const shop = useShop({ TIMEZONE: 'Asia/Tashkent', LOG_LEVEL: 'info' }, { logLines })
const admin = useUser(shop, { role: 'admin' })

const call = (path: string) => shop.call('GET', `/admin${path}`, { token: admin.token })

async function buy(buyer: TestUser, offer: TestOffer, currency: 'USD' | 'RUB' = 'USD'): Promise<string> {
  await shop.call('POST', '/cart/add', { token: buyer.token, body: toCart(offer) })
  const paid = await shop.call('POST', '/payment/from-balance', { token: buyer.token, body: { currency } })
  return paid.body.order.id
}

const aBuyer = () => aUser(shop, { usd: 20_000, rub: 2_000_000 })

const find = async (query: Record<string, string | number>): Promise<string[]> => {
  const answer = await call(`/orders?${new URLSearchParams(Object.entries(query).map(([k, v]) => [k, String(v)]))}`)
  expect(answer.status, answer.text).toBe(200)
  const ids = answer.body.data.map((order: { id: string }) => order.id)
  expect(answer.body.total).toBe(ids.length)
  return ids
}

/** Two orders in USD and RUB of different products by different buyers, placed around a midnight in Tashkent. */
async function aPair() {
  const [cheap, dear] = [await anOffer(shop, { stock: 1 }), await anOffer(shop, { stock: 1, priceRub: 123_450 })]
  const [first, second] = [await aBuyer(), await aBuyer()]
  const [older, newer] = [await buy(first, cheap), await buy(second, dear, 'RUB')]
  const setTime = (id: string, at: string) =>
    shop.database.run(sql`UPDATE orders SET created_at = ${at} WHERE id = ${id}`)
  await setTime(older, '2026-05-09T18:59:59Z')
  await setTime(newer, '2026-05-09T19:00:00Z')
  return { cheap, dear, first, second, older, newer }
}

test('orders are narrowed by product, nickname, amount, currency and day, each by itself and all together', async () => {
  const { cheap, dear, first, second, older, newer } = await aPair()
  expect(await find({ productId: cheap.productId })).toEqual([older])
  expect(await find({ productId: dear.productId })).toEqual([newer])
  expect(await find({ nickname: first.nickname.toUpperCase() })).toEqual([older])
  expect(await find({ amount_from: '1234.50', amount_to: '1234.50' })).toEqual([newer])
  expect(await find({ amount_from: '1234.51', nickname: second.nickname })).toEqual([])
  expect(await find({ amount_to: '1', nickname: first.nickname })).toEqual([older])
  expect(await find({ from: '2026-05-09', to: '2026-05-09' })).toEqual([older])
  expect(await find({ from: '2026-05-10', to: '2026-05-10' })).toEqual([newer])
  expect(await find({ from: '2026-05-09', to: '2026-05-10' })).toEqual([newer, older])
  expect(await find({ from: '2026-05-09', to: '2026-05-10', currency: 'USD' })).toEqual([older])
  const all = {
    search: newer.slice(1, 8),
    productId: dear.productId,
    nickname: second.nickname,
    amount_from: '1234.5',
    currency: 'RUB',
    from: '2026-05-10',
    status: 'completed',
    payment_method: 'balance',
  }
  expect(await find(all)).toEqual([newer])
  expect(await find({ ...all, productId: cheap.productId })).toEqual([])
})

test('a top-up is found by its account and its supplier, also where the account has several values', async () => {
  const { older, newer } = await aPair()
  const target = (orderId: string, account: string) =>
    shop.database.run(sql`
      INSERT INTO topup_target (order_item_id, service, account)
      SELECT id, 'pubg', ${account} FROM order_item WHERE order_id = ${orderId}`)
  await target(older, '5123400001')
  await target(newer, 'Lina77 (2001)')
  await shop.database.run(sql`
    WITH unit AS (
      INSERT INTO delivery (order_item_id, unit, state, next_at, decided_at)
      SELECT id, 1, 'done', NULL, now() FROM order_item WHERE order_id = ${newer} RETURNING id)
    INSERT INTO supplier_order (delivery_id, supplier, state) SELECT id, 'kinguin', 'done' FROM unit`)

  expect(await find({ account: '5123400001' })).toEqual([older])
  expect(await find({ search: '5123400001' })).toEqual([older])
  expect(await find({ account: 'lina77' })).toEqual([newer])
  expect(await find({ account: 'Lina77 (2001)' })).toEqual([newer])
  expect(await find({ account: '2001' })).toEqual([])
  expect(await find({ supplier: 'kinguin' })).toEqual([newer])
  expect(await find({ supplier: 'nobody' })).toEqual([])
})

test('an order is found by the id of its payment, here and at the provider, and by the e-mail of its receipt', async () => {
  const { older, newer } = await aPair()
  const { id } = await shop.database.one<{ id: number }>(sql`
    INSERT INTO payment (order_id, provider, amount, currency, status, provider_payment_id, paid_amount, paid_currency,
      settled_to, receipt)
    VALUES (${newer}, 'yookassa', 123450, 'RUB', 'succeeded', '2c5f-77aa', 123450, 'RUB', 'order',
      '{"contact": {"email": "Lina@example.com"}}')
    RETURNING id`)

  expect(await find({ payment: String(id) })).toEqual([newer])
  expect(await find({ payment: '2c5f-77aa' })).toEqual([newer])
  expect(await find({ search: '2c5f-77aa' })).toEqual([newer])
  expect(await find({ email: 'lina@EXAMPLE.com' })).toEqual([newer])
  expect(await find({ search: 'lina@example.com' })).toEqual([newer])
  expect(await find({ email: 'lina@example.com', nickname: 'nobody_at_all' })).toEqual([])
  expect(await find({ payment: older })).toEqual([])
})

test('an order is found by the contact in the profile of its buyer, whatever its case', async () => {
  const { first, older } = await aPair()
  await shop.database.run(sql`UPDATE users SET contact = 'Zumrad@Example.com' WHERE id = ${first.id}`)
  expect(await find({ email: 'zumrad@example.COM' })).toEqual([older])
  expect(await find({ search: 'ZUMRAD@example.com' })).toEqual([older])
  expect(await find({ email: 'zumrad@example.co' })).toEqual([])
})

test('a whole code leads to its order by its fingerprint, and who asked is in the audit trail, but not the code', async () => {
  const offer = await anOffer(shop, { stock: 2 })
  const order = await buy(await aBuyer(), offer)
  const { id: codeId, fingerprint } = await shop.database.one<{ id: number; fingerprint: Buffer }>(sql`
    SELECT code.id, code.fingerprint FROM code JOIN code_sale ON code_id = code.id
    JOIN order_item ON order_item.id = order_item_id WHERE order_id = ${order}`)
  const plain = offer.codes.find((code) => shop.vault.fingerprint(code).equals(fingerprint)) ?? ''
  const lookUp = (code: string) => shop.call('POST', '/admin/orders/code', { token: admin.token, body: { code } })

  expect((await lookUp(plain)).body).toEqual({ data: { id: codeId } })
  expect((await lookUp('NO-SUCH-CODE')).body).toEqual({ data: { id: null } })
  expect((await lookUp(plain.slice(0, -1))).body).toEqual({ data: { id: null } })
  expect(await find({ code: codeId })).toEqual([order])
  expect(await find({ code: codeId, currency: 'RUB' })).toEqual([])

  const trail = await shop.database.rows<{ subject: string; after: unknown; actor_id: number }>(
    sql`SELECT subject, after, actor_id FROM audit_entry WHERE action = 'code.look_up' ORDER BY id`,
  )
  expect(trail).toEqual([
    { subject: `code:${codeId}`, after: { is_known: true }, actor_id: admin.id },
    { subject: 'orders', after: { is_known: false }, actor_id: admin.id },
    { subject: 'orders', after: { is_known: false }, actor_id: admin.id },
  ])
  expect(JSON.stringify([trail, logLines])).not.toContain(plain)
  expect(logLines.length).toBeGreaterThan(0)
})

test('a code of the shop’s own is found however it is typed', async () => {
  const [code] = (await someGenerated(shop, admin, { count: 1 })).codes
  const lookUp = async (typed: string) =>
    (await shop.call('POST', '/admin/orders/code', { token: admin.token, body: { code: typed } })).body.data.id
  const { id, plain = '' } = code ?? {}
  expect(await lookUp(plain)).toBe(id)
  expect(await lookUp(plain.toLowerCase().replaceAll('-', ''))).toBe(id)
})

test.each([
  ['from', '2026-02-30', 'invalid_date'],
  ['amount_to', '1.234', 'invalid_amount'],
  ['productId', 'x', 'invalid_id'],
  ['currency', 'EUR', undefined],
])('%s=%s is refused', async (name, value, reason) => {
  const answer = await call(`/orders?${name}=${value}`)
  expect([answer.status, answer.body.error.code]).toEqual([400, 'VALIDATION_FAILED'])
  if (reason) expect(answer.body.error.details).toEqual({ [name]: reason })
})

describe('views', () => {
  const stuck = { name: 'Stuck', filters: { status: 'pending', sort: 'total_amount', order: 'asc' }, is_shared: false }
  let colleague: TestUser
  beforeEach(async () => {
    colleague = await aUser(shop, { staff: 'support' })
    await shop.database.run(sql`DELETE FROM order_view`)
  })
  const views = (method: 'POST' | 'PUT' | 'DELETE', id: number | undefined, by: TestUser, body?: object) =>
    shop.call(method, `/admin/order-views${id === undefined ? '' : `/${id}`}`, { token: by.token, body })
  const keep = async (by: TestUser, wish: object = {}) =>
    (await views('POST', undefined, by, { ...stuck, ...wish })).body.data as SavedView
  const seenBy = async ({ token }: TestUser): Promise<SavedView[]> =>
    (await shop.call('GET', '/admin/order-views', { token })).body.data

  test('are kept for oneself, or for all colleagues, who can not change them', async () => {
    const [own, shared] = [await keep(colleague), await keep(colleague, { name: 'All', is_shared: true })]
    const other = await aUser(shop, { staff: 'manager' })
    expect(await seenBy(colleague)).toMatchObject([
      { name: 'All', is_own: true, is_changeable: true },
      { ...stuck, is_own: true, is_incomplete: false },
    ])
    expect(await seenBy(other)).toEqual([
      expect.objectContaining({ name: 'All', made_by: colleague.nickname, is_own: false, is_changeable: false }),
    ])
    expect((await views('PUT', own.id, other, { name: 'Mine' })).status).toBe(404)
    expect((await views('DELETE', own.id, admin)).status).toBe(404)
    for (const refused of [
      await views('PUT', shared.id, other, { name: 'Mine' }),
      await views('DELETE', shared.id, other),
    ])
      expect([refused.status, refused.body.error.details]).toEqual([
        409,
        { reason: 'view_of_colleague', made_by: colleague.nickname },
      ])
  })

  test('that are shared may be changed and deleted by who manages the staff', async () => {
    const { id } = await keep(colleague, { is_shared: true })
    expect((await views('PUT', id, admin, { name: 'Late', version: 1 })).body.data).toMatchObject({
      ...{ name: 'Late', made_by: colleague.nickname, is_own: false, version: 2 },
    })
    expect((await views('DELETE', id, admin)).status).toBe(200)
    expect(await seenBy(colleague)).toEqual([])
  })

  test('have one name each for a person, whatever its case, and filters that the list has', async () => {
    await keep(colleague)
    const again = await views('POST', undefined, colleague, { ...stuck, name: 'STUCK' })
    expect([again.status, again.body.error.code]).toEqual([409, 'DUPLICATE'])
    expect((await keep(admin)).name).toBe('Stuck')
    for (const filters of [{}, { weather: 'rain' }, { status: 'teleported' }, { constructor: 'x' }])
      expect((await views('POST', undefined, colleague, { ...stuck, name: 'Odd', filters })).status).toBe(400)
  })

  test('of filters that the list has no more open without them, and keep them when they are renamed', async () => {
    const { id } = await keep(colleague)
    const old = { weather: 'rain', status: 'teleported', currency: 'RUB' }
    await shop.database.run(sql`UPDATE order_view SET filters = ${JSON.stringify(old)} WHERE id = ${id}`)
    expect(await seenBy(colleague)).toMatchObject([{ filters: { currency: 'RUB' }, is_incomplete: true }])
    await views('PUT', id, colleague, { name: 'Old' })
    expect(await shop.database.one(sql`SELECT filters FROM order_view WHERE id = ${id}`)).toEqual({ filters: old })
    const kept = await views('PUT', id, colleague, { filters: { currency: 'USD' } })
    expect(kept.body.data).toMatchObject({ name: 'Old', filters: { currency: 'USD' }, is_incomplete: false })
  })

  test('are no more than a person may have, however many are kept at once', async () => {
    const names = Array.from({ length: LIMITS.orderViewsMax + 10 }, (_, index) => `View ${index}`)
    const answers = await Promise.all(names.map((name) => views('POST', undefined, colleague, { ...stuck, name })))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(LIMITS.orderViewsMax)
    const refused = answers.find(({ status }) => status !== 201)
    expect([refused?.status, refused?.body.error.details]).toEqual([400, { name: 'list_too_long' }])
    expect((await views('POST', undefined, admin, stuck)).status).toBe(201)
  })
})
