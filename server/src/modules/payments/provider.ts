import type { DisputeFunds, DisputeKind, DisputeStatus } from '@olmos/contract/disputes'
import type { Currency } from '@olmos/contract/money'
import type { z } from 'zod'
import type { Database } from '../../platform/database/database.ts'
import type { VendorAdapter } from '../../platform/vendor/adapters.ts'
import type { Outcome, VendorFetch } from '../../platform/vendor/vendor.ts'
import type { ForgedWebhook, HttpReply, Webhook } from '../../platform/vendor/webhooks.ts'

/** What a provider is called: `name` of its adapter. */
export type ProviderName = string

/** What a provider may be made of besides its settings. */
export interface ProviderDeps {
  database: Database
  /** Where customers reach the store, without a slash at the end. */
  publicUrl: string
  fetchVendor: VendorFetch
}

/** A provider as it stands in the list of `providers.ts`. */
export type ProviderAdapter<Settings extends z.ZodObject = z.ZodObject> = VendorAdapter<
  Settings,
  ProviderDeps,
  PaymentProvider
>

/**
 * A company that takes cards for the shop. Amounts are minor units. Every call to it has a time-out, and one that may
 * have been carried out all the same is `unknown`; the caller repeats it with the same key, which the provider knows.
 * Where the provider does not take the shop's own credentials, a call is `rejected('not_allowed')`.
 */
export interface PaymentProvider {
  readonly name: ProviderName
  readonly currencies: readonly Currency[]
  /** The least it takes in one payment, in minor units; without an entry, one. */
  readonly amountAtLeast?: Partial<Record<Currency, number>>
  /** Opens a payment and answers the page to pay it at. The same key again is the same payment. */
  createPayment(request: PaymentRequest): Promise<Outcome<PayPage>>
  /** Reads how a payment stands; `rejected` when there is none of that name, or it is another shop's. */
  readPayment(providerPaymentId: string): Promise<Outcome<PaymentSnapshot>>
  /**
   * Gives money of a payment back, all or part of it. The same key again is the same refund; more than is left of the
   * payment is `rejected`. What it answers may still be pending, and may fail later.
   */
  refund(request: ProviderRefundRequest): Promise<Outcome<ProviderRefund>>
  /** Reads how a refund stands, whoever made it; `rejected` when there is none of that name. */
  readRefund(providerRefundId: string): Promise<Outcome<ProviderRefund>>
  /** Lists every refund of the payment, whoever made it. */
  listRefunds(providerPaymentId: string): Promise<Outcome<readonly ProviderRefund[]>>
  /** Authenticates and reads a webhook; never throws, whatever the bytes are. */
  readWebhook(webhook: Webhook): Promise<WebhookReading>
  /** Reads how a dispute stands now, and which payment it is about, where a webhook of it does not say all of that. */
  readDispute?(told: ReportedDispute, now: Date): Promise<Outcome<ReportedDispute>>
}

export interface PaymentRequest {
  /** Stays the same for every attempt, and comes back as the snapshot's `reference`. */
  key: string
  orderId: string
  amount: number
  currency: Currency
  /** Shown on the pay page. */
  description: string
  /** Where the browser goes afterwards. */
  returnUrl: string
  /** Stays the same for every attempt: some providers refuse a key that comes with another body. */
  expiresAt: Date
}

export interface PayPage {
  providerPaymentId: string
  /** Where the customer pays. */
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
  /** Stays the same for every attempt. */
  key: string
}

export interface ProviderRefund {
  providerRefundId: string
  /** The id of the refunded payment; undefined when this shop did not make it. */
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

type WebhookReading =
  | ForgedWebhook
  | {
      verified: true
      events: readonly PaymentEvent[]
      /** The provider's ids of refunds that were made or changed, whoever made them. */
      refunds: readonly string[]
      disputes?: readonly ReportedDispute[]
      reply: HttpReply
    }
