import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { aCoupon } from '../../../test/coupons.ts'
import { anOffer, aUser, setFee, type TestOffer, type TestUser, toCart } from '../../../test/factories.ts'
import { someGenerated } from '../../../test/game-codes.ts'
import { aPlayer, aTopupOrder, passDeliveryTime, shopFor, workOff } from '../../../test/topup-orders.ts'
import { sellTopups, steamTopup, tenDollars } from '../../../test/topups.ts'
import { useShop, useUser } from '../../../test/use-shop.ts'
import { raw, sql } from '../../platform/database/queries.ts'
import type { OpenSpan } from './closed-days.ts'
import { checkInvariants, invariants, lookLately, proveLedger } from './ledger-proof.ts'

const shop = useShop({ PAYMENT_PROVIDERS: 'sandbox' })
const admin = useUser(shop, { role: 'admin' })
let offer: TestOffer
beforeAll(async () => {
  offer = await anOffer(shop, { stock: 80 })
  await sellTopups(shop)
})

const post = async (user: TestUser, path: string, body: unknown) => {
  const answer = await shop.call('POST', path, {
    token: user.token,
    body,
    headers: { 'idempotency-key': randomUUID() },
  })
  expect([path, answer.status, answer.text]).toEqual([path, expect.toSatisfy((status) => status < 300), answer.text])
  return answer.body
}

async function aBuyer(quantity: number): Promise<TestUser> {
  const buyer = await aUser(shop, { usd: 1_000 })
  await post(buyer, '/cart/add', toCart(offer, quantity))
  return buyer
}

const payFromBalance = async (quantity: number): Promise<string> =>
  (await post(await aBuyer(quantity), '/payment/from-balance', { currency: 'USD' })).order.id

async function openCardOrder(wish: object = {}): Promise<{ orderId: string; paymentId: string }> {
  const created = await post(await aBuyer(2), '/payment/create', { amount: 2, currency: 'USD', type: 'order', ...wish })
  return { orderId: created.order_id, paymentId: created.pay_url.split('/').at(-1) }
}

async function openFilling(wish: object = {}): Promise<{ orderId: string; paymentId: string }> {
  const wanted = { amount: 7, currency: 'USD', type: 'balance', ...wish }
  const created = await post(await aUser(shop), '/payment/create', wanted)
  return { orderId: created.order_id, paymentId: created.pay_url.split('/').at(-1) }
}

async function openTopup(topupData = steamTopup(tenDollars), amount = 10.3): Promise<{ paymentId: string }> {
  const wanted = { amount, currency: 'USD', type: 'order', topupData }
  const created = await post(await aUser(shop), '/payment/create', wanted)
  return { paymentId: created.pay_url.split('/').at(-1) }
}

const actAtBank = (paymentId: string, action: string) => post(admin, `/sandbox/payments/${paymentId}/act`, { action })

const refund = (orderId: string, to: 'wallet' | 'card') =>
  post(admin, `/admin/orders/${orderId}/refund`, { to, reason: 'a test' })

async function refundPart(orderId: string, to: 'wallet' | 'card', part: { quantity: number } | { amount: number }) {
  const { id } = await shop.database.one<{ id: number }>(sql`
    SELECT id FROM order_item WHERE order_id = ${orderId} AND status = 'delivered' ORDER BY position LIMIT 1`)
  await post(admin, `/admin/orders/${orderId}/refund`, { to, reason: 'a test', items: [{ id, ...part }] })
}

const broken = async () =>
  (await shop.database.snapshot(checkInvariants)).filter((result) => result.offenders > 0).map(({ number }) => number)

test('the numbers are those of the promises, once each', () => {
  const numbers = invariants.map((invariant) => invariant.number)
  expect(new Set(numbers).size).toBe(numbers.length)
  expect(numbers.every((number) => (number >= 1 && number <= 27) || number === 31 || number === 33)).toBe(true)
})

async function payWithCoupon(): Promise<void> {
  const { code } = await aCoupon(shop, admin)
  await post(await aBuyer(2), '/payment/from-balance', { currency: 'USD', coupon: code, amount: 1.8 })
}

test('a shop that sold, delivered, was paid by card, waited in vain, and gave back breaks none', async () => {
  await payWithCoupon()
  await payFromBalance(2)
  await refund(await payFromBalance(1), 'wallet')
  const parted = await payFromBalance(3)
  await refundPart(parted, 'wallet', { quantity: 1 })
  await refundPart(parted, 'wallet', { amount: 0.5 })
  await openCardOrder()
  for (const action of ['pay', 'pay_twice', 'pay_late', 'decline', 'delay']) {
    await actAtBank((await openCardOrder()).paymentId, action)
  }
  await shop.database.run(sql`UPDATE filling_settings SET is_on = true`)
  for (const action of ['pay', 'pay_twice', 'pay_late', 'decline']) {
    const filling = await openFilling()
    await actAtBank(filling.paymentId, action)
    if (action !== 'pay') continue
    await post(admin, `/admin/fillings/${filling.orderId}/refund`, { amount: 2, reason: 'a test' })
    await actAtBank(filling.paymentId, 'refunds_pend')
    await post(admin, `/admin/fillings/${filling.orderId}/refund`, { amount: 3, reason: 'a test' })
    await actAtBank(filling.paymentId, 'refunds_fail')
  }
  for (const to of ['wallet', 'card'] as const) {
    const { orderId, paymentId } = await openCardOrder()
    await actAtBank(paymentId, 'pay')
    await refundPart(orderId, to, { quantity: 1 })
    await refund(orderId, to)
  }
  for (const actions of [['dispute'], ['dispute', 'win_dispute'], ['dispute', 'lose_dispute'], ['fraud_warning']]) {
    const { paymentId } = await openCardOrder()
    for (const action of ['pay', ...actions]) await actAtBank(paymentId, action)
  }
  const withPart = { from_balance: 0.75 }
  await openCardOrder(withPart)
  for (const action of ['pay', 'pay_twice', 'pay_late', 'decline']) {
    await actAtBank((await openCardOrder(withPart)).paymentId, action)
  }
  const inParts = await openCardOrder(withPart)
  await actAtBank(inParts.paymentId, 'pay')
  for (const part of [{ quantity: 1 }, { amount: 0.33 }]) await refundPart(inParts.orderId, 'card', part)
  await refund(inParts.orderId, 'card')
  const partlyOutside = await openCardOrder(withPart)
  for (const action of ['pay', 'refund_outside']) await actAtBank(partlyOutside.paymentId, action)
  await refund(partlyOutside.orderId, 'card')
  await setFee(shop, 'sandbox', { percent: 150, usd: 3, isRefunded: true })
  const withFee = { fee: 0.06 }
  await openCardOrder(withFee)
  for (const actions of [
    ['pay'],
    ['pay_twice'],
    ['pay_late'],
    ['pay', 'refund_outside_part', 'refund_outside'],
    ['pay', 'dispute', 'lose_dispute'],
  ]) {
    const { paymentId } = await openCardOrder(withFee)
    for (const action of actions) await actAtBank(paymentId, action)
  }
  for (const to of ['wallet', 'card'] as const) {
    const { orderId, paymentId } = await openCardOrder({ ...withPart, fee: 0.05 })
    await actAtBank(paymentId, 'pay')
    await refundPart(orderId, to, { quantity: 1 })
    await refund(orderId, to)
  }
  for (const actions of [['pay'], ['pay_twice'], ['pay', 'refund_outside']]) {
    const filling = await openFilling({ fee: 0.14 })
    for (const action of actions) await actAtBank(filling.paymentId, action)
  }
  await setFee(shop, 'sandbox')
  const refunded = await openCardOrder()
  await actAtBank(refunded.paymentId, 'pay')
  await refund(refunded.orderId, 'wallet')
  await actAtBank(refunded.paymentId, 'dispute')
  await shop.call('PUT', `/admin/users/${admin.id}/balance`, {
    token: admin.token,
    body: { balanceUsd: 12.5, balanceRub: 3, reason: 'a test' },
  })
  await post(admin, '/balance/topup', { currency: 'usd', amount: 5 })
  const customer = await aUser(shop, { usd: 100_000, rub: 10_000_000 })
  const inRoubles = steamTopup({ amount: 1_000, currency: 'rub', price_usd: 12.88, price_rub: 1_030 })
  await post(customer, '/orders/topup', { topupData: steamTopup(tenDollars), currency: 'usd' })
  await post(customer, '/orders/topup', { topupData: inRoubles, currency: 'rub' })
  await post(customer, '/cart/add-topup', { topupData: inRoubles })
  await post(customer, '/payment/from-balance', { currency: 'RUB', confirmRepeat: true })
  // Sold before prices were exact: where whole cents arrive, the price is the same.
  await shop.database.run(sql`UPDATE topup_target SET is_exact = false WHERE steam_currency = 'rub'`)
  const fewRoubles = steamTopup({ amount: 10, currency: 'rub', price_usd: 0.13, price_rub: 10.3 })
  await post(customer, '/orders/topup', { topupData: fewRoubles, currency: 'rub' })
  await openTopup()
  for (const action of ['pay', 'pay_late']) await actAtBank((await openTopup()).paymentId, action)
  await actAtBank((await openTopup(inRoubles, 12.88)).paymentId, 'pay_late')
  const { codes } = await someGenerated(shop, admin, { count: 1 })
  await post(await aUser(shop), '/freefire/activate-code', { playerID: '5123456789', code: codes[0]?.plain })
  // Delivered, rejected, sent twice after it was certainly lost, and never answered.
  for (const ending of ['1000', '6001', '6003', '6004']) {
    await aTopupOrder(shop, { players: [aPlayer(ending), aPlayer()], quantity: 2 })
  }
  await workOff(shopFor(shop))
  await passDeliveryTime(shop, 6)
  await workOff(shopFor(shop))
  const { orderId: toppedUp } = await aTopupOrder(shop, { players: [aPlayer()], quantity: 3 })
  await workOff(shopFor(shop))
  await refundPart(toppedUp, 'wallet', { quantity: 2 })
  expect(await broken()).toEqual([])
})

/** The span since a transfer, as if the books of all before it were closed. */
const openAfter = (transferId: number) =>
  shop.database.one<OpenSpan>(sql`
    SELECT created_at AS since, id AS "lastTransfer", jsonb_build_object(
      'status_change', (SELECT coalesce(max(id), 0) FROM status_change WHERE created_at < transfer.created_at),
      'payment', (SELECT coalesce(max(id), 0) FROM payment WHERE created_at < transfer.created_at),
      'card_refund', (SELECT coalesce(max(id), 0) FROM card_refund WHERE created_at < transfer.created_at),
      'dispute_change', (SELECT coalesce(max(id), 0) FROM dispute_change WHERE created_at < transfer.created_at),
      'supplier_call', (SELECT coalesce(max(id), 0) FROM supplier_call WHERE created_at < transfer.created_at)) AS marks
    FROM transfer WHERE id = ${transferId}`)

test('of what changed since any moment nothing is seen by half: a sound shop breaks none, and the sums are those of all', async () => {
  const transfers = await shop.database.rows<{ id: number }>(sql`SELECT id FROM transfer ORDER BY id`)
  const whole = await proveLedger(shop.database)
  expect(transfers.length).toBeGreaterThan(100)
  const undo = new Error('undone')
  for (const { id } of transfers.filter((_, index) => index % 9 === 0)) {
    const looked = shop.database.transaction(async (tx) => {
      await tx.run(sql`
        INSERT INTO closed_balance (account_id, balance)
        SELECT account_id, sum(change) FROM (
          SELECT debit_account AS account_id, -amount AS change FROM transfer WHERE id <= ${id}
          UNION ALL SELECT credit_account, amount FROM transfer WHERE id <= ${id}) AS entry GROUP BY account_id`)
      const lately = await lookLately(tx, await openAfter(id))
      const offenders = (await checkInvariants(tx, lately)).filter((result) => result.offenders > 0)
      expect([id, offenders]).toEqual([id, []])
      expect(await proveLedger(tx, lately)).toEqual(whole)
      throw undo
    })
    await expect(looked).rejects.toBe(undo)
  }
})

interface Damage {
  number: number
  what: string
  /** The constraint by which the database would refuse it. */
  guard?: string
  statement: string
}

const dropCheck = (table: string, constraint: string) => `ALTER TABLE ${table} DROP CONSTRAINT ${constraint} CASCADE`

/** Damage that a bug, or somebody with the database's password, could do, and the invariant that must detect it. */
const damages: Damage[] = [
  {
    number: 1,
    what: 'a negative amount',
    guard: dropCheck('transfer', 'transfer_amount_check'),
    statement: "UPDATE transfer SET amount = -amount WHERE kind = 'purchase'",
  },
  { number: 1, what: 'two currencies', statement: "UPDATE transfer SET currency = 'RUB' WHERE kind = 'purchase'" },
  {
    number: 2,
    what: 'a balance that was raised',
    statement: 'UPDATE account SET balance = balance + 1 WHERE balance > 0',
  },
  { number: 3, what: 'a transfer that was taken out', statement: "DELETE FROM transfer WHERE kind = 'purchase'" },
  {
    number: 4,
    what: 'money spent before it came',
    statement: "UPDATE transfer SET id = id + 1000000 WHERE kind = 'adjustment'",
    guard: 'ALTER TABLE transfer ALTER COLUMN id SET GENERATED BY DEFAULT',
  },
  { number: 4, what: 'a wrong note', statement: 'UPDATE transfer SET debit_balance = debit_balance + 1' },
  {
    number: 5,
    what: 'a sold code on the shelf',
    statement: "UPDATE code SET status = 'available' WHERE status = 'used'",
  },
  { number: 5, what: 'a reserved code that nobody holds', statement: 'DELETE FROM code_hold' },
  {
    number: 5,
    what: 'a code sold twice',
    guard: dropCheck('code_sale', 'code_sale_pkey'),
    statement: `INSERT INTO code_sale SELECT code_id, (SELECT max(order_item_id) FROM code_sale), 99, now(), code_sale.sale_number
      FROM code_sale JOIN code ON id = code_id WHERE status = 'used' LIMIT 1`,
  },
  {
    number: 6,
    what: 'a delivered item without its code',
    statement: "DELETE FROM code_sale USING code WHERE id = code_id AND status = 'used'",
  },
  {
    number: 6,
    what: 'codes of another offer',
    statement: "UPDATE code SET offer_id = offer_id + 1 WHERE status = 'used'",
  },
  {
    number: 6,
    what: 'a unit given back that kept its code',
    statement: 'DELETE FROM code_return USING refund_part WHERE quantity IS NOT NULL',
  },
  {
    number: 6,
    what: 'a sum of money that took a code along',
    statement: 'UPDATE refund_part SET quantity = NULL WHERE quantity = 1',
  },
  {
    number: 7,
    what: 'more units of a top-up given back than were delivered',
    statement: `UPDATE refund_part SET quantity = order_item.quantity + 1 FROM order_item
      WHERE order_item.id = order_item_id AND item_type = 'topup'`,
  },
  {
    number: 7,
    what: 'a delivered top-up that nobody has done',
    statement: "UPDATE supplier_order SET state = 'rejected' WHERE state = 'done'",
  },
  {
    number: 7,
    what: 'a refunded top-up that was done',
    statement: `UPDATE supplier_order SET state = 'done' FROM delivery
      WHERE delivery.id = delivery_id AND delivery.state = 'rejected'`,
  },
  {
    number: 7,
    what: 'a top-up given up for nothing',
    statement: 'DELETE FROM refund WHERE delivery_id IS NOT NULL',
  },
  {
    number: 8,
    what: 'two codes that are one',
    guard: dropCheck('code_fingerprint', 'code_fingerprint_key'),
    statement: 'UPDATE code SET fingerprint = (SELECT fingerprint FROM code LIMIT 1)',
  },
  {
    number: 8,
    what: 'a code that nobody would know again',
    statement: 'DELETE FROM code_fingerprint WHERE code_id = (SELECT max(code_id) FROM code_sale)',
  },
  {
    number: 9,
    what: 'a cart that became two orders',
    guard: dropCheck('orders', 'orders_user_id_cart_version_key'),
    statement: "UPDATE orders SET cart_version = 1, user_id = 1 WHERE payment_method = 'balance' AND topup_key IS NULL",
  },
  {
    number: 10,
    what: 'a total that is not its items',
    statement: 'UPDATE orders SET total = total + 1 WHERE total > 0',
  },
  { number: 11, what: 'a price that never was', statement: 'UPDATE order_item SET unit_price = unit_price + 1' },
  { number: 11, what: 'a price to come', statement: "UPDATE orders SET created_at = created_at - interval '1 day'" },
  {
    number: 11,
    what: 'more on Steam than was paid for',
    statement: "UPDATE topup_target SET steam_usd = steam_usd + 100 WHERE service = 'steam'",
  },
  {
    number: 11,
    what: 'less on Steam than was wanted',
    statement: "UPDATE topup_target SET steam_amount = steam_amount * 2 WHERE service = 'steam'",
  },
  {
    number: 11,
    what: 'a commission on whole cents, and not on what was wanted',
    statement: 'UPDATE topup_target SET is_exact = false WHERE is_exact',
  },
  { number: 11, what: 'a rate that never was', statement: 'UPDATE currency_rate_history SET rate = rate + 1' },
  {
    number: 11,
    what: 'a rate that was not in force any more',
    statement: `INSERT INTO currency_rate_history (rate_id, rate, source, created_at)
      SELECT id, 99, 'fixed', now() - interval '1 hour' FROM currency_rate`,
  },
  {
    number: 12,
    what: 'a top-up without money',
    statement: 'DELETE FROM transfer USING orders WHERE order_id = orders.id AND topup_key IS NOT NULL',
  },
  { number: 12, what: 'a paid order without money', statement: "DELETE FROM transfer WHERE kind = 'card'" },
  {
    number: 12,
    what: 'an order that was paid twice',
    guard: 'ALTER TABLE transfer ALTER COLUMN id SET GENERATED BY DEFAULT',
    statement: `INSERT INTO transfer SELECT id + 1000000, kind, currency, amount, debit_account, credit_account,
      debit_balance, credit_balance, order_id FROM transfer WHERE kind = 'purchase'`,
  },
  {
    number: 12,
    what: 'an order for a code that was never spent',
    statement: 'DELETE FROM code_activation',
  },
  {
    number: 12,
    what: 'a code that was spent twice',
    statement: `INSERT INTO code_activation (code_id, activation_number, order_item_id)
      SELECT code_id, 2, (SELECT max(id) FROM order_item WHERE id <> order_item_id) FROM code_activation`,
  },
  {
    number: 13,
    what: 'money of an unpaid order',
    statement: "UPDATE orders SET status = 'expired' WHERE status = 'completed'",
  },
  {
    number: 13,
    what: 'an unpaid top-up on its way',
    statement: `INSERT INTO delivery (order_item_id, unit)
      SELECT id, 1 FROM order_item WHERE status = 'awaiting_payment' AND item_type = 'topup'`,
  },
  {
    number: 13,
    what: 'an order that lost its reserve',
    statement: 'DELETE FROM code_hold',
  },
  {
    number: 14,
    what: 'a payment without its transfer',
    statement: "UPDATE transfer SET key = NULL WHERE kind = 'card'",
  },
  {
    number: 27,
    what: 'a part that was returned twice',
    statement: `INSERT INTO transfer (kind, currency, amount, debit_account, credit_account, credit_balance, order_id)
      SELECT kind, currency, amount, debit_account, credit_account, credit_balance, order_id FROM transfer
      WHERE kind = 'release'`,
  },
  { number: 27, what: 'a part that was never taken', statement: "DELETE FROM transfer WHERE kind = 'reservation'" },
  { number: 27, what: 'a part that stays where it is', statement: "DELETE FROM transfer WHERE kind = 'release'" },
  {
    number: 27,
    what: 'an order that ended with its part',
    statement: "UPDATE orders SET status = 'expired' WHERE status = 'awaiting_payment' AND wallet_amount > 0",
  },
  {
    number: 27,
    what: 'a part of somebody else',
    statement: 'UPDATE orders SET user_id = 1, cart_version = NULL WHERE wallet_amount > 0',
  },
  {
    number: 27,
    what: 'a payment of all of an order with a part',
    statement: `UPDATE payment SET amount = total FROM orders WHERE orders.id = order_id AND wallet_amount > 0`,
  },
  { number: 12, what: 'a part that was not paid', statement: 'UPDATE orders SET wallet_amount = 0' },
  {
    number: 14,
    what: 'a fee that was booked twice',
    statement: `INSERT INTO transfer (kind, currency, amount, debit_account, credit_account, order_id)
      SELECT kind, currency, amount, debit_account, credit_account, order_id FROM transfer WHERE key LIKE 'payment-fee:%'`,
  },
  {
    number: 14,
    what: 'a fee that was left out',
    statement: "DELETE FROM transfer WHERE key LIKE 'payment-fee:%'",
  },
  {
    number: 14,
    what: 'a fee that went to the sales',
    statement: `UPDATE transfer SET credit_account = sales.id FROM account AS sales
      WHERE sales.kind = 'sales' AND sales.currency = transfer.currency AND key LIKE 'payment-fee:%'`,
  },
  {
    number: 14,
    what: 'a fee that does not follow from its terms',
    statement: 'UPDATE payment SET fee_percent = fee_percent + 100 WHERE fee_amount > 0',
  },
  {
    number: 14,
    what: 'a fee that nobody booked of a payment that bought its order',
    guard: dropCheck('payment', 'payment_order_fee_check'),
    statement: "UPDATE payment SET booked_fee = 0 WHERE settled_to = 'order' AND fee_amount > 0",
  },
  {
    number: 14,
    what: 'a fee of money that bought nothing',
    statement: `UPDATE payment SET booked_fee = fee_amount FROM orders
      WHERE orders.id = order_id AND purpose = 'goods' AND settled_to = 'wallet' AND fee_amount > 0`,
  },
  {
    number: 15,
    what: 'money of a failed refund that made good what nobody had lost',
    statement: "UPDATE transfer SET key = replace(key, 'failed', 'made-good') WHERE key LIKE 'card-refund-failed:%'",
  },
  {
    number: 15,
    what: 'a fee that did not leave the account of fees',
    statement: "DELETE FROM transfer WHERE key LIKE 'card-refund-fee:%'",
  },
  {
    number: 15,
    what: 'a fee that went back twice',
    statement: "UPDATE card_refund SET fee_amount = fee_amount + 1 WHERE fee_amount > 0 AND status = 'succeeded'",
  },
  {
    number: 15,
    what: 'a fee that went back to the wallet and was not the fee',
    statement: "UPDATE transfer SET amount = amount + 100 WHERE key LIKE 'fee-refund:%'",
  },
  {
    number: 27,
    what: 'a payment of more than an order and its fee',
    statement: 'UPDATE payment SET amount = amount + 1 WHERE fee_amount > 0',
  },
  { number: 14, what: 'a payment of another amount', statement: 'UPDATE payment SET paid_amount = paid_amount + 1' },
  {
    number: 14,
    what: 'a chargeback that was never booked',
    statement: "DELETE FROM transfer WHERE kind = 'chargeback'",
  },
  {
    number: 14,
    what: 'a lost dispute that took no money',
    statement: "UPDATE dispute SET status = 'lost' WHERE status = 'won'",
  },
  { number: 14, what: 'a chargeback of nobody', statement: 'DELETE FROM dispute' },
  {
    number: 14,
    what: 'a disputed buyer who may buy',
    statement: 'UPDATE users SET held_since = NULL WHERE held_since IS NOT NULL',
  },
  {
    number: 14,
    what: 'a customer held for nothing',
    statement: "UPDATE dispute SET released_at = now(), released_by = 1 WHERE kind = 'fraud_warning'",
  },
  {
    number: 15,
    what: 'more refunded and taken back than was paid',
    statement: `UPDATE transfer SET amount = amount * 2 FROM account
      WHERE account.id = debit_account AND account.kind = 'disputes'`,
  },
  {
    number: 15,
    what: 'a unit that no bank took back',
    statement: 'UPDATE refund SET by_chargeback = true WHERE delivery_id IS NOT NULL',
  },
  { number: 15, what: 'a refund that never came', statement: "DELETE FROM transfer WHERE kind = 'refund'" },
  {
    number: 15,
    what: 'a unit given back at another price',
    statement: 'UPDATE refund SET amount = amount + 1 WHERE delivery_id IS NOT NULL',
  },
  {
    number: 15,
    what: 'a part that was never paid',
    statement: "DELETE FROM transfer WHERE key LIKE 'refund-part:%'",
  },
  {
    number: 15,
    what: 'a part that is not what was paid for it',
    statement: 'UPDATE refund_part SET amount = amount + 1 WHERE quantity IS NULL',
  },
  {
    number: 15,
    what: 'a unit given back in part at another price',
    statement: 'UPDATE refund_part SET quantity = quantity + 1 WHERE quantity IS NOT NULL',
  },
  {
    number: 15,
    what: 'parts that are more than the price of their line',
    statement: `WITH part AS (UPDATE refund_part SET amount = amount + 1000 WHERE quantity IS NULL RETURNING id),
      paid AS (UPDATE transfer SET amount = amount + 1000 FROM part WHERE key = 'refund-part:' || part.id)
      UPDATE refund SET amount = amount + 1000 FROM part WHERE part_id = part.id`,
  },
  { number: 15, what: 'a refund above the price', statement: 'UPDATE refund SET amount = amount + 1' },
  { number: 15, what: 'a card refund that was never booked', statement: "DELETE FROM transfer WHERE kind = 'payout'" },
  {
    number: 16,
    what: 'a reservation that outlived its time',
    statement: "UPDATE orders SET expires_at = now() - interval '1 hour'",
  },
  { number: 16, what: 'a paid item that waits', statement: "UPDATE order_item SET status = 'pending'" },
  {
    number: 16,
    what: 'a delivery that nobody looks at any more',
    statement: "UPDATE delivery SET next_at = now() - interval '1 hour', held_until = NULL WHERE state = 'unknown'",
  },
  { number: 16, what: 'a unit that was lost', statement: "DELETE FROM delivery WHERE state = 'unknown'" },
  {
    number: 17,
    what: 'an order that was sent again blindly',
    statement: "UPDATE supplier_call SET outcome = 'unknown' WHERE outcome = 'not_found'",
  },
  {
    number: 17,
    what: 'a second supplier while the first may have done it',
    guard: 'DROP INDEX supplier_order_alone',
    statement: `INSERT INTO supplier_order (delivery_id, supplier)
      SELECT delivery_id, 'kinguin' FROM supplier_order WHERE state = 'unknown'`,
  },
  {
    number: 18,
    what: 'a move that is not in the table',
    statement: `INSERT INTO status_change (order_id, was, became)
      SELECT id, 'refunded', status FROM orders WHERE status = 'completed'`,
  },
  {
    number: 18,
    what: 'an order that is not what its items are',
    statement: "UPDATE order_item SET status = 'delivered' WHERE status = 'refunded'",
  },
  {
    number: 18,
    what: 'a line that counts as delivered and has no unit left',
    statement: `UPDATE refund_part SET quantity = order_item.quantity FROM order_item
      WHERE order_item.id = order_item_id AND status = 'delivered'`,
  },
  {
    number: 21,
    what: 'late money that bought at the old price',
    statement: `WITH paid AS (
        SELECT DISTINCT order_id FROM status_change WHERE order_item_id IS NULL AND was = 'expired'),
      later AS (
        UPDATE payment SET settled_at = settled_at + interval '2 hours' FROM paid
        WHERE payment.order_id = paid.order_id AND settled_to = 'order')
      INSERT INTO offer_price (offer_id, version, price_usd, price_rub, valid_from)
      SELECT DISTINCT price.offer_id, price.version + 1, price.price_usd + 1, price.price_rub + 1, now() + interval '1 hour'
      FROM paid JOIN order_item USING (order_id)
      JOIN offer_price AS price ON price.offer_id = order_item.offer_id AND price.version = price_version`,
  },
  {
    number: 21,
    what: 'an order that was kept at its price for longer than half an hour',
    statement: `WITH paid AS (
        UPDATE payment SET settled_at = settled_at + interval '2 hours'
        WHERE settled_to = 'order' AND EXISTS (
          SELECT FROM status_change WHERE order_id = payment.order_id AND was = 'awaiting_payment' AND became = 'completed')
        RETURNING order_id)
      INSERT INTO offer_price (offer_id, version, price_usd, price_rub, valid_from)
      SELECT DISTINCT price.offer_id, price.version + 1, price.price_usd * 2, price.price_rub, now() + interval '1 hour'
      FROM paid JOIN order_item USING (order_id)
      JOIN offer_price AS price ON price.offer_id = order_item.offer_id AND price.version = price_version`,
  },
  {
    number: 21,
    what: 'late money for Steam that was taken at the old rate',
    statement: `WITH later AS (
        UPDATE payment SET settled_at = settled_at + interval '2 hours' FROM status_change
        WHERE status_change.order_id = payment.order_id AND was = 'expired' AND settled_to = 'order')
      INSERT INTO currency_rate_history (rate_id, rate, source, created_at)
      SELECT id, 40, 'fixed', now() + interval '1 hour' FROM currency_rate WHERE to_currency = 'RUB'`,
  },
  { number: 19, what: 'an audit entry that was changed', statement: "UPDATE audit_entry SET action = 'nothing'" },
  { number: 19, what: 'an audit entry that was taken out', statement: 'DELETE FROM audit_entry WHERE id = 1' },
  { number: 20, what: 'money without a trace', statement: "DELETE FROM audit_entry WHERE action LIKE 'user.%'" },
  { number: 20, what: 'a refund without a trace', statement: "DELETE FROM audit_entry WHERE action = 'order.refund'" },
  {
    number: 20,
    what: 'a second part of a line without a trace',
    statement: `DELETE FROM audit_entry WHERE action = 'order.refund' AND after -> 'parts' @> '[{"quantity": null}]'`,
  },
  {
    number: 22,
    what: 'an order of a supplier for something else',
    statement: "UPDATE supplier_order SET item = 'another' WHERE item IS NOT NULL",
  },
  {
    number: 22,
    what: 'an order that became one of something else',
    statement: "UPDATE order_item SET supplier_item = 'another' WHERE supplier_item IS NOT NULL",
  },
  {
    number: 24,
    what: 'a price under its cost',
    guard: dropCheck('offer', 'offer_floor'),
    statement: 'UPDATE offer SET floor_usd = price_usd + 1, floor_rub = price_rub',
  },
  {
    number: 24,
    what: 'a price under its cost to which nobody has agreed',
    statement: `UPDATE offer SET floor_usd = price_usd + 1, floor_rub = price_rub, agreed_usd = price_usd + 1,
      agreed_rub = price_rub`,
  },
  {
    number: 23,
    what: 'a code that was sold after its recall',
    statement: `UPDATE code_batch SET recalled_at = created_at, recall_holds_since = created_at, recall_reason = 'stolen'
      WHERE EXISTS (SELECT FROM code JOIN code_sale ON code_id = code.id WHERE batch_id = code_batch.id)`,
  },
  {
    number: 23,
    what: 'a code that its buyer first saw after its recall',
    statement: `WITH recalled AS (
        UPDATE code_batch SET recalled_at = now(), recall_holds_since = now(), recall_reason = 'stolen' RETURNING id)
      INSERT INTO code_reveal (code_id, user_id, place, created_at)
      SELECT code.id, 1, 'receipt', clock_timestamp() + interval '1 second' FROM code JOIN recalled ON recalled.id = batch_id
      WHERE status = 'used' AND NOT EXISTS (SELECT FROM code_reveal WHERE code_id = code.id)`,
  },
  {
    number: 23,
    what: 'a code that was spent on a player after its recall and that its buyer has not seen',
    statement: `WITH recalled AS (
        UPDATE code_batch SET recalled_at = now(), recall_holds_since = now(), recall_reason = 'stolen' RETURNING id)
      INSERT INTO code_activation (code_id, activation_number, order_item_id, created_at)
      SELECT code.id, 1, (SELECT min(id) FROM order_item WHERE id NOT IN (SELECT order_item_id FROM code_activation)),
        clock_timestamp() + interval '1 second'
      FROM code JOIN recalled ON recalled.id = batch_id
      WHERE status = 'used' AND NOT EXISTS (SELECT FROM code_reveal WHERE code_id = code.id)
        AND NOT EXISTS (SELECT FROM code_activation WHERE code_id = code.id) LIMIT 1`,
  },
  {
    number: 25,
    what: 'a cost that its batch never had',
    statement: 'UPDATE code_sale SET cost = 0.5 WHERE order_item_id = (SELECT min(order_item_id) FROM code_sale)',
  },
  {
    number: 25,
    what: 'an item that cost something else than its codes',
    statement: 'UPDATE order_item SET cost = 50, known_units = 1 WHERE id = (SELECT min(order_item_id) FROM code_sale)',
  },
  {
    number: 25,
    what: 'an item with more units than it took',
    statement: "UPDATE order_item SET cost_units = cost_units + 1 WHERE item_type = 'topup'",
  },
  {
    number: 25,
    what: 'a cost that was known and is not kept',
    statement: `INSERT INTO code_batch_cost (batch_id, cost, cost_currency, created_at)
      SELECT id, 0.5, 'USD', now() - interval '1 day' FROM code_batch`,
  },
  {
    number: 25,
    what: 'a delivery that cost something else than its supplier took',
    statement: `UPDATE supplier_order SET cost = 0.5, cost_currency = 'USD', cost_in_order = 0.4 WHERE state = 'done'`,
  },
  {
    number: 31,
    what: 'a filling whose money is not in the wallet',
    statement: "UPDATE orders SET status = 'completed' WHERE purpose = 'balance' AND status <> 'completed'",
  },
  {
    number: 31,
    what: 'a filling that waits although its money came',
    statement: "UPDATE orders SET status = 'expired' WHERE purpose = 'balance' AND status = 'completed'",
  },
  {
    number: 31,
    what: 'a filling with items',
    statement: `UPDATE order_item SET order_id = (SELECT min(id) FROM orders WHERE purpose = 'balance')
      WHERE id = (SELECT min(id) FROM order_item)`,
  },
  {
    number: 31,
    what: 'a filling that went to the sales',
    statement: `UPDATE transfer SET credit_account = sales.id FROM account AS sales, orders
      WHERE sales.kind = 'sales' AND sales.currency = transfer.currency AND orders.id = order_id
        AND orders.purpose = 'balance' AND transfer.kind = 'card'`,
  },
  {
    number: 31,
    what: 'a refund of a filling that the shop paid',
    statement: `UPDATE transfer SET debit_account = adjustments.id, debit_balance = NULL FROM account AS adjustments, orders
      WHERE adjustments.kind = 'adjustments' AND adjustments.currency = transfer.currency AND orders.id = order_id
        AND orders.purpose = 'balance' AND transfer.kind = 'payout'`,
  },
  { number: 33, what: 'a coupon that forgot a use', statement: 'UPDATE coupon SET used = used - 1 WHERE used > 0' },
  {
    number: 33,
    what: 'a discount that its items do not have',
    statement: 'UPDATE orders SET discount = discount + 1 WHERE coupon_id IS NOT NULL',
  },
  {
    number: 33,
    what: 'an item that was sold under its floor',
    guard: dropCheck('order_item', 'order_item_whole'),
    statement: 'UPDATE order_item SET unit_floor = unit_price + 1 WHERE unit_discount > 0',
  },
]

test('every invariant has a damage that it must find', () => {
  expect(new Set(damages.map((damage) => damage.number))).toEqual(new Set(invariants.map(({ number }) => number)))
})

test.each(damages)('invariant $number finds $what, in all there is and in what changed lately', async (damage) => {
  const { number, guard, statement } = damage
  const undo = new Error('undone')
  let found: number[][] = []
  const marks = { status_change: 0, payment: 0, card_refund: 0, dispute_change: 0, supplier_call: 0 }
  const damaged = shop.database.transaction(async (tx) => {
    // Disables triggers and foreign keys.
    await tx.run(sql`SET LOCAL session_replication_role = 'replica'`)
    if (guard) await tx.run(raw(guard))
    expect(await tx.run(raw(statement))).toBeGreaterThan(0)
    const lately = await lookLately(tx, { since: new Date(Date.now() - 3_600_000), lastTransfer: 0, marks })
    const results = [await checkInvariants(tx), await checkInvariants(tx, lately)]
    found = results.map((each) => each.filter(({ offenders }) => offenders > 0).map((result) => result.number))
    throw undo
  })
  await expect(damaged).rejects.toBe(undo)
  expect(found).toEqual([expect.arrayContaining([number]), expect.arrayContaining([number])])
})
