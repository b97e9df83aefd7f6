import { randomUUID } from 'node:crypto'
import { firstNumbers } from '@olmos/contract/shop-numbers'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  act,
  expectSound,
  fillCart,
  openedBy,
  payFromBalance,
  pressPay,
  sandboxSecret,
} from '../../../test/card-orders.ts'
import { startKinguin } from '../../../test/doubles/kinguin.ts'
import type { Fault } from '../../../test/doubles/vendor-double.ts'
import { anOffer, aUser, type TestOffer, type TestUser } from '../../../test/factories.ts'
import { listedSupplier, noteSeller } from '../../../test/listed-supplier.ts'
import { startShop, type TestShop } from '../../../test/shop.ts'
import { passDeliveryTime, workOff } from '../../../test/topup-orders.ts'
import { untilWaiting } from '../../../test/waiting.ts'
import { type Sql, sql } from '../../platform/database/queries.ts'

const item = '5c9b0a1b2c3d'
let vendor: Awaited<ReturnType<typeof startKinguin>>
let shop: TestShop
beforeAll(async () => {
  vendor = await startKinguin()
  shop = await startShop({
    SANDBOX_SECRET: sandboxSecret,
    SUPPLIERS: 'kinguin,manual',
    KINGUIN_API_KEY: vendor.apiKey,
    KINGUIN_WEBHOOK_SECRET: vendor.webhookSecret,
    KINGUIN_BASE_URL: vendor.url,
  })
  await setEuro({ rate: 0.95, source: 'cbr' })
})
afterAll(async () => {
  await shop.close()
  await vendor.close()
})
afterEach(() => expectSound(shop))

const work = () => workOff(shop)

/** How much of a euro one dollar is. */
const setEuro = ({ rate, source }: { rate: number; source: string }) =>
  shop.database.run(
    sql`UPDATE currency_rate SET rate = ${rate}, source = ${source}, updated_at = now() WHERE to_currency = 'EUR'`,
  )

const setRuble = (rate: number) =>
  shop.database.run(sql`UPDATE currency_rate SET rate = ${rate} WHERE to_currency = 'RUB'`)

/** An offer at $8.00, of which 80 % are 6.08 EUR; Kinguin sells its codes for 5.79 EUR. */
async function aBoughtOffer({ stock = 0, itemId = item, priceUsd = 800 } = {}): Promise<TestOffer> {
  const offer = await anOffer(shop, { stock, priceUsd })
  await shop.database.run(sql`UPDATE product SET buys_on_demand = true WHERE id = ${offer.productId}`)
  await shop.database.run(sql`UPDATE offer SET item_id = ${itemId} WHERE id = ${offer.id}`)
  return offer
}

async function buy(offer: TestOffer, quantity = 1) {
  const buyer = await aUser(shop, { usd: offer.priceUsd * quantity })
  await fillCart(shop, buyer, offer, quantity)
  const answer = await payFromBalance(shop, buyer)
  return { buyer, answer, orderId: answer.body.order?.id as string }
}

async function readState({ buyer, orderId }: { buyer: TestUser; orderId: string }) {
  const { body } = await shop.call('GET', `/orders/${orderId}`, { token: buyer.token })
  const { balance } = await shop.database.one<{ balance: number }>(
    sql`SELECT balance FROM account WHERE user_id = ${buyer.id} AND currency = 'USD'`,
  )
  const [{ status, code, refunded_units }] = body.items
  return { order: body.status, item: status, codes: code?.split('\n').length ?? 0, refunded_units, balance }
}

const toKeys = async (orderId: string): Promise<string[]> => {
  const rows = await shop.database.rows<{ key: string }>(sql`
    SELECT key FROM supplier_order JOIN delivery ON delivery.id = delivery_id
    JOIN order_item ON order_item.id = order_item_id WHERE order_id = ${orderId} ORDER BY supplier_order.id`)
  return rows.map(({ key }) => key)
}
const finish = async (orderId: string) => {
  for (const key of await toKeys(orderId)) vendor.set(key, 'completed')
  await passDeliveryTime(shop, 1_000)
  await work()
}
const countAvailable = async ({ productId }: TestOffer) =>
  (await shop.call('GET', `/products/${productId}/codes/0`)).body[0].available_count

describe('a code that is not on the shelf', () => {
  test('is bought at the supplier once it is paid, kept in the vault and shown on the receipt', async () => {
    const offer = await aBoughtOffer()
    expect(await countAvailable(offer)).toBe(firstNumbers.on_demand_units)
    const order = await buy(offer)
    expect(order.answer.body.order.status).toBe('pending')
    expect(await countAvailable(offer)).toBe(firstNumbers.on_demand_units - 1)
    await work()
    expect(await readState(order)).toMatchObject({ order: 'pending', item: 'pending', codes: 0 })
    await finish(order.orderId)
    expect(await readState(order)).toEqual({
      order: 'completed',
      item: 'delivered',
      codes: 1,
      refunded_units: 0,
      balance: 0,
    })
    const [key] = await toKeys(order.orderId)
    expect(vendor.executions(key as string)).toBe(1)
    expect(vendor.requests.find(({ body }) => body.includes(key as string))?.body).toContain('"price":5.79')
    const sold = await shop.database.rows<{ ciphertext: Buffer; status: string; supplier: string }>(sql`
      SELECT ciphertext, status, supplier FROM code JOIN code_batch ON code_batch.id = batch_id
      WHERE offer_id = ${offer.id}`)
    expect(sold).toMatchObject([{ status: 'used', supplier: 'kinguin' }])
    expect(sold[0]?.ciphertext.includes('KEY-')).toBe(false)
    expect(await countAvailable(offer)).toBe(firstNumbers.on_demand_units)
  })

  test('cost what the code did in the report of its supplier, whatever else the supplier told', async () => {
    const order = await buy(await aBoughtOffer())
    await work()
    await finish(order.orderId)
    const admin = await aUser(shop, { role: 'admin' })
    const ask = async (path: string) => (await shop.call('GET', `/admin${path}`, { token: admin.token })).body.data
    const { profit } = await ask(`/orders/${order.orderId}`)
    expect(profit).toMatchObject({ revenue: 8, cost: 5.57, units: 1, known_units: 1 })
    const ofOrder = sql`
      delivery.order_item_id IN (SELECT id FROM order_item WHERE order_id = ${order.orderId})`
    await shop.database.run(sql`UPDATE delivery SET created_at = '2026-03-18T08:00:00Z' WHERE ${ofOrder}`)
    await shop.database.run(sql`
      UPDATE supplier_order SET cost = NULL, cost_currency = NULL, cost_in_order = NULL
      FROM delivery WHERE delivery.id = delivery_id AND ${ofOrder}`)
    const { suppliers } = await ask('/service?from=2026-03-18&to=2026-03-18')
    expect(suppliers).toMatchObject([{ supplier: 'kinguin', units: 1, profit: { usd: profit } }])
  })

  test('is not sold while what it costs is known to be more than it may: 80 % of its price in both currencies', async () => {
    const { id: ware } = await shop.database.one<{ id: number }>(sql`
      INSERT INTO supplier_product (supplier, reference, kind, name, cost, currency)
      VALUES ('kinguin', ${item}, 'code', 'A card', 5.79, 'EUR') RETURNING id`)
    // 5.79 EUR are 6.0948 USD, and 80 % of 7.62 USD are 6.096.
    const setPrice = ({ id }: TestOffer, usd: number, rub: number) =>
      shop.database.run(sql`UPDATE offer SET price_usd = ${usd}, price_rub = ${rub} WHERE id = ${id}`)
    const [sourced, named] = [await aBoughtOffer({ stock: 1 }), await aBoughtOffer()]
    await shop.database.run(sql`
      INSERT INTO offer_source (offer_id, kind, supplier_product_id, rank) VALUES (${sourced.id}, 'supplier', ${ware}, 1)`)
    for (const [usd, rub, room] of [
      [762, 610_00, 10],
      [761, 610_00, 0],
      [762, 609_00, 0],
      [610, 488_00, 0],
    ] as const) {
      for (const offer of [sourced, named]) await setPrice(offer, usd, rub)
      expect([usd, rub, await countAvailable(sourced), await countAvailable(named)]).toEqual([usd, rub, 1 + room, room])
    }
    const buyer = await aUser(shop, { usd: 10_000 })
    const refused = await fillCart(shop, buyer, { ...named, priceUsd: 610, priceRub: 488_00 })
    expect(refused.body.error.code).toBe('OUT_OF_STOCK')
    const one = { offerId: sourced.id, quantity: 2, currency: 'USD', amount: 12.2 }
    const buyNow = async (body: object) => {
      const headers = { 'idempotency-key': randomUUID() }
      const answer = await shop.call('POST', '/payment/buy-now', { token: buyer.token, body, headers })
      return answer.body.error?.code ?? answer.body.order.status
    }
    expect(await buyNow(one)).toBe('OUT_OF_STOCK')
    expect(await buyNow({ ...one, quantity: 1, amount: 6.1 })).toBe('completed')
    for (const offer of [sourced, named]) await setPrice(offer, 800, 640_00)
    await shop.database.run(sql`UPDATE offer_source SET cost_at_most = 6.09 WHERE offer_id = ${sourced.id}`)
    expect(await countAvailable(sourced)).toBe(0)
    await shop.database.run(sql`UPDATE offer_source SET cost_at_most = 6.1 WHERE offer_id = ${sourced.id}`)
    expect(await countAvailable(sourced)).toBe(10)
    // Nothing is bought by a rate that nobody has said.
    await setEuro({ rate: 0.95, source: 'fixed' })
    expect([await countAvailable(sourced), await countAvailable(named)]).toEqual([0, 0])
    await setEuro({ rate: 0.95, source: 'cbr' })
    await shop.database.run(sql`DELETE FROM offer_source WHERE offer_id = ${sourced.id}`)
    await shop.database.run(sql`DELETE FROM supplier_product WHERE id = ${ware}`)
  })

  test('is bought by name only where a list has the name, if any does: another supplier that is on does not know it', async () => {
    const other = listedSupplier('codes-by-other-names', {}, { sells: ['code'] }).supplier
    await noteSeller(shop, other)
    const offer = { ...(await aBoughtOffer()), priceRub: 640_00 }
    await shop.database.run(sql`UPDATE offer SET price_rub = ${offer.priceRub} WHERE id = ${offer.id}`)
    expect(await countAvailable(offer)).toBe(firstNumbers.on_demand_units)
    const { id: ware } = await shop.database.one<{ id: number }>(sql`
      INSERT INTO supplier_product (supplier, reference, kind, name, cost, currency)
      VALUES ('kinguin', ${item}, 'code', 'A card', 6.09, 'USD') RETURNING id`)
    const change = async (what: Sql) => {
      await shop.database.run(sql`UPDATE supplier_product SET ${what} WHERE id = ${ware}`)
      return countAvailable(offer)
    }
    expect(await change(sql`cost = 6.41`)).toBe(0)
    const buyer = await aUser(shop, { usd: 800 })
    expect((await fillCart(shop, buyer, offer)).body.error.code).toBe('OUT_OF_STOCK')
    expect(await change(sql`cost = 6.4`)).toBe(firstNumbers.on_demand_units)
    expect(await change(sql`gone_at = now()`)).toBe(0)
    expect(await change(sql`gone_at = NULL`)).toBe(firstNumbers.on_demand_units)
    // Whose list has it is off, and the other one knows it as little as before.
    const kinguin = async (sells: string[]) => {
      await shop.database.run(sql`UPDATE supplier_health SET sells = ${sells}::text[] WHERE supplier = 'kinguin'`)
      return countAvailable(offer)
    }
    expect([await kinguin([]), await kinguin(['code'])]).toEqual([0, firstNumbers.on_demand_units])
    await shop.database.run(sql`DELETE FROM supplier_product WHERE id = ${ware}`)
    await shop.database.run(sql`DELETE FROM supplier_health WHERE supplier = ${other.name}`)
  })

  test('is bought only for what the shelf lacks; the rest is there at once', async () => {
    const offer = await aBoughtOffer({ stock: 2 })
    const whole = await buy(offer, 1)
    expect(whole.answer.body.order.status).toBe('completed')
    const order = await buy(offer, 3)
    expect(await readState(order)).toMatchObject({ order: 'pending', item: 'pending', codes: 1 })
    await work()
    await finish(order.orderId)
    expect(await readState(order)).toMatchObject({ order: 'completed', item: 'delivered', codes: 3 })
    expect(await toKeys(order.orderId)).toHaveLength(2)
  })

  test('is sold out where nobody opted in, and where the supplier has no name for it', async () => {
    const [closed, unnamed] = [await aBoughtOffer(), await aBoughtOffer()]
    await shop.database.run(sql`UPDATE product SET buys_on_demand = false WHERE id = ${closed.productId}`)
    await shop.database.run(sql`UPDATE offer SET item_id = NULL WHERE id = ${unnamed.id}`)
    expect([await countAvailable(closed), await countAvailable(unnamed)]).toEqual([0, 0])
    const buyer = await aUser(shop, { usd: 800 })
    expect((await fillCart(shop, buyer, closed)).body.error.code).toBe('OUT_OF_STOCK')
  })

  test('is refunded when the supplier says no, once, and what came off the shelf stays bought', async () => {
    const offer = await aBoughtOffer({ stock: 1, itemId: 'poor' })
    const order = await buy(offer, 2)
    await Promise.all([work(), work(), work()])
    expect(await readState(order)).toEqual({
      order: 'partially_refunded',
      item: 'delivered',
      codes: 1,
      refunded_units: 1,
      balance: 800,
    })
    const none = await buy(offer)
    await work()
    expect(await readState(none)).toMatchObject({ order: 'refunded', item: 'refunded', codes: 0, balance: 800 })
  })

  test('is never bought for more than it may cost', async () => {
    const order = await buy(await aBoughtOffer({ priceUsd: 700 }))
    await work()
    expect(await readState(order)).toMatchObject({ order: 'refunded', balance: 700 })
    await shop.database.run(sql`UPDATE alert SET resolved_at = now() WHERE kind = 'offer.too_dear'`)
  })

  test('is not bought by dollars that are taken for euros: nine dollars buy at most what 7.20 dollars are in euros', async () => {
    // At 0.8 of a euro for a dollar 7.20 USD are 5.76 EUR, which is less than 5.79.
    await setEuro({ rate: 0.8, source: 'cbr' })
    const order = await buy(await aBoughtOffer({ priceUsd: 900 }))
    await work()
    await setEuro({ rate: 0.95, source: 'cbr' })
    expect(await readState(order)).toMatchObject({ order: 'refunded', balance: 900 })
    const alerts = await shop.database.rows(
      sql`SELECT details FROM alert WHERE kind = 'offer.too_dear' AND details ->> 'order' = ${order.orderId}`,
    )
    expect(alerts).toEqual([{ details: { order: order.orderId, cost: '5.79 EUR', at_most: '5.76 EUR' } }])
  })

  test('is not bought while nobody knows what a euro is, and the operator is told, until somebody does', async () => {
    const openAlerts = () =>
      shop.database.rows(sql`SELECT subject FROM alert WHERE kind = 'supplier.no_rate' AND resolved_at IS NULL`)
    await setEuro({ rate: 0.95, source: 'fixed' })
    const asked = vendor.requests.length
    const order = await buy(await aBoughtOffer())
    await work()
    expect(await readState(order)).toMatchObject({ order: 'refunded', balance: 800 })
    expect(vendor.requests).toHaveLength(asked)
    expect(await openAlerts()).toEqual([{ subject: 'kinguin' }])
    await setEuro({ rate: 0.95, source: 'admin' })
    await buy(await aBoughtOffer())
    await work()
    expect(await openAlerts()).toEqual([])
  })

  test.each<Fault>(['broken-after', 'html', 'endless', 'hang-up'])(
    'is looked up when the supplier answers %s, and never bought again',
    async (fault) => {
      const order = await buy(await aBoughtOffer())
      vendor.fault = fault
      await work()
      vendor.fault = undefined
      expect(await readState(order)).toMatchObject({ order: 'pending', item: 'unknown', codes: 0, balance: 0 })
      await finish(order.orderId)
      const [key, ...others] = await toKeys(order.orderId)
      expect([vendor.executions(key as string), others]).toEqual([1, []])
      expect(await readState(order)).toMatchObject({ order: 'completed', codes: 1 })
    },
  )

  /** Buys a code that the shop has had before, which leaves it to an operator; returns it with its delivery. */
  async function aKnownCode() {
    const order = await buy(await aBoughtOffer())
    await work()
    const [key] = await toKeys(order.orderId)
    const code = `KEY-${vendor.orders.find(({ orderExternalId }) => orderExternalId === key)?.orderId}`
    const known = await anOffer(shop, { stock: 1 })
    await shop.database.run(
      sql`UPDATE code SET fingerprint = ${shop.vault.fingerprint(code)} WHERE offer_id = ${known.id}`,
    )
    await finish(order.orderId)
    const { id } = await shop.database.one<{ id: number }>(sql`
      SELECT delivery.id FROM delivery JOIN order_item ON order_item.id = order_item_id WHERE order_id = ${order.orderId}`)
    return { order, id, code }
  }

  test('that the shop has had before is no delivery; an operator gives another', async () => {
    const { order, id, code: known } = await aKnownCode()
    expect(await readState(order)).toMatchObject({ item: 'unknown', codes: 0 })

    const admin = await aUser(shop, { role: 'admin' })
    const complete = (code?: string) =>
      shop.call('POST', `/admin/deliveries/${id}/complete`, { token: admin.token, body: { reason: 'by hand', code } })
    expect((await complete()).body.error.details).toEqual({ code: 'required' })
    expect((await complete(known)).body.error.code).toBe('DUPLICATE')
    expect((await complete('A-NEW-CODE')).body.data).toMatchObject({ state: 'done', service: 'code' })
    expect(await readState(order)).toMatchObject({ order: 'completed', codes: 1 })
  })

  test('that is given for two at one moment is delivered once', async () => {
    const left = [await aKnownCode(), await aKnownCode()]
    const admin = await aUser(shop, { role: 'admin' })
    const body = { reason: 'by hand', code: 'GIVEN-TWICE' }
    const { given } = await shop.database.transaction(async (tx) => {
      // Both have looked for it before either can write it.
      await tx.run(sql`LOCK TABLE code IN SHARE MODE`)
      const given = Promise.all(
        left.map(({ id }) => shop.call('POST', `/admin/deliveries/${id}/complete`, { token: admin.token, body })),
      )
      await untilWaiting(shop.database, 2)
      return { given }
    })
    expect((await given).map(({ body }) => body.error?.code ?? body.data.state).toSorted()).toEqual([
      'DUPLICATE',
      'done',
    ])
    const states = await Promise.all(left.map(({ order }) => readState(order)))
    expect(states.map(({ codes }) => codes).toSorted()).toEqual([0, 1])
  })

  test('is on its way a limited number of times, however many buy at once', async () => {
    const offer = await aBoughtOffer()
    const orders = await Promise.all(Array.from({ length: 20 }, () => buy(offer)))
    const statuses = orders.map(({ answer }) => answer.body.order?.status ?? answer.body.error.code).toSorted()
    const sold = firstNumbers.on_demand_units
    expect(statuses).toEqual([...Array(20 - sold).fill('OUT_OF_STOCK'), ...Array(sold).fill('pending')])
    await work()
    for (const { orderId } of orders) if (orderId) await finish(orderId)
  })
})

describe('paid by card', () => {
  test('is not paid for once more when its supplier was switched off since the order', async () => {
    const offer = await aBoughtOffer()
    const buyer = await aUser(shop)
    await fillCart(shop, buyer, offer)
    await act(shop, await openedBy(shop, await pressPay(shop, buyer, 800)), 'decline')
    const { sells } = await shop.database.one<{ sells: string[] }>(sql`
      SELECT sells FROM supplier_health WHERE supplier = 'kinguin'`)
    await shop.database.run(sql`UPDATE supplier_health SET sells = '{}' WHERE supplier = 'kinguin'`)
    const refused = await pressPay(shop, buyer, 800)
    await shop.database.run(sql`UPDATE supplier_health SET sells = ${sells} WHERE supplier = 'kinguin'`)
    expect(refused.body.error?.code).toBe('OUT_OF_STOCK')
    expect((await pressPay(shop, buyer, 800)).text).toContain('pay_url')
  })

  test('it is bought when the money has come, and not before', async () => {
    const offer = await aBoughtOffer({ stock: 1 })
    const buyer = await aUser(shop)
    await fillCart(shop, buyer, offer, 2)
    const opened = await openedBy(shop, await pressPay(shop, buyer, 1_600))
    await work()
    expect(await toKeys(opened.orderId)).toEqual([])
    await act(shop, opened, 'pay')
    await work()
    expect(await readState({ buyer, orderId: opened.orderId })).toMatchObject({ order: 'pending', codes: 1 })
    await finish(opened.orderId)
    expect(await readState({ buyer, orderId: opened.orderId })).toMatchObject({ order: 'completed', codes: 2 })
  })

  const setFailures = (failures: number) =>
    shop.database.run(sql`
      UPDATE supplier_health SET failures = ${failures}, out_until = now() + interval '30 seconds'
      WHERE supplier = 'kinguin'`)
  const setBalance = (euros: number) =>
    shop.database.run(sql`
      UPDATE supplier_health SET balance = ${euros * 100}, balance_currency = 'EUR', balance_at = now()
      WHERE supplier = 'kinguin'`)
  test.each<[string, (ware: number) => Promise<unknown>]>([
    ['the ruble has fallen, and is worth less than the dollars that were paid', () => setRuble(85)],
    ['nobody knows any more what a euro is', () => setEuro({ rate: 0.95, source: 'fixed' })],
    [
      'its supplier lists it as too dear',
      (id) => shop.database.run(sql`UPDATE supplier_product SET cost = 50 WHERE id = ${id}`),
    ],
    ['its supplier is out of service for a moment', () => setFailures(10)],
    ['no money was left there when it was read', () => setBalance(0)],
  ])('it is bought for the price that was paid though meanwhile %s', async (_, change) => {
    const { id: ware } = await shop.database.one<{ id: number }>(sql`
      INSERT INTO supplier_product (supplier, reference, kind, name, cost, currency)
      VALUES ('kinguin', ${item}, 'code', 'A card', 5.79, 'EUR') RETURNING id`)
    const [sourced, named] = [await aBoughtOffer(), await aBoughtOffer()]
    await shop.database.run(sql`UPDATE offer SET price_rub = 640_00 WHERE id IN (${sourced.id}, ${named.id})`)
    await shop.database.run(sql`
      INSERT INTO offer_source (offer_id, kind, supplier_product_id, rank) VALUES (${sourced.id}, 'supplier', ${ware}, 1)`)
    const opened = []
    for (const offer of [sourced, named]) {
      const buyer = await aUser(shop)
      await fillCart(shop, buyer, { ...offer, priceRub: 640_00 })
      opened.push({ buyer, ...(await openedBy(shop, await pressPay(shop, buyer, 800))) })
    }
    await change(ware)
    expect([await countAvailable(sourced), await countAvailable(named)]).toEqual([0, 0])
    for (const payment of opened) await act(shop, payment, 'pay')
    for (const payment of opened) expect(await readState(payment)).toMatchObject({ order: 'pending', balance: 0 })
    await setFailures(0)
    await setBalance(100)
    await setRuble(80)
    await setEuro({ rate: 0.95, source: 'cbr' })
    await work()
    for (const { orderId } of opened) await finish(orderId)
    for (const payment of opened) expect(await readState(payment)).toMatchObject({ order: 'completed', codes: 1 })
    await shop.database.run(sql`DELETE FROM offer_source WHERE offer_id = ${sourced.id}`)
    await shop.database.run(
      sql`UPDATE supplier_order SET supplier_product_id = NULL WHERE supplier_product_id = ${ware}`,
    )
    await shop.database.run(sql`DELETE FROM supplier_product WHERE id = ${ware}`)
  })

  const setSold = (sells: string) =>
    shop.database.run(sql`UPDATE supplier_health SET sells = ${sells}::text[] WHERE supplier = 'kinguin'`)
  test.each<[string, (offer: TestOffer) => Promise<unknown>]>([
    [
      'the product is not bought on demand',
      ({ productId }) => shop.database.run(sql`UPDATE product SET buys_on_demand = false WHERE id = ${productId}`),
    ],
    ['its supplier is off', () => setSold('{}')],
  ])('it is given to the wallet when nobody sells it any more: %s', async (_, change) => {
    const offer = await aBoughtOffer()
    const buyer = await aUser(shop)
    await fillCart(shop, buyer, offer)
    const opened = await openedBy(shop, await pressPay(shop, buyer, 800))
    await change(offer)
    await act(shop, opened, 'pay')
    await setSold('{code}')
    expect(await readState({ buyer, orderId: opened.orderId })).toMatchObject({ order: 'expired', balance: 800 })
  })
})
