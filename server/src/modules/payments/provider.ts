import type { IncomingHttpHeaders } from 'node:http'
import type { DisputeFunds, DisputeKind, DisputeStatus } from '@olmos/contract/disputes'
import type { Currency } from '@olmos/contract/money'
import type { Outcome } from '../../platform/vendor/vendor.ts'
import type { ProviderName } from './payment-settings.ts'

/**
 * A company that takes cards for the shop. Amounts are in minor units. Every call has a timeout, and one that may have
 * been carried out all the same is `unknown`; the caller repeats it with its key, which the provider recognises.
 */
export interface PaymentProvider {
  readonly name: ProviderName
  readonly currencies: readonly Currency[]
  /** The least it takes in one payment, in minor units; without an entry, one. */
  readonly amountAtLeast?: Partial<Record<Currency, number>>
  createPayment(request: PaymentRequest): Promise<Outcome<PayPage>>
  readPayment(providerPaymentId: string): Promise<Outcome<PaymentSnapshot>>
  refund(request: ProviderRefundRequest): Promise<Outcome<ProviderRefund>>
  readRefund(providerRefundId: string): Promise<Outcome<ProviderRefund>>
  /** Reads every refund of the payment, whoever made it. */
  listRefunds(providerPaymentId: string): Promise<Outcome<readonly ProviderRefund[]>>
  /** Authenticates and reads a webhook; never throws, whatever the bytes are. */
  readWebhook(webhook: Webhook): Promise<WebhookReading>
  /**
   * Reads the present state of a dispute and the payment it is about, when its webhook does not contain all of that.
   */
  readDispute?(reported: ReportedDispute, now: Date): Promise<Outcome<ReportedDispute>>
}

export interface PaymentRequest {
  /** Identical in every attempt, and returned as the snapshot's `reference`. */
  key: string
  orderId: string
  amount: number
  currency: Currency
  /** Shown on the pay page. */
  description: string
  /** Where the browser goes afterwards. */
  returnUrl: string
  /** Identical in every attempt: some providers reject a key that comes with another body. */
  expiresAt: Date
}

export interface PayPage {
  providerPaymentId: string
  payUrl: string
}

/** Identifies a payment by the provider's id, or by the key the shop gave it. */
export type PaymentName = Pick<PaymentSnapshot, 'providerPaymentId' | 'reference'>

/** A payment's present state at the provider. */
export interface PaymentSnapshot {
  providerPaymentId: string
  /** The key it was created with; undefined when this shop did not make the payment. */
  reference: string | undefined
  status: 'pending' | 'succeeded' | 'canceled'
  amount: number
  /** In capitals; not every currency is one the shop takes. */
  currency: string
  /** Why it was canceled, in the provider's words. */
  why?: string
}

export interface ProviderRefundRequest {
  providerPaymentId: string
  amount: number
  currency: Currency
  key: string
}

export interface ProviderRefund {
  providerRefundId: string
  /** The payment's id; undefined when this shop did not make it. */
  providerPaymentId: string | undefined
  /** The key it was requested with, if the provider keeps it. A refund made by hand has none. */
  reference: string | undefined
  status: 'pending' | 'succeeded' | 'failed'
  amount: number
  /** In capitals. */
  currency: string
  /** Why it failed, in the provider's words. */
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

/** A bank's claim against a payment, as the provider reports it. */
export interface ReportedDispute {
  providerDisputeId: string
  kind: DisputeKind
  status: DisputeStatus
  /** What the provider did with the shop's money, as far as this says. */
  funds: DisputeFunds
  /** In minor units; undefined for all that was paid. */
  amount: number | undefined
  /** In capitals; undefined for the payment's currency. */
  currency: string | undefined
  /** The bank's term for it. */
  reason: string
  /** The last moment for evidence. */
  dueBy: Date | undefined
  /** When it happened. */
  at: Date
  /** The payment; undefined when the provider has to be asked which of the shop's payments it is. */
  payment: PaymentName | undefined
  /** The provider's other ids of the payment: an intent, a charge. */
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
      /** The provider's ids of refunds that were made or changed, whoever made them. */
      refunds: readonly string[]
      disputes?: readonly ReportedDispute[]
      reply: HttpReply
    }

export const accepted: HttpReply = { status: 200, body: 'ok' }

/** The provider could not be asked for confirmation, so it shall send the webhook again. */
export const repeatWebhook: HttpReply = { status: 503, body: 'could not be confirmed yet' }

export const refused = (why: string): WebhookReading => ({ verified: false, reply: { status: 400, body: why } })

/** Parses a body; undefined when it is not JSON. */
export function toJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}
