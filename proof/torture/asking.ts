import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../server/src/platform/database/database.ts'
import type { Closers } from '../../server/src/platform/process.ts'
import type { AskingCall, Send } from '../../server/test/doubles/asking-call.ts'
import { type ClickDouble, startClick } from '../../server/test/doubles/click.ts'
import { createPaymeDouble, type PaymeDouble } from '../../server/test/doubles/payme.ts'
import type { Floor } from './buyer.ts'
import type { BankCharge } from './tellers.ts'
import type { Payment } from './ways.ts'

/** A transaction as a provider that asks has it, from the answers that it got. */
export interface AskedTransaction {
  provider: 'payme' | 'click'
  /** The provider's id of it. */
  id: string
  orderId: string
  /** The id by which the store knows the payment. */
  paymentId: string
  /** In tiyin. */
  amount: number
  state: 'begun' | 'performed' | 'canceled' | 'reversed'
}

/** The doubles of the providers that ask, and what they believe. */
export interface AskingDoubles {
  payme: PaymeDouble
  click: ClickDouble
  transactions: AskedTransaction[]
  counts: AskedCounts
  /** Gives them the store to call. */
  connect(floor: Floor): void
}

export interface AskedCounts {
  calls: number
  /** Calls that came again although they had been answered. */
  repeats: number
  /** Calls in the wrong order, or of a wrong amount, that were refused as they must be. */
  refused: number
}

/** Starts them; `closers` end them. They call nobody until they are connected. */
export async function startAskingDoubles(closers: Closers): Promise<AskingDoubles> {
  const line: { send?: Send } = {}
  const counts: AskedCounts = { calls: 0, repeats: 0, refused: 0 }
  const sendTo =
    (name: 'payme' | 'click') =>
    (call: AskingCall): ReturnType<Send> => {
      if (!line.send) throw new Error(`${name} calls before there is a store`)
      return line.send({ ...call, method: call.method === undefined ? name : `${name}/${call.method}` })
    }
  const click = await startClick(sendTo('click'))
  closers.push(() => click.close())
  return {
    payme: createPaymeDouble(sendTo('payme')),
    click,
    transactions: [],
    counts,
    connect: (floor) => {
      line.send = (call) => callUntilAnswered(floor, counts, call)
    },
  }
}

/** What the store needs to know of them. */
export const askingSettings = ({ payme, click }: AskingDoubles) => ({
  PAYME_MERCHANT_ID: payme.merchantId,
  PAYME_KEY: payme.key,
  PAYME_ADDRESSES: '127.0.0.1/32',
  CLICK_SERVICE_ID: click.serviceId,
  CLICK_MERCHANT_ID: click.merchantId,
  CLICK_MERCHANT_USER_ID: click.merchantUserId,
  CLICK_SECRET_KEY: click.secretKey,
  CLICK_BASE_URL: click.url,
})

const insistForMs = 60_000
const lostShare = 0.15
const isTryAgain = (text: string): boolean => /"code":\s*-32400\b|"error":\s*-7\b/.test(text)

/** Calls until there is an answer other than "try again", and at times once more, as if that answer had been lost. */
async function callUntilAnswered(
  { wire, chance, diary }: Floor,
  counts: AskedCounts,
  { method, body, headers }: AskingCall,
): ReturnType<Send> {
  const sent = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
  const deadline = Date.now() + insistForMs
  let isLost = chance.isTrue(lostShare)
  for (let pauseMs = 20; ; pauseMs = Math.min(pauseMs * 2, 500)) {
    const told = await wire.exchange(`/payment/webhook/${method}`, body, sent)
    counts.calls++
    const isAnswer = told?.status === 200 && !isTryAgain(told.text)
    if (isAnswer && !isLost) return { status: 200, body: told.text, type: 'application/json' }
    if (isAnswer) {
      isLost = false
      counts.repeats++
      continue
    }
    if (told && told.status !== 200 && told.status !== 502 && told.status !== 503)
      diary.complain(`a call of ${method} was answered ${told.status}`)
    if (Date.now() > deadline) {
      diary.complain(`a call of ${method} was never answered`)
      return { status: 200, body: '{"error":-7}', type: 'application/json' }
    }
    diary.retries++
    await sleep(pauseMs)
  }
}

/** Lists the money that Payme and Click took and refunded, as they have it. */
export function listAskedCharges({ transactions, click }: AskingDoubles): BankCharge[] {
  const taken = transactions.filter(({ state }) => state === 'performed' || state === 'reversed')
  return taken.map(({ provider, paymentId: id, orderId, amount, state }) => {
    const isTakenBack = state === 'reversed' || (provider === 'click' && isReversed(click, orderId))
    const refunded = isTakenBack ? amount : 0
    return { provider, id, amount, currency: 'UZS', refunded, charged_back: 0 }
  })
}

const reversedStatus = -99

/** Whether Click has reversed the order's payment, because the store asked it to. */
export const isReversed = ({ payments }: ClickDouble, orderId: string): boolean =>
  payments.some((payment) => payment.orderId === orderId && payment.status === reversedStatus)

/** Asks the store, as Payme does, for the statement of all times; returns what differs from what Payme believes. */
export async function compareStatement({ payme, transactions }: AskingDoubles): Promise<string[]> {
  const told = await payme.call('GetStatement', { from: 0, to: Date.now() + 86_400_000 })
  const listed: { id: string; amount: number; state: number }[] = told.result?.transactions ?? []
  const stated = new Map(listed.map(({ id, amount, state }) => [id, `${amount} in state ${state}`]))
  const believed = new Map(
    transactions
      .filter(({ provider }) => provider === 'payme')
      .map(({ id, amount, state }) => [id, `${amount} in state ${paymeStates[state]}`]),
  )
  const ids = new Set([...stated.keys(), ...believed.keys()])
  return [...ids]
    .filter((id) => stated.get(id) !== believed.get(id))
    .map((id) => `payme ${id}: it believes ${believed.get(id)}, the store says ${stated.get(id)}`)
}

const paymeStates = { begun: 1, performed: 2, canceled: -1, reversed: -2 } as const

/** What a play needs: the store, its database and both doubles. */
export interface Asking {
  floor: Floor
  database: Database
  doubles: AskingDoubles
}

const atOnceMost = 3

/** Makes a call several times at once, as a provider does that hears nothing; all answers must say one thing. */
export async function callOften<T>({ floor, doubles }: Asking, call: () => Promise<T>, toGist: (told: T) => string) {
  const times = floor.chance.between(1, atOnceMost)
  doubles.counts.repeats += times - 1
  const told = await Promise.all(Array.from({ length: times }, call))
  const gists = new Set(told.map(toGist))
  if (gists.size > 1) floor.diary.complain(`repeats were answered otherwise: ${[...gists].join(' and ')}`)
  return told[0] as T
}

/** Makes a call that the store has to refuse with this code. */
export async function expectRefusal(
  { floor, doubles }: Asking,
  what: string,
  { code, told }: { code: number; told: Promise<number | undefined> },
): Promise<void> {
  const given = await told
  if (given === code) doubles.counts.refused++
  else floor.diary.complain(`${what} was answered ${given}, not ${code}`)
}

/** Writes a transaction into the provider's books. */
export function noteBegun(
  { doubles }: Asking,
  provider: AskedTransaction['provider'],
  { id: paymentId, orderId, amount }: Payment,
  id: string,
): AskedTransaction {
  const begun: AskedTransaction = { provider, id, orderId, paymentId, amount, state: 'begun' }
  doubles.transactions.push(begun)
  return begun
}
