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
  /** What it takes in one payment at least, in minor units; without a line as little as one. */
  readonly amountAtLeast?: Partial<Record<Currency, number>>
  /** Opens a payment and answers the page to pay it at. The same key again is the same payment. */
  createPayment(request: PaymentRequest): Promise<Outcome<OpenedPayment>>
  /** Reads how a payment stands; `rejected` when there is none of that name, or it is another shop's. */
  readPayment(providerPaymentId: string): Promise<Outcome<PaymentSnapshot>>
  /**
   * Gives money of a payment back, all or part of it. The same key again is the same refund; more than is left of the
   * payment is `rejected`. What it answers may still be pending, and may fail later.
   */
  refund(request: RefundRequest): Promise<Outcome<ProviderRefund>>
  /** Reads how a refund stands, whoever made it; `rejected` when there is none of that name. */
  readRefund(providerRefundId: string): Promise<Outcome<ProviderRefund>>
  /** Lists every refund of the payment, whoever made it. */
  listRefunds(providerPaymentId: string): Promise<Outcome<readonly ProviderRefund[]>>
  /** Looks at a webhook and trusts none that is forged; never throws, whatever the bytes are. */
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

export interface OpenedPayment {
  providerPaymentId: string
  /** Where the customer pays. */
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
  /** Stays the same for every attempt. */
  key: string
}

export interface ProviderRefund {
  providerRefundId: string
  /** Which payment it gives back; none when that is not of this shop's making. */
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

type WebhookReading =
  | ForgedWebhook
  | {
      verified: true
      events: readonly PaymentEvent[]
      /** Refunds that were made or changed, by the provider's id, whoever made them. */
      refunds: readonly string[]
      disputes?: readonly ReportedDispute[]
      reply: HttpReply
    }
