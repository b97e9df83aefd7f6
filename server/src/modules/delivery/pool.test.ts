import { afterEach, expect, test } from 'vitest'
import { expectSound } from '../../../test/card-orders.ts'
import { aUser } from '../../../test/factories.ts'
import {
  aPlayer,
  aTopupOffer,
  aTopupOrder,
  fillPool,
  passDeliveryTime,
  readTopupState,
  scripted,
  shopFor,
  type TopupOffer,
  workOff,
} from '../../../test/topup-orders.ts'
import { useShop } from '../../../test/use-shop.ts'
import { sql } from '../../platform/database/queries.ts'
import { rejected } from '../../platform/vendor/vendor.ts'
import { recallBatch } from '../codes/batches.ts'
import { deliverNext } from './deliver.ts'
import { codeRefused } from './delivery.rules.ts'

const shop = useShop()
afterEach(() => expectSound(shop))

/** Lists the states of the pool's codes in the order in which they were added, and what is still reserved. */
async function toPool({ id }: TopupOffer): Promise<string> {
  const codes = await shop.database.rows<{ status: string }>(
    sql`SELECT status FROM code WHERE offer_id = ${id} ORDER BY id`,
  )
  return codes.map(({ status }) => status).join(' ')
}

const readRoutes = async (orderId: string) =>
  (
    await shop.database.rows<{ route: string }>(sql`
      SELECT supplier || CASE WHEN code_id IS NULL THEN ' ' ELSE ' pool ' END || supplier_order.state AS route
      FROM supplier_order JOIN delivery ON delivery.id = delivery_id JOIN order_item ON order_item.id = order_item_id
      WHERE order_id = ${orderId} ORDER BY supplier_order.id`)
  ).map(({ route }) => route)

test('codes of the pool are spent one by one, a bad one is put aside, and without any the supplier delivers', async () => {
  const offer = await aTopupOffer(shop)
  await fillPool(shop, offer, ['UC-A1', 'UC-B0000', 'UC-C3'])
  const order = await aTopupOrder(shop, { offer, quantity: 3 })
  await workOff(shopFor(shop))
  expect(await readTopupState(shop, order)).toMatchObject({ order: 'completed', executions: 3 })
  expect(await toPool(offer)).toBe('used error used')
  expect((await readRoutes(order.orderId)).toSorted()).toEqual([
    'sandbox done',
    'sandbox pool done',
    'sandbox pool done',
    'sandbox pool rejected',
  ])
})

test('a code that may be spent stays in reserve until that is known', async () => {
  const offer = await aTopupOffer(shop)
  await fillPool(shop, offer, ['UC-D4', 'UC-E5'])
  const order = await aTopupOrder(shop, { offer, players: [aPlayer('6002')] })
  await workOff(shopFor(shop))
  expect(await toPool(offer)).toBe('reserved available')
  await passDeliveryTime(shop, 6)
  await workOff(shopFor(shop))
  expect(await readTopupState(shop, order)).toMatchObject({ order: 'completed', executions: 1 })
  expect(await toPool(offer)).toBe('used available')
})

test('a code that never arrived is not sent again once it is recalled: another of the pool is', async () => {
  const offer = await aTopupOffer(shop)
  await fillPool(shop, offer, ['UC-R1'])
  await fillPool(shop, offer, ['UC-R2'])
  const order = await aTopupOrder(shop, { offer, players: [aPlayer('6003')] })
  await workOff(shopFor(shop))
  expect(await toPool(offer)).toBe('reserved available')
  const batch = await shop.database.one<{ id: number }>(
    sql`SELECT min(batch_id) AS id FROM code WHERE offer_id = ${offer.id}`,
  )
  const admin = await aUser(shop, { role: 'admin' })
  const path = `/admin/code-batches/${batch.id}/recall`
  expect((await shop.call('POST', path, { token: admin.token, body: { reason: 'stolen' } })).status).toBe(200)
  for (let look = 0; look < 2; look++) {
    await passDeliveryTime(shop, 60)
    await workOff(shopFor(shop))
  }
  expect(await toPool(offer)).toBe('quarantined used')
  expect(await readRoutes(order.orderId)).toEqual(['sandbox pool rejected', 'sandbox pool done'])
  expect(await readTopupState(shop, order)).toMatchObject({ order: 'completed', executions: 1 })
})

test('a code that a supplier refuses after its recall is quarantined, and no other import gets it', async () => {
  const offer = await aTopupOffer(shop)
  await fillPool(shop, offer, ['UC-S1'])
  const code = await shop.database.one<{ id: number; batch_id: number }>(
    sql`SELECT id, batch_id FROM code WHERE offer_id = ${offer.id}`,
  )
  const admin = await aUser(shop, { role: 'admin' })
  const recall = () =>
    shop.call('POST', `/admin/code-batches/${code.batch_id}/recall`, { token: admin.token, body: { reason: 'stolen' } })
  const { supplier } = scripted('fazercards', () => rejected(codeRefused))
  const order = async () => {
    expect((await recall()).status).toBe(200)
    return rejected(codeRefused)
  }
  await aTopupOrder(shop, { offer })
  await deliverNext(shopFor(shop, { ...supplier, redeemsCodes: true, order }))
  expect(await toPool(offer)).toBe('quarantined')
  const archived = await shop.call('PUT', `/admin/codes/${code.id}`, {
    token: admin.token,
    body: { status: 'archived' },
  })
  expect([archived.status, archived.body.error?.details.reason]).toEqual([409, 'code_not_in_stock'])
})

test('while 20 codes are refused and recalled, all of them are quarantined', { timeout: 60_000 }, async () => {
  const offer = await aTopupOffer(shop)
  await fillPool(
    shop,
    offer,
    Array.from({ length: 20 }, (_, index) => `UC-S${index + 2}`),
  )
  const { batch_id: batchId } = await shop.database.one<{ batch_id: number }>(
    sql`SELECT min(batch_id) AS batch_id FROM code WHERE offer_id = ${offer.id}`,
  )
  const admin = await aUser(shop, { role: 'admin' })
  const { supplier, calls } = scripted('fazercards', () => rejected(codeRefused))
  let recalling: Promise<unknown> | undefined
  const order: typeof supplier.order = (request) => {
    if (calls.length === 9)
      recalling = shop.database.transaction((tx) => recallBatch(tx, { batchId, reason: 'stolen', adminId: admin.id }))
    return supplier.order(request)
  }
  await Promise.all(Array.from({ length: 20 }, () => aTopupOrder(shop, { offer })))
  await Promise.all(
    Array.from({ length: 20 }, () => deliverNext(shopFor(shop, { ...supplier, redeemsCodes: true, order }))),
  )
  await recalling
  expect(recalling).toBeDefined()
  expect(await toPool(offer)).toBe(Array(20).fill('quarantined').join(' '))
})

test('a player who is refused costs no code', async () => {
  const offer = await aTopupOffer(shop)
  await fillPool(shop, offer, ['UC-F6'])
  const order = await aTopupOrder(shop, { offer, players: [aPlayer('6001')] })
  await workOff(shopFor(shop))
  expect(await readTopupState(shop, order)).toMatchObject({ order: 'refunded', balance: 100 })
  expect(await toPool(offer)).toBe('available')
})

test('a code that a supplier was asked to spend is not deleted among the codes of every product', async () => {
  const offer = await aTopupOffer(shop)
  await fillPool(shop, offer, ['UC-T1'])
  await aTopupOrder(shop, { offer, players: [aPlayer('6001')] })
  await workOff(shopFor(shop))
  expect(await toPool(offer)).toBe('available')
  const { id } = await shop.database.one<{ id: number }>(sql`SELECT id FROM code WHERE offer_id = ${offer.id}`)
  const admin = await aUser(shop, { role: 'admin' })
  const removed = await shop.call('DELETE', `/admin/codes/${id}`, { token: admin.token })
  expect([removed.status, removed.body.error.details]).toEqual([409, { reason: 'code_tried', code: 'tried' }])
  expect(await toPool(offer)).toBe('available')
})

test('only codes of what is combined are spent on players: those of another game are for sale', async () => {
  const offer = await aTopupOffer(shop, 'free_fire_cis/100_diamonds', 'offers')
  await fillPool(shop, offer, ['FF-1'])
  const order = await aTopupOrder(shop, { offer })
  await workOff(shopFor(shop))
  expect(await readTopupState(shop, order)).toMatchObject({ order: 'completed', executions: 1 })
  expect(await toPool(offer)).toBe('available')
})

test('the pool is left alone where nobody redeems', async () => {
  const offer = await aTopupOffer(shop)
  await fillPool(shop, offer, ['UC-G7'])
  await aTopupOrder(shop, { offer })
  await workOff(shopFor(shop, scripted('fazercards', () => rejected('refused')).supplier))
  expect(await toPool(offer)).toBe('available')
})

test('the buyer does not see the code, and a refund does not put it back', async () => {
  const offer = await aTopupOffer(shop)
  await fillPool(shop, offer, ['UC-H8'])
  const order = await aTopupOrder(shop, { offer })
  await workOff(shopFor(shop))
  const receipt = await shop.call('GET', `/orders/${order.orderId}`, { token: order.buyer.token })
  expect([receipt.status, receipt.text.includes('UC-H8')]).toEqual([200, false])
  await shop.database.run(sql`UPDATE users SET role = 'admin' WHERE id = ${order.buyer.id}`)
  const refunded = await shop.call('POST', `/admin/orders/${order.orderId}/refund`, {
    token: order.buyer.token,
    body: { reason: 'a test' },
  })
  expect(refunded.status).toBe(200)
  expect(await toPool(offer)).toBe('used')
})

test('fifty units and twenty workers spend each code once', async () => {
  const offer = await aTopupOffer(shop)
  await fillPool(
    shop,
    offer,
    Array.from({ length: 40 }, (_, index) => `UC-${index}X`),
  )
  const orders = await Promise.all(Array.from({ length: 10 }, () => aTopupOrder(shop, { offer, quantity: 5 })))
  await Promise.all(Array.from({ length: 20 }, () => workOff(shopFor(shop))))
  for (const order of orders)
    expect(await readTopupState(shop, order)).toMatchObject({ order: 'completed', executions: 5 })
  expect(await toPool(offer)).toBe(Array(40).fill('used').join(' '))
})
