import { randomUUID } from 'node:crypto'
import { cartApi } from '@olmos/contract/cart'
import { toMajor, toMinor } from '@olmos/contract/money'
import { paymentsApi } from '@olmos/contract/payments'
import { type Database, sql } from '../server/src/platform/database.ts'
import { type Habit, habits, type Payment } from './bank.ts'
import { type Floor, insist, toCart } from './buyer.ts'
import type { Shopper } from './seed.ts'

/** How many of a hundred payments are made which way. */
const shares: Record<Habit, number> = { 'in time': 25, declined: 10, 'at the last moment': 40, late: 15, twice: 10 }
const drawn = habits.flatMap((habit) => Array<Habit>(shares[habit]).fill(habit))

/** Fills a cart and opens its payment, pressing twice at times; what comes later is the bank's to tell. */
export async function openPayment(floor: Floor, database: Database, shopper: Shopper): Promise<Payment | undefined> {
  const { wire, diary, stock, chance } = floor
  const { token } = shopper
  let total = 0
  for (const offer of [chance.pick(stock.offers), chance.pick(stock.offers)].slice(chance.between(0, 1))) {
    const body = toCart(offer, chance)
    const added = await insist(diary, () => wire.call(cartApi.add, { token, body }))
    if (added.kind === 'done') total += offer.priceUsd * body.quantity
  }
  if (total === 0) return undefined
  const press = (key: string) =>
    insist(diary, () =>
      wire.call(paymentsApi.create, { token, key, body: { amount: toMajor(total), currency: 'USD', type: 'order' } }),
    )
  const presses = chance.isTrue(0.3) ? 2 : 1
  const replies = await Promise.all(Array.from({ length: presses }, () => press(randomUUID())))
  const opened = replies.flatMap((reply) => (reply.kind === 'done' ? [reply.value] : []))
  const [first] = opened
  if (!first) return undefined
  if (opened.some((one) => one.order_id !== first.order_id))
    diary.complain(`user ${shopper.id} has two orders of one cart`)
  diary.acknowledge(first.order_id, shopper.id)
  const habit = chance.pick(drawn)
  if (habit === 'late')
    await database.run(sql`UPDATE orders SET expires_at = now() - interval '1 second' WHERE id = ${first.order_id}`)
  const { key } = await database.one<{ key: string }>(
    sql`SELECT key FROM sandbox_payment WHERE order_id = ${first.order_id}`,
  )
  const id = first.pay_url.split('/').at(-1) as string
  return { id, key, orderId: first.order_id, amount: toMinor(toMajor(total)), currency: 'USD', habit }
}
