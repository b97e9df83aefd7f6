import { setTimeout as sleep } from 'node:timers/promises'
import { ordersApi } from '@olmos/contract/orders'
import { sql } from '../../server/src/platform/database/queries.ts'
import type { PaymeAnswer, PaymeTransaction } from '../../server/test/doubles/payme.ts'
import { type AskedTransaction, type Asking, callOften, expectRefusal, noteBegun } from './asking.ts'
import { endSoon, lastMomentMs } from './bank.ts'
import { insist } from './buyer.ts'
import { untilAnswered } from './inspection.ts'
import { endTime } from './payer.ts'
import { refundByStore } from './refunds.ts'
import type { Payment, PaymePlay } from './ways.ts'

const codes = { wrongAmount: -31001, unknown: -31003, delivered: -31007, ended: -31008, otherPending: -31052 }
const states: Readonly<Record<number, AskedTransaction['state']>> = {
  1: 'begun',
  2: 'performed',
  [-1]: 'canceled',
  [-2]: 'reversed',
}

const toGist = ({ result, error }: PaymeAnswer): string => JSON.stringify(error?.code ?? result)

/** A transaction under way: as Payme sends it, and as it has it in its books. */
interface Begun {
  sent: PaymeTransaction
  kept: AskedTransaction
}

/** Does to the order, as Payme, what the play says. */
export async function playPayme(asking: Asking, payment: Payment, play: PaymePlay): Promise<void> {
  const { floor, database } = asking
  if (play === 'two begun at once') return beginTwo(asking, payment)
  const begun = await begin(asking, payment)
  if (!begun) return
  if (play === 'performed late') await endTime(database, payment.orderId)
  if (play === 'performed at the last moment') {
    await endSoon({ database, latencyMs: 0 }, payment)
    await sleep(floor.chance.between(0, 2 * lastMomentMs))
  }
  if (play === 'canceled, then another performed') {
    await cancel(asking, begun)
    await expectRefusal(asking, 'a perform after a cancel', { code: codes.ended, told: performOnce(asking, begun) })
    return performAnother(asking, payment)
  }
  if (play === 'twelve hours long') {
    await passTwelveHours(asking, begun)
    await expectRefusal(asking, 'a perform after twelve hours', { code: codes.ended, told: performOnce(asking, begun) })
    await lookUp(asking, begun)
    return performAnother(asking, payment)
  }
  if (play === 'performed and canceled at once') {
    await Promise.all([performOnce(asking, begun), cancelOnce(asking, begun)])
    return lookUp(asking, begun)
  }
  await perform(asking, begun)
  if (play === 'taken back after delivery') await showOrder(asking, payment)
  if (play === 'taken back' || play === 'taken back after delivery') return cancel(asking, begun)
  if (play === 'taken back while the store refunds') {
    await Promise.all([cancelOnce(asking, begun), refundByStore(floor, payment, 'wallet')])
    return lookUp(asking, begun)
  }
  if (floor.chance.isTrue(0.5)) await refundByStore(floor, payment)
}

/** Sends what is wrong first, at times: a step too early, or another amount. */
async function begin(asking: Asking, payment: Payment): Promise<Begun | undefined> {
  const { floor, doubles } = asking
  const { payme } = doubles
  const sent = payme.transaction(payment.orderId, payment.amount)
  if (floor.chance.isTrue(0.3))
    await expectRefusal(asking, 'a perform before its create', {
      code: codes.unknown,
      told: payme.perform(sent).then(toCode),
    })
  if (floor.chance.isTrue(0.3))
    await expectRefusal(asking, 'another amount by one tiyin', {
      code: codes.wrongAmount,
      told: payme.create(payme.transaction(payment.orderId, payment.amount + 1)).then(toCode),
    })
  const told = await callOften(asking, () => payme.create(sent), toGist)
  if (told.result?.state === 1) return { sent, kept: noteBegun(asking, 'payme', payment, sent.id) }
  floor.diary.complain(`payme could not begin ${payment.orderId}: ${toGist(told)}`)
  return undefined
}

const toCode = ({ error }: PaymeAnswer): number | undefined => error?.code

/** Begins two transactions at once for one order: one of them is taken, and is performed. */
async function beginTwo(asking: Asking, payment: Payment): Promise<void> {
  const { floor, doubles } = asking
  const { payme } = doubles
  const both = [0, 1].map(() => payme.transaction(payment.orderId, payment.amount))
  const told = await Promise.all(both.map((sent) => payme.create(sent)))
  const taken = both.filter((_, index) => told[index]?.result?.state === 1)
  const [sent] = taken
  if (taken.length !== 1 || !sent) return floor.diary.complain(`of two begun at once payme has ${told.map(toGist)}`)
  for (const answer of told.filter(({ error }) => error)) {
    await expectRefusal(asking, 'a second transaction', {
      code: codes.otherPending,
      told: Promise.resolve(toCode(answer)),
    })
  }
  await perform(asking, { sent, kept: noteBegun(asking, 'payme', payment, sent.id) })
  const other = both.find((one) => one !== sent)
  if (other)
    await expectRefusal(asking, 'a perform of the second', {
      code: codes.unknown,
      told: payme.perform(other).then(toCode),
    })
}

async function performAnother(asking: Asking, payment: Payment): Promise<void> {
  const begun = await begin(asking, payment)
  if (begun) await perform(asking, begun)
}

async function perform(asking: Asking, { sent, kept }: Begun): Promise<void> {
  const told = await callOften(asking, () => asking.doubles.payme.perform(sent), toGist)
  if (told.result?.state === 2) kept.state = 'performed'
  else asking.floor.diary.complain(`payme could not perform ${sent.id}: ${toGist(told)}`)
}

const performOnce = ({ doubles }: Asking, { sent }: Begun) => doubles.payme.perform(sent).then(toCode)
const cancelOnce = ({ doubles }: Asking, { sent }: Begun) => doubles.payme.cancel(sent).then(toCode)

/** Cancels it; the store may refuse that only because the buyer has something of it. */
async function cancel(asking: Asking, { sent, kept }: Begun): Promise<void> {
  const told = await callOften(asking, () => asking.doubles.payme.cancel(sent, 5), toGist)
  const became = told.result && states[told.result.state]
  if (became) kept.state = became
  else if (told.error?.code === codes.delivered) asking.doubles.counts.refused++
  else asking.floor.diary.complain(`payme could not cancel ${sent.id}: ${toGist(told)}`)
}

/** Asks how the transaction stands, and believes it. */
async function lookUp({ doubles, floor }: Asking, { sent, kept }: Begun): Promise<void> {
  const told = await doubles.payme.check(sent)
  const stands = told.result && states[told.result.state]
  if (stands) kept.state = stands
  else floor.diary.complain(`payme could not look up ${sent.id}: ${toGist(told)}`)
}

/** Moves the beginning of the transaction into the past: nobody waits so long. */
const passTwelveHours = ({ database }: Asking, { sent }: Begun) =>
  untilAnswered(() =>
    database.run(sql`
      UPDATE provider_transaction SET begun_at = now() - interval '12 hours 5 minutes'
      WHERE provider = 'payme' AND external_id = ${sent.id}`),
  )

/** Has the buyer look at the codes. */
async function showOrder({ floor }: Asking, { orderId, shopper }: Payment): Promise<void> {
  const { wire, diary } = floor
  await insist(diary, () => wire.call(ordersApi.receipt, { token: shopper.token, params: { id: orderId } }))
}
