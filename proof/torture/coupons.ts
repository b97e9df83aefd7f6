import { randomUUID } from 'node:crypto'
import { cartApi } from '@olmos/contract/cart'
import { checkoutApi } from '@olmos/contract/checkout'
import { toMajor, toMinor } from '@olmos/contract/minor-units'
import { paymentsApi, sandboxApi } from '@olmos/contract/payments'
import { invariants } from '../../server/src/modules/proof/ledger-proof.ts'
import type { Database } from '../../server/src/platform/database/database.ts'
import { sql } from '../../server/src/platform/database/queries.ts'
import type { Closers } from '../../server/src/platform/process.ts'
import { toCart } from '../../server/test/factories.ts'
import { count, counted, type Line, printInvariants } from '../verdict.ts'
import { type Floor, insist } from './buyer.ts'
import type { Progress } from './crowd.ts'
import { countUp, untilAnswered } from './inspection.ts'
import { runUnderKills } from './mayhem.ts'
import type { Options } from './options.ts'
import { endTime } from './payer.ts'
import { doAll, startClock } from './payments.ts'
import type { Shopper } from './seed.ts'
import { plantBreak, setStage } from './stage.ts'
import { onlooker, type Watcher } from './torture.ts'
import { printBugs, printFalls, printKills, printPurchaseTime, printSums, printUndecided } from './verdict.ts'

/** One coupon, which every buyer of the run wants to use, and for how many orders it is. */
interface Round {
  code: string
  mostUses: number
  /** Whether some pay by card: an order that nobody pays releases its use, so another number than all may be left. */
  isWithCards: boolean
  /** What it leaves of a total, in minor units; no floor is in the way. */
  toTotal(total: number): number
}

const tenPercent = (total: number): number => total - total / 10
/** No multiple of two, so that two units can't share it. */
const amountOff = 33

const makeRounds = (rounds: number): Round[] =>
  Array.from({ length: rounds }, (_, index) => {
    const code = `ROUND-${index}`
    if (index % 2 === 0) return { code, mostUses: 1, isWithCards: false, toTotal: tenPercent }
    return { code, mostUses: 7, isWithCards: true, toTotal: (total) => total - amountOff }
  })

const addCoupons = (database: Database, rounds: readonly Round[]) =>
  database.transaction(async (tx) => {
    for (const { code, mostUses, isWithCards } of rounds) {
      const [percent, amount] = isWithCards ? [null, amountOff] : [1_000, null]
      await tx.run(sql`
        INSERT INTO coupon (code, percent, amount_usd, amount_rub, max_uses, max_uses_each)
        VALUES (${code}, ${percent}::int, ${amount}::bigint, ${amount}::bigint, ${mostUses}, 1)`)
    }
  })

/** A buyer, and what the cart costs without a coupon; 0 for an empty one. */
interface Basket {
  shopper: Shopper
  total: number
  /** Ends with what the buyer is just doing: the rounds go on while somebody waits for a server. */
  busy: Promise<void>
}

async function fillCart({ wire, diary, stock, chance }: Floor, basket: Basket): Promise<void> {
  const { token } = basket.shopper
  await insist(diary, () => wire.call(cartApi.clear, { token, body: {} }))
  const offer = chance.pick(stock.offers.slice(0, 2))
  const quantity = chance.isTrue(0.3) ? 2 : 1
  await insist(diary, () => wire.call(cartApi.add, { token, body: toCart(offer, quantity) }))
  // An addition whose answer was lost may be there twice.
  const cart = await insist(diary, () => wire.call(cartApi.list, { token }))
  const lines = cart.kind === 'done' ? cart.value.data : []
  basket.total = lines.reduce((sum, line) => sum + toMinor(line.price_usd) * line.quantity, 0)
}

/** Why a press with a coupon may be refused: others were quicker, or it was used in an earlier try that got no answer. */
const fairRefusals = ['COUPON_REFUSED', 'OUT_OF_STOCK', 'STATE_CONFLICT']

async function pressWith(floor: Floor, database: Database, basket: Basket, round: Round): Promise<void> {
  const { wire, diary, chance } = floor
  const { id, token } = basket.shopper
  if (basket.total === 0) await fillCart(floor, basket)
  if (basket.total === 0) return
  const body = {
    currency: 'USD' as const,
    coupon: round.code.toLowerCase(),
    amount: toMajor(round.toTotal(basket.total)),
  }
  const key = randomUUID()
  const began = performance.now()
  if (round.isWithCards && chance.isTrue(0.4)) {
    const opening = { ...body, type: 'order' as const, method: 'sandbox' }
    const reply = await insist(diary, () => wire.call(paymentsApi.create, { token, key, body: opening }))
    if (reply.kind === 'lost') diary.undecided.add(id)
    if (reply.kind === 'refused') return refuse(floor, basket, reply.code)
    if (reply.kind !== 'done') return
    const { order_id: orderId, pay_url: payUrl } = reply.value
    diary.acknowledge(orderId, id)
    await decideAtBank(floor, database, { orderId, paymentId: payUrl.split('/').at(-1) ?? '' })
    basket.total = 0
    return
  }
  const reply = await insist(diary, () => wire.call(checkoutApi.payFromBalance, { token, key, body }))
  if (reply.kind === 'lost') diary.undecided.add(id)
  if (reply.kind === 'refused') return refuse(floor, basket, reply.code)
  if (reply.kind !== 'done') return
  diary.acknowledge(reply.value.order.id, id)
  diary.latencies.push(performance.now() - began)
  basket.total = 0
}

function refuse({ diary }: Floor, { shopper }: Basket, code: string): void {
  diary.refusals++
  if (!fairRefusals.includes(code)) diary.complain(`user ${shopper.id} was refused with ${code}`)
}

/** A third pays, a third pays when the time of the order is over, and a third never does. */
async function decideAtBank(
  { wire, diary, chance }: Floor,
  database: Database,
  { orderId, paymentId: id }: { orderId: string; paymentId: string },
): Promise<void> {
  const action = chance.pick(['pay', 'pay_late', undefined] as const)
  if (!action) return void (await endTime(database, orderId))
  await insist(diary, () => wire.call(sandboxApi.act, { params: { id }, body: { action } }))
}

interface CouponCount {
  code: string
  most: number
  /** The orders that have it and did not expire. */
  orders: number
  /** The most that one customer has. */
  of_one: number
}

const countCoupons = (database: Database) =>
  database.rows<CouponCount>(sql`
    SELECT code, max_uses AS most, coalesce(sum(uses), 0)::int AS orders, coalesce(max(uses), 0)::int AS of_one
    FROM coupon LEFT JOIN (
      SELECT coupon_id, user_id, count(*) AS uses FROM orders WHERE status <> 'expired' GROUP BY coupon_id, user_id
    ) AS used ON used.coupon_id = coupon.id
    GROUP BY coupon.id ORDER BY coupon.id`)

/**
 * Everybody wants to use each of some coupons, most of them at the same moment, while processes are killed and the clock
 * ends orders: half of the coupons are for one order, the others for a few, which are paid by card, too. Whatever it starts
 * it puts into `closers` first.
 */
export async function tortureCoupons(options: Options, closers: Closers, watch: Watcher): Promise<Line[]> {
  const settings = { PAYMENT_PROVIDERS: 'sandbox' }
  const stage = await setStage(options, closers, settings)
  const { postgres, floor } = stage
  const { database } = postgres
  const { diary } = floor
  const rounds = makeRounds(options.rounds)
  await addCoupons(database, rounds)
  closers.push(startClock({ ...settings, DATABASE_URL: postgres.url, ...plantBreak(options) }))
  const look = onlooker(stage)
  const began = Date.now()
  const baskets = floor.stock.shoppers.map((shopper): Basket => ({ shopper, total: 0, busy: Promise.resolve() }))
  const before: Progress = { cartsDone: 0, isOver: false, limit: baskets.length }
  await doAll(
    baskets.map((basket) => () => fillCart(floor, basket)),
    before,
    options.clients,
  )

  const tasks = rounds.flatMap((round) =>
    baskets.map((basket) => () => {
      basket.busy = basket.busy.then(() => pressWith(floor, database, basket, round))
      return basket.busy
    }),
  )
  const progress: Progress = { cartsDone: 0, isOver: false, limit: tasks.length }
  const run = { options, closers, ...stage, progress, all: tasks.length, watch }
  const work = () => doAll(tasks, progress, options.clients)
  const ordeal = await runUnderKills({ ...run, work, afterKill: look.now })
  const seconds = (Date.now() - began) / 1_000
  await look.now()
  const [final, used] = [
    await untilAnswered(() => countUp(database, diary)),
    await untilAnswered(() => countCoupons(database)),
  ]
  const isForOne = new Set(rounds.filter(({ mostUses }) => mostUses === 1).map(({ code }) => code))
  const tell = ({ code, most, orders }: CouponCount) => `${code}: ${orders} orders, ${most} at most`
  return [
    { text: 'buyers, each for every coupon', value: `${count(baskets.length)} in ${seconds.toFixed(0)} s` },
    { text: 'coupons', value: count(used.length) },
    { text: 'orders with one', value: count(used.reduce((sum, { orders }) => sum + orders, 0)) },
    { text: 'presses refused', value: count(diary.refusals) },
    printKills(ordeal),
    { text: 'calls repeated for want of an answer', value: count(diary.retries) },
    counted('coupons used more often than they may be', used.filter(({ orders, most }) => orders > most).map(tell)),
    counted(
      'last uses that not just one buyer got',
      used.filter(({ code, orders }) => isForOne.has(code) && orders !== 1).map(tell),
    ),
    counted('coupons that one customer used twice', used.filter(({ of_one }) => of_one > 1).map(tell)),
    counted('acknowledged orders lost', [...look.lostOrders]),
    counted('orders no client was told of', final.untold),
    printSums(ordeal.sums),
    printInvariants(look.brokenInvariants, invariants.length),
    counted('complaints of clients', diary.complaints),
    printUndecided(diary),
    printBugs(floor.wire.bugs),
    printFalls(...ordeal.servers),
    printPurchaseTime(diary),
  ]
}
