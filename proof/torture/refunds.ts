import { randomUUID } from 'node:crypto'
import { adminPaymentsApi } from '@olmos/contract/admin-payments'
import { fillingsApi } from '@olmos/contract/fillings'
import { toMajor } from '@olmos/contract/minor-units'
import { paymentsApi, type SandboxRefundAction } from '@olmos/contract/payments'
import { SERVER_LIMITS } from '../../server/src/limits.ts'
import type { Database } from '../../server/src/platform/database/database.ts'
import { sql } from '../../server/src/platform/database/queries.ts'
import type { ClickDouble } from '../../server/test/doubles/click.ts'
import { isReversed } from './asking.ts'
import { sendEvent, type Telling, tellerFor } from './bank.ts'
import { type Floor, insist } from './buyer.ts'
import { disputeAtBank } from './disputes.ts'
import { untilAnswered } from './inspection.ts'
import { actAtSandbox, type Teller } from './tellers.ts'
import { dealFrom, type Payment, type TellingName } from './ways.ts'

/** What happens to the money of a payment after it was made. */
export const dramas = [
  'kept',
  'refunded by the store',
  'refunded by the store in parts',
  'refunded at the bank',
  'refunded by both at once',
  'half at the bank, the rest by the store',
  'refunded by the store, the answer lost, repeats refused',
  'refunded by the store, pending, failed',
  'refunded at the bank, pending, failed',
  'second charge refunded at the bank',
  'disputed, and won',
  'disputed, and lost',
] as const
export type Drama = (typeof dramas)[number]

const dramaDecks: Record<TellingName, readonly Drama[]> = {
  sandbox: dramas.filter((drama) => drama !== 'second charge refunded at the bank'),
  yookassa: dramas.slice(0, 6),
  // SBP knows no keys of refunds, and the run takes a caller for killed that is merely slow: two equal parts would be two.
  tbank: dramas.slice(0, 6).filter((drama) => drama !== 'refunded by the store in parts'),
  cryptopay: ['refunded by the store', 'kept'],
}
/** Half of what was charged in another currency than the order's goes back in parts: that is where units could be lost. */
const convertedDeck: readonly Drama[] = [
  ...dramas.slice(0, 6),
  'refunded by the store in parts',
  'half at the bank, the rest by the store',
]

const mostTimes = 4

interface Play extends Telling {
  floor: Floor
  tellers: Record<TellingName, Teller>
}

/** Draws what becomes of each payment, and answers it as work to be done; counts what was drawn. */
export function drawDramas(
  floor: Floor,
  telling: Telling,
  tellers: Record<TellingName, Teller>,
  payments: readonly Payment[],
): { work: (() => Promise<void>)[]; drawn: Map<Drama, number> } {
  const play: Play = { ...telling, floor, tellers }
  const drawn = new Map<Drama, number>()
  const { chance } = floor
  const deal = {
    sandbox: dealFrom(dramaDecks.sandbox, chance),
    yookassa: dealFrom(dramaDecks.yookassa, chance),
    tbank: dealFrom(dramaDecks.tbank, chance),
    cryptopay: dealFrom(dramaDecks.cryptopay, chance),
  }
  const dealConverted = dealFrom(convertedDeck, chance)
  const isSecondRefunded = dealFrom([true, false], chance)
  const draw = ({ habit, currency, way }: Payment): Drama => {
    const { provider } = way
    if (provider === 'payme' || provider === 'click') return 'kept'
    if (habit === 'twice' && isSecondRefunded()) return 'second charge refunded at the bank'
    if (habit === 'another sum than was charged') return chance.pick(['kept', 'refunded at the bank'])
    return currency === way.currency ? deal[provider]() : dealConverted()
  }
  const work = payments
    .filter(({ habit, play: asked }) => habit !== 'declined' && asked === undefined)
    .map((payment) => {
      const drama = draw(payment)
      drawn.set(drama, (drawn.get(drama) ?? 0) + 1)
      return () => playDrama(play, payment, drama)
    })
  return { work, drawn }
}

async function playDrama(play: Play, payment: Payment, drama: Drama): Promise<void> {
  const { floor, database } = play
  const teller = tellerFor(play.tellers, payment)
  if (!teller) return
  const act = (action: SandboxRefundAction, id = payment.id) => actAtSandbox(database, id, action)
  const byStore = () => refundByStore(floor, payment)
  if (drama === 'refunded by the store') await byStore()
  if (drama === 'refunded by the store in parts') await refundInParts(play, payment)
  if (drama === 'refunded at the bank') await teller.refund(payment, 'whole')
  // The wallet gets its part at once, and nobody can take it back when the bank is a moment slower: the bank decides.
  if (drama === 'refunded by both at once')
    await Promise.all([refundByStore(floor, payment, 'card'), teller.refund(payment, 'whole')])
  if (drama === 'half at the bank, the rest by the store') {
    await teller.refund(payment, 'half')
    if (play.chance.isTrue(0.5)) await sendRefunds(play, payment)
    await byStore()
  }
  if (drama === 'refunded by the store, the answer lost, repeats refused') {
    await act('refund_lose_answer')
    await refundByStore(floor, payment, 'card')
  }
  if (drama === 'refunded by the store, pending, failed') {
    await act('refunds_pend')
    await refundByStore(floor, payment, 'card')
    await act('refunds_fail')
  }
  if (drama === 'refunded at the bank, pending, failed') {
    await act('refund_outside_pending')
    await sendRefunds(play, payment)
    if (play.chance.isTrue(0.5)) await byStore()
    await act('refunds_fail')
  }
  if (drama === 'second charge refunded at the bank') {
    const second = await untilAnswered(() =>
      database.maybe<{ id: string }>(
        sql`SELECT id FROM sandbox_payment WHERE key = ${payment.key} AND is_second_charge`,
      ),
    )
    if (second) await act('refund_outside', second.id)
    if (second) await sendRefunds(play, { ...payment, id: second.id })
  }
  if (drama === 'disputed, and won' || drama === 'disputed, and lost') {
    await disputeAtBank(play, payment, drama === 'disputed, and won' ? 'win_dispute' : 'lose_dispute')
  }
  // What was asked for while the bank was still making it wait.
  if (drama !== 'kept' && payment.way.provider === 'sandbox') await act('refunds_succeed')
  await sendRefunds(play, payment)
}

/** How much of which lines is refunded; all that is left where nothing is named. */
type RefundedItems = { id: number; amount: number }[]

/** Has an admin refund the order; what can't be refunded is refused. */
export async function refundByStore(
  floor: Floor,
  payment: Payment,
  to = floor.chance.pick(['wallet', 'card'] as const),
  items?: RefundedItems,
): Promise<void> {
  if (payment.isFilling) return refundFilling(floor, payment)
  const { wire, diary, stock } = floor
  const key = randomUUID()
  const reply = await insist(diary, () =>
    wire.call(paymentsApi.refund, {
      token: stock.admin.token,
      key,
      params: { id: payment.orderId },
      body: { to, reason: 'torture', ...(items && { items }) },
    }),
  )
  if (reply.kind === 'refused' && reply.status !== 409) diary.complain(`a refund was refused with ${reply.code}`)
}

/** Has an admin refund a filling, or a part of it; what is not in the wallet any more is refused. */
async function refundFilling({ wire, diary, stock }: Floor, { orderId }: Payment, amount?: number): Promise<void> {
  const key = randomUUID()
  const reply = await insist(diary, () =>
    wire.call(fillingsApi.refund, {
      token: stock.admin.token,
      key,
      params: { id: orderId },
      body: { reason: 'torture', ...(amount && { amount: toMajor(amount) }) },
    }),
  )
  if (reply.kind === 'refused' && ![402, 409].includes(reply.status))
    diary.complain(`a refund of a filling was refused with ${reply.code}`)
}

const partsMost = 3

/** Refunds odd sums of a line to the card, at times sums too small for it, and then at times all that is left. */
async function refundInParts({ floor, database, chance }: Play, payment: Payment): Promise<void> {
  if (payment.isFilling) {
    for (let part = 1; part < partsMost; part++)
      await refundFilling(floor, payment, chance.between(1, Math.floor(payment.total / partsMost)))
    if (chance.isTrue(0.5)) await refundFilling(floor, payment)
    return
  }
  const item = await untilAnswered(() =>
    database.one<{ id: number; price: number }>(sql`
      SELECT id, unit_price * quantity AS price FROM order_item WHERE order_id = ${payment.orderId}
      ORDER BY id LIMIT 1`),
  )
  const parts = chance.between(2, partsMost)
  for (let part = 0; part < parts; part++) {
    const amount = chance.isTrue(0.2) ? 1 : chance.between(1, Math.floor(item.price / partsMost))
    await refundByStore(floor, payment, 'card', [{ id: item.id, amount: toMajor(amount) }])
  }
  if (chance.isTrue(0.5)) await refundByStore(floor, payment, 'card')
}

/** Reports every refund that the bank has of the payment, often. */
async function sendRefunds(play: Play, payment: Payment): Promise<void> {
  const reports = (await tellerFor(play.tellers, payment)?.refundReports(payment)) ?? []
  const often = reports.flatMap((report) => Array.from({ length: play.chance.between(1, mostTimes) }, () => report))
  await Promise.all(
    often.map((report) => sendEvent(play, { payment: { ...payment, habit: 'in time' }, report, isRepeat: false })),
  )
}

const settledWithinMs = 60_000

/** Until the store has no refund to ask about any more, the clock being at it, and the operator having decided the rest. */
export async function untilRefundsSettle(floor: Floor, database: Database, click: ClickDouble): Promise<void> {
  const deadline = Date.now() + settledWithinMs
  for (;;) {
    const { left } = await untilAnswered(() =>
      database.one<{ left: number }>(
        sql`SELECT count(*)::int AS left FROM card_refund WHERE status IN ('sending', 'sent') AND stuck_since IS NULL`,
      ),
    )
    await decideStuckAtClick(floor, database, click)
    if (left === 0 || Date.now() > deadline) return
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

/**
 * Click does not tell what it has reversed, so a reversal whose answer was lost becomes an operator's, once it is too old to
 * be sent again: the run moves it into the past, and decides as one who has looked at Click's books.
 */
async function decideStuckAtClick({ wire, diary, stock }: Floor, database: Database, click: ClickDouble) {
  await untilAnswered(() =>
    database.run(sql`
      UPDATE card_refund SET created_at = card_refund.created_at - make_interval(hours => ${SERVER_LIMITS.refundResendHours + 1})
      FROM payment WHERE payment.id = payment_id AND provider = 'click' AND card_refund.status = 'sending'
        AND attempts > 2 AND card_refund.created_at > now() - interval '1 hour'`),
  )
  const stuck = await untilAnswered(() =>
    database.rows<{ id: number; order_id: string }>(sql`
      SELECT card_refund.id, order_id FROM card_refund JOIN payment ON payment.id = payment_id
      WHERE provider = 'click' AND card_refund.status = 'sending' AND stuck_since IS NOT NULL`),
  )
  for (const { id, order_id } of stuck) {
    const isPaid = isReversed(click, order_id)
    const key = randomUUID()
    await insist(diary, () =>
      wire.call(adminPaymentsApi.decideRefund, {
        token: stock.admin.token,
        key,
        params: { id: String(id) },
        body: { decision: isPaid ? 'paid' : 'wallet', reason: 'torture', ...(isPaid && { reference: order_id }) },
      }),
    )
  }
}
