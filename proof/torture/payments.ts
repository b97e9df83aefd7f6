import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { invariants } from '../../server/src/modules/proof/ledger-proof.ts'
import { putInForce } from '../../server/src/modules/rates/rates.ts'
import type { Database } from '../../server/src/platform/database/database.ts'
import { sql } from '../../server/src/platform/database/queries.ts'
import type { Closers } from '../../server/src/platform/process.ts'
import { setFee } from '../../server/test/factories.ts'
import { endProcess, preload } from '../process.ts'
import { rollChance } from '../random.ts'
import {
  type AskedCounts,
  type AskingDoubles,
  askingSettings,
  compareStatement,
  listAskedCharges,
  startAskingDoubles,
} from './asking.ts'
import { type BankEvent, decideAtBank, paidAtBank, sendEvent, sendNonsense, type Telling } from './bank.ts'
import type { Floor } from './buyer.ts'
import { playClick } from './click-plays.ts'
import type { Progress } from './crowd.ts'
import { untilAnswered } from './inspection.ts'
import { runUnderKills } from './mayhem.ts'
import type { Options } from './options.ts'
import { openPayment, payAgain } from './payer.ts'
import { playPayme } from './payme-plays.ts'
import { countPayments, type PaymentsCount } from './payments-count.ts'
import { raisePrices, soldTooCheap } from './prices.ts'
import { type Drama, drawDramas, untilRefundsSettle } from './refunds.ts'
import { plantBreak, type Stage, sandboxSecret, setStage } from './stage.ts'
import {
  listToldCharges,
  loseSomeAnswers,
  openTellers,
  startTellingDoubles,
  type Teller,
  type TellingDoubles,
  tellerSettings,
} from './tellers.ts'
import { onlooker, type Watcher } from './torture.ts'
import type { Ordeal } from './verdict.ts'
import {
  type AskedPlay,
  type BankName,
  type ClickPlay,
  drawLots,
  type Habit,
  type Payment,
  type PaymePlay,
  shuffled,
  type TellingName,
} from './ways.ts'

export interface PaymentsResult extends Ordeal {
  payments: { wanted: number; opened: number }
  providers: ReadonlyMap<BankName, number>
  habits: ReadonlyMap<Habit, number>
  plays: ReadonlyMap<AskedPlay, number>
  asked: AskedCounts
  /** What the store's statement for Payme says otherwise than Payme. */
  statementApart: readonly string[]
  webhooks: { events: number; told: number }
  dramas: ReadonlyMap<Drama, number>
  nonsense: { wanted: number; answered: number; accepted: number }
  pricesRaised: number
  tooCheap: readonly string[]
  final: PaymentsCount
}

const clock = fileURLToPath(new URL('clock.ts', import.meta.url))
const nonsenseForEach = 20
const nonsenseAtOnce = 8

/** So many of a dollar, so that hardly a charge is a round sum. */
const rates = { RUB: '81.4579', UZS: '12653.37' }

/**
 * Lets customers open payments by every provider, in dollars, roubles and soums. Those that tell report all of them, each
 * event many times and in any order; those that ask call as often, and cancel, too. What was paid is refunded, by the store
 * and in the providers' cabinets, with answers lost and refunds that fail, and disputed, while strangers send nonsense, the
 * clock ends orders and processes are killed. Whatever it starts it puts into `closers` first.
 */
export async function torturePayments(options: Options, closers: Closers, watch: Watcher): Promise<PaymentsResult> {
  const [telling, asking] = await Promise.all([startTellingDoubles(closers), startAskingDoubles(closers)])
  const settings = {
    PAYMENT_PROVIDERS: 'sandbox,yookassa,tbank,cryptopay,payme,click',
    ...tellerSettings(telling),
    ...askingSettings(asking),
  }
  const stage = await setStage(options, closers, settings)
  const { postgres, floor } = stage
  asking.connect(floor)
  await setRates(postgres.database)
  await postgres.database.run(sql`UPDATE filling_settings SET is_on = true`)
  await setFees(postgres.database)
  closers.push(startClock({ ...settings, DATABASE_URL: postgres.url, ...plantBreak(options) }))
  const look = onlooker(stage)
  const began = Date.now()
  const payments = await openAll(stage, options)
  const tellers = openTellers(postgres.database, telling)
  const events = await decideAtBank(postgres.database, tellers, payments, floor.chance)
  for (const double of [telling.yookassa, telling.tbank, telling.cryptopay]) loseSomeAnswers(double, floor.chance)

  const bank: Telling = { ...floor, database: postgres.database, latencyMs: 0 }
  const { work, drawn } = drawDramas(floor, bank, tellers, payments)
  const plays = toPlays(stage, asking, payments)
  const tasks = [...shuffled([...toTellings({ bank, tellers, floor }, events), ...plays], floor.chance), ...work]

  const progress: Progress = { cartsDone: 0, isOver: false, limit: tasks.length }
  const howFar = () => progress.cartsDone / tasks.length
  const run = { options, closers, ...stage, progress, all: tasks.length, watch }
  const [ordeal, nonsense, raises] = await Promise.all([
    runUnderKills({ ...run, work: () => doAll(tasks, progress, options.clients), afterKill: look.now }),
    sendAllNonsense(bank, payments.length * nonsenseForEach),
    raisePrices(postgres.database, { progress, howFar, chance: rollChance(options.seed + 2) }),
  ])
  await untilRefundsSettle(floor, postgres.database, asking.click)
  await look.now()
  const told = payments.filter(({ play }) => play === undefined)
  return {
    ...ordeal,
    diary: floor.diary,
    payments: { wanted: options.payments, opened: payments.length },
    providers: tally(payments.map(({ way }) => way.provider)),
    habits: tally(told.map(({ habit }) => habit)),
    plays: tally(payments.flatMap(({ play }) => (play ? [play] : []))),
    asked: asking.counts,
    statementApart: await compareStatement(asking),
    webhooks: { events: events.filter((event) => !event.isRepeat).length, told: events.length },
    dramas: drawn,
    nonsense,
    lostOrders: look.lostOrders,
    brokenInvariants: look.brokenInvariants,
    invariants: invariants.length,
    pricesRaised: raises.length,
    tooCheap: await untilAnswered(() => soldTooCheap(postgres.database, raises)),
    final: await countAll(postgres.database, telling, asking),
    bugs: floor.wire.bugs,
    seconds: (Date.now() - began) / 1_000,
  }
}

function tally<T>(drawn: readonly T[]): Map<T, number> {
  const counts = new Map<T, number>()
  for (const one of drawn) counts.set(one, (counts.get(one) ?? 0) + 1)
  return counts
}

const setRates = (database: Database) =>
  database.transaction(async (tx) => {
    for (const [currency, rate] of Object.entries(rates)) {
      const { id } = await tx.one<{ id: number }>(
        sql`SELECT id FROM currency_rate WHERE from_currency = 'USD' AND to_currency = ${currency}`,
      )
      await putInForce(tx, id, { rate, source: 'fixed', madeBy: null })
    }
  })

/** What some ways to pay cost the customer, in hundredths of a percent, cents and kopecks, and whether that is refunded. */
const fees = [
  { method: 'sandbox', percent: 237, usd: 11, rub: 700, isRefunded: true },
  { method: 'sandbox_soums', percent: 150, usd: 0, rub: 0, isRefunded: true },
  { method: 'yookassa_card', percent: 0, usd: 0, rub: 1_999, isRefunded: false },
  { method: 'tbank_sbp', percent: 41, usd: 0, rub: 0, isRefunded: true },
  { method: 'payme', percent: 133, usd: 7, rub: 500, isRefunded: false },
  { method: 'click', percent: 99, usd: 1, rub: 100, isRefunded: true },
]

const setFees = async (database: Database) => {
  for (const { method, ...fee } of fees) await setFee({ database }, method, fee)
}

async function countAll(database: Database, telling: TellingDoubles, asking: AskingDoubles): Promise<PaymentsCount> {
  const charges = [...(await listToldCharges(database, telling)), ...listAskedCharges(asking)]
  return untilAnswered(() => countPayments(database, { charges, transactions: asking.transactions }))
}

/** The job that ends overdue orders, without its rest, as a node of its own; answers how to stop it. */
export function startClock(settings: Record<string, string>) {
  const node = spawn(process.execPath, [...preload, clock], {
    env: { ...process.env, SANDBOX_SECRET: sandboxSecret, ...settings },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  return () => endProcess(node)
}

async function openAll({ floor, postgres }: Stage, { clients }: Options): Promise<Payment[]> {
  const waiting = [...floor.stock.shoppers]
  const nextLot = drawLots(floor.chance)
  const payments: Payment[] = []
  await atOnce(clients, async () => {
    for (let shopper = waiting.shift(); shopper; shopper = waiting.shift()) {
      const payment = await openPayment(floor, postgres.database, shopper, nextLot())
      if (payment) payments.push(payment)
    }
  })
  return payments
}

/** Makes the plays of those that ask, one for each of their payments. */
const toPlays = ({ floor, postgres }: Stage, doubles: AskingDoubles, payments: readonly Payment[]) =>
  payments.flatMap((payment) => {
    const asking = { floor, database: postgres.database, doubles }
    const { play, way } = payment
    if (play === undefined) return []
    return way.provider === 'payme'
      ? [() => playPayme(asking, payment, play as PaymePlay)]
      : [() => playClick(asking, payment, play as ClickPlay)]
  })

interface Reporting {
  bank: Telling
  tellers: Record<TellingName, Teller>
  floor: Floor
}

/**
 * Makes the providers' reports of their events; a customer who was declined and tries again pays once the decline is
 * reported.
 */
function toTellings({ bank, tellers, floor }: Reporting, events: readonly BankEvent[]): (() => Promise<void>)[] {
  const comingBack = new Set(events.flatMap(({ payment }) => (payment.habit === 'again' ? [payment] : [])))
  return events.map((event) => async () => {
    await sendEvent(bank, event)
    if (!comingBack.delete(event.payment)) return
    const next = await payAgain(floor, bank.database, event.payment)
    const paid = next ? await paidAtBank(tellers, next) : []
    for (const report of paid) await sendEvent(bank, report)
  })
}

/** Does the tasks one after the other, some at once, and no more than the progress allows. */
export async function doAll(
  tasks: readonly (() => Promise<void>)[],
  progress: Progress,
  clients: number,
): Promise<void> {
  let begun = 0
  await atOnce(clients, async () => {
    while (begun < tasks.length) {
      if (begun >= progress.limit) {
        await sleep(5)
        continue
      }
      await tasks[begun++]?.()
      progress.cartsDone++
    }
  })
  progress.isOver = true
}

async function sendAllNonsense(telling: Telling, wanted: number) {
  const counts = { wanted, answered: 0, accepted: 0 }
  let left = wanted
  await atOnce(nonsenseAtOnce, async () => {
    while (left > 0) {
      const status = await sendNonsense(telling)
      // Nobody is there while a server is being started.
      if (status === undefined) {
        await sleep(50)
        continue
      }
      left--
      counts.answered++
      if (status < 300) counts.accepted++
    }
  })
  return counts
}

const atOnce = (workers: number, work: () => Promise<void>) => Promise.all(Array.from({ length: workers }, work))
