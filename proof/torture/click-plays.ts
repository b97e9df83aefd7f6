import { setTimeout as sleep } from 'node:timers/promises'
import type { ClickAnswer, ClickTransaction } from '../../server/test/doubles/click.ts'
import { type AskedTransaction, type Asking, callOften, expectRefusal, noteBegun } from './asking.ts'
import { endSoon, lastMomentMs } from './bank.ts'
import { endTime } from './payer.ts'
import { refundByStore } from './refunds.ts'
import type { ClickPlay, Payment } from './ways.ts'

const codes = { wrongAmount: -2, paid: -4, unknown: -6, ended: -9 }
const noMoney = { error: '-5017', error_note: 'No money' }
const tashkentMs = 5 * 3_600_000
const completedStatus = 2

const toSoums = (tiyin: number): string => (tiyin / 100).toFixed(2)
const toCode = ({ error }: ClickAnswer): number => error

interface Prepared {
  sent: ClickTransaction
  kept: AskedTransaction
}

/** Does to the order, as Click, what the play says. */
export async function playClick(asking: Asking, payment: Payment, play: ClickPlay): Promise<void> {
  const { floor, database, doubles } = asking
  if (play === 'two prepared at once') return prepareTwo(asking, payment)
  const prepared = await prepare(asking, payment)
  if (!prepared) return
  if (play === 'not paid, then another completed') {
    await fail(asking, prepared)
    const told = doubles.click.complete(prepared.sent).then(toCode)
    await expectRefusal(asking, 'a complete after an error', { code: codes.ended, told })
    const another = await prepare(asking, payment)
    return another && complete(asking, another)
  }
  if (play === 'completed late') await endTime(database, payment.orderId)
  if (play === 'completed at the last moment') {
    await endSoon({ database, latencyMs: 0 }, payment)
    await sleep(floor.chance.between(0, 2 * lastMomentMs))
  }
  await complete(asking, prepared)
  if (play === 'reversed by the store') return refundByStore(floor, payment, 'card')
  if (floor.chance.isTrue(0.5)) await refundByStore(floor, payment, 'wallet')
}

/** Sends what is wrong first, at times: a step too early, or another amount. */
async function prepare(asking: Asking, payment: Payment): Promise<Prepared | undefined> {
  const { floor, doubles } = asking
  const { click } = doubles
  const sent = click.transaction(payment.orderId, toSoums(payment.amount))
  if (floor.chance.isTrue(0.3)) {
    const told = click.complete({ ...sent, merchant_prepare_id: '1' }).then(toCode)
    await expectRefusal(asking, 'a complete before its prepare', { code: codes.unknown, told })
  }
  if (floor.chance.isTrue(0.3)) {
    const told = click.prepare(click.transaction(payment.orderId, toSoums(payment.amount + 1))).then(toCode)
    await expectRefusal(asking, 'another amount by one tiyin', { code: codes.wrongAmount, told })
  }
  const toGist = ({ error, merchant_prepare_id }: ClickAnswer) => `${error} ${merchant_prepare_id}`
  const told = await callOften(asking, () => click.prepare(sent), toGist)
  if (told.error === 0) return { sent, kept: noteBegun(asking, 'click', payment, sent.click_trans_id) }
  floor.diary.complain(`click could not prepare ${payment.orderId}: ${told.error}`)
  return undefined
}

/** Prepares two attempts at once for one order: one of them is taken, and is completed. */
async function prepareTwo(asking: Asking, payment: Payment): Promise<void> {
  const { floor, doubles } = asking
  const { click } = doubles
  const both = [0, 1].map(() => click.transaction(payment.orderId, toSoums(payment.amount)))
  const told = await Promise.all(both.map((sent) => click.prepare(sent)))
  const taken = both.filter((_, index) => told[index]?.error === 0)
  const [sent] = taken
  if (taken.length !== 1 || !sent) return floor.diary.complain(`of two prepared at once click has ${told.map(toCode)}`)
  for (const { error } of told.filter((answer) => answer.error !== 0))
    await expectRefusal(asking, 'a second attempt', { code: codes.ended, told: Promise.resolve(error) })
  await complete(asking, { sent, kept: noteBegun(asking, 'click', payment, sent.click_trans_id) })
}

/** Completes it; "already paid" is what a repeat is told. */
async function complete(asking: Asking, { sent, kept }: Prepared): Promise<void> {
  const { click } = asking.doubles
  const toGist = ({ error, merchant_confirm_id }: ClickAnswer) =>
    `${error === codes.paid ? 0 : error} ${merchant_confirm_id}`
  const told = await callOften(asking, () => click.complete(sent), toGist)
  if (told.error !== 0 && told.error !== codes.paid)
    return asking.floor.diary.complain(`click could not complete ${sent.click_trans_id}: ${told.error}`)
  kept.state = 'performed'
  const id = Number(sent.click_paydoc_id)
  // The answer that said so was lost.
  if (click.payments.some((payment) => payment.id === id)) return
  const day = new Date(Date.now() + tashkentMs).toISOString().slice(0, 10)
  click.payments.push({ id, orderId: sent.merchant_trans_id, day, status: completedStatus })
}

/** Tells that the money could not be taken. */
async function fail(asking: Asking, { sent, kept }: Prepared): Promise<void> {
  const told = await callOften(
    asking,
    () => asking.doubles.click.complete(sent, noMoney),
    ({ error }) => String(error),
  )
  if (told.error === codes.ended) kept.state = 'canceled'
  else asking.floor.diary.complain(`click could not fail ${sent.click_trans_id}: ${told.error}`)
}
