import { randomUUID } from 'node:crypto'
import { paymentsApi, type SandboxRefundAction } from '@olmos/contract/payments'
import { type Sandbox, sandboxProvider } from '../../server/src/modules/payments/providers/sandbox.ts'
import type { Database } from '../../server/src/platform/database/database.ts'
import { sql } from '../../server/src/platform/database/queries.ts'
import { type Payment, sendEvent, type Telling } from './bank.ts'
import { insist } from './buyer.ts'
import { untilAnswered } from './inspection.ts'
import { type Stage, sandboxSecret } from './stage.ts'

/** What happens to the money of a payment after it was made. */
export const dramas = [
  'kept',
  'refunded by the store',
  'refunded at the bank',
  'refunded by both at once',
  'half at the bank, the rest by the store',
  'refunded by the store, the answer lost, repeats refused',
  'refunded by the store, pending, failed',
  'refunded at the bank, pending, failed',
  'second charge refunded at the bank',
] as const
export type Drama = (typeof dramas)[number]

const mostTimes = 4

interface Play extends Telling {
  bank: Sandbox
  admin: { token: string }
}

export const bankFor = (database: Database): Sandbox =>
  sandboxProvider.create({ SANDBOX_SECRET: sandboxSecret }, { database, publicUrl: '' })

/** Draws what becomes of each payment, and answers it as work to be done; counts what was drawn. */
export function drawDramas(
  { floor, postgres }: Stage,
  telling: Telling,
  payments: readonly Payment[],
): { work: (() => Promise<void>)[]; drawn: Map<Drama, number> } {
  const play: Play = { ...telling, bank: bankFor(postgres.database), admin: floor.stock.admin }
  const drawn = new Map<Drama, number>()
  const work = payments
    .filter(({ habit }) => habit !== 'declined')
    .map((payment) => {
      const isTwice = payment.habit === 'twice' && floor.chance.isTrue(0.5)
      const drama = isTwice ? 'second charge refunded at the bank' : floor.chance.pick(dramas.slice(0, -1))
      drawn.set(drama, (drawn.get(drama) ?? 0) + 1)
      return () => playDrama(play, payment, drama)
    })
  return { work, drawn }
}

async function playDrama(play: Play, payment: Payment, drama: Drama): Promise<void> {
  const act = (action: SandboxRefundAction, id = payment.id) => atBank(play, id, action)
  const byStore = () => refundByStore(play, payment)
  if (drama === 'refunded by the store') await byStore()
  if (drama === 'refunded at the bank') await act('refund_outside')
  // The wallet gets its part at once, and nobody can take it back when the bank is a moment slower: the bank decides.
  if (drama === 'refunded by both at once')
    await Promise.all([refundByStore(play, payment, 'card'), act('refund_outside')])
  if (drama === 'half at the bank, the rest by the store') {
    await act('refund_outside_part')
    if (play.chance.isTrue(0.5)) await sendRefunds(play, payment)
    await byStore()
  }
  if (drama === 'refunded by the store, the answer lost, repeats refused') {
    await act('refund_lose_answer')
    await refundByStore(play, payment, 'card')
  }
  if (drama === 'refunded by the store, pending, failed') {
    await act('refunds_pend')
    await refundByStore(play, payment, 'card')
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
      play.database.maybe<{ id: string }>(
        sql`SELECT id FROM sandbox_payment WHERE key = ${payment.key} AND is_second_charge`,
      ),
    )
    if (second) await act('refund_outside', second.id)
    if (second) await sendRefunds(play, { ...payment, id: second.id })
  }
  // What was asked for while the bank was still making it wait.
  if (drama !== 'kept') await act('refunds_succeed')
  await sendRefunds(play, payment)
}

/** Does it in the bank's own books; what was done before the database was gone for a moment is not done again. */
async function atBank({ bank, database }: Play, id: string, action: SandboxRefundAction): Promise<void> {
  const { before } = await untilAnswered(() => countRefunds(database, id))
  await untilAnswered(async () => {
    const isCabinet = action.startsWith('refund_outside')
    if (isCabinet && (await countRefunds(database, id)).before > before) return
    await bank.act(id, action, new Date()).catch((error) => {
      // Nothing is left to refund.
      if (error?.code !== 'STATE_CONFLICT') throw error
    })
  })
}

const countRefunds = (database: Database, id: string) =>
  database.one<{ before: number }>(sql`SELECT count(*)::int AS before FROM sandbox_refund WHERE payment_id = ${id}`)

async function refundByStore(
  { wire, diary, chance, admin }: Play,
  payment: Payment,
  to = chance.pick(['wallet', 'card'] as const),
) {
  const key = randomUUID()
  const reply = await insist(diary, () =>
    wire.call(paymentsApi.refund, {
      token: admin.token,
      key,
      params: { id: payment.orderId },
      body: { to, reason: 'torture' },
    }),
  )
  if (reply.kind === 'refused' && reply.status !== 409) diary.complain(`a refund was refused with ${reply.code}`)
}

/** Reports every refund that the bank has of the payment, often. */
async function sendRefunds(play: Play, payment: Payment): Promise<void> {
  const listed = await untilAnswered(() => play.bank.listRefunds(payment.id))
  const refunds = listed.kind === 'done' ? listed.value : []
  const webhooks = refunds.flatMap(({ providerRefundId: id, status }) =>
    Array.from({ length: play.chance.between(1, mostTimes) }, () =>
      JSON.stringify({ id: `${status}:${id}`, refund: { id } }),
    ),
  )
  await Promise.all(
    webhooks.map((body) => sendEvent(play, { payment: { ...payment, habit: 'in time' }, body, isRepeat: false })),
  )
}

const settledWithinMs = 60_000

/** Until the store has no refund to ask about any more, the clock being at it. */
export async function untilRefundsSettle(database: Database): Promise<void> {
  const deadline = Date.now() + settledWithinMs
  for (;;) {
    const { left } = await untilAnswered(() =>
      database.one<{ left: number }>(
        sql`SELECT count(*)::int AS left FROM card_refund WHERE status IN ('sending', 'sent') AND stuck_since IS NULL`,
      ),
    )
    if (left === 0 || Date.now() > deadline) return
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}
