import { chargeSandboxAgain } from '../../server/src/modules/payments/providers/sandbox-bank.ts'
import type { Database } from '../../server/src/platform/database/database.ts'
import { sql } from '../../server/src/platform/database/queries.ts'
import type { Chance } from '../random.ts'
import type { Clients } from './clients.ts'
import type { Diary } from './diary.ts'
import { untilAnswered } from './inspection.ts'
import type { Report, Teller } from './tellers.ts'
import { type Payment, shuffled, type TellingName } from './ways.ts'

/** An event the bank tells the store of, once or many times, always under one id. */
export interface BankEvent {
  payment: Payment
  report: () => Report
  /** Whether this is the first time it is told. */
  isRepeat: boolean
}

const mostTimes = 10
export const lastMomentMs = 25
const canceledShare = 0.1

const isTold = (payment: Payment): payment is Payment & { way: { provider: TellingName } } => payment.play === undefined

/** The provider that reports the payment, from its own side. */
export const tellerFor = (tellers: Record<TellingName, Teller>, payment: Payment): Teller | undefined =>
  isTold(payment) ? tellers[payment.way.provider] : undefined

/** Returns what a provider reports about a payment that is made during the run. */
export async function paidAtBank(tellers: Record<TellingName, Teller>, payment: Payment): Promise<BankEvent[]> {
  const teller = tellerFor(tellers, payment)
  await teller?.decide(payment, 'succeeded')
  return teller ? [{ payment, report: teller.report(payment, 'succeeded'), isRepeat: false }] : []
}

/** Writes the payments into the providers' own books, and returns all they will report, in random order. */
export async function decideAtBank(
  database: Database,
  tellers: Record<TellingName, Teller>,
  payments: readonly Payment[],
  chance: Chance,
): Promise<BankEvent[]> {
  const events: BankEvent[] = []
  const tell = (payment: Payment, report: () => Report) => {
    const times = chance.between(1, mostTimes)
    for (let time = 0; time < times; time++) events.push({ payment, report, isRepeat: time > 0 })
  }
  for (const payment of payments) {
    const teller = tellerFor(tellers, payment)
    if (!teller) continue
    const isDeclined = payment.habit === 'declined' || payment.habit === 'again'
    const status = isDeclined ? 'canceled' : 'succeeded'
    await teller.decide(payment, status)
    tell(payment, teller.report(payment, status))
    if (payment.way.provider !== 'sandbox') continue
    // A first try that failed, told before or after the one that did not.
    if (!isDeclined && chance.isTrue(canceledShare)) tell(payment, teller.report(payment, 'canceled'))
    if (payment.habit !== 'twice') continue
    const second = await database.transaction((tx) => chargeSandboxAgain(tx, payment.id))
    tell(payment, teller.report({ ...payment, id: second.id }, 'succeeded'))
  }
  return shuffled(events, chance)
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

/** Tells until the store accepts it, as a bank does. */
export async function sendEvent(telling: Telling, { payment, report }: BankEvent): Promise<void> {
  const { wire, chance, diary } = telling
  if (payment.habit === 'at the last moment') {
    payment.isEnding ??= endSoon(telling, payment)
    await payment.isEnding
    await pause(chance.between(0, 2 * lastMomentMs))
  }
  const deadline = Date.now() + insistForMs
  for (let pauseMs = 20; ; pauseMs = Math.min(pauseMs * 2, 500)) {
    const { path, body, headers } = report()
    const sentAt = performance.now()
    const status = await wire.post(path, body, headers)
    if (status === 200) {
      telling.latencyMs = 0.8 * telling.latencyMs + 0.2 * (performance.now() - sentAt)
      return
    }
    if (status !== undefined && status !== 503 && status !== 502)
      diary.complain(`a true webhook was answered ${status}`)
    if (Date.now() > deadline) return diary.complain(`a webhook about order ${payment.orderId} was never accepted`)
    diary.retries++
    await pause(pauseMs)
  }
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** Half of the way of an answer is the way there, about; half of the webhooks are to come before, half after. */
export const endSoon = (
  { database, latencyMs }: Pick<Telling, 'database' | 'latencyMs'>,
  { orderId }: Payment,
): Promise<void> =>
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
  return wire.post('/payment/webhook/sandbox', body, {
    'content-type': chance.pick(types),
    'sandbox-signature': signature,
  })
}
