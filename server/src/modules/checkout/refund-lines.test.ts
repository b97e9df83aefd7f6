import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  aCardOrder,
  act,
  type CardOrder,
  expectSound,
  fillCart,
  onFullShelf,
  openedBy,
  payFromBalance,
  pressPay,
  startVendorShop,
  useCardShop,
} from '../../../test/card-orders.ts'
import { anOffer, aUser, type TestOffer, type TestUser, toCart } from '../../../test/factories.ts'
import { someGenerated } from '../../../test/game-codes.ts'
import type { TestShop } from '../../../test/shop.ts'
import { aPlayer, aTopupOrder, shopFor, workOff } from '../../../test/topup-orders.ts'
import { useUser } from '../../../test/use-shop.ts'
import { sql } from '../../platform/database/queries.ts'

const refund = (shop: TestShop, admin: TestUser, orderId: string, wish: object = {}, key?: string) =>
  shop.call('POST', `/admin/orders/${orderId}/refund`, {
    token: admin.token,
    body: { reason: 'one did not work', ...wish },
    headers: key ? { 'idempotency-key': key } : {},
  })
const readReceipt = async (shop: TestShop, buyer: TestUser, orderId: string) =>
  (await shop.call('GET', `/orders/${orderId}`, { token: buyer.token })).body
const shownTo = async (shop: TestShop, admin: TestUser, orderId: string) =>
  (await shop.call('GET', `/admin/orders/${orderId}`, { token: admin.token })).body.data
const toUsd = async (shop: TestShop, buyer: TestUser): Promise<number> => {
  const { body } = await shop.call('GET', '/balance', { token: buyer.token })
  return body.find((entry: { currency: string }) => entry.currency === 'usd').amount
}
const toItems = async (shop: TestShop, orderId: string): Promise<number[]> =>
  (
    await shop.database.rows<{ id: number }>(
      sql`SELECT id FROM order_item WHERE order_id = ${orderId} ORDER BY position`,
    )
  ).map(({ id }) => id)
const countStock = async (shop: TestShop, offer: TestOffer) => {
  const rows = await shop.database.rows<{ status: string; count: number }>(
    sql`SELECT status, count(*)::int AS count FROM code WHERE offer_id = ${offer.id} GROUP BY status`,
  )
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]))
}

describe('of a line paid from the balance', () => {
  const shop = useCardShop()
  const admin = useUser(shop, { role: 'admin' })

  /** One line of so many codes at a dollar each, and nothing else on the shelf. */
  const aLine = async (quantity: number, { spare = 0 } = {}) => {
    const offer = await anOffer(shop, { stock: quantity + spare })
    const buyer = await aUser(shop, { usd: quantity * 100 })
    await fillCart(shop, buyer, offer, quantity)
    const { id } = (await payFromBalance(shop, buyer)).body.order
    const [item = 0] = await toItems(shop, id)
    const give = (line: object, more: object = {}, key?: string) =>
      refund(shop, admin, id, { items: [{ id: item, ...line }], ...more }, key)
    return { offer, buyer, id, item, give }
  }

  test('a line of 100 codes, one dead, shelf empty: that one comes back with its price', async () => {
    const { offer, buyer, id, item, give } = await aLine(100)
    const before = (await readReceipt(shop, buyer, id)).items[0].code.split('\n')
    const dead = (await shownTo(shop, admin, id)).items[0].codes[41].id
    const answer = await give({ quantity: 1, codeIds: [dead] })
    expect(answer.body.data).toMatchObject({
      status: 'partially_refunded',
      refunds: [{ item_id: item, quantity: 1, amount: 1, destination: 'wallet', status: 'done' }],
    })
    expect(await toUsd(shop, buyer)).toBe(1)
    expect(await countStock(shop, offer)).toEqual({ used: 99, quarantined: 1 })
    const receipt = await readReceipt(shop, buyer, id)
    expect(receipt).toMatchObject({
      status: 'partially_refunded',
      items: [
        { status: 'delivered', quantity: 100, partial_refunds: [{ quantity: 1, amount: 1, destination: 'wallet' }] },
      ],
    })
    expect(receipt.items[0].code.split('\n')).toEqual(before.filter((_: string, place: number) => place !== 41))
    expect((await shownTo(shop, admin, id)).items[0]).toMatchObject({
      left_amount: 99,
      left_quantity: 99,
      partial_refunds: [{ quantity: 1, amount: 1, destination: 'wallet' }],
    })
  })

  test('two colleagues who saw the same line refund a part of it once', async () => {
    const { buyer, id, item, give } = await aLine(10)
    const seen = [{ id: item, left_amount: 10, left_quantity: 10 }]
    const answers = await Promise.all([1, 2].map(() => give({ amount: 4 }, { seen }, randomUUID())))
    const [won, late] = answers.toSorted((one, other) => one.status - other.status)
    expect([won?.status, late?.status, late?.body.error.details]).toEqual([
      200,
      409,
      { reason: 'changed_meanwhile', current: { id, items: [{ id: item, left_amount: 6, left_quantity: 10 }] } },
    ])
    expect(await toUsd(shop, buyer)).toBe(4)
    const now = [{ id: item, left_amount: 6, left_quantity: 10 }]
    expect((await give({ quantity: 1 }, { seen: now }, randomUUID())).status).toBe(200)
    expect((await give({ quantity: 1 }, { seen: now }, randomUUID())).body.error.details).toMatchObject({
      reason: 'changed_meanwhile',
      current: { items: [{ left_amount: 5, left_quantity: 9 }] },
    })
    expect(await toUsd(shop, buyer)).toBe(5)
  })

  test('of what was seen nothing may be of another order', async () => {
    const { give } = await aLine(1)
    const seen = [{ id: 2_000_000_000, left_amount: 1, left_quantity: 1 }]
    expect((await give({ amount: 0.4 }, { seen })).body.error.code).toBe('NOT_FOUND')
  })

  test('codes nobody has seen come back first, and go on the shelf; a seen one goes into quarantine', async () => {
    const { offer, buyer, id, give } = await aLine(2, { spare: 1 })
    await readReceipt(shop, buyer, id)
    const [bad] = (await shownTo(shop, admin, id)).items[0].codes
    const replaced = await shop.call('POST', `/admin/orders/${id}/codes/${bad.id}/replace`, {
      token: admin.token,
      body: { reason: 'it did not work' },
    })
    expect(replaced.status).toBe(200)
    await give({ quantity: 1 })
    expect(await countStock(shop, offer)).toEqual({ quarantined: 1, used: 1, available: 1 })
    expect((await give({ quantity: 1 })).body.data.status).toBe('refunded')
    expect(await countStock(shop, offer)).toEqual({ quarantined: 2, available: 1 })
    expect((await readReceipt(shop, buyer, id)).items[0]).toMatchObject({ status: 'refunded', code: null })
  })

  test('a sum of money is for trouble: the codes stay, and a whole refund later pays what is left', async () => {
    const { offer, buyer, id, give } = await aLine(3)
    expect((await give({ amount: 0.4 })).body.data.status).toBe('partially_refunded')
    expect((await give({ amount: 0.1 })).body.data.status).toBe('partially_refunded')
    expect(await toUsd(shop, buyer)).toBe(0.5)
    expect(await countStock(shop, offer)).toEqual({ used: 3 })
    const { items } = await readReceipt(shop, buyer, id)
    expect(items[0]).toMatchObject({
      status: 'delivered',
      partial_refunds: [
        { quantity: null, amount: 0.4 },
        { quantity: null, amount: 0.1 },
      ],
    })
    expect((await refund(shop, admin, id)).body.data.status).toBe('refunded')
    expect(await toUsd(shop, buyer)).toBe(3)
    expect(await countStock(shop, offer)).toEqual({ quarantined: 3 })
    expect((await give({ amount: 0.01 })).status).toBe(409)
  })

  test('units and sums of one line add up to its price and no further', async () => {
    const { buyer, item, give } = await aLine(3)
    await give({ quantity: 1 })
    await give({ amount: 0.5 })
    expect((await give({ quantity: 3 })).body.error).toMatchObject({
      code: 'STATE_CONFLICT',
      details: { reason: 'above_quantity_left', item, left: 1.5, quantity_left: 2 },
    })
    expect((await give({ quantity: 2 })).body.error).toMatchObject({
      code: 'STATE_CONFLICT',
      details: { reason: 'above_left', item, left: 1.5, quantity_left: 2 },
    })
    expect((await give({ amount: 1.51 })).body.error.details).toMatchObject({ reason: 'above_left', left: 1.5 })
    expect((await give({ quantity: 1 })).status).toBe(200)
    expect((await give({ amount: 0.5 })).body.data.status).toBe('partially_refunded')
    expect((await give({ amount: 0.01 })).body.error.details).toMatchObject({ left: 0 })
    expect(await toUsd(shop, buyer)).toBe(3)
    // The last code is with the customer still: taking it back costs nothing more.
    expect((await give({})).body.data.status).toBe('refunded')
    expect(await toUsd(shop, buyer)).toBe(3)
  })

  test('two lines in one refund: a unit of one and all of the other', async () => {
    const [small, big] = [await anOffer(shop, { stock: 2 }), await anOffer(shop, { stock: 1, priceUsd: 300 })]
    const buyer = await aUser(shop, { usd: 500 })
    await fillCart(shop, buyer, small, 2)
    await fillCart(shop, buyer, big)
    const { id } = (await payFromBalance(shop, buyer)).body.order
    const [first, second] = await toItems(shop, id)
    const answer = await refund(shop, admin, id, { items: [{ id: first, quantity: 1 }, second] })
    expect(answer.body.data).toMatchObject({
      status: 'partially_refunded',
      refunds: [
        { item_id: first, quantity: 1, amount: 1 },
        { item_id: second, quantity: null, amount: 3 },
      ],
    })
    expect(await toUsd(shop, buyer)).toBe(4)
    const { audited } = await shop.database.one<{ audited: object }>(
      sql`SELECT after AS audited FROM audit_entry WHERE subject = ${`order:${id}`} AND action = 'order.refund'`,
    )
    expect(audited).toMatchObject({
      items: [first, second],
      parts: [{ item: first, quantity: 1, amount: 100 }],
      amount: 400,
      to: 'wallet',
    })
    expect((await refund(shop, admin, id, { items: [{ id: first, quantity: 1 }] })).body.data.status).toBe('refunded')
  })

  test.each<[string, { to?: string; quantity?: number; amount?: number; codeIds?: number[] }, string]>([
    ['both a quantity and a sum', { quantity: 1, amount: 0.5 }, 'VALIDATION_FAILED'],
    ['no unit', { quantity: 0 }, 'VALIDATION_FAILED'],
    ['no money', { amount: 0 }, 'VALIDATION_FAILED'],
    ['half a unit', { quantity: 0.5 }, 'VALIDATION_FAILED'],
    ['a fraction of a cent', { amount: 0.005 }, 'VALIDATION_FAILED'],
    ['fewer codes than units', { quantity: 2, codeIds: [1] }, 'VALIDATION_FAILED'],
    ['one code twice', { quantity: 2, codeIds: [1, 1] }, 'VALIDATION_FAILED'],
    ['codes without a quantity', { codeIds: [1] }, 'VALIDATION_FAILED'],
    ['a code of somebody else', { quantity: 1, codeIds: [999_999] }, 'CODE_NOT_FOUND'],
    ['more units than the line has', { quantity: 3 }, 'STATE_CONFLICT'],
    ['more money than the line cost', { amount: 2.01 }, 'STATE_CONFLICT'],
    ['a part to a card it was not paid with', { amount: 1, to: 'card' }, 'STATE_CONFLICT'],
  ])('%s is refused, and nothing moves', async (_what, { to, ...line }, code) => {
    const { offer, buyer, give } = await aLine(2)
    expect((await give(line, to ? { to } : {})).body.error.code).toBe(code)
    expect(await toUsd(shop, buyer)).toBe(0)
    expect(await countStock(shop, offer)).toEqual({ used: 2 })
  })

  test('the same line twice in one refund is refused where a part of it is meant', async () => {
    const { id, item } = await aLine(2)
    const twice = await refund(shop, admin, id, { items: [{ id: item, quantity: 1 }, item] })
    expect(twice.body.error).toMatchObject({ code: 'VALIDATION_FAILED' })
  })

  test('an activated code stays: another one comes back, or nothing but money', async () => {
    const batch = await someGenerated(shop, admin, { count: 2 })
    const buyer = await aUser(shop, { usd: 200 })
    const line = {
      ...toCart({ ...batch, priceUsd: 100, priceRub: 8_000, regionId: 0 } as never, 2),
      gameCurrency: 'diamonds',
    }
    await shop.call('POST', '/cart/add', { token: buyer.token, body: line })
    const { id: orderId } = (await payFromBalance(shop, buyer)).body.order
    const [id] = await toItems(shop, orderId)
    const [first, second] = (await readReceipt(shop, buyer, orderId)).items[0].code.split('\n')
    const body = { playerID: '5123456789', code: first }
    expect((await shop.call('POST', '/freefire/activate-code', { token: buyer.token, body })).status).toBe(200)
    const spent = batch.codes.find(({ plain }) => plain === first)?.id
    const give = (part: object) => refund(shop, admin, orderId, { items: [{ id, ...part }] })
    for (const part of [{ quantity: 1, codeIds: [spent] }, { quantity: 2 }]) {
      expect((await give(part)).body.error).toMatchObject({
        code: 'STATE_CONFLICT',
        details: { code: 'activated', ids: [spent] },
      })
    }
    expect((await give({ quantity: 1 })).status).toBe(200)
    expect((await readReceipt(shop, buyer, orderId)).items[0].code).toBe(first)
    expect(first).not.toBe(second)
    expect((await give({ quantity: 1 })).status).toBe(409)
    expect((await give({ amount: 0.25 })).status).toBe(200)
    expect(await toUsd(shop, buyer)).toBe(1.25)
  })

  test('twenty parts at once, by one key and by many: never more than the price, each code once', async () => {
    const { offer, buyer, id, item, give } = await aLine(5)
    const key = randomUUID()
    const answers = await Promise.all([
      ...Array.from({ length: 6 }, () => give({ quantity: 1 }, {}, key)),
      ...Array.from({ length: 10 }, () => give({ quantity: 1 })),
      ...Array.from({ length: 10 }, () => give({ amount: 0.7 })),
    ])
    expect(answers.every(({ status }) => [200, 409].includes(status))).toBe(true)
    const rows = await shop.database.rows<{ quantity: number | null; amount: number }>(
      sql`SELECT quantity, amount FROM refund_part WHERE order_item_id = ${item}`,
    )
    const back = rows.reduce((sum, { amount }) => sum + amount, 0)
    expect(back).toBeLessThanOrEqual(500)
    expect(500 - back).toBeLessThan(70)
    expect(await toUsd(shop, buyer)).toBe(back / 100)
    const units = rows.reduce((sum, { quantity }) => sum + (quantity ?? 0), 0)
    expect(await countStock(shop, offer)).toEqual({
      ...(units > 0 && { available: units }),
      ...(units < 5 && { used: 5 - units }),
    })
    await refund(shop, admin, id)
    expect(await toUsd(shop, buyer)).toBe(5)
  })

  test('by one key it is one part', async () => {
    const { buyer, give } = await aLine(5)
    const key = randomUUID()
    const answers = await Promise.all(Array.from({ length: 20 }, () => give({ quantity: 1 }, {}, key)))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(await toUsd(shop, buyer)).toBe(1)
  })

  test('a version of the store that knows no parts can not pay them a second time', async () => {
    const { id, item, give } = await aLine(2)
    await give({ quantity: 1 })
    const paysAll = shop.database.run(sql`
      INSERT INTO refund (order_id, order_item_id, amount, destination, reason) VALUES (${id}, ${item}, 200, 'wallet', 'old')`)
    await expect(paysAll).rejects.toThrow(/more than its price/)
  })
})

describe('of a top-up', () => {
  const shop = useCardShop()
  const admin = useUser(shop, { role: 'admin' })

  test('units that were delivered and sums of it go back, those that were not count as given back', async () => {
    const { orderId, buyer } = await aTopupOrder(shop, { players: [aPlayer('1000')], quantity: 3 })
    await workOff(shopFor(shop))
    const [id] = await toItems(shop, orderId)
    const give = (line: object) => refund(shop, admin, orderId, { items: [{ id, ...line }] })
    expect((await give({ quantity: 2 })).body.data.status).toBe('partially_refunded')
    expect((await readReceipt(shop, buyer, orderId)).items[0]).toMatchObject({
      status: 'delivered',
      refunded_units: 0,
      partial_refunds: [{ quantity: 2, amount: 2 }],
    })
    expect((await give({ quantity: 2 })).body.error.details).toMatchObject({ quantity_left: 1 })
    expect((await give({ quantity: 1, codeIds: [1] })).body.error.code).toBe('CODE_NOT_FOUND')
    await give({ amount: 0.6 })
    // Nothing of a top-up can be taken back: with its last cent it is over.
    expect((await give({ amount: 0.4 })).body.data.status).toBe('refunded')
    expect(await toUsd(shop, buyer)).toBe(3)
  })

  test('a discount on a line that is there does not disturb the one on its way', async () => {
    const players = [aPlayer('1000'), aPlayer('1000')]
    const { orderId } = await aTopupOrder(shop, { players })
    const [first = 0, second = 0] = await toItems(shop, orderId)
    await shop.database.run(sql`
      UPDATE delivery SET next_at = now() + interval '1 hour' WHERE order_item_id = ${second}`)
    await workOff(shopFor(shop))
    expect((await refund(shop, admin, orderId, { items: [{ id: second, amount: 0.1 }] })).status).toBe(409)
    expect((await refund(shop, admin, orderId, { items: [{ id: first, amount: 0.1 }] })).status).toBe(200)
    await shop.database.run(sql`UPDATE delivery SET next_at = now() WHERE order_item_id = ${second}`)
    await workOff(shopFor(shop))
    expect(await shownTo(shop, admin, orderId)).toMatchObject({
      status: 'partially_refunded',
      items: [{ status: 'delivered' }, { status: 'delivered' }],
    })
  })
})

describe('of a line paid by card', () => {
  let shop: Awaited<ReturnType<typeof startVendorShop>>
  let admin: TestUser
  beforeAll(async () => {
    shop = await startVendorShop()
    admin = await aUser(shop, { role: 'admin' })
  })
  afterAll(async () => {
    await expectSound(shop)
    await shop.close()
  })
  beforeEach(() => {
    shop.stripe.fault = undefined
    shop.stripe.isSilent = false
  })

  const notify = (id: string) => {
    const webhook = shop.stripe.webhook(id)
    return shop.app.inject({
      method: 'POST',
      url: '/api/payment/webhook/stripe',
      payload: webhook.body,
      headers: webhook.headers,
    })
  }
  const aPaid = async (quantity: number) => {
    const offer = await anOffer(shop, { stock: quantity })
    const buyer = await aUser(shop)
    await fillCart(shop, buyer, offer, quantity)
    const pressed = await onFullShelf(shop, offer, () => pressPay(shop, buyer, quantity * 100))
    const { orderId, paymentId } = await openedBy(shop, pressed)
    shop.stripe.pay(paymentId)
    await notify(paymentId)
    const [id] = await toItems(shop, orderId)
    const give = (line: object, to = 'card') => refund(shop, admin, orderId, { to, items: [{ id, ...line }] })
    const intent = shop.stripe.sessions.get(paymentId)?.payment_intent
    const atCard = () =>
      [...shop.stripe.refunds.values()]
        .filter((made) => made.payment_intent === intent && made.status !== 'failed')
        .map((made) => made.amount)
    return { offer, buyer, orderId, paymentId, give, atCard }
  }

  test('equal parts go to the card one by one, under a key each', async () => {
    const { buyer, orderId, give, atCard } = await aPaid(3)
    for (let times = 0; times < 2; times++) expect((await give({ quantity: 1 })).status).toBe(200)
    await give({ amount: 0.6 })
    expect(atCard()).toEqual([100, 100, 60])
    expect((await readReceipt(shop, buyer, orderId)).items[0].partial_refunds).toMatchObject([
      { quantity: 1, destination: 'card' },
      { quantity: 1, destination: 'card' },
      { quantity: null, amount: 0.6, destination: 'card' },
    ])
    expect((await give({})).body.data.status).toBe('refunded')
    expect(atCard()).toEqual([100, 100, 60, 40])
    expect(await toUsd(shop, buyer)).toBe(0)
  })

  test('what went back past the store counts first, for parts as for the whole', async () => {
    const { buyer, orderId, paymentId, give, atCard } = await aPaid(3)
    await notify(shop.stripe.refundByHand(paymentId, 60))
    expect((await give({ amount: 0.5 }, 'wallet')).status).toBe(200)
    expect(await toUsd(shop, buyer)).toBe(0)
    expect((await give({ quantity: 1 }, 'wallet')).status).toBe(200)
    expect(await toUsd(shop, buyer)).toBe(0.9)
    expect((await give({}, 'wallet')).body.data.status).toBe('refunded')
    expect(await toUsd(shop, buyer)).toBe(2.4)
    expect(atCard()).toEqual([60])
    expect((await readReceipt(shop, buyer, orderId)).status).toBe('refunded')
  })

  test('a part that the card does not take is in the wallet, once', async () => {
    const { buyer, give, atCard } = await aPaid(2)
    await give({ quantity: 1 })
    const [made] = [...shop.stripe.refunds.values()].slice(-1)
    if (made) made.status = 'failed'
    for (let times = 0; times < 3; times++) await notify(made?.id ?? '')
    expect(await toUsd(shop, buyer)).toBe(1)
    expect((await give({ quantity: 1 })).body.data.status).toBe('refunded')
    expect([await toUsd(shop, buyer), atCard()]).toEqual([1, [100]])
  })

  test('twenty parts at once to the card are never more than was paid', async () => {
    const { give, atCard, orderId } = await aPaid(3)
    const answers = await Promise.all(Array.from({ length: 20 }, () => give({ quantity: 1 })))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3)
    expect(answers.every(({ status }) => [200, 409].includes(status))).toBe(true)
    expect(atCard()).toEqual([100, 100, 100])
    expect((await shownTo(shop, admin, orderId)).status).toBe('refunded')
  })
})

describe('of a line that a bank took back, or is about to', () => {
  const shop = useCardShop()
  const admin = useUser(shop, { role: 'admin' })

  const aDisputed = async (): Promise<CardOrder> => {
    const order = await aCardOrder(shop, { quantity: 2 })
    await act(shop, order, 'pay')
    await act(shop, order, 'dispute')
    return order
  }

  test.each([
    ['disputed', []],
    ['charged_back', ['lose_dispute']],
  ])('a part of it is refused: %s', async (reason, actions) => {
    const order = await aDisputed()
    for (const action of actions) await act(shop, order, action)
    const [id] = await toItems(shop, order.orderId)
    for (const line of [{ quantity: 1 }, { amount: 0.01 }]) {
      const answer = await refund(shop, admin, order.orderId, { items: [{ id, ...line }] })
      expect(answer.body.error).toMatchObject({ code: 'STATE_CONFLICT', details: { reason } })
    }
    expect(await toUsd(shop, order.buyer)).toBe(0)
  })
})
