import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { cartApi } from '@olmos/contract/cart'
import { checkoutApi } from '@olmos/contract/checkout'
import type { Endpoint } from '@olmos/contract/endpoint'
import { toMajor, toMinor } from '@olmos/contract/minor-units'
import { ordersApi } from '@olmos/contract/orders'
import { walletApi } from '@olmos/contract/wallet'
import { type TestOffer, toCart } from '../../server/test/factories.ts'
import type { Chance } from '../random.ts'
import type { Clients, Reply } from './clients.ts'
import type { Diary } from './diary.ts'
import type { Shopper, Stock } from './seed.ts'

export interface Floor {
  wire: Clients
  diary: Diary
  stock: Stock
  chance: Chance
  /** Who waits for the answer to a purchase at this moment, once for each press. */
  atTheTill: Shopper[]
  /** The planted fault of clients that press again under a new key. */
  clientsResend: boolean
}

type PayReply = Reply<typeof checkoutApi.payFromBalance>

const insistForMs = 60_000
const bugsBorne = 3

/** Calls until there is an answer that settles it; gives up after a minute, and on a bug after a few tries. */
export async function insist<R extends Reply<Endpoint>>(diary: Diary, call: () => Promise<R>): Promise<R> {
  const deadline = Date.now() + insistForMs
  let bugs = 0
  for (let pauseMs = 20; ; pauseMs = Math.min(pauseMs * 2, 500)) {
    const reply = await call()
    if (reply.kind !== 'lost' || Date.now() > deadline) return reply
    if (reply.why === 'bug' && ++bugs === bugsBorne) return reply
    diary.retries++
    await sleep(pauseMs)
  }
}

/**
 * One purchase: paid for by one press or several, its receipt read, the balance compared. A third of them are one offer past
 * the cart. Clients that press again under new keys fill carts only: past the cart each key is a purchase of its own.
 */
export async function buySomething(floor: Floor, shopper: Shopper): Promise<void> {
  const isPastCart = !floor.clientsResend && floor.chance.isTrue(1 / 3)
  const orders = await (isPastCart ? buyOffer(floor, shopper) : buyCart(floor, shopper))
  if (!orders) return
  for (const orderId of orders) await readReceipt(floor, shopper, orderId)
  if (orders.size === 0) floor.diary.refusals++
  if (!shopper.isHot || floor.chance.isTrue(0.3)) await readBalance(floor, shopper)
}

/** Answers the orders it became; nothing when there was nothing to pay for. */
async function buyCart(floor: Floor, shopper: Shopper): Promise<Set<string> | undefined> {
  if (!(await fillCart(floor, shopper))) return undefined
  const orders = await pressAtOnce(floor, shopper, { call: toPayCart(floor, shopper), isOneKey: false })
  if (orders.size > 1 && !shopper.isHot) floor.diary.complain(`one cart became the orders ${[...orders].join(' and ')}`)
  // What was refused stays in the cart; a naive client has to clear what it bought as well.
  if (orders.size === 0 || floor.clientsResend) await clearCart(floor, shopper)
  return orders
}

async function buyOffer(floor: Floor, shopper: Shopper): Promise<Set<string>> {
  const { chance, stock } = floor
  const [offer, quantity] = [wanted(stock.offers, chance), chance.isTrue(0.2) ? 2 : 1]
  const amount = toMajor(offer.priceUsd * quantity)
  const body = { offerId: offer.id, quantity, currency: 'USD' as const, amount }
  const call: Call = (key) => floor.wire.call(checkoutApi.buyNow, { token: shopper.token, key, body })
  const orders = await pressAtOnce(floor, shopper, { call, isOneKey: true })
  if (orders.size > 1) floor.diary.complain(`one key became the orders ${[...orders].join(' and ')}`)
  return orders
}

async function fillCart({ wire, diary, stock, chance }: Floor, { token }: Shopper): Promise<boolean> {
  let filled = false
  const lines = chance.isTrue(0.25) ? 2 : 1
  for (let line = 0; line < lines; line++) {
    const offer = wanted(stock.offers, chance)
    const reply = await insist(diary, () => wire.call(cartApi.add, { token, body: toCartLine(offer, chance) }))
    filled ||= reply.kind === 'done'
  }
  return filled
}

const wanted = (offers: readonly TestOffer[], chance: Chance): TestOffer =>
  chance.isTrue(0.8) ? chance.pick(offers.slice(0, 2)) : chance.pick(offers)

/** One of it, at times two. */
const toCartLine = (offer: TestOffer, chance: Chance) => toCart(offer, chance.isTrue(0.2) ? 2 : 1)

type Call = (key: string) => Promise<PayReply>

const toPayCart =
  ({ wire }: Floor, { token }: Shopper): Call =>
  (key) =>
    wire.call(checkoutApi.payFromBalance, { token, key, body: { currency: 'USD' } })

/** Mostly one press; else two or three within 15 ms, each under the first key or one of its own. Answers the orders. */
async function pressAtOnce(floor: Floor, shopper: Shopper, { call, isOneKey }: { call: Call; isOneKey: boolean }) {
  const { chance, diary } = floor
  const presses = chance.isTrue(0.6) ? 1 : chance.between(2, 3)
  const firstKey = randomUUID()
  const replies = await Promise.all(
    Array.from({ length: presses }, async (_, press) => {
      if (press > 0) await sleep(chance.between(0, 15))
      return pay(floor, shopper, call, !isOneKey && press > 0 && chance.isTrue(0.5) ? randomUUID() : firstKey)
    }),
  )
  if (replies.some((reply) => reply.kind === 'lost')) diary.undecided.add(shopper.id)
  return new Set(replies.flatMap((reply) => (reply.kind === 'done' ? [reply.value.order.id] : [])))
}

async function pay(floor: Floor, shopper: Shopper, call: Call, key: string): Promise<PayReply> {
  const press = (pressKey: string) => pressOnce(floor, shopper, () => call(pressKey))
  const reply = floor.clientsResend
    ? await payImpatiently(floor, press, key)
    : await insist(floor.diary, () => press(key))
  if (reply.kind === 'done') floor.diary.acknowledge(reply.value.order.id, shopper.id)
  return reply
}

async function pressOnce({ diary, atTheTill }: Floor, shopper: Shopper, call: () => Promise<PayReply>) {
  const began = performance.now()
  atTheTill.push(shopper)
  const reply = await call()
  atTheTill.splice(atTheTill.indexOf(shopper), 1)
  if (reply.kind === 'done') diary.latencies.push(performance.now() - began)
  return reply
}

/** Some wait a few milliseconds only, forget about the first press, and press under new keys until there is an answer. */
async function payImpatiently({ diary, chance }: Floor, press: (key: string) => Promise<PayReply>, firstKey: string) {
  const waitMs = chance.isTrue(0.3) ? chance.between(1, 20) : insistForMs
  const gaveUp: PayReply = { kind: 'lost', why: 'no answer' }
  const first = await Promise.race([press(firstKey), sleep(waitMs, gaveUp, { ref: false })])
  return first.kind === 'lost' ? insist(diary, () => press(randomUUID())) : first
}

async function clearCart({ wire, diary }: Floor, { token }: Shopper): Promise<void> {
  await insist(diary, () => wire.call(cartApi.clear, { token, body: {} }))
}

async function readReceipt({ wire, diary }: Floor, { id: userId, token }: Shopper, orderId: string): Promise<void> {
  if (!diary.claimReceipt(orderId)) return
  const reply = await insist(diary, () => wire.call(ordersApi.receipt, { token, params: { id: orderId } }))
  if (reply.kind === 'refused') diary.complain(`order ${orderId} has no receipt: ${reply.code}`)
  if (reply.kind !== 'done') return
  diary.paid(userId, toMinor(reply.value.total_amount))
  for (const item of reply.value.items) {
    const codes = item.code?.split('\n') ?? []
    if (codes.length !== item.quantity)
      diary.complain(`order ${orderId} shows ${codes.length} of ${item.quantity} codes`)
    diary.seeCodes(orderId, codes)
  }
}

async function readBalance({ wire, diary }: Floor, { id, token, isHot, startedWith }: Shopper): Promise<void> {
  const reply = await insist(diary, () => wire.call(walletApi.balance, { token }))
  if (reply.kind !== 'done') return
  const shown = toMinor(reply.value.find((entry) => entry.currency === 'usd')?.amount ?? 0)
  diary.balancesSeen.add(`${id} ${shown}`)
  if (isHot || diary.undecided.has(id)) return
  const expected = startedWith - diary.spentBy(id)
  if (shown !== expected) diary.complain(`user ${id} was shown a balance of ${shown} and should have ${expected}`)
}

/** The admin sets a hot user's balance, of one who pays at this moment if there is any: what else could be forgotten? */
export async function setBalance({ wire, diary, stock, chance, atTheTill }: Floor): Promise<void> {
  const paying = atTheTill.filter((shopper) => shopper.isHot)
  const user = chance.pick(paying.length > 0 ? paying : stock.shoppers.filter((shopper) => shopper.isHot))
  const body = { balanceUsd: toMajor(chance.between(0, 3_000)), reason: 'torture' }
  const key = randomUUID()
  const { token } = stock.admin
  const reply = await insist(diary, () =>
    wire.call(walletApi.setBalance, { token, key, params: { id: String(user.id) }, body }),
  )
  if (reply.kind === 'done') diary.adjustments++
  if (reply.kind === 'lost') diary.undecided.add(user.id)
}
