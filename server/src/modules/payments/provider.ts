import type { DisputeFunds, DisputeKind, DisputeStatus } from '@olmos/contract/disputes'
import type { Language } from '@olmos/contract/fields'
import type { ReceiptMode, ReceiptSubject, ReceiptTax, TaxSystem } from '@olmos/contract/fiscal'
import type { ChargeCurrency } from '@olmos/contract/money'
import type { PaymentMark } from '@olmos/contract/orders'
import type { ContactNeed } from '@olmos/contract/payments'
import type { z } from 'zod'
import type { Database } from '../../platform/database/database.ts'
import type { ForgedWebhook, HttpReply, VendorAdapter, Webhook } from '../../platform/vendor/adapters.ts'
import type { Outcome, VendorFetch } from '../../platform/vendor/vendor.ts'

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
> & {
  /** Where the provider has to call the shop, and about what, as an operator enters it in its cabinet. */
  readonly webhooks: readonly ProviderWebhook[]
}

/** An address below the provider's own, and the provider's names of the events that have to be sent there. */
interface ProviderWebhook {
  path?: string
  events: readonly string[]
}

/** The code of a rejection that is nobody's no: the answer with the page's address was lost, and is not told again. */
export const payPageLost = 'pay_page_lost'

/** Why it is unknown what became of a refund where asking once more tells no more: only a person can look. */
export const refundUntold = 'no_completed_payment'

/**
 * A company that takes money for the shop. Amounts are minor units of what is charged (`charges`), which need not be the
 * currency of the order. Two kinds exist: those that notify (the store opens a payment, they tell how it ended:
 * `readWebhook`), and those that ask (the customer is sent to their page, they call the store, and its books are the
 * answer: `answer`). Every call to a provider has a time-out, and one that may have been carried out all the same is
 * `unknown`; the caller repeats it with the same key, which the provider knows. Where the provider does not take the shop's
 * own credentials, a call is `rejected('not_allowed')`.
 */
export interface PaymentProvider {
  readonly name: ProviderName
  /** The ways to pay that a customer may choose at it; the first is meant where nobody chose. */
  readonly methods: readonly [ProviderMethod, ...ProviderMethod[]]
  /** What it charges in. An order in another currency is converted to the first of them that has a rate. */
  readonly charges: readonly [ChargeCurrency, ...ChargeCurrency[]]
  /** The least it takes in one payment, in minor units; without an entry, one. */
  readonly least?: Partial<Record<ChargeCurrency, number>>
  /**
   * What its fiscal receipts must know of the customer; absent where it takes none. It is asked for at the checkout only
   * where the shop's settings have receipts on for it.
   */
  readonly needsContact?: ContactNeed
  /** Whether each of its receipts must say the shop's tax system. */
  readonly needsTaxSystem?: true
  /**
   * Opens a payment and answers the page to pay it at. The same key again is the same payment. A provider that asks has no
   * id of its own for it yet: its `providerPaymentId` is the key, or is made with it. Where the page of one that was opened
   * can't be had again, it is `rejected(payPageLost)`: another one takes its place.
   */
  createPayment(request: PaymentRequest): Promise<Outcome<PayPage>>
  /**
   * Reads how a payment stands; `rejected` when there is none of that name, or it is another shop's. Absent where only the
   * provider's own calls tell.
   */
  readPayment?(providerPaymentId: string): Promise<Outcome<PaymentSnapshot>>
  /**
   * Refunds a payment, in whole or in part. The same key again is the same refund; more than is left of the
   * payment is `rejected`. What it answers may still be pending, and may fail later. Where it stays unknown what is read
   * before anything is sent, the outcome says so (`beforeSending`): the attempt does not count. Absent where refunds are made
   * in the provider's cabinet only, which a call or a webhook reports.
   */
  refund?(request: ProviderRefundRequest): Promise<Outcome<ProviderRefund>>
  /** Reads how a refund stands, whoever made it; `rejected` when there is none of that name. */
  readRefund?(providerRefundId: string): Promise<Outcome<ProviderRefund>>
  /** Lists every refund of the payment, whoever made it. */
  listRefunds?(providerPaymentId: string): Promise<Outcome<readonly ProviderRefund[]>>
  /**
   * Reads how the tax office's document of a payment stands, or of one of its refunds: for a provider that tells nobody by
   * itself. Asked about those only that were sent a receipt.
   */
  readReceipt?(name: ReceiptName): Promise<Outcome<ReceiptState>>
  /** Lists what was paid in a span of time, both ends by the provider's clock, for comparing it with the books. */
  listPayments?(from: Date, to: Date): Promise<Outcome<readonly PaymentSnapshot[]>>
  /**
   * Opens a payment with a receipt whose page nobody is given the address of, to learn whether the provider takes it. Its
   * money would only be held, were it paid. Tells whether the payment was closed, or ends by itself. Present with `needsContact`.
   */
  tryReceipt?(request: PaymentRequest & { receipt: FiscalReceipt }): Promise<Outcome<'canceled' | 'expires'>>
  /** Authenticates and reads a webhook; never throws, whatever the bytes are. Absent for a provider that asks. */
  readWebhook?(webhook: Webhook): Promise<WebhookReading>
  /**
   * Answers a provider that asks, in its own dialect: authenticates the call, moves the books as it says, and tells how they
   * stand. `method` is the last part of the address, if it has one. Never throws, whatever the bytes are: what goes wrong
   * inside is the provider's own word for "try again".
   */
  answer?(call: Webhook & { method: string | undefined }, books: PaymentBooks): Promise<HttpReply>
  /**
   * Asks something harmless that the provider answers for the shop's own credentials only, to learn whether it takes them.
   * Where it is absent, a payment that does not exist is read instead.
   */
  tryAccount?(): Promise<Outcome<AccountFacts>>
  /** The id of a payment that is not the shop's, where the provider's have a form: one of another form is never asked about. */
  readonly othersPaymentId?: string
  /** Reads how a dispute stands now, and which payment it is about, where a webhook of it does not say all of that. */
  readDispute?(told: ReportedDispute, now: Date): Promise<Outcome<ReportedDispute>>
}

/** A provider that notifies, and whose payments can be read. */
export type NotifyingProvider = PaymentProvider & Required<Pick<PaymentProvider, 'readPayment' | 'readWebhook'>>

/** A provider that makes refunds when it is asked to, and tells which it made. */
export type RefundingProvider = PaymentProvider &
  Required<Pick<PaymentProvider, 'refund' | 'readRefund' | 'listRefunds'>>

/** What a provider says of the shop's account at it. */
export interface AccountFacts {
  /** Whether it is for tests, and takes no real money. */
  isTest?: boolean
  /** Whether it sends fiscal receipts. */
  hasReceipts?: boolean
}

/** A way to pay at a provider, such as the card or the fast payment system of YooKassa. */
export interface ProviderMethod {
  /** What it is called on the wire and in the shop's settings; unique among all providers. */
  readonly name: string
  /** The mark beside it, and the words that name it where the shop gives no title of its own. */
  readonly mark: PaymentMark
  /** What it charges in; without it, what its provider does. */
  readonly charges?: readonly [ChargeCurrency, ...ChargeCurrency[]]
}

export interface PaymentRequest {
  /** Stays the same for every attempt, and comes back as the snapshot's `reference`. */
  key: string
  orderId: string
  /** The name of one of the provider's `methods`. */
  method: string
  /** What is charged. */
  amount: number
  currency: ChargeCurrency
  /** Shown on the pay page. */
  description: string
  /** The language of the pay page, where the provider has a choice. */
  language: Language
  /** Where the browser goes afterwards. */
  returnUrl: string
  /** Stays the same for every attempt: some providers refuse a key that comes with another body. */
  expiresAt: Date
  /** Present where the provider wants a fiscal receipt. */
  receipt?: FiscalReceipt
}

/** What a provider tells the tax office of a sale or a refund (54-FZ); the lines add up to the amount, to the kopeck. */
export interface FiscalReceipt {
  contact: { email: string } | { phone: string }
  /** The shop's tax system; undefined where the cash register knows it. */
  taxSystem: TaxSystem | undefined
  lines: readonly FiscalLine[]
}

export interface FiscalLine {
  /** At most 128 characters. */
  name: string
  quantity: number
  /** The price of one, in minor units. */
  unitPrice: number
  /** The sum of the whole line, which need not be quantity times price where the sum was rounded or refunded in part. */
  amount: number
  tax: ReceiptTax
  subject: ReceiptSubject
  mode: ReceiptMode
}

/** A line of a receipt in Uzbekistan, whose sum is its quantity times the price of one. */
export interface CodedLine {
  /** At most 128 characters. */
  name: string
  quantity: number
  /** The price of one with VAT, in minor units. */
  unitPrice: number
  amount: number
  /** The state's code of the goods or the service, of 17 digits. */
  ikpu: string
  packageCode: string
  vatPercent: number
}

/**
 * The store's books as a provider that asks may move them: each in one database transaction, and safe to repeat. Amounts
 * are minor units of the charge. `id` is the provider's id of its transaction, `account` the id of the order, in any case. How
 * long a transaction may stay begun is the provider's rule: its adapter compares `begunAt` and cancels.
 */
export interface PaymentBooks {
  /** Whether the account may be paid this amount now. Moves nothing. */
  check(account: string, amount: number): Promise<'payable' | BooksRefusal>
  /**
   * Lists what this amount pays for, as a receipt in Uzbekistan names it; the lines add up to the amount. Undefined unless the
   * codes of each line are known.
   */
  listLines(account: string, amount: number): Promise<readonly CodedLine[] | undefined>
  /**
   * Begins a transaction, and extends the time for which the order is reserved. The same id again is the same transaction; a
   * second one beside one that is under way is `other_pending`.
   */
  begin(
    account: string,
    transaction: { id: string; amount: number; at: Date },
  ): Promise<ProviderTransaction | BooksRefusal>
  /** Books the money, by the rules of late money where it is late; repeated, it is the same transaction. */
  perform(id: string, at: Date): Promise<ProviderTransaction | BooksRefusal>
  /**
   * Ends a transaction. One that was performed is a refund made by the provider, unless the buyer has something of it: a
   * code that was seen, a top-up on its way, money that is no longer in the wallet (`delivered`). Repeated, it is the same
   * transaction, with its first reason. With `onlyBegun` one that was performed stays so (`state`).
   */
  cancel(
    id: string,
    reason: string,
    at: Date,
    options?: { onlyBegun: boolean },
  ): Promise<ProviderTransaction | BooksRefusal>
  find(id: string): Promise<ProviderTransaction | undefined>
  /** Lists the transactions that were begun in the span by the provider's clock, both ends included, the oldest first. */
  list(from: Date, to: Date): Promise<ProviderTransaction[]>
}

export interface BooksRefusal {
  refused:
    | 'unknown_account'
    | 'wrong_amount'
    /** It is paid: by another transaction, another provider, or from the balance. */
    | 'already_paid'
    | 'not_payable'
    | 'other_pending'
    | 'unknown_transaction'
    /** It was canceled before, so it can't be performed; or performed before, and only one that was begun may be canceled. */
    | 'state'
    | 'delivered'
}

/** A provider that asks: it calls the store, and the store's books are the answer. */
export type AskingProvider = PaymentProvider & Required<Pick<PaymentProvider, 'answer'>>

/** A transaction that a provider that asks began in the store's books. */
export interface ProviderTransaction {
  /** The provider's id of it. */
  id: string
  /** The store's id of it. */
  ownId: string
  /** The order. */
  account: string
  amount: number
  state: 'begun' | 'performed' | 'canceled' | 'reversed'
  /** When it was begun, by the provider's clock. */
  at: Date
  /** When the store stored it; equal however often it is asked. */
  begunAt: Date
  performedAt: Date | undefined
  canceledAt: Date | undefined
  /** The provider's word for why it was canceled. */
  reason: string | undefined
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
  /** In minor units of what was charged. */
  amount: number
  currency: ChargeCurrency
  /** Stays the same for every attempt. */
  key: string
  /** What is refunded, where the provider wants a fiscal receipt. */
  receipt?: FiscalReceipt
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
  /**
   * How much of the payment, in minor units, has gone back in all with this refund. Present at a provider that tells no
   * more than that: then the refund is what the books did not explain when they were read, and is read again if they have
   * changed since.
   */
  refundedInAll?: number
  /** Why it failed, in the provider's words. */
  why?: string
}

export interface PaymentEvent {
  providerPaymentId: string
  /** What the webhook itself proves, and the provider's id of the event. Without it the provider has to be asked. */
  proven?: { key: string; snapshot: PaymentSnapshot }
}

/** Says whose fiscal document is meant: a payment's, or that of one of its refunds. */
export interface ReceiptName {
  providerPaymentId: string
  providerRefundId: string | null
}

/** What the cash register made of a receipt; `why` is the provider's code, `parameter` its words or the wrong field. */
export type ReceiptState =
  | { state: 'pending' | 'registered' }
  | { state: 'failed'; why: string; parameter?: string | undefined }

/** What a webhook says of a fiscal document; where the provider tells only its kind, of which refund nobody knows. */
export interface ReportedReceipt {
  providerPaymentId: string
  isRefund: boolean
  told: ReceiptState
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
      receipts?: readonly ReportedReceipt[]
      reply: HttpReply
    }
