import { randomUUID } from 'node:crypto'
import { cartApi } from '@olmos/contract/cart'
import { toMajor, toMinor } from '@olmos/contract/minor-units'
import { paymentsApi } from '@olmos/contract/payments'
import type { Database } from '../../server/src/platform/database/database.ts'
import { sql } from '../../server/src/platform/database/queries.ts'
import { type TestOffer, toCart } from '../../server/test/factories.ts'
import { type Floor, insist } from './buyer.ts'
import { untilAnswered } from './inspection.ts'
import type { Shopper } from './seed.ts'
import type { Lot, Payment, Way } from './ways.ts'

/** As many codes as an account that never paid may reserve. */
const codesAtMost = 3

const toPrice = ({ priceUsd, priceRub }: TestOffer, { currency }: Way): number =>
  currency === 'USD' ? priceUsd : priceRub

/**
 * Fills a cart, or wants to fill the balance, and opens the payment, pressing twice at times; what comes later is the
 * provider's to tell, or to ask.
 */
export async function openPayment(
  floor: Floor,
  database: Database,
  shopper: Shopper,
  lot: Lot,
): Promise<Payment | undefined> {
  const { diary, chance } = floor
  const { way, habit, isFilling } = lot
  const { least, most } = fillingBounds[way.currency]
  const total = isFilling ? chance.between(least, most) : await putInCart(floor, shopper, way)
  if (total === 0) return undefined
  const presses = chance.isTrue(0.3) ? 2 : 1
  const replies = await Promise.all(Array.from({ length: presses }, () => press(floor, shopper, { ...lot, total })))
  const opened = replies.flatMap((reply) => (reply.kind === 'done' ? [reply.value] : []))
  const [first] = opened
  if (!first) return undefined
  if (opened.some((one) => one.order_id !== first.order_id))
    diary.complain(`user ${shopper.id} has two orders of one cart`)
  diary.acknowledge(first.order_id, shopper.id)
  if (habit === 'late') await endTime(database, first.order_id)
  const payment = await openedAs(database, first.order_id, { ...lot, shopper, total })
  return habit === 'another sum than was charged'
    ? { ...payment, amount: Math.ceil((payment.amount * 2) / 3) }
    : payment
}

/** What a balance is filled with, from and to, in minor units: more than a shop of the least settings asks for. */
const fillingBounds = { USD: { least: 1_501, most: 9_999 }, RUB: { least: 150_001, most: 999_999 } }

/** Puts codes into the cart and returns what they cost, in minor units. */
async function putInCart({ wire, diary, stock, chance }: Floor, { token }: Shopper, way: Way): Promise<number> {
  let total = 0
  let left = codesAtMost
  for (const offer of [chance.pick(stock.offers), chance.pick(stock.offers)].slice(chance.between(0, 1))) {
    const quantity = Math.min(left, chance.isTrue(0.2) ? 2 : 1)
    const body = toCart(offer, quantity)
    const added = await insist(diary, () => wire.call(cartApi.add, { token, body }))
    if (added.kind !== 'done') continue
    total += toPrice(offer, way) * quantity
    left -= quantity
  }
  return total
}

/** An odd third of the order. */
const toPart = (total: number): number => Math.floor(total / 3)

type Wanted = Pick<Payment, 'total' | 'way' | 'hasPart' | 'isFilling'>

async function press(floor: Floor, { token }: Shopper, { total, way, hasPart, isFilling }: Wanted) {
  const { wire, diary } = floor
  const key = randomUUID()
  const part = hasPart ? toPart(total) : 0
  const type = isFilling ? ('balance' as const) : ('order' as const)
  const fee = await readFee(floor, way, total - part)
  const body = {
    amount: toMajor(total),
    currency: way.currency,
    type,
    method: way.method,
    ...(part > 0 && { from_balance: toMajor(part) }),
    ...(fee !== null && { fee }),
  }
  return insist(diary, () => wire.call(paymentsApi.create, { token, key, body }))
}

/** What the checkout says that the way costs, in major units; null for nothing. */
async function readFee({ wire, diary }: Floor, { method, currency }: Way, amount: number): Promise<number | null> {
  const query = { currency, amount: toMajor(amount).toFixed(2) }
  const reply = await insist(diary, () => wire.call(paymentsApi.methods, { query }))
  const offered = reply.kind === 'done' ? reply.value.data : []
  return offered.find(({ name }) => name === method)?.fee ?? null
}

/** Ends the time of an order that waits. */
export const endTime = (database: Database, orderId: string) =>
  untilAnswered(() =>
    database.run(sql`
      UPDATE orders SET expires_at = now() - interval '1 second' WHERE id = ${orderId} AND expires_at > now()`),
  )

/** Reads what the store has opened, which is what it asked the provider for. */
async function openedAs(
  database: Database,
  orderId: string,
  payment: Pick<Payment, 'shopper' | 'total' | 'way' | 'hasPart' | 'habit' | 'isFilling' | 'play'>,
): Promise<Payment> {
  const opened = await untilAnswered(() =>
    database.one<{ id: string; key: string; amount: number; currency: string }>(sql`
      SELECT provider_payment_id AS id, key, coalesce(charge_amount, amount) AS amount,
        coalesce(charge_currency, currency) AS currency
      FROM payment WHERE order_id = ${orderId} AND provider_payment_id IS NOT NULL ORDER BY payment.id DESC LIMIT 1`),
  )
  return { ...payment, ...opened, orderId }
}

/**
 * Presses Pay again once the bank has declined: at the price the customer saw, and when that is over, at the one the cart
 * shows then. Half of those who come to another page pay it late.
 */
export async function payAgain(floor: Floor, database: Database, declined: Payment): Promise<Payment | undefined> {
  const { wire, diary, chance } = floor
  const { shopper, way, hasPart, isFilling } = declined
  let { total } = declined
  let reply = await press(floor, shopper, declined)
  if (reply.kind === 'refused' && reply.code === 'PRICE_CHANGED') {
    const cart = await insist(diary, () => wire.call(cartApi.list, { token: shopper.token }))
    if (cart.kind !== 'done') return undefined
    total = cart.value.data.reduce(
      (sum, { price_usd, price_rub, quantity }) =>
        sum + toMinor(way.currency === 'USD' ? price_usd : price_rub) * quantity,
      0,
    )
    reply = await press(floor, shopper, { total, way, hasPart, isFilling })
  }
  if (reply.kind !== 'done') return undefined
  const { order_id: orderId } = reply.value
  diary.acknowledge(orderId, shopper.id)
  if (chance.isTrue(0.5)) await endTime(database, orderId)
  return openedAs(database, orderId, { shopper, total, way, hasPart, habit: 'again', isFilling })
}
