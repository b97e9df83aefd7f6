import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  aCardOrder,
  act,
  expectSound,
  fillCart,
  payFromBalance,
  pressPay,
  readState,
  tell,
  useCardShop,
} from '../../../test/card-orders.ts'
import { anOffer, aUser, type TestUser } from '../../../test/factories.ts'
import { aFilling, allowFillings, readWallet } from '../../../test/fillings.ts'
import { someGenerated } from '../../../test/game-codes.ts'
import { raceRounds } from '../../../test/race-rounds.ts'
import { aPlayer, aTopupOrder, passDeliveryTime, readTopupState, shopFor, workOff } from '../../../test/topup-orders.ts'
import { useShop, useUser } from '../../../test/use-shop.ts'
import { raw, sql } from '../../platform/database/queries.ts'
import { handOverOverdue } from '../delivery/deliveries.ts'
import { expireApprovals } from './approvals.ts'

const shop = useShop()
const owner = useUser(shop, { staff: 'owner' })
let helper: TestUser
beforeEach(async () => {
  // Refunds of 5 dollars in one go, and 20 in a day.
  helper = await aUser(shop, { staff: 'support' })
})

const call = (method: 'GET' | 'POST' | 'PUT', path: string, by: TestUser, body?: unknown, key: string = randomUUID()) =>
  shop.call(method, `/admin${path}`, {
    token: by.token,
    body,
    headers: method === 'GET' ? {} : { 'idempotency-key': key },
  })

/** A paid order that comes to so much. */
async function anOrder(cents: number): Promise<{ id: string; buyer: TestUser }> {
  const offer = await anOffer(shop, { stock: 1, priceUsd: cents })
  const buyer = await aUser(shop, { usd: cents })
  await fillCart(shop, buyer, offer)
  return { id: (await payFromBalance(shop, buyer)).body.order.id, buyer }
}
const refund = (orderId: string, by: TestUser, key?: string) =>
  call('POST', `/orders/${orderId}/refund`, by, { reason: 'did not work' }, key)
const decide = (id: number, by: TestUser, decision: 'yes' | 'no') =>
  call('POST', `/approvals/${id}/decide`, by, { decision })
const readStatus = async (orderId: string) => (await call('GET', `/orders/${orderId}`, owner)).body.data.status
const read = async (id: number, by: TestUser = owner) => (await call('GET', `/approvals/${id}`, by)).body.data
const toUsd = async (buyer: TestUser) => (await shop.call('GET', '/profile', { token: buyer.token })).body.balanceUsd
const waitingAlerts = (id: number) =>
  shop.database.rows<{ details: object; resolved_at: Date | null }>(
    sql`SELECT details, resolved_at FROM alert WHERE kind = 'approval.waiting' AND subject = ${`approval:${id}`}`,
  )

describe('a refund', () => {
  test('up to the limit needs nobody else, and one above it waits for a colleague’s yes', async () => {
    const [small, big] = [await anOrder(500), await anOrder(501)]
    expect((await refund(small.id, helper)).status).toBe(200)
    const refused = await refund(big.id, helper)
    expect([refused.status, refused.body.error.details]).toEqual([
      409,
      {
        reason: 'above_limit',
        limit: 'usd_once',
        most: 5,
        left: 5,
        amount: 5.01,
        currency: 'USD',
        approval: expect.any(Number),
      },
    ])
    expect(await readStatus(big.id)).toBe('completed')
    const { approval } = refused.body.error.details
    expect((await refund(big.id, helper)).body.error.details.approval).toBe(approval)
    expect(await waitingAlerts(approval)).toEqual([
      { details: { order: big.id, admin: helper.nickname, amount: 501, currency: 'USD' }, resolved_at: null },
    ])
    expect((await call('GET', `/approvals/${approval}`, helper)).body.data).toMatchObject({
      call: 'refundOrder',
      subject: `order:${big.id}`,
      amount: 5.01,
      asked_by: helper.nickname,
      decision: null,
      body: { reason: 'did not work' },
    })

    expect((await decide(approval, owner, 'yes')).body.data).toMatchObject({
      decision: 'yes',
      decided_by: owner.nickname,
    })
    expect([await readStatus(big.id), await toUsd(big.buyer)]).toEqual(['refunded', 5.01])
    expect(await waitingAlerts(approval)).toMatchObject([{ resolved_at: expect.any(Date) }])
    expect((await decide(approval, owner, 'yes')).body.error.details).toEqual({
      reason: 'approval_decided',
      decision: 'yes',
    })
    const audited = await shop.database.rows<{ action: string; actor_id: number }>(
      sql`SELECT action, actor_id FROM audit_entry WHERE subject = ${`order:${big.id}`} ORDER BY id`,
    )
    expect(audited).toEqual([
      { action: 'order.refund', actor_id: owner.id },
      { action: 'approval.decide', actor_id: owner.id },
    ])
    await expectSound(shop)
  })

  test('that waits is agreed to by nobody who asked, may not, or has too low a limit oneself', async () => {
    const manager = await aUser(shop, { staff: 'manager' })
    const finance = await aUser(shop, { staff: 'finance' })
    const { id } = await anOrder(10_001)
    const { approval } = (await refund(id, manager)).body.error.details
    expect((await decide(approval, manager, 'yes')).body.error.details).toEqual({ reason: 'own_request' })
    expect((await decide(approval, helper, 'yes')).body.error.details).toEqual({ permission: 'approvals.write' })
    const other = await aUser(shop, { staff: 'manager' })
    expect((await decide(approval, other, 'yes')).body.error.details).toMatchObject({
      reason: 'above_limit',
      limit: 'usd_once',
      approval: null,
    })
    expect(await readStatus(id)).toBe('completed')
    expect((await decide(approval, finance, 'yes')).status).toBe(200)
    expect(await readStatus(id)).toBe('refunded')
  })

  test('that a colleague says no to moves nothing, and may be asked for again', async () => {
    const { id } = await anOrder(10_001)
    const { approval } = (await refund(id, helper)).body.error.details
    expect((await decide(approval, owner, 'no')).body.data.decision).toBe('no')
    expect((await decide(approval, owner, 'yes')).status).toBe(409)
    expect(await readStatus(id)).toBe('completed')
    const again = (await refund(id, helper)).body.error.details.approval
    expect(again).not.toBe(approval)
  })

  test('is agreed to once by twenty colleagues who say yes at once', async () => {
    const { id, buyer } = await anOrder(900)
    const { approval } = (await refund(id, helper)).body.error.details
    const answers = await Promise.all(Array.from({ length: 20 }, () => decide(approval, owner, 'yes')))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await toUsd(buyer)).toBe(9)
  })

  test('counts for the day: of twenty at once no more than the daily limit allows', async () => {
    const orders = await Promise.all(Array.from({ length: 20 }, () => anOrder(300)))
    const answers = await Promise.all(orders.map(({ id }) => refund(id, helper)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(6)
    const refused = answers.find(({ status }) => status !== 200)?.body.error.details
    expect(refused).toMatchObject({ reason: 'above_limit', limit: 'usd_daily', most: 20, left: 2, amount: 3 })
    const { spent } = await shop.database.one<{ spent: number }>(
      sql`SELECT sum(amount)::int AS spent FROM staff_spending WHERE user_id = ${helper.id}`,
    )
    expect(spent).toBe(1_800)
    await shop.database.run(sql`
      UPDATE staff_spending SET spent_at = spent_at - interval '24 hours' WHERE user_id = ${helper.id}`)
    expect((await refund((await anOrder(300)).id, helper)).status).toBe(200)
  })

  test('counts for the day up to the very limit, each currency by itself', async () => {
    const offer = await anOffer(shop, { stock: 1 })
    const buyer = await aUser(shop, { rub: 8_000 })
    await fillCart(shop, buyer, offer)
    const body = { currency: 'RUB' }
    const inRubles = await shop.call('POST', '/payment/from-balance', { token: buyer.token, body })
    expect((await refund(inRubles.body.order.id, helper)).status).toBe(200)
    for (let times = 0; times < 4; times++) expect((await refund((await anOrder(500)).id, helper)).status).toBe(200)
    const refused = await refund((await anOrder(1)).id, helper)
    expect(refused.body.error.details).toMatchObject({ limit: 'usd_daily', most: 20, left: 0 })
  })

  test('that fails takes nothing from the limit', async () => {
    const { id } = await anOrder(400)
    expect((await refund(id, helper)).status).toBe(200)
    for (let attempt = 0; attempt < 5; attempt++) expect((await refund(id, helper)).status).toBe(409)
    const { spent } = await shop.database.one<{ spent: number }>(
      sql`SELECT sum(amount)::int AS spent FROM staff_spending WHERE user_id = ${helper.id}`,
    )
    expect(spent).toBe(400)
  })
})

describe('a refund to the card', () => {
  const cards = useCardShop()

  test('above the limit is made at the provider once a colleague says yes', async () => {
    const [colleague, asking] = [await aUser(cards, { staff: 'owner' }), await aUser(cards, { staff: 'support' })]
    const order = await aCardOrder(cards, { priceUsd: 900 })
    await tell(cards, order)
    const post = (path: string, { token }: TestUser, body: object) =>
      cards.call('POST', `/admin${path}`, { token, body, headers: { 'idempotency-key': randomUUID() } })
    const asked = await post(`/orders/${order.orderId}/refund`, asking, { reason: 'did not work', to: 'card' })
    const { approval } = asked.body.error.details
    const decided = await post(`/approvals/${approval}/decide`, colleague, { decision: 'yes' })
    expect([decided.status, decided.body.error]).toEqual([200, undefined])
    const refunds = await cards.database.rows(sql`
      SELECT card_refund.amount, card_refund.status <> 'sending' AS is_sent FROM card_refund
      JOIN payment ON payment.id = payment_id WHERE order_id = ${order.orderId}`)
    expect(refunds).toEqual([{ amount: 900, is_sent: true }])
  })
})

describe('a filling', () => {
  const cards = useCardShop()

  test('is given back by a yes as long as it comes to no more than was shown', async () => {
    await allowFillings(cards)
    const [owner, support] = [await aUser(cards, { staff: 'owner' }), await aUser(cards, { staff: 'support' })]
    const { orderId, buyer, paymentId } = await aFilling(cards)
    await act(cards, { paymentId }, 'pay')
    const post = (path: string, { token }: TestUser, body: object) =>
      cards.call('POST', `/admin${path}`, { token, body, headers: { 'idempotency-key': randomUUID() } })
    const setTo = (balanceUsd: number) =>
      cards.call('PUT', `/admin/users/${buyer.id}/balance`, {
        token: owner.token,
        body: { balanceUsd, reason: 'a test' },
      })
    await setTo(7)
    const ask = () => post(`/fillings/${orderId}/refund`, support, { reason: 'a test' })
    const { approval, amount } = (await ask()).body.error.details
    expect(amount).toBe(7)
    await setTo(20)
    const late = await post(`/approvals/${approval}/decide`, owner, { decision: 'yes' })
    expect(late.body.error.details).toMatchObject({ reason: 'above_agreed', amount: 20 })
    expect(await readWallet(cards, buyer)).toBe(2_000)
  })
})

describe('what goes out on an admin’s word alone', () => {
  const cards = useCardShop()
  const useStaff = (staff: 'owner' | 'manager' | 'support', usd = 0) => aUser(cards, { staff, usd })
  const post = (path: string, { token }: TestUser, body: object) =>
    cards.call('POST', `/admin${path}`, { token, body, headers: { 'idempotency-key': randomUUID() } })
  const toPaymentId = async (orderId: string) =>
    (await cards.database.one<{ id: number }>(sql`SELECT id FROM payment WHERE order_id = ${orderId}`)).id
  const confirm = async (orderId: string, by: TestUser) =>
    post(`/payments/${await toPaymentId(orderId)}/confirm`, by, { reason: 'seen at the bank' })
  /** Somebody of the staff begins a purchase by card, and pays nothing. */
  const aPurchaseFor = async (buyer: TestUser, stock = 1) => {
    await fillCart(cards, buyer, await anOffer(cards, { stock, priceUsd: 100 }))
    return (await pressPay(cards, buyer, 100)).body.order_id as string
  }
  const toOrder = async (id: string, by: TestUser) =>
    (await cards.call('GET', `/admin/orders/${id}`, { token: by.token })).body.data.status

  test('a payment is confirmed within the limit, and above it by a colleague’s yes', async () => {
    const [owner, manager] = [await useStaff('owner'), await useStaff('manager')]
    const [small, big] = [await aCardOrder(cards, { priceUsd: 10_000 }), await aCardOrder(cards, { priceUsd: 10_001 })]
    expect((await confirm(small.orderId, manager)).status).toBe(200)
    const refused = await confirm(big.orderId, manager)
    expect(refused.body.error.details).toMatchObject({ reason: 'above_limit', limit: 'usd_once', amount: 100.01 })
    expect(await readState(cards, big)).toMatchObject({ status: 'awaiting_payment', codes: 0 })
    const { approval } = refused.body.error.details
    const shown = (await cards.call('GET', `/admin/approvals/${approval}`, { token: owner.token })).body.data
    expect(shown).toMatchObject({ call: 'confirmPayment', subject: `order:${big.orderId}`, amount: 100.01 })
    expect((await post(`/approvals/${approval}/decide`, owner, { decision: 'yes' })).status).toBe(200)
    expect(await readState(cards, big)).toMatchObject({ status: 'completed', codes: 1 })
  })

  test('a payment of one’s own order is confirmed by a colleague, or by who has no limit', async () => {
    const [owner, manager, other] = [await useStaff('owner'), await useStaff('manager'), await useStaff('manager')]
    const [order, owners] = [await aPurchaseFor(manager), await aPurchaseFor(owner)]
    const refused = await confirm(order, manager)
    expect([refused.status, refused.body.error.details]).toEqual([409, { reason: 'own_order' }])
    expect(await toOrder(order, owner)).toBe('awaiting_payment')
    expect((await confirm(order, other)).status).toBe(200)
    expect((await confirm(owners, owner)).status).toBe(200)
  })

  test('a filling is confirmed for oneself neither, however small', async () => {
    await allowFillings(cards)
    const manager = await useStaff('manager')
    const body = { type: 'balance', amount: 20, currency: 'USD' }
    const begun = await cards.call('POST', '/payment/create', { token: manager.token, body })
    expect((await confirm(begun.body.order_id, manager)).body.error.details).toEqual({ reason: 'own_order' })
  })

  test('a stuck refund comes to the wallet within the limit only, and not to one’s own', async () => {
    const [owner, support] = [await useStaff('owner'), await useStaff('support')]
    const stuck = async (orderId: string, pay: { paymentId: string }) => {
      for (const action of ['pay', 'refunds_pend']) await act(cards, pay, action)
      await post(`/orders/${orderId}/refund`, owner, { reason: 'a test', to: 'card' })
      return cards.database.one<{ id: number }>(sql`
        UPDATE card_refund SET status = 'sending', stuck_since = now(), attempt_until = NULL FROM payment
        WHERE payment.id = payment_id AND order_id = ${orderId} RETURNING card_refund.id`)
    }
    const order = await aCardOrder(cards, { priceUsd: 900 })
    const { id } = await stuck(order.orderId, order)
    const decided = { decision: 'wallet', reason: 'not made' }
    const refused = await post(`/card-refunds/${id}/decide`, support, decided)
    expect(refused.body.error.details).toMatchObject({ reason: 'above_limit', amount: 9, approval: expect.any(Number) })
    const { approval } = refused.body.error.details
    expect((await post(`/approvals/${approval}/decide`, owner, { decision: 'yes' })).status).toBe(200)
    expect((await readState(cards, order)).usd).toBe(9)

    const own = await aPurchaseFor(support)
    const { provider_payment_id: paymentId } = await cards.database.one<{ provider_payment_id: string }>(
      sql`SELECT provider_payment_id FROM payment WHERE order_id = ${own}`,
    )
    const mine = await stuck(own, { paymentId })
    expect((await post(`/card-refunds/${mine.id}/decide`, support, decided)).body.error.details).toEqual({
      reason: 'own_order',
    })
    await cards.database.run(sql`UPDATE card_refund SET stuck_since = NULL, status = 'sent' WHERE id = ${mine.id}`)
  })

  test('another code for one that is said not to work takes of the limit what it cost', async () => {
    const [owner, support] = [await useStaff('owner'), await useStaff('support')]
    const offer = await anOffer(cards, { stock: 3, priceUsd: 501 })
    const order = await aCardOrder(cards, { offer })
    await tell(cards, order)
    const replace = async (by: TestUser) => {
      const { id } = await cards.database.one<{ id: number }>(sql`
        SELECT code.id FROM code JOIN code_sale ON code_sale.code_id = code.id AND code_sale.sale_number = code.sale_number
        JOIN order_item ON order_item.id = order_item_id WHERE order_id = ${order.orderId} AND code.status = 'used'`)
      return post(`/orders/${order.orderId}/codes/${id}/replace`, by, { reason: 'does not work' })
    }
    const refused = await replace(support)
    expect(refused.body.error.details).toMatchObject({ reason: 'above_limit', amount: 5.01 })
    const { approval } = refused.body.error.details
    expect((await post(`/approvals/${approval}/decide`, owner, { decision: 'yes' })).status).toBe(200)
    expect(await readState(cards, order)).toMatchObject({ codes: 1, available: 1 })
  })

  test('nobody says of a code of the own order that it does not work, but who has no limit', async () => {
    const [owner, manager] = [await useStaff('owner'), await useStaff('manager')]
    const replaceOwn = async (buyer: TestUser) => {
      const order = await aPurchaseFor(buyer, 2)
      expect((await confirm(order, owner)).status).toBe(200)
      const { id } = await cards.database.one<{ id: number }>(sql`
        SELECT code_id AS id FROM code_sale JOIN order_item ON order_item.id = order_item_id WHERE order_id = ${order}`)
      const answer = await post(`/orders/${order}/codes/${id}/replace`, buyer, { reason: 'does not work' })
      return [answer.status, answer.body.error?.details]
    }
    expect(await replaceOwn(manager)).toEqual([409, { reason: 'own_order' }])
    expect(await replaceOwn(owner)).toEqual([200, undefined])
  })

  test('whose buyer is held is let go by a colleague', async () => {
    const [owner, manager] = [await useStaff('owner'), await useStaff('manager')]
    const order = await aPurchaseFor(manager)
    await confirm(order, owner)
    const body = { reference: 'case-1', status: 'open', reason: 'a letter' }
    const { id } = (await post(`/orders/${order}/dispute`, owner, body)).body.data
    expect((await post(`/disputes/${id}/release`, manager, { reason: 'me' })).body.error.details).toEqual({
      reason: 'own_order',
    })
    const won = { status: 'won', reason: 'me' }
    expect((await post(`/disputes/${id}/decide`, manager, won)).body.error.details).toEqual({ reason: 'own_order' })
    expect((await post(`/disputes/${id}/decide`, owner, won)).status).toBe(200)
  })

  test('whose buyer is held has its own delivery tried again by a colleague, or by who has no limit', async () => {
    const [owner, support] = [await useStaff('owner', 100), await useStaff('support', 100)]
    const manager = await useStaff('manager')
    const aStopped = async (buyer: TestUser) => {
      const order = await aPurchaseFor(buyer)
      await confirm(order, owner)
      const topup = await aTopupOrder(cards, { buyer })
      await post(`/orders/${order}/dispute`, owner, { reference: randomUUID(), status: 'open', reason: 'a letter' })
      await workOff(shopFor(cards))
      const { id, reason } = await cards.database.one<{ id: number; reason: string }>(sql`
        SELECT delivery.id, delivery.reason FROM delivery JOIN order_item ON order_item.id = order_item_id
        WHERE order_id = ${topup.orderId}`)
      expect(reason).toBe('buyer_held')
      return { topup, retry: (by: TestUser) => post(`/deliveries/${id}/retry`, by, { reason: 'me' }) }
    }
    const own = await aStopped(support)
    expect((await own.retry(support)).body.error?.details).toEqual({ reason: 'own_order' })
    await workOff(shopFor(cards))
    expect(await readTopupState(cards, own.topup)).toMatchObject({ units: ['queued (operator)'], executions: 0 })
    expect((await own.retry(manager)).status).toBe(200)
    const owners = await aStopped(owner)
    expect((await owners.retry(owner)).status).toBe(200)
    await workOff(shopFor(cards))
    for (const { topup } of [own, owners]) {
      expect(await readTopupState(cards, topup)).toMatchObject({ units: ['done'], executions: 1 })
    }
  })
})

describe('what waits', () => {
  const ask = async (cents = 900) => {
    const order = await anOrder(cents)
    const { approval } = (await refund(order.id, helper)).body.error.details
    return { ...order, approval: approval as number }
  }
  const withdraw = (id: number, by: TestUser) => call('POST', `/approvals/${id}/withdraw`, by)
  const expireIn = (id: number, delayMs: number) =>
    shop.database.run(sql`
      UPDATE approval SET expires_at = clock_timestamp() + make_interval(secs => ${delayMs / 1_000}::float8) WHERE id = ${id}`)

  test('is done by a yes as long as it comes to no more than was shown', async () => {
    // Six dollars of it are delivered, and six are not.
    const { orderId: id, buyer } = await aTopupOrder(shop, { players: [aPlayer(), aPlayer('6004')], quantity: 6 })
    await workOff(shopFor(shop))
    await passDeliveryTime(shop, 16 * 60)
    await workOff(shopFor(shop))
    const asked = (await refund(id, helper)).body.error.details
    expect(asked.amount).toBe(6)
    const completed = { status: 'completed', reason: 'it came after all' }
    expect((await call('PUT', `/orders/${id}/status`, owner, completed)).status).toBe(200)
    const late = await decide(asked.approval, owner, 'yes')
    expect([late.status, late.body.error.details]).toEqual([
      409,
      { reason: 'above_agreed', agreed: { amount: 6, currency: 'USD' }, amount: 12, currency: 'USD' },
    ])
    expect([await toUsd(buyer), await readStatus(id)]).toEqual([0, 'completed'])

    const again = (await refund(id, helper)).body.error.details
    expect(again.amount).toBe(12)
    expect(await read(asked.approval)).toMatchObject({ decision: 'withdrawn', decided_by: helper.nickname })
    expect(await waitingAlerts(asked.approval)).toMatchObject([{ resolved_at: expect.any(Date) }])
    expect((await decide(again.approval, owner, 'yes')).status).toBe(200)
    expect(await toUsd(buyer)).toBe(12)
  })

  test('is found again by its key, whatever became of it meanwhile', async () => {
    const { id, buyer } = await anOrder(2_000)
    const { items } = (await call('GET', `/orders/${id}`, owner)).body.data
    const key = randomUUID()
    const body = { reason: 'did not work', items: [{ id: items[0].id, amount: 6 }] }
    const ask = () => call('POST', `/orders/${id}/refund`, helper, body, key)
    const answers = await Promise.all(Array.from({ length: 20 }, ask))
    const [first] = answers
    expect(first?.status).toBe(409)
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect((await decide(first?.body.error.details.approval, owner, 'yes')).status).toBe(200)
    expect((await ask()).text).toBe(first?.text)
    await shop.database.run(sql`UPDATE users SET staff_role_id = (
      SELECT id FROM staff_role WHERE built_in = 'owner') WHERE id = ${helper.id}`)
    expect((await ask()).text).toBe(first?.text)
    expect(await toUsd(buyer)).toBe(6)
    const kept = await shop.database.rows(sql`SELECT FROM approval WHERE asked_by = ${helper.id}`)
    expect(kept).toHaveLength(1)
    const other = await call('POST', `/orders/${id}/refund`, helper, { ...body, reason: 'another' }, key)
    expect(other.body.error.code).toBe('IDEMPOTENCY_KEY_REUSED')
  })

  test('is not made once more by a late yes where it was made within the limit since', async () => {
    const { id, buyer } = await anOrder(2_000)
    await shop.database.run(
      sql`INSERT INTO staff_spending (user_id, currency, amount) VALUES (${helper.id}, 'USD', 1900)`,
    )
    const part = async () => {
      const [{ id: item, left_amount, left_quantity }] = (await call('GET', `/orders/${id}`, owner)).body.data.items
      const [items, seen] = [[{ id: item, amount: 3 }], [{ id: item, left_amount, left_quantity }]]
      return call('POST', `/orders/${id}/refund`, helper, { reason: 'did not work', items, seen })
    }
    const { approval } = (await part()).body.error.details
    await shop.database.run(sql`DELETE FROM staff_spending WHERE user_id = ${helper.id}`)
    expect((await part()).status).toBe(200)
    expect((await decide(approval, owner, 'yes')).body.error.details).toEqual({ reason: 'done_meanwhile' })
    expect(await toUsd(buyer)).toBe(3)
    // Asked for once more it is another request.
    await shop.database.run(
      sql`INSERT INTO staff_spending (user_id, currency, amount) VALUES (${helper.id}, 'USD', 1700)`,
    )
    const again = (await part()).body.error.details.approval
    expect(again).not.toBe(approval)
    expect((await read(approval)).decision).toBe('withdrawn')
    expect((await decide(again, owner, 'yes')).status).toBe(200)
    expect(await toUsd(buyer)).toBe(6)
  })

  test('is withdrawn by who asked and by nobody else, and then waits no longer', async () => {
    const { id, approval } = await ask()
    expect([(await read(approval, helper)).is_own, (await read(approval)).is_own]).toEqual([true, false])
    expect((await withdraw(approval, owner)).status).toBe(404)
    expect((await decide(approval, helper, 'no')).status).toBe(403)
    const withdrawn = await withdraw(approval, helper)
    expect(withdrawn.body.data).toMatchObject({ decision: 'withdrawn', decided_by: helper.nickname })
    expect(await waitingAlerts(approval)).toMatchObject([{ resolved_at: expect.any(Date) }])
    const over = { reason: 'approval_decided', decision: 'withdrawn' }
    expect((await decide(approval, owner, 'yes')).body.error.details).toEqual(over)
    expect((await withdraw(approval, helper)).body.error.details).toEqual(over)
    expect(await readStatus(id)).toBe('completed')
    expect((await refund(id, helper)).body.error.details.approval).not.toBe(approval)
  })

  test('is not decided by who asked, who may withdraw it', async () => {
    const manager = await aUser(shop, { staff: 'manager' })
    const { approval } = (await refund((await anOrder(10_001)).id, manager)).body.error.details
    for (const decision of ['yes', 'no'] as const)
      expect((await decide(approval, manager, decision)).body.error.details).toEqual({ reason: 'own_request' })
    expect((await withdraw(approval, manager)).status).toBe(200)
  })

  test('expires after the hours that the owner set, and asking again begins them once more', async () => {
    const set = (approval_hours: number) => call('PUT', '/shop-numbers', owner, { approval_hours })
    const hoursLeft = async (approval: number) => {
      const { hours } = await shop.database.one<{ hours: number }>(sql`
        SELECT round(extract(epoch FROM expires_at - now()) / 3600)::int AS hours FROM approval WHERE id = ${approval}`)
      return hours
    }
    const { id, approval } = await ask()
    expect(await hoursLeft(approval)).toBe(72)
    await set(5)
    expect((await refund(id, helper)).body.error.details.approval).toBe(approval)
    expect(await hoursLeft(approval)).toBe(5)
    await set(72)
  })

  test('is over at its time, and both sides are told why by an alert', async () => {
    const [late, other] = [await ask(), await ask()]
    await expireIn(late.approval, -1)
    const over = { reason: 'approval_decided', decision: 'expired' }
    expect((await decide(late.approval, owner, 'yes')).body.error.details).toEqual(over)
    expect((await withdraw(late.approval, helper)).body.error.details).toEqual(over)
    expect(await read(late.approval, helper)).toMatchObject({ decision: 'expired', decided_by: null })

    await expireApprovals(shop)
    await expireApprovals(shop)
    expect(await read(late.approval)).toMatchObject({ decision: 'expired', decided_at: expect.any(String) })
    expect(await waitingAlerts(late.approval)).toMatchObject([{ resolved_at: expect.any(Date) }])
    expect(await waitingAlerts(other.approval)).toMatchObject([{ resolved_at: null }])
    for (const side of [owner, helper]) {
      const { data } = (await call('GET', '/alerts?search=approval.expired', side)).body
      expect(data.filter(({ subject }: { subject: string }) => subject === `approval:${late.approval}`)).toMatchObject([
        { state: 'open', details: { order: late.id, admin: helper.nickname, amount: 900, currency: 'USD' } },
      ])
    }
    expect(await readStatus(late.id)).toBe('completed')
    const audited = await shop.database.rows<{ action: string; actor_id: number | null }>(
      sql`SELECT action, actor_id FROM audit_entry WHERE subject = ${`order:${late.id}`}`,
    )
    expect(audited).toEqual([{ action: 'approval.expire', actor_id: null }])
  })

  test('by a call that only another version of the store knows is not there, and expires', async () => {
    const { approval } = await ask()
    await shop.database.run(sql`UPDATE approval SET call = 'ofTomorrow' WHERE id = ${approval}`)
    const answers = [
      await call('GET', `/approvals/${approval}`, owner),
      await decide(approval, owner, 'yes'),
      await decide(approval, owner, 'no'),
      await withdraw(approval, helper),
    ]
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404])
    expect(await waitingAlerts(approval)).toMatchObject([{ resolved_at: null }])
    await expireIn(approval, -1)
    await expireApprovals(shop)
    expect(await waitingAlerts(approval)).toMatchObject([{ resolved_at: expect.any(Date) }])
    const audited = await shop.database.rows(
      sql`SELECT action FROM audit_entry WHERE subject = ${`approval:${approval}`}`,
    )
    expect(audited).toEqual([{ action: 'approval.expire' }])
  })

  test('that can’t be ended keeps no other from ending, and fails the job', async () => {
    const [broken, other] = [await ask(), await ask()]
    for (const { approval } of [broken, other]) await expireIn(approval, -1)
    await shop.database.run(sql`
      CREATE TRIGGER broken BEFORE UPDATE ON approval FOR EACH ROW WHEN (OLD.id = ${raw(String(broken.approval))})
      EXECUTE FUNCTION refuse_change()`)
    await expect(expireApprovals(shop)).rejects.toThrow(`: ${broken.approval}`)
    expect(await waitingAlerts(other.approval)).toMatchObject([{ resolved_at: expect.any(Date) }])
    await shop.database.run(sql`DROP TRIGGER broken ON approval`)
    await expireApprovals(shop)
    expect(await waitingAlerts(broken.approval)).toMatchObject([{ resolved_at: expect.any(Date) }])
  })

  test('ends in exactly one way when twenty agree, refuse, withdraw and expire it at once', async () => {
    for (let round = 0; round < raceRounds(4); round++) {
      const { buyer, approval } = await ask()
      await expireIn(approval, round * 8)
      const kinds = [
        () => decide(approval, owner, 'yes'),
        () => withdraw(approval, helper),
        () => decide(approval, owner, 'no'),
        () => expireApprovals(shop),
      ]
      const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => kinds[(index + round) % 4]?.()))
      await expireIn(approval, -1)
      await expireApprovals(shop)
      const done = answers.flatMap((answer) => (answer?.status === 200 ? [answer.body.data.decision] : []))
      const { decision } = await read(approval)
      expect(done).toEqual(decision === 'expired' ? [] : [decision])
      expect(await toUsd(buyer)).toBe(decision === 'yes' ? 9 : 0)
      const expired = await shop.database.rows(
        sql`SELECT FROM alert WHERE kind = 'approval.expired' AND subject = ${`approval:${approval}`}`,
      )
      expect(expired).toHaveLength(decision === 'expired' ? 1 : 0)
    }
    await expectSound(shop)
  })
})

/** Has twenty colleagues say yes in the same moment. */
async function allSayYes(approval: number) {
  const colleagues = await Promise.all(Array.from({ length: 20 }, () => aUser(shop, { staff: 'owner' })))
  const answers = await Promise.all(colleagues.map((colleague) => decide(approval, colleague, 'yes')))
  const late = answers.filter(({ status }) => status !== 200)
  expect(late.map(({ body }) => body.error.details)).toEqual(
    Array(19).fill({ reason: 'approval_decided', decision: 'yes' }),
  )
}

describe('a delivery in the operator’s queue', () => {
  /** A top-up of a dollar that nobody delivered in time, and a helper who may refund ten cents more today. */
  async function aStuckOne() {
    const { orderId, buyer } = await aTopupOrder(shop, { players: [aPlayer('6004')] })
    return { buyer, ...(await becomeStuck(orderId)) }
  }

  async function becomeStuck(orderId: string) {
    await workOff(shopFor(shop))
    await shop.database.run(sql`UPDATE delivery SET look_ups = 20 WHERE state = 'unknown'`)
    await passDeliveryTime(shop, 15 * 60)
    await workOff(shopFor(shop))
    await handOverOverdue(shop.database)
    await shop.database.run(
      sql`INSERT INTO staff_spending (user_id, currency, amount) VALUES (${helper.id}, 'USD', 1990)`,
    )
    const [{ id, version }] = (await call('GET', `/deliveries?search=${orderId}`, owner)).body.data
    const ask = (version: number) =>
      call('POST', `/deliveries/${id}/refund`, helper, { reason: 'nothing came', version })
    return { id: id as number, version: version as number, orderId, ask, asked: await ask(version) }
  }

  const activate = (plain: string | undefined, buyer: TestUser, player: string) =>
    shop.call('POST', '/freefire/activate-code', { token: buyer.token, body: { playerID: player, code: plain } })

  /** An activated code of a dollar. */
  async function aStuckActivation(buyer: TestUser) {
    const { codes } = await someGenerated(shop, owner, { count: 1 })
    const plain = codes[0]?.plain
    const { order_id } = (await activate(plain, buyer, aPlayer('6004'))).body
    return { plain, ...(await becomeStuck(order_id)) }
  }

  test('that a code was activated for takes the price of its package from the limit', async () => {
    const buyer = await aUser(shop)
    const { plain, asked } = await aStuckActivation(buyer)
    expect([asked.status, asked.body.error?.details]).toMatchObject([
      409,
      {
        reason: 'above_limit',
        limit: 'usd_daily',
        left: 0.1,
        amount: 1,
        currency: 'USD',
        approval: expect.any(Number),
      },
    ])
    expect((await activate(plain, buyer, aPlayer())).body.error.code).toBe('CODE_ALREADY_USED')
    expect((await decide(asked.body.error.details.approval, owner, 'yes')).status).toBe(200)
    expect(await toUsd(buyer)).toBe(0)
    expect((await activate(plain, buyer, aPlayer())).status).toBe(200)
  })

  test('that a member of the staff activated a code for is for a colleague to refund', async () => {
    const { id, asked } = await aStuckActivation(helper)
    expect([asked.status, asked.body.error?.details]).toEqual([409, { reason: 'own_order' }])
    const colleague = await aUser(shop, { staff: 'support' })
    expect((await call('POST', `/deliveries/${id}/refund`, colleague, { reason: 'nothing came' })).status).toBe(200)
  })

  test('is refunded above the limit once, by one of twenty colleagues who say yes at once', async () => {
    const { id, orderId, buyer, asked } = await aStuckOne()
    expect([asked.status, asked.body.error.details]).toMatchObject([
      409,
      { reason: 'above_limit', limit: 'usd_daily', left: 0.1, amount: 1, approval: expect.any(Number) },
    ])
    const { approval } = asked.body.error.details
    expect(await waitingAlerts(approval)).toEqual([
      { details: { order: orderId, admin: helper.nickname, amount: 100, currency: 'USD' }, resolved_at: null },
    ])
    expect((await call('GET', `/approvals/${approval}`, owner)).body.data).toMatchObject({
      call: 'refundDelivery',
      subject: `delivery:${id}`,
      nickname: null,
    })
    expect(await toUsd(buyer)).toBe(0)
    await allSayYes(approval)
    expect([await toUsd(buyer), await readStatus(orderId)]).toEqual([1, 'refunded'])
    await expectSound(shop)
  })

  test('that was looked for once more is still one request, and refunded', async () => {
    const { id, version, buyer, ask, asked } = await aStuckOne()
    await shop.database.run(sql`UPDATE delivery SET state = 'sent' WHERE id = ${id}`)
    const again = await ask(version + 1)
    const { approval } = asked.body.error.details
    expect(again.body.error.details.approval).toBe(approval)
    expect((await decide(approval, owner, 'yes')).status).toBe(200)
    expect(await toUsd(buyer)).toBe(1)
  })

  test('that was sent to a supplier since is not refunded by a late yes', async () => {
    const { id, buyer, asked } = await aStuckOne()
    await shop.database.run(sql`UPDATE supplier_order SET state = 'rejected' WHERE delivery_id = ${id}`)
    await shop.database.run(sql`
      INSERT INTO supplier_order (delivery_id, supplier, state) SELECT delivery_id, supplier, 'unknown'
      FROM supplier_order WHERE delivery_id = ${id}`)
    const late = await decide(asked.body.error.details.approval, owner, 'yes')
    expect([late.status, late.body.error.details.reason]).toEqual([409, 'done_meanwhile'])
    expect(await toUsd(buyer)).toBe(0)
  })

  test('that was delivered meanwhile is not refunded by a late yes', async () => {
    const { id, buyer, asked } = await aStuckOne()
    expect((await call('POST', `/deliveries/${id}/complete`, owner, { reason: 'it came after all' })).status).toBe(200)
    const late = await decide(asked.body.error.details.approval, owner, 'yes')
    expect([late.status, late.body.error.details.reason]).toEqual([409, 'not_in_operators_queue'])
    expect(await toUsd(buyer)).toBe(0)
    expect((await decide(asked.body.error.details.approval, owner, 'no')).status).toBe(200)
  })
})

describe('the own balance', () => {
  const ask = async (by: TestUser) =>
    shop.call('POST', '/balance/topup', {
      token: by.token,
      body: { currency: 'usd', amount: 501 },
      headers: { 'idempotency-key': randomUUID() },
    })

  test('is topped up above the limit once, by one of twenty colleagues who say yes at once', async () => {
    const finance = await aUser(shop, { staff: 'finance' })
    const asked = await ask(finance)
    expect([asked.status, asked.body.error.details]).toMatchObject([409, { reason: 'above_limit', limit: 'usd_once' }])
    const { approval } = asked.body.error.details
    expect(await waitingAlerts(approval)).toEqual([
      { details: { admin: finance.nickname, amount: 50_100, currency: 'USD' }, resolved_at: null },
    ])
    expect((await call('GET', `/approvals/${approval}`, finance)).body.data).toMatchObject({
      call: 'topUpOwnBalance',
      subject: `user:${finance.id}`,
      nickname: finance.nickname,
      is_own: true,
    })
    expect(await toUsd(finance)).toBe(0)
    await allSayYes(approval)
    expect(await toUsd(finance)).toBe(501)
    await expectSound(shop)
  })

  test('that was topped up since within the limit is not topped up once more by a late yes', async () => {
    const finance = await aUser(shop, { staff: 'finance' })
    const { approval } = (await ask(finance)).body.error.details
    const setOwner = sql`UPDATE users SET staff_role_id = (SELECT id FROM staff_role WHERE built_in = 'owner')`
    await shop.database.run(sql`${setOwner} WHERE id = ${finance.id}`)
    expect((await ask(finance)).status).toBe(200)
    expect((await decide(approval, owner, 'yes')).body.error.details).toEqual({ reason: 'done_meanwhile' })
    expect(await toUsd(finance)).toBe(501)
  })

  test('of somebody who left the staff meanwhile is not topped up', async () => {
    const finance = await aUser(shop, { staff: 'finance' })
    const { approval } = (await ask(finance)).body.error.details
    expect((await call('PUT', `/users/${finance.id}/role`, owner, { role: 'customer' })).status).toBe(200)
    const late = await decide(approval, owner, 'yes')
    expect([late.status, late.body.error.details]).toEqual([
      409,
      { reason: 'asker_may_not', permission: 'customers.balance' },
    ])
    const { balance } = await shop.database.one<{ balance: number }>(
      sql`SELECT balance FROM account WHERE user_id = ${finance.id} AND currency = 'USD' AND kind = 'wallet'`,
    )
    expect(balance).toBe(0)
  })
})

describe('a balance', () => {
  test('is changed up to the limit in either direction, and above it by a colleague’s yes', async () => {
    const manager = await aUser(shop, { staff: 'manager' })
    const customer = await aUser(shop, { usd: 20_000 })
    const set = (balanceUsd: number) =>
      call('PUT', `/users/${customer.id}/balance`, manager, { balanceUsd, reason: 'a correction' })
    expect((await set(100)).status).toBe(200)
    const refused = await set(201)
    expect(refused.body.error.details).toMatchObject({ limit: 'usd_once', most: 100, amount: 101 })
    const taken = (await set(99)).status
    expect([taken, await toUsd(customer)]).toEqual([200, 99])
    const { approval } = refused.body.error.details
    expect((await decide(approval, owner, 'yes')).body.error.details).toEqual({
      reason: 'changed_meanwhile',
      current: { id: customer.id, balanceUsd: 99, balanceRub: 0 },
    })
    const again = (await set(201)).body.error.details
    expect([again.amount, again.approval === approval]).toEqual([102, false])
    const withdrawn = { reason: 'approval_decided', decision: 'withdrawn' }
    expect((await decide(approval, owner, 'yes')).body.error.details).toEqual(withdrawn)
    expect((await decide(again.approval, owner, 'yes')).status).toBe(200)
    expect(await toUsd(customer)).toBe(201)
    await expectSound(shop)
  })

  test('is given more by a yes, never less, whatever came to it meanwhile', async () => {
    const manager = await aUser(shop, { staff: 'manager' })
    const customer = await aUser(shop)
    const body = { balanceUsd: 200, reason: 'a correction' }
    const ask = async () => (await call('PUT', `/users/${customer.id}/balance`, manager, body)).body.error.details
    const { approval } = await ask()
    const filled = { balanceUsd: 400, reason: 'paid by a transfer' }
    expect((await call('PUT', `/users/${customer.id}/balance`, owner, filled)).status).toBe(200)
    expect((await decide(approval, owner, 'yes')).body.error.details).toMatchObject({ reason: 'changed_meanwhile' })
    expect(await toUsd(customer)).toBe(400)
    const again = await ask()
    expect(await read(again.approval)).toMatchObject({ decision: null, body: { seen: { balanceUsd: 400 } } })
    expect(await read(approval)).toMatchObject({ decision: 'withdrawn' })
  })

  test('is what a yes is about, whatever became of the other', async () => {
    const manager = await aUser(shop, { staff: 'manager' })
    const customer = await aUser(shop, { usd: 9_900 })
    const set = (by: TestUser, body: object) =>
      call('PUT', `/users/${customer.id}/balance`, by, { ...body, reason: 'a correction' })
    const seen = { balanceUsd: 99, balanceRub: 0 }
    const { approval } = (await set(manager, { balanceUsd: 201, seen })).body.error.details
    expect((await set(owner, { balanceRub: 70 })).status).toBe(200)
    expect((await decide(approval, owner, 'yes')).status).toBe(200)
    expect(await toUsd(customer)).toBe(201)
  })

  test('is one of two where a colleague has to be asked', async () => {
    const manager = await aUser(shop, { staff: 'manager' })
    const customer = await aUser(shop)
    const set = (balances: object) =>
      call('PUT', `/users/${customer.id}/balance`, manager, { ...balances, reason: 'a correction' })
    expect((await set({ balanceUsd: 101, balanceRub: 9_000 })).body.error.details).toEqual({
      reason: 'one_balance_at_a_time',
    })
    expect((await set({ balanceUsd: 100, balanceRub: 9_000 })).status).toBe(200)
  })

  test('of one’s own is topped up within the limit without anybody else', async () => {
    const finance = await aUser(shop, { staff: 'finance' })
    const topUp = (amount: number) =>
      shop.call('POST', '/balance/topup', { token: finance.token, body: { currency: 'usd', amount } })
    expect((await topUp(501)).body.error.details).toMatchObject({ limit: 'usd_once', approval: expect.any(Number) })
    expect((await topUp(500)).status).toBe(200)
  })
})

test('who adds codes changes no price with them without the permission for prices', async () => {
  const stock = await aUser(shop, { staff: 'stock' })
  const { productId, regionId, gameAmount } = await anOffer(shop, { stock: 1 })
  const place = { productId, regionId }
  const code = { ...place, code: 'PRICED-ANEW', gameAmount, priceUsd: 9.99, priceRub: 900 }
  const unconfirmed = await call('POST', '/codes', stock, code)
  expect(unconfirmed.body.error.code).toBe('PRICE_CHANGED')
  for (const [path, body] of [
    ['/codes', { ...code, confirmPrices: true }],
    ['/codes/bulk', { ...place, lines: 'PRICED-ANEW,9.99,900,60', confirmPrices: true }],
  ] as const) {
    const refused = await call('POST', path, stock, body)
    expect([refused.status, refused.body.error.details]).toEqual([403, { permission: 'prices.write' }])
  }
})
