import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { invariants } from '../../server/src/modules/proof/invariants.ts'
import type { Closers } from '../../server/src/platform/closing.ts'
import { endProcess, preload } from '../process.ts'
import { rollChance } from '../random.ts'
import {
  type BankEvent,
  decideAtBank,
  type Payment,
  paidAtBank,
  sendEvent,
  sendNonsense,
  type Telling,
} from './bank.ts'
import type { Floor } from './buyer.ts'
import type { Progress } from './crowd.ts'
import { untilAnswered } from './inspection.ts'
import { wreakHavoc } from './mayhem.ts'
import type { Options } from './options.ts'
import { openPayment, payAgain } from './payer.ts'
import { countPayments, type PaymentsCount } from './payments-count.ts'
import { raisePrices, soldTooCheap } from './prices.ts'
import { type Drama, drawDramas, untilRefundsSettle } from './refunds.ts'
import { plantBreak, type Stage, setStage } from './stage.ts'
import { readSums } from './sum-readers.ts'
import { onlooker, type Watcher } from './torture.ts'
import type { Ordeal } from './verdict.ts'

export interface PaymentsResult extends Ordeal {
  payments: { wanted: number; opened: number }
  habits: ReadonlyMap<Payment['habit'], number>
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

/**
 * Lets customers open payments by card. Then their bank reports all of them, each event many times and in any order,
 * and what was paid is refunded, by the store and in the bank's cabinet, with answers lost and refunds that fail, while
 * strangers send nonsense, the clock ends orders and processes are killed. Whatever it starts it puts into `closers`
 * first.
 */
export async function torturePayments(options: Options, closers: Closers, watch: Watcher): Promise<PaymentsResult> {
  const stage = await setStage(options, closers)
  const { postgres, servers, floor } = stage
  closers.push(startClock(postgres.url, options))
  const look = onlooker(stage)
  const began = Date.now()
  const payments = await openAll(stage, options)
  const events = await decideAtBank(postgres.database, payments, floor.chance)

  const telling: Telling = { ...floor, database: postgres.database, latencyMs: 0 }
  const { work, drawn } = drawDramas(stage, telling, payments)
  const tasks = [...toTellings(telling, events, floor), ...work]

  const progress: Progress = { cartsDone: 0, isOver: false, limit: tasks.length }
  const howFar = () => progress.cartsDone / tasks.length
  const reporting = setInterval(() => watch(howFar(), payments.length), 250)
  closers.push(() => clearInterval(reporting))
  const wantedKills = { server: options.kills, postgres: Math.ceil(options.kills / 4) }
  const allow = (share: number) => {
    progress.limit = Math.ceil(share * tasks.length)
  }
  const havoc = { servers, postgres, progress, chance: rollChance(options.seed + 1), wantedKills }
  const [kills, sums, nonsense, raises] = await Promise.all([
    wreakHavoc({ ...havoc, howFar, allow, afterKill: look.now }),
    readSums(postgres.database, progress, 1),
    sendAllNonsense(telling, payments.length * nonsenseForEach),
    raisePrices(postgres.database, { progress, howFar, chance: rollChance(options.seed + 2) }),
    doAll(tasks, progress, options.clients),
  ])
  await untilRefundsSettle(postgres.database)
  clearInterval(reporting)
  await look.now()
  const habits = new Map<Payment['habit'], number>()
  for (const { habit } of payments) habits.set(habit, (habits.get(habit) ?? 0) + 1)
  return {
    diary: floor.diary,
    payments: { wanted: options.payments, opened: payments.length },
    habits,
    webhooks: { events: events.filter((event) => !event.isRepeat).length, told: events.length },
    dramas: drawn,
    nonsense,
    kills,
    wantedKills,
    sums,
    lostOrders: look.lostOrders,
    brokenInvariants: look.brokenInvariants,
    invariants: invariants.length,
    pricesRaised: raises.length,
    tooCheap: await untilAnswered(() => soldTooCheap(postgres.database, raises)),
    final: await untilAnswered(() => countPayments(postgres.database)),
    bugs: floor.wire.bugs,
    falls: servers.flatMap((server) => server.falls),
    seconds: (Date.now() - began) / 1_000,
  }
}

/** The job that ends overdue orders, without its rest, as a node of its own; answers how to stop it. */
function startClock(url: string, options: Options) {
  const node = spawn(process.execPath, [...preload, clock], {
    env: { ...process.env, DATABASE_URL: url, ...plantBreak(options) },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  return () => endProcess(node)
}

async function openAll({ floor, postgres }: Stage, { clients }: Options): Promise<Payment[]> {
  const waiting = [...floor.stock.shoppers]
  const payments: Payment[] = []
  await atOnce(clients, async () => {
    for (let shopper = waiting.shift(); shopper; shopper = waiting.shift()) {
      const payment = await openPayment(floor, postgres.database, shopper)
      if (payment) payments.push(payment)
    }
  })
  return payments
}

/**
 * Makes the bank's reports of its events; a customer who was declined and tries again pays once the decline is
 * reported.
 */
function toTellings(telling: Telling, events: readonly BankEvent[], floor: Floor): (() => Promise<void>)[] {
  const comingBack = new Set(events.flatMap(({ payment }) => (payment.habit === 'again' ? [payment] : [])))
  return events.map((event) => async () => {
    await sendEvent(telling, event)
    if (!comingBack.delete(event.payment)) return
    const next = await payAgain(floor, telling.database, event.payment)
    if (next) await sendEvent(telling, await paidAtBank(telling.database, next))
  })
}

async function doAll(tasks: readonly (() => Promise<void>)[], progress: Progress, clients: number): Promise<void> {
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
