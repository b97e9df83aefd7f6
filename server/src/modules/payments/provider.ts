import type { IncomingHttpHeaders } from 'node:http'
import type { DisputeFunds, DisputeKind, DisputeStatus } from '@olmos/contract/disputes'
import type { Currency } from '@olmos/contract/money'
import type { Outcome } from '../../platform/vendor/vendor.ts'
import type { ProviderName } from './payment-settings.ts'

/**
 * A company that takes cards for the shop. Amounts are minor units. Every call to it has a time-out, and one that may
 * have been carried out all the same is `unknown`; the caller repeats it with the same key, which the provider knows.
 */
export interface PaymentProvider {
  readonly name: ProviderName
  readonly currencies: readonly Currency[]
  /** What it takes in one payment at least, in minor units; without a line as little as one. */
  readonly amountAtLeast?: Partial<Record<Currency, number>>
  createPayment(request: PaymentRequest): Promise<Outcome<OpenedPayment>>
  readPayment(providerPaymentId: string): Promise<Outcome<PaymentSnapshot>>
  refund(request: RefundRequest): Promise<Outcome<ProviderRefund>>
  readRefund(providerRefundId: string): Promise<Outcome<ProviderRefund>>
  /** Every refund of the payment, whoever made it. */
  listRefunds(providerPaymentId: string): Promise<Outcome<readonly ProviderRefund[]>>
  /** Looks at a webhook and trusts none that is forged; never throws, whatever the bytes are. */
  readWebhook(webhook: Webhook): Promise<WebhookReading>
  /** How a dispute stands now, and which payment it is about, where a webhook of it does not say all of that. */
  readDispute?(told: ReportedDispute, now: Date): Promise<Outcome<ReportedDispute>>
}

export interface PaymentRequest {
  /** The same for every attempt, and given back as the snapshot's `reference`. */
  key: string
  orderId: string
  amount: number
  currency: Currency
  /** Shown on the pay page. */
  description: string
  /** Where the browser goes afterwards. */
  returnUrl: string
  /** The same for every attempt: some providers refuse a key that comes with another body. */
  expiresAt: Date
}

export interface OpenedPayment {
  providerPaymentId: string
  payUrl: string
}

/** What a provider calls a payment: by its own id, or by the key the shop gave it. */
export type PaymentName = Pick<PaymentSnapshot, 'providerPaymentId' | 'reference'>

/** A payment as the provider has it now. */
export interface PaymentSnapshot {
  providerPaymentId: string
  /** The key it was created with; none when the payment is not of this shop's making. */
  reference: string | undefined
  status: 'pending' | 'succeeded' | 'canceled'
  amount: number
  /** In capitals; not every currency is one the shop takes. */
  currency: string
  /** Why it was canceled, in the provider's word. */
  why?: string
}

export interface RefundRequest {
  providerPaymentId: string
  amount: number
  currency: Currency
  key: string
}

export interface ProviderRefund {
  providerRefundId: string
  /** Of which payment; none when it is not of this shop's making. */
  providerPaymentId: string | undefined
  /** The key it was asked for with, where the provider keeps it. A refund made by hand has none. */
  reference: string | undefined
  status: 'pending' | 'succeeded' | 'failed'
  amount: number
  /** In capitals. */
  currency: string
  /** Why it failed, in the provider's word. */
  why?: string
}

export interface Webhook {
  body: Buffer
  headers: IncomingHttpHeaders
  address: string
  now: Date
}

export interface PaymentEvent {
  providerPaymentId: string
  /** What the webhook itself proves, and the provider's id of the event. Without it the provider has to be asked. */
  proven?: { key: string; snapshot: PaymentSnapshot }
}

/** What a cardholder's bank says against a payment, as the provider tells it. */
export interface ReportedDispute {
  providerDisputeId: string
  kind: DisputeKind
  status: DisputeStatus
  /** What the provider did with the shop's money, as far as this tells. */
  funds: DisputeFunds
  /** Minor units; none: all that was paid. */
  amount: number | undefined
  /** In capitals; none: the payment's. */
  currency: string | undefined
  /** The bank's word for it. */
  reason: string
  /** Until when evidence is taken. */
  dueBy: Date | undefined
  /** When it was so. */
  at: Date
  /** The payment; none where the provider has to be asked which of the shop's payments it is. */
  payment: PaymentName | undefined
  /** What else the provider calls the payment: an intent, a charge. */
  otherNames: readonly string[]
}

export interface HttpReply {
  status: number
  body: string
}

type WebhookReading =
  | { verified: false; reply: HttpReply }
  | {
      verified: true
      events: readonly PaymentEvent[]
      /** Refunds that were made or changed, by the provider's id, whoever made them. */
      refunds: readonly string[]
      disputes?: readonly ReportedDispute[]
      reply: HttpReply
    }

export const accepted: HttpReply = { status: 200, body: 'ok' }

/** Nobody could be asked whether it is so; the provider tells it again. */
export const repeatWebhook: HttpReply = { status: 503, body: 'could not be confirmed yet' }

export const refused = (why: string): WebhookReading => ({ verified: false, reply: { status: 400, body: why } })

/** What a body holds; undefined where it is no JSON. */
export function toJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}
