import { afterAll, beforeAll, expect, test } from 'vitest'
import { act, expectSound, openedBy, readAlerts, startCardShop } from '../../../test/card-orders.ts'
import { aUser } from '../../../test/factories.ts'
import type { TestShop } from '../../../test/shop.ts'
import { aPlayer, shopFor, workOff } from '../../../test/topup-orders.ts'
import { freefireTopup, sellTopups, type TestTopupOffer, topupOffer } from '../../../test/topups.ts'
import { sql } from '../../platform/database/queries.ts'

let shop: TestShop
let offer: TestTopupOffer
beforeAll(async () => {
  shop = await startCardShop()
  await sellTopups(shop)
  offer = await topupOffer(shop, 'freefire', 100)
})
afterAll(async () => {
  await expectSound(shop)
  await shop.close()
})

/** Buys by card, refunds at the bank while the top-up is on its way, and lets it be delivered or not. */
async function readRefunded(ending: string, actions: readonly string[]) {
  const buyer = await aUser(shop)
  const topupData = freefireTopup(offer, aPlayer(ending))
  const { price_usd } = topupData
  const pressed = await shop.call('POST', '/payment/create', {
    token: buyer.token,
    body: { amount: price_usd, currency: 'USD', type: 'order', topupData },
  })
  const order = await openedBy(shop, pressed)
  for (const action of ['pay', ...actions]) await act(shop, order, action)
  const before = (await shop.call('GET', `/orders/${order.orderId}`, { token: buyer.token })).body.status
  await workOff(shopFor(shop))
  const after = (await shop.call('GET', `/orders/${order.orderId}`, { token: buyer.token })).body
  const { balance } = await shop.database.one<{ balance: number }>(
    sql`SELECT balance FROM account WHERE user_id = ${buyer.id} AND currency = 'USD'`,
  )
  const alerts = await readAlerts(shop, order.orderId)
  return { statuses: [before, after.status], item: after.items[0].status, balance, alerts, cents: price_usd * 100 }
}

test('a top-up whose money is back already is not paid for again when it can’t be delivered', async () => {
  expect(await readRefunded('6001', ['refund_outside'])).toMatchObject({
    statuses: ['pending', 'refunded'],
    item: 'refunded',
    balance: 0,
    alerts: ['refund.outside'],
  })
})

test('of one whose money is half back only the rest goes to the wallet', async () => {
  const { balance, cents, item } = await readRefunded('6001', ['refund_outside_part'])
  expect([balance, item]).toEqual([cents - Math.floor(cents / 2), 'refunded'])
})

test('one that is delivered all the same is refunded, and nothing else is paid', async () => {
  expect(await readRefunded('1000', ['refund_outside'])).toMatchObject({
    statuses: ['pending', 'refunded'],
    item: 'refunded',
    balance: 0,
  })
})

test('one whose money comes back slowly, and then does not, is paid to the wallet in its place', async () => {
  const { balance, cents } = await readRefunded('6001', ['refund_outside_pending', 'refunds_fail'])
  expect(balance).toBe(cents)
})
