import { toMajor } from '@olmos/contract/minor-units'
import type { SandboxAction } from '@olmos/contract/payments'
import { firstNumbers } from '@olmos/contract/shop-numbers'
import fc from 'fast-check'
import { expect } from 'vitest'
import { expireOverdueOrders } from '../../src/modules/checkout/expire-order.ts'
import { expireUnpaidOrders, watchPayments } from '../../src/modules/checkout/receive-webhook.ts'
import { sql } from '../../src/platform/database/queries.ts'
import { passTime, tell, type WebhookFields } from '../card-orders.ts'
import { type Press, press, pressAtOnce, whileBlocked } from './buyer-commands.ts'
import {
  expire,
  hasPaid,
  isResumable,
  listRefusals,
  type Model,
  type Order,
  type Payment,
  place,
  settle,
  toTotal,
} from './model.ts'
import { call, chosen, command, type Real, readRefusal, which } from './real.ts'

const isWaiting = (order: Order) => order.status === 'awaiting_payment'
const anyWaiting = ({ orders }: Model) => orders.some(isWaiting)
const open = ({ orders }: Model): { order: Order; payment: Payment }[] =>
  orders.flatMap((order) =>
    order.payments.filter(({ status }) => status === 'open').map((payment) => ({ order, payment })),
  )
const decided = ({ orders }: Model) =>
  orders.flatMap((order) =>
    order.payments.filter(({ status }) => status !== 'open').map((payment) => ({ order, payment })),
  )

/** A page that was left open shows what the order cost when it was placed. */
interface CardPress extends Press {
  isOldPage: boolean
  /** Whether the balance is to pay a third of it. */
  hasPart: boolean
}

async function payByCard(model: Model, real: Real, values: CardPress) {
  const buyer = chosen(model.buyers, values.buyer)
  const { currency } = values
  const total = toTotal(buyer.lines, currency)
  const seen = values.isOldPage && buyer.ofCart ? buyer.ofCart.total : total
  // When there is nothing to pay for, any amount is refused.
  const part = values.hasPart ? Math.floor(seen / 3) : 0
  const body = {
    amount: toMajor(seen || 100),
    currency,
    type: 'order',
    ...(part > 0 && { from_balance: toMajor(part) }),
  }
  const answers = await pressAtOnce(real, '/payment/create', buyer.user, body, values)
  const expectOrder = (id: string) => {
    for (const answer of answers) expect([answer.status, answer.body.order_id]).toEqual([201, id])
  }
  const before = buyer.ofCart
  if (before && before.status !== 'awaiting_payment' && before.status !== 'expired') return expectOrder(before.id)
  const isSame = before && isWaiting(before) && !before.isOverdue && before.currency === currency
  if (isSame && before.total === seen && before.part === part && isResumable(model, before)) {
    expectOrder(before.id)
    if (before.payments.at(-1)?.status === 'canceled') before.payments.push(await newestPayment(real, before.id))
    return
  }
  const refusals = listRefusals(model, buyer, { currency, from: 'card', part })
  if (seen !== total && refusals[0] !== 'CART_EMPTY') refusals.push('PRICE_CHANGED')
  const codes = buyer.lines.reduce((sum, line) => sum + line.quantity, 0)
  const afterPrices = ['OUT_OF_STOCK', 'STATE_CONFLICT', 'INSUFFICIENT_BALANCE']
  const isPriced = refusals.every((refusal) => afterPrices.includes(refusal))
  const most = hasPaid(model, buyer) ? firstNumbers.reserved_codes_per_user : firstNumbers.reserved_codes_per_new_user
  if (isPriced && codes > most) refusals.push('STATE_CONFLICT')
  if (refusals.length > 0) {
    for (const answer of answers) expect(refusals).toContain(readRefusal(answer))
    return
  }
  const id = answers[0]?.body.order_id
  expectOrder(id)
  place(model, buyer, { id, currency, part, payments: [await newestPayment(real, id)] })
}

export async function newestPayment({ shop }: Real, orderId: string): Promise<Payment> {
  const payment = await shop.database.one<{ paymentId: string; key: string }>(sql`
    SELECT provider_payment_id AS "paymentId", key FROM payment WHERE order_id = ${orderId} ORDER BY id DESC LIMIT 1`)
  return { ...payment, status: 'open' }
}

const actions = ['pay', 'pay', 'decline', 'pay_twice', 'pay_late'] as const satisfies SandboxAction[]

async function actAtBank(model: Model, real: Real, values: { payment: number; action: (typeof actions)[number] }) {
  const { order, payment } = chosen(open(model), values.payment)
  const body = { action: values.action }
  const answer = await call(real, 'POST', `/sandbox/payments/${payment.paymentId}/act`, { body })
  expect(answer.status).toBe(200)
  if (values.action === 'decline') {
    payment.status = 'canceled'
    return
  }
  if (values.action === 'pay_late') expire(order)
  settle(model, order, payment)
  if (values.action !== 'pay_twice') return
  const second = await newestPayment(real, order.id)
  order.payments.push(second)
  settle(model, order, second)
}

async function payBlocked(model: Model, real: Real, values: { payment: number }) {
  const { order, payment } = chosen(open(model), values.payment)
  await whileBlocked(real, order.buyer, async () => {
    const answer = await call(real, 'POST', `/sandbox/payments/${payment.paymentId}/act`, { body: { action: 'pay' } })
    expect(answer.status).toBe(200)
    settle(model, order, payment, { isBlocked: true })
  })
}

/** The webhook gets lost: the store has to ask. */
async function payUnheard(model: Model, real: Real, values: { payment: number; isLastMinute: boolean }) {
  const { order, payment } = chosen(open(model), values.payment)
  const { shop } = real
  await real.bank.act(payment.paymentId, 'pay', new Date())
  if (values.isLastMinute && isWaiting(order)) {
    await passTime(shop, order.id)
    // The job asks about what is overdue before it ends it: who has paid is never expired.
    await expireUnpaidOrders(shop)
    settle(model, order, payment)
    return expireOverdue(model)
  }
  await shop.database.run(sql`UPDATE payment SET asked_at = NULL WHERE provider_payment_id = ${payment.paymentId}`)
  await watchPayments(shop)
  settle(model, order, payment)
}

async function repeatWebhook(
  model: Model,
  { shop }: Real,
  values: { payment: number; times: number; isNew: boolean; isCanceled: boolean },
) {
  const { order, payment } = chosen(decided(model), values.payment)
  const { currency } = order
  const amount = order.total - order.part
  // The cancelation of a paid one is a matter for the operator; it moves nothing.
  const status = values.isCanceled || payment.status === 'canceled' ? 'canceled' : 'succeeded'
  const told: WebhookFields = { currency, status, ...(!values.isNew && { eventId: `${status}:${payment.paymentId}` }) }
  const answers = await Promise.all(
    Array.from({ length: values.times }, () => tell(shop, { ...payment, amount }, told)),
  )
  expect(answers.map((answer) => answer.statusCode)).toEqual(answers.map(() => 200))
}

const expireOverdue = ({ orders }: Model) => {
  for (const order of orders) if (order.isOverdue) expire(order)
}

async function letTimePass(model: Model, { shop }: Real, values: { order: number; isNoticed: boolean }) {
  const order = chosen(model.orders.filter(isWaiting), values.order)
  await passTime(shop, order.id)
  order.isOverdue = true
  if (!values.isNoticed) return
  await expireOverdueOrders(shop.database)
  expireOverdue(model)
}

/** An operator ends it for good: later payments for it go to the wallet. */
async function endByHand(model: Model, real: Real, values: { order: number }) {
  const order = chosen(model.orders.filter(isWaiting), values.order)
  const body = { status: 'expired', reason: 'model' }
  const answer = await call(real, 'PUT', `/admin/orders/${order.id}/status`, { token: real.admin.token, body })
  expect(answer.status).toBe(200)
  expire(order)
  order.isOfSomeCart = false
  if (order.buyer.ofCart === order) order.buyer.ofCart = undefined
}

const ofPayment = { payment: which }
const cardPress: fc.Arbitrary<CardPress> = fc
  .tuple(press, fc.boolean(), fc.boolean())
  .map(([pressed, isOldPage, hasPart]) => ({ ...pressed, isOldPage, hasPart }))

export const paymentCommands = [
  command('pay by card', cardPress, ({ buyers }) => buyers.length > 0, payByCard),
  command('pay by card', cardPress, ({ buyers }) => buyers.some((buyer) => buyer.lines.length > 0), payByCard),
  command(
    'act at the bank',
    fc.record({ ...ofPayment, action: fc.constantFrom(...actions) }),
    (model) => open(model).length > 0,
    actAtBank,
  ),
  command('pay while shut out', fc.record(ofPayment), (model) => open(model).length > 0, payBlocked),
  command(
    'pay unheard',
    fc.record({ ...ofPayment, isLastMinute: fc.boolean() }),
    (model) => open(model).length > 0,
    payUnheard,
  ),
  command(
    'tell again',
    fc.record({
      ...ofPayment,
      times: fc.integer({ min: 1, max: 4 }),
      isNew: fc.boolean(),
      isCanceled: fc.boolean(),
    }),
    (model) => decided(model).length > 0,
    repeatWebhook,
  ),
  command('end by hand', fc.record({ order: which }), anyWaiting, endByHand),
  command('let time pass', fc.record({ order: which, isNoticed: fc.boolean() }), anyWaiting, letTimePass),
]
