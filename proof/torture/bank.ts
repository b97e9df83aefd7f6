import { randomUUID } from 'node:crypto'
import { chargeSandboxAgain } from '../../server/src/modules/payments/providers/sandbox.store.ts'
import type { Database } from '../../server/src/platform/database/database.ts'
import { sql } from '../../server/src/platform/database/queries.ts'
import { signWebhook } from '../../server/src/platform/vendor/sandbox-webhooks.ts'
import type { Chance } from '../random.ts'
import type { Clients } from './clients.ts'
import type { Diary } from './diary.ts'
import { untilAnswered } from './inspection.ts'
import type { Shopper } from './seed.ts'
import { sandboxSecret } from './stage.ts'

/** What a customer does with the pay page; `again`: is declined, and presses Pay once more. */
export const habits = ['in time', 'declined', 'at the last moment', 'late', 'twice', 'again'] as const
export type Habit = (typeof habits)[number]

/** A payment as the bank knows it. */
export interface Payment {
  id: string
  key: string
  orderId: string
  amount: number
  currency: string
  habit: Habit
  shopper: Shopper
  /** When the order's time is over is decided by the first webhook, and just before it. */
  isEnding?: Promise<void>
}

/** An event the bank tells the store of, once or many times, always under one id. */
export interface BankEvent {
  payment: Payment
  body: string
  /** Whether this is the first time it is told. */
  isRepeat: boolean
}

const mostTimes = 10
const lastMomentMs = 25
const canceledShare = 0.1

const toBody = ({ key, amount, currency }: Payment, id: string, status: 'succeeded' | 'canceled'): string =>
  JSON.stringify({ id: randomUUID(), payment: { id, key, status, amount, currency } })

/** Returns what the bank reports about a payment that is made during the run. */
export async function paidAtBank(database: Database, payment: Payment): Promise<BankEvent> {
  await untilAnswered(() => database.run(sql`UPDATE sandbox_payment SET status = 'succeeded' WHERE id = ${payment.id}`))
  return { payment, body: toBody(payment, payment.id, 'succeeded'), isRepeat: false }
}

/** Writes the payments into the bank's own books, and returns all it will report about them, in random order. */
export async function decideAtBank(
  database: Database,
  payments: readonly Payment[],
  chance: Chance,
): Promise<BankEvent[]> {
  const events: BankEvent[] = []
  const tell = (payment: Payment, id: string, status: 'succeeded' | 'canceled') => {
    const body = toBody(payment, id, status)
    const times = chance.between(1, mostTimes)
    for (let time = 0; time < times; time++) events.push({ payment, body, isRepeat: time > 0 })
  }
  for (const payment of payments) {
    const isDeclined = payment.habit === 'declined' || payment.habit === 'again'
    const status = isDeclined ? 'canceled' : 'succeeded'
    await database.run(sql`UPDATE sandbox_payment SET status = ${status} WHERE id = ${payment.id}`)
    tell(payment, payment.id, status)
    // A first try that failed, told before or after the one that did not.
    if (!isDeclined && chance.isTrue(canceledShare)) tell(payment, payment.id, 'canceled')
    if (payment.habit !== 'twice') continue
    const second = await database.transaction((tx) => chargeSandboxAgain(tx, payment.id))
    tell(payment, second.id, 'succeeded')
  }
  return shuffled(events, chance)
}

function shuffled<T>(items: readonly T[], chance: Chance): T[] {
  return items
    .map((item) => ({ item, place: chance.next() }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item)
}

export interface Telling {
  wire: Clients
  database: Database
  chance: Chance
  diary: Diary
  /** How long an answer takes lately: what is to come at the last moment has to be sent so much earlier. */
  latencyMs: number
}

const insistForMs = 60_000
const path = '/payment/webhook/sandbox'

/** Tells until the store accepts it, as a bank does. */
export async function sendEvent(telling: Telling, { payment, body }: BankEvent): Promise<void> {
  const { wire, chance, diary } = telling
  if (payment.habit === 'at the last moment') {
    payment.isEnding ??= endSoon(telling, payment)
    await payment.isEnding
    await pause(chance.between(0, 2 * lastMomentMs))
  }
  const deadline = Date.now() + insistForMs
  for (let pauseMs = 20; ; pauseMs = Math.min(pauseMs * 2, 500)) {
    const headers = {
      'content-type': 'application/json',
      'sandbox-signature': signWebhook(sandboxSecret, body, new Date()),
    }
    const sentAt = performance.now()
    const status = await wire.post(path, body, headers)
    if (status === 200) {
      telling.latencyMs = 0.8 * telling.latencyMs + 0.2 * (performance.now() - sentAt)
      return
    }
    if (status !== undefined && status !== 503 && status !== 502) diary.complain(`a true notice was answered ${status}`)
    if (Date.now() > deadline) return diary.complain(`a notice of order ${payment.orderId} was never accepted`)
    diary.retries++
    await pause(pauseMs)
  }
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** Half of the way of an answer is the way there, about; half of the webhooks are to come before, half after. */
const endSoon = ({ database, latencyMs }: Telling, { orderId }: Payment): Promise<void> =>
  untilAnswered(async () => {
    await database.run(sql`
      UPDATE orders SET expires_at = clock_timestamp() + make_interval(secs => ${(latencyMs / 2 + lastMomentMs) / 1_000}::float8)
      WHERE id = ${orderId} AND status = 'awaiting_payment'`)
  })

const scraps = [
  '{',
  '"id":',
  '[[[[',
  'null',
  '\u0000',
  '1e999',
  '{"payment":{}}',
  '"succeeded"',
  '😀',
  '}',
  '"amount":-1,',
]
const types = ['application/json', 'text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', '']

/** Bytes of anybody's, under a signature that looks like one; answers the status. */
export function sendNonsense({ wire, chance }: Telling): Promise<number | undefined> {
  const size = chance.between(0, 12)
  const body = chance.isTrue(0.3)
    ? Buffer.from(Array.from({ length: size * 40 }, () => chance.between(0, 255)))
    : Array.from({ length: size }, () => chance.pick(scraps)).join('')
  const signature = `t=${Math.floor(Date.now() / 1_000)},v1=${chance.between(0, 9).toString().repeat(64)}`
  return wire.post(path, body, { 'content-type': chance.pick(types), 'sandbox-signature': signature })
}
