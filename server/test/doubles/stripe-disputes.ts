import { randomBytes } from 'node:crypto'
import disputeAnswer from './answers/stripe-dispute.json' with { type: 'json' }
import warningAnswer from './answers/stripe-early-fraud-warning.json' with { type: 'json' }
import eventAnswer from './answers/stripe-event.json' with { type: 'json' }
import { type SignedWebhook, type StripeDouble, signStripe } from './stripe.ts'

type BalanceMovement = { object: 'balance_transaction'; amount: number; type: 'adjustment' }
export type StripeDispute = Omit<typeof disputeAnswer, 'payment_intent' | 'balance_transactions'> & {
  payment_intent: string | null
  balance_transactions: BalanceMovement[]
}

const draw = (prefix: string) => `${prefix}_${randomBytes(12).toString('hex')}`
const moved = (amount: number): BalanceMovement => ({ object: 'balance_transaction', amount, type: 'adjustment' })

/** Simulates the bank of a paid session's card, as Stripe reports it. */
export function disputesAt(stripe: StripeDouble) {
  const events: { at: number } = { at: Math.floor(Date.now() / 1000) }
  const paid = (sessionId: string) => {
    const session = stripe.sessions.get(sessionId)
    if (!session?.payment_intent) throw new Error('nobody paid this session')
    return { ...session, payment_intent: session.payment_intent }
  }
  const keep = <T extends { id: string }>(object: T): T => {
    stripe.others.set(object.id, object)
    return object
  }
  return {
    /** Opens a dispute: the money is withdrawn at once, unless the bank only asks. */
    open(sessionId: string, { status = 'needs_response', amount }: { status?: string; amount?: number } = {}) {
      const { payment_intent, amount_total } = paid(sessionId)
      const disputed = amount ?? amount_total
      return keep<StripeDispute>({
        ...disputeAnswer,
        id: draw('du'),
        charge: draw('ch'),
        payment_intent,
        status,
        reason: 'fraudulent',
        amount: disputed,
        balance_transactions: status.startsWith('warning') ? [] : [moved(-disputed)],
        evidence_details: { ...disputeAnswer.evidence_details, due_by: Math.floor(Date.now() / 1000) + 7 * 24 * 3_600 },
      })
    },
    close(dispute: StripeDispute, status: 'won' | 'lost' | 'warning_closed') {
      const back = status === 'won' ? [moved(dispute.amount)] : []
      return keep<StripeDispute>({
        ...dispute,
        status,
        balance_transactions: [...dispute.balance_transactions, ...back],
      })
    },
    warning: (sessionId: string) =>
      keep({
        ...warningAnswer,
        id: draw('issfr'),
        fraud_type: 'made_with_stolen_card',
        payment_intent: paid(sessionId).payment_intent,
      }),
    /** Makes an event a second later than the previous one, unless told otherwise. */
    event(type: string, object: object, { at = ++events.at }: { at?: number } = {}): SignedWebhook {
      const event = { ...eventAnswer, id: draw('evt'), type, created: at, data: { object } }
      return signStripe(JSON.stringify(event), stripe.webhookSecret, new Date())
    },
    /** Stripe can't be asked about it any more: only the signed webhook is left. */
    forget: (dispute: StripeDispute) => void stripe.others.delete(dispute.id),
  }
}
