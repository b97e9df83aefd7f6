import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  aCardOrder,
  act,
  expectSound,
  readAlerts,
  setRate,
  startCardShop,
  useCardShop,
} from '../../../test/card-orders.ts'
import { type ClickDouble, startClick } from '../../../test/doubles/click.ts'
import { aUser, type TestUser } from '../../../test/factories.ts'
import type { TestShop } from '../../../test/shop.ts'
import { useUser } from '../../../test/use-shop.ts'
import { sql } from '../../platform/database/queries.ts'
import type { RefundingProvider } from '../payments/provider.ts'
import { providerNamed } from '../payments/providers.ts'
import { sendCardRefund, settleCardRefund } from './card-refunds.ts'
import { watchPayments } from './receive-webhook.ts'

const shop = useCardShop()
const admin = useUser(shop, { role: 'admin' })
afterEach(() => vi.restoreAllMocks())

const watch = async () => {
  await shop.database.run(sql`UPDATE card_refund SET attempt_until = NULL, next_at = NULL`)
  await watchPayments(shop)
}
const toRefund = async (orderId: string) =>
  shop.database.one<{ id: number; status: string; amount: number }>(sql`
    SELECT card_refund.id, card_refund.status, card_refund.amount FROM card_refund
    JOIN payment ON payment.id = payment_id WHERE order_id = ${orderId} AND origin = 'store'`)
const readWallet = async ({ id }: TestUser) =>
  (
    await shop.database.one<{ balance: number }>(
      sql`SELECT balance FROM account WHERE user_id = ${id} AND currency = 'USD'`,
    )
  ).balance
const decide = (id: number, body: object) =>
  shop.call('POST', `/admin/card-refunds/${id}/decide`, {
    token: admin.token,
    body: { reason: 'I looked', ...body },
    headers: { 'idempotency-key': randomUUID() },
  })

/** The bank made it, lost its answer, and shows it to nobody. */
async function aStuckRefund({ isMade = true } = {}) {
  const order = await aCardOrder(shop)
  await act(shop, order, 'pay')
  await act(shop, order, 'refund_lose_answer')
  await shop.call('POST', `/admin/orders/${order.orderId}/refund`, {
    token: admin.token,
    body: { reason: 'a test', to: 'card' },
  })
  const made = await shop.database.one<{ id: string; key: string }>(
    sql`SELECT id, key FROM sandbox_refund WHERE payment_id = ${order.paymentId}`,
  )
  await shop.database.run(sql`DELETE FROM sandbox_refund WHERE id = ${made.id}`)
  await watch()
  const showAgain = () =>
    shop.database.run(sql`
      INSERT INTO sandbox_refund (id, key, payment_id, amount)
      VALUES (${made.id}, ${made.key}, ${order.paymentId}, ${order.amount})`)
  if (isMade) await showAgain()
  expect(await readAlerts(shop, order.orderId)).toEqual(['refund.stuck'])
  return { ...order, made, showAgain, ...(await toRefund(order.orderId)) }
}

test('one of which its provider can tell no more, as Click of a reversal whose answer was lost, is an operator’s', async () => {
  const order = await aCardOrder(shop)
  await act(shop, order, 'pay')
  const provider = providerNamed(shop.providers, 'sandbox') as RefundingProvider
  vi.spyOn(provider, 'refund').mockResolvedValueOnce({ kind: 'unknown', why: 'no_completed_payment' })
  await shop.call('POST', `/admin/orders/${order.orderId}/refund`, {
    token: admin.token,
    body: { reason: 'a test', to: 'card' },
    headers: { 'idempotency-key': randomUUID() },
  })
  expect(await readAlerts(shop, order.orderId)).toEqual(['refund.stuck'])
  const { id } = await toRefund(order.orderId)
  expect((await decide(id, { decision: 'wallet' })).status).toBe(200)
  expect(await readWallet(order.buyer)).toBe(order.amount)
})

test('what the operator saw at the provider is taken for it, and told later it changes nothing', async () => {
  const { id, made, orderId, buyer, paymentId } = await aStuckRefund()
  expect((await decide(id, { decision: 'paid' })).body.error.code).toBe('VALIDATION_FAILED')
  const answer = await decide(id, { decision: 'paid', reference: made.id })
  expect([answer.status, answer.body.data]).toMatchObject([200, { id, order_id: orderId, status: 'succeeded' }])
  await act(shop, { paymentId }, 'refunds_succeed')
  await watch()
  expect([(await toRefund(orderId)).status, await readWallet(buyer)]).toEqual(['succeeded', 0])
  const open = await shop.database.rows(
    sql`SELECT FROM alert WHERE details ->> 'order' = ${orderId} AND resolved_at IS NULL`,
  )
  expect(open).toEqual([])
  const [entry] = await shop.database.rows<{ actor_id: number; after: object }>(
    sql`SELECT actor_id, after FROM audit_entry WHERE subject = ${`order:${orderId}`} AND action = 'refund.decide'`,
  )
  expect(entry).toMatchObject({ actor_id: admin.id, after: { to: 'card', reference: made.id, reason: 'I looked' } })
})

/** Has the look for a stuck one take longer than the lease it began with, while `meanwhile` happens. */
function outlastLease(id: number, meanwhile: () => Promise<unknown>) {
  const provider = providerNamed(shop.providers, 'sandbox') as RefundingProvider
  const look = provider.listRefunds
  vi.spyOn(provider, 'listRefunds').mockImplementationOnce(async (paymentId) => {
    const listed = await look(paymentId)
    await shop.database.run(sql`UPDATE card_refund SET attempt_until = now() - interval '1 s' WHERE id = ${id}`)
    await meanwhile()
    return listed
  })
  return provider
}

test('one that is being sent again is nobody’s to decide, however long the look before it took', async () => {
  const { id, paymentId, orderId, buyer } = await aStuckRefund({ isMade: false })
  await shop.database.run(sql`DELETE FROM sandbox_mood WHERE payment_id = ${paymentId}`)
  const provider = outlastLease(id, async () => {})
  const send = provider.refund
  const sending = vi.spyOn(provider, 'refund').mockImplementationOnce(async (request) => {
    const { body } = await decide(id, { decision: 'wallet' })
    expect(body.error).toMatchObject({ code: 'STATE_CONFLICT', details: { reason: 'being_asked' } })
    return send(request)
  })
  await sendCardRefund(shop, id)
  expect(sending).toHaveBeenCalledOnce()
  expect([(await toRefund(orderId)).status, await readWallet(buyer)]).toEqual(['succeeded', 0])
})

test.each([
  ['the operator gave to the wallet', (id: number) => decide(id, { decision: 'wallet' })],
  [
    'another call has by then',
    (id: number) =>
      shop.database.run(sql`
        UPDATE card_refund SET attempts = attempts + 1, attempt_until = now() + interval '1 minute' WHERE id = ${id}`),
  ],
])('one that %s is not sent after the look', async (_what, meanwhile) => {
  const { id } = await aStuckRefund({ isMade: false })
  const read = () =>
    shop.database.one<{ status: string; attempts: number; is_leased: boolean }>(sql`
      SELECT status, attempts, coalesce(attempt_until > now(), false) AS is_leased FROM card_refund WHERE id = ${id}`)
  let before: Awaited<ReturnType<typeof read>> | undefined
  const provider = outlastLease(id, async () => {
    await meanwhile(id)
    before = await read()
  })
  const sending = vi.spyOn(provider, 'refund')
  await sendCardRefund(shop, id)
  expect(sending).not.toHaveBeenCalled()
  expect(await read()).toEqual(before)
})

test('what the operator did not see there goes to the wallet, once', async () => {
  const { id, orderId, buyer, amount } = await aStuckRefund({ isMade: false })
  const answers = await Promise.all(Array.from({ length: 20 }, () => decide(id, { decision: 'wallet' })))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(19).fill(409)])
  expect([(await toRefund(orderId)).status, await readWallet(buyer)]).toEqual(['failed', amount])
  expect(await readAlerts(shop, orderId)).toEqual(['refund.stuck'])
})

test.each(['succeeded', 'failed', 'pending'] as const)(
  'what the provider itself says in the end, %s, ends the alert',
  async (status) => {
    const { id, orderId, made, paymentId, key, amount } = await aStuckRefund()
    const told = { providerRefundId: made.id, providerPaymentId: paymentId, reference: key, amount, currency: 'USD' }
    await settleCardRefund(shop, { id, provider: 'sandbox' }, { ...told, status })
    const open = await shop.database.rows<{ kind: string }>(
      sql`SELECT kind FROM alert WHERE details ->> 'order' = ${orderId} AND resolved_at IS NULL`,
    )
    expect(open.map(({ kind }) => kind)).toEqual(status === 'failed' ? ['refund.failed'] : [])
  },
)

test('what is not stuck is nobody’s to decide', async () => {
  const order = await aCardOrder(shop)
  await act(shop, order, 'pay')
  await act(shop, order, 'refunds_pend')
  await shop.call('POST', `/admin/orders/${order.orderId}/refund`, {
    token: admin.token,
    body: { reason: 'a test', to: 'card' },
  })
  const { id } = await toRefund(order.orderId)
  for (const decision of ['paid', 'wallet']) {
    expect((await decide(id, { decision, reference: 'x' })).body.error.code).toBe('STATE_CONFLICT')
  }
  expect((await decide(4_711_000, { decision: 'wallet' })).body.error.code).toBe('NOT_FOUND')
  await act(shop, order, 'refunds_fail')
  expect([(await toRefund(order.orderId)).status, await readWallet(order.buyer)]).toEqual(['failed', order.amount])
  expect(await readAlerts(shop, order.orderId)).toEqual(['refund.failed'])
})

test('one the bank made, and the operator put into the wallet, is told of when it turns up', async () => {
  const { id, orderId, amount, buyer, showAgain, made } = await aStuckRefund({ isMade: false })
  await decide(id, { decision: 'wallet' })
  await showAgain()
  await shop.database.run(sql`UPDATE sandbox_refund SET status = 'pending' WHERE id = ${made.id}`)
  const { payment_id } = await shop.database.one<{ payment_id: string }>(
    sql`SELECT payment_id FROM sandbox_refund WHERE id = ${made.id}`,
  )
  await act(shop, { paymentId: payment_id }, 'refunds_succeed')
  expect(await readWallet(buyer)).toBe(amount)
  const [alert] = await shop.database.rows<{ details: object }>(
    sql`SELECT details FROM alert WHERE kind = 'refund.outside' AND details ->> 'order' = ${orderId}`,
  )
  expect(alert?.details).toMatchObject({ amount, too_much: { amount } })
})

describe('at Click, which finds no payment that was reversed', () => {
  let clickShop: TestShop
  let click: ClickDouble
  beforeAll(async () => {
    click = await startClick(async ({ method, body, headers, address }) => {
      const url = `/api/payment/webhook/click/${method}`
      const answer = await clickShop.app.inject({ method: 'POST', url, payload: body, headers, remoteAddress: address })
      return { status: answer.statusCode, body: answer.body, type: 'application/json' }
    })
    clickShop = await startCardShop({
      PAYMENT_PROVIDERS: 'click',
      CLICK_SERVICE_ID: click.serviceId,
      CLICK_MERCHANT_ID: click.merchantId,
      CLICK_MERCHANT_USER_ID: click.merchantUserId,
      CLICK_SECRET_KEY: click.secretKey,
      CLICK_BASE_URL: click.url,
    })
    await setRate(clickShop, 'UZS', 12_500)
  })
  afterAll(async () => {
    await expectSound(clickShop)
    await clickShop.close()
    await click.close()
  })

  test('one whose answer was lost is stuck at its repeat, and so an operator’s to decide', async () => {
    const { token } = await aUser(clickShop, { role: 'admin' })
    const { orderId } = await aCardOrder(clickShop, { priceUsd: 1_000 })
    const paid = click.transaction(orderId, '125000.00')
    await click.prepare(paid)
    expect((await click.complete(paid)).error).toBe(0)
    click.fault = 'hang-up'
    const body = { reason: 'a test', to: 'card' }
    await clickShop.call('POST', `/admin/orders/${orderId}/refund`, { token, body })
    click.fault = undefined
    expect(await readAlerts(clickShop, orderId)).toEqual([])
    await watchPayments(clickShop)
    expect(await readAlerts(clickShop, orderId)).toEqual(['refund.stuck'])
    const asked = click.requests.length
    await watchPayments(clickShop)
    expect(click.requests).toHaveLength(asked)
    const { id } = await clickShop.database.one<{ id: number }>(sql`SELECT id FROM card_refund`)
    const answer = await clickShop.call('POST', `/admin/card-refunds/${id}/decide`, {
      token,
      body: { reason: 'I looked', decision: 'paid', reference: paid.click_paydoc_id },
      headers: { 'idempotency-key': randomUUID() },
    })
    expect([answer.status, answer.body.data]).toMatchObject([200, { id, status: 'succeeded' }])
  })
})
