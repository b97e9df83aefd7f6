import { randomUUID } from 'node:crypto'
import { cartApi } from '@olmos/contract/cart'
import { toMajor, toMinor } from '@olmos/contract/minor-units'
import { type OpenedPayment, paymentsApi } from '@olmos/contract/payments'
import type { Database } from '../../server/src/platform/database/database.ts'
import { sql } from '../../server/src/platform/database/queries.ts'
import { type Habit, habits, type Payment } from './bank.ts'
import { type Floor, insist, toCartLine } from './buyer.ts'
import { untilAnswered } from './inspection.ts'
import type { Shopper } from './seed.ts'

/** How many of a hundred payments are made which way. */
const shares: Record<Habit, number> = {
  'in time': 20,
  declined: 5,
  'at the last moment': 35,
  late: 15,
  twice: 10,
  again: 15,
}
const drawn = habits.flatMap((habit) => Array<Habit>(shares[habit]).fill(habit))

/** Fills a cart and opens its payment, pressing twice at times; what comes later is the bank's to tell. */
export async function openPayment(floor: Floor, database: Database, shopper: Shopper): Promise<Payment | undefined> {
  const { wire, diary, stock, chance } = floor
  const { token } = shopper
  let total = 0
  for (const offer of [chance.pick(stock.offers), chance.pick(stock.offers)].slice(chance.between(0, 1))) {
    const body = toCartLine(offer, chance)
    const added = await insist(diary, () => wire.call(cartApi.add, { token, body }))
    if (added.kind === 'done') total += offer.priceUsd * body.quantity
  }
  if (total === 0) return undefined
  const presses = chance.isTrue(0.3) ? 2 : 1
  const replies = await Promise.all(Array.from({ length: presses }, () => press(floor, shopper, total)))
  const opened = replies.flatMap((reply) => (reply.kind === 'done' ? [reply.value] : []))
  const [first] = opened
  if (!first) return undefined
  if (opened.some((one) => one.order_id !== first.order_id))
    diary.complain(`user ${shopper.id} has two orders of one cart`)
  diary.acknowledge(first.order_id, shopper.id)
  const habit = chance.pick(drawn)
  if (habit === 'late') await endTime(database, first.order_id)
  return openedAs(database, first, { shopper, amount: total, habit })
}

const press = ({ wire, diary }: Floor, { token }: Shopper, total: number) => {
  const key = randomUUID()
  const body = { amount: toMajor(total), currency: 'USD', type: 'order' } as const
  return insist(diary, () => wire.call(paymentsApi.create, { token, key, body }))
}

const endTime = (database: Database, orderId: string) =>
  untilAnswered(() =>
    database.run(sql`
      UPDATE orders SET expires_at = now() - interval '1 second' WHERE id = ${orderId} AND expires_at > now()`),
  )

async function openedAs(
  database: Database,
  { order_id: orderId, pay_url }: OpenedPayment,
  payment: Pick<Payment, 'shopper' | 'amount' | 'habit'>,
): Promise<Payment> {
  const id = pay_url.split('/').at(-1) as string
  const { key } = await untilAnswered(() =>
    database.one<{ key: string }>(sql`SELECT key FROM sandbox_payment WHERE id = ${id}`),
  )
  return { ...payment, id, key, orderId, currency: 'USD' }
}

/**
 * Presses Pay again once the bank has declined: at the price the customer saw, and when that is over, at the one the cart
 * shows then. Half of those who come to another page pay it late.
 */
export async function payAgain(floor: Floor, database: Database, declined: Payment): Promise<Payment | undefined> {
  const { wire, diary, chance } = floor
  const { shopper } = declined
  let amount = declined.amount
  let reply = await press(floor, shopper, amount)
  if (reply.kind === 'refused' && reply.code === 'PRICE_CHANGED') {
    const cart = await insist(diary, () => wire.call(cartApi.list, { token: shopper.token }))
    if (cart.kind !== 'done') return undefined
    amount = cart.value.data.reduce((sum, { price_usd, quantity }) => sum + toMinor(price_usd) * quantity, 0)
    reply = await press(floor, shopper, amount)
  }
  if (reply.kind !== 'done') return undefined
  diary.acknowledge(reply.value.order_id, shopper.id)
  if (chance.isTrue(0.5)) await endTime(database, reply.value.order_id)
  return openedAs(database, reply.value, { shopper, amount, habit: 'again' })
}
