import { randomBytes, randomUUID } from 'node:crypto'
import type { ChargeCurrency } from '@olmos/contract/money'
import type { SandboxAction } from '@olmos/contract/payments'
import type {
  NotifyingProvider,
  PaymentProvider,
  PaymentRequest,
  RefundingProvider,
} from '../src/modules/payments/provider.ts'
import { cryptopay } from '../src/modules/payments/providers/cryptopay.ts'
import { sandboxProvider } from '../src/modules/payments/providers/sandbox.ts'
import { stripe } from '../src/modules/payments/providers/stripe.ts'
import type { BookedRefund } from '../src/modules/payments/providers/tbank.rules.ts'
import { createTbank } from '../src/modules/payments/providers/tbank.ts'
import { yookassa } from '../src/modules/payments/providers/yookassa.ts'
import type { Webhook } from '../src/platform/vendor/adapters.ts'
import { createVendorFetch } from '../src/platform/vendor/vendor.ts'
import { cryptopayRefusals, startCryptopay } from './doubles/cryptopay.ts'
import { startStripe, stripeRefusals } from './doubles/stripe.ts'
import { disputesAt, type StripeDispute } from './doubles/stripe-disputes.ts'
import { startTbank, tbankRefusals } from './doubles/tbank.ts'
import type { Fault, VendorAnswer, VendorDouble } from './doubles/vendor-double.ts'
import { startYookassa, yookassaRefusals } from './doubles/yookassa.ts'
import { startShop, type TestShop } from './shop.ts'

/** What a provider that notifies need not have; the suite asserts that it has whatever its bench does not list. */
export const benchCapabilities = ['refunds', 'payment_list', 'disputes', 'named_parameters'] as const
type BenchCapability = (typeof benchCapabilities)[number]

/** A provider, and its other side. */
export interface Bench {
  provider: NotifyingProvider
  lacks: readonly BenchCapability[]
  /**
   * What a key does that was sent before: the provider knows it, the adapter looks up what became of it, or, because a lost
   * pay page can't be had again, there is another payment for the key.
   */
  repeatedKey: 'known' | 'looked_up' | 'another_payment'
  /** Counts the payments that the provider has for the key. */
  countFor(key: string): number
  currency: ChargeCurrency
  pay(id: string): Promise<void>
  decline(id: string): Promise<void>
  /** Refunds money of the payment at the provider, outside the store; returns the refund's id. */
  refundByHand(id: string, kind: 'whole' | 'half' | 'pending'): Promise<string>
  /** Decides a pending refund. */
  endRefund(id: string, refundId: string, status: 'succeeded' | 'failed'): Promise<void>
  /** Makes a genuine webhook of the refund's present status. */
  refundWebhook(refundId: string): Webhook
  /** Rejects every call: for a wrong key, or for a parameter. */
  refuse(how: 'all' | 'parameter' | 'nothing'): Promise<void>
  /** Carries out the next refund, loses its answer and rejects every repeat, until `refuse('nothing')`. */
  loseRefund(id: string, send: () => Promise<unknown>): Promise<void>
  /** Makes a genuine webhook of the payment's present status. */
  webhook(id: string): Webhook
  /** Makes genuine webhooks of a bank's disputes about a paid payment; undefined where the provider sends none. */
  bank: BenchBank | undefined
  /** Undefined for the sandbox, which has no vendor. */
  vendor: VendorDouble | undefined
  /** The provider again, with less patience or with another key. */
  like(change: { timeoutMs?: number; secretKey?: string }): NotifyingProvider
  /** Faults after which the provider itself looks up what became of its call. */
  looksUp: readonly Fault[]
  close(): Promise<void>
}

export interface BenchBank {
  open(id: string): Promise<Webhook>
  close(id: string, status: 'won' | 'lost'): Promise<Webhook>
  warn(id: string): Promise<Webhook>
}

export const home = '127.0.0.1'
export const now = () => new Date()

export const benches: Record<string, () => Promise<Bench>> = {
  sandbox: async () => {
    const shop: TestShop = await startShop()
    const secret = randomBytes(16).toString('hex')
    const provider = sandboxProvider.create(
      { SANDBOX_SECRET: secret },
      { database: shop.database, publicUrl: 'http://shop.example' },
    )
    const webhooks = new Map<string, Webhook>()
    let last = ''
    const act = async (id: string, action: SandboxAction) => {
      last = id
      const told = (await provider.act(id, action, now())).webhooks
      for (const webhook of told) {
        const { refund } = JSON.parse(webhook.body.toString())
        webhooks.set(refund?.id ?? id, webhook)
      }
      return told
    }
    const told = async (id: string, action: 'dispute' | 'win_dispute' | 'lose_dispute' | 'fraud_warning') =>
      (await provider.act(id, action, now())).webhooks[0] as Webhook
    const byHand = { whole: 'refund_outside', half: 'refund_outside_part', pending: 'refund_outside_pending' } as const
    return {
      provider,
      lacks: [],
      repeatedKey: 'known',
      countFor: () => 1,
      currency: 'USD',
      pay: async (id) => void (await act(id, 'pay')),
      decline: async (id) => void (await act(id, 'decline')),
      webhook: (id) => webhooks.get(id) as Webhook,
      bank: {
        open: (id) => told(id, 'dispute'),
        close: (id, status) => told(id, status === 'won' ? 'win_dispute' : 'lose_dispute'),
        warn: (id) => told(id, 'fraud_warning'),
      },
      refundByHand: async (id, kind) => {
        const [webhook] = await act(id, byHand[kind])
        return JSON.parse(webhook?.body.toString() ?? '{}').refund.id
      },
      endRefund: async (id, _refundId, status) =>
        void (await act(id, status === 'failed' ? 'refunds_fail' : 'refunds_succeed')),
      refundWebhook: (refundId) => webhooks.get(refundId) as Webhook,
      refuse: async (how) => void (await act(last, how === 'nothing' ? 'refuse_nothing' : `refuse_${how}`)),
      loseRefund: async (id, send) => {
        await act(id, 'refund_lose_answer')
        await send()
      },
      vendor: undefined,
      like: () => provider,
      looksUp: [],
      close: () => shop.close(),
    }
  },
  yookassa: async () => {
    const vendor = await startYookassa()
    const like = ({ timeoutMs, secretKey = vendor.secretKey }: { timeoutMs?: number; secretKey?: string } = {}) =>
      yookassa.create(
        {
          YOOKASSA_SHOP_ID: vendor.shopId,
          YOOKASSA_SECRET_KEY: secretKey,
          YOOKASSA_BASE_URL: vendor.url,
          YOOKASSA_ADDRESSES: [`${home}/32`],
        },
        { fetchVendor: createVendorFetch(timeoutMs) },
      )
    return {
      provider: like(),
      lacks: ['disputes'],
      repeatedKey: 'known',
      countFor: (key) => [...vendor.payments.values()].filter(({ metadata }) => metadata.payment_key === key).length,
      like,
      looksUp: [],
      currency: 'RUB',
      pay: async (id) => vendor.pay(id),
      decline: async (id) => vendor.decline(id),
      webhook: (id) => ({ body: vendor.webhook(id), headers: {}, address: home, now: now() }),
      bank: undefined,
      refundByHand: async (id, kind) =>
        vendor.refundByHand(id, kind === 'half' ? 999 : 1_999, kind === 'pending' ? 'pending' : 'succeeded'),
      endRefund: async (_id, refundId, status) =>
        void Object.assign(vendor.refunds.get(refundId) ?? {}, { status: status === 'failed' ? 'canceled' : status }),
      refundWebhook: (id) => ({ body: vendor.webhook(id), headers: {}, address: home, now: now() }),
      refuse: async (how) => {
        vendor.refusal = how === 'nothing' ? undefined : yookassaRefusals[how]
      },
      loseRefund: (_id, send) => loseAnswer(vendor, yookassaRefusals.all, send),
      vendor,
      close: vendor.close,
    }
  },
  stripe: async () => {
    const vendor = await startStripe()
    const like = ({ timeoutMs, secretKey = vendor.secretKey }: { timeoutMs?: number; secretKey?: string } = {}) =>
      stripe.create(
        {
          STRIPE_SECRET_KEY: secretKey,
          STRIPE_WEBHOOK_SECRET: vendor.webhookSecret,
          STRIPE_BASE_URL: vendor.url,
        },
        { fetchVendor: createVendorFetch(timeoutMs) },
      )
    const disputes = disputesAt(vendor)
    const disputeBySession = new Map<string, StripeDispute>()
    const sent = (type: string, object: object): Webhook => ({
      ...disputes.event(type, object),
      address: home,
      now: now(),
    })
    return {
      provider: like(),
      lacks: [],
      repeatedKey: 'known',
      countFor: (key) => [...vendor.sessions.values()].filter(({ metadata }) => metadata.payment_key === key).length,
      like,
      // Stripe repeats its own errors, so an answer that is one, or none, is looked up at once.
      looksUp: ['broken-after', 'html'],
      currency: 'USD',
      pay: async (id) => vendor.pay(id),
      decline: async (id) => vendor.decline(id),
      webhook: (id) => ({ ...vendor.webhook(id), address: home, now: now() }),
      bank: {
        async open(id) {
          const dispute = disputes.open(id)
          disputeBySession.set(id, dispute)
          return sent('charge.dispute.created', dispute)
        },
        close: async (id, status) =>
          sent('charge.dispute.closed', disputes.close(disputeBySession.get(id) ?? disputes.open(id), status)),
        warn: async (id) => sent('radar.early_fraud_warning.created', disputes.warning(id)),
      },
      refundByHand: async (id, kind) =>
        vendor.refundByHand(id, kind === 'half' ? 999 : 1_999, kind === 'pending' ? 'pending' : 'succeeded'),
      endRefund: async (_id, refundId, status) => void Object.assign(vendor.refunds.get(refundId) ?? {}, { status }),
      refundWebhook: (id) => ({ ...vendor.webhook(id), address: home, now: now() }),
      refuse: async (how) => {
        vendor.refusal = how === 'nothing' ? undefined : stripeRefusals[how]
      },
      loseRefund: (_id, send) => loseAnswer(vendor, stripeRefusals.all, send),
      vendor,
      close: vendor.close,
    }
  },
  tbank: async () => {
    const vendor = await startTbank()
    const books = bookRefunds(vendor.payments)
    const like = ({ timeoutMs, secretKey = vendor.password }: { timeoutMs?: number; secretKey?: string } = {}) => {
      const provider = createTbank(
        {
          TBANK_TERMINAL_KEY: vendor.terminalKey,
          TBANK_PASSWORD: secretKey,
          TBANK_BASE_URL: vendor.url,
          TBANK_FFD: '1.05',
        },
        {
          readBooked: async ({ paymentId }) => books.read(paymentId),
          fetchVendor: createVendorFetch(timeoutMs),
          publicUrl: 'http://shop.example',
        },
      )
      return { ...provider, refund: books.noting(provider.refund) }
    }
    const provider = like()
    const notification = (id: string) => ({
      body: vendor.notification(id.split(':')[0] ?? ''),
      headers: {},
      address: home,
      now: now(),
    })
    return {
      provider,
      lacks: ['payment_list', 'disputes'],
      repeatedKey: 'another_payment',
      countFor: (key) => [...vendor.payments.values()].filter(({ orderId }) => orderId === key).length,
      like,
      looksUp: [],
      currency: 'RUB',
      pay: async (id) => vendor.pay(id),
      decline: async (id) => vendor.decline(id),
      webhook: notification,
      bank: undefined,
      async refundByHand(id, kind) {
        // A refund of the cabinet is seen once it is made; only one that the store asked SBP for is seen while it waits.
        if (kind === 'pending') {
          Object.assign(vendor.payments.get(id) ?? {}, { isSbp: true })
          vendor.isRefundSlow = true
          const asked = { providerPaymentId: id, amount: 1_999, currency: 'RUB', key: randomUUID() } as const
          const made = await provider.refund(asked)
          vendor.isRefundSlow = false
          return made.kind === 'done' ? made.value.providerRefundId : made.kind
        }
        vendor.refundByHand(id, kind === 'half' ? 999 : 1_999)
        const listed = await provider.listRefunds(id)
        return (listed.kind === 'done' && listed.value.at(-1)?.providerRefundId) || listed.kind
      },
      endRefund: async (id, _refundId, status) => vendor.endRefund(id, status),
      refundWebhook: notification,
      refuse: async (how) => {
        vendor.refusal = how === 'nothing' ? undefined : tbankRefusals[how]
      },
      loseRefund: (_id, send) => loseAnswer(vendor, tbankRefusals.all, send),
      vendor,
      close: vendor.close,
    }
  },
  cryptopay: async () => {
    const vendor = await startCryptopay()
    const like = ({ timeoutMs, secretKey = vendor.token }: { timeoutMs?: number; secretKey?: string } = {}) =>
      cryptopay.create(
        { CRYPTOPAY_TOKEN: secretKey, CRYPTOPAY_BASE_URL: vendor.url },
        { fetchVendor: createVendorFetch(timeoutMs) },
      )
    const noRefunds = () => Promise.reject(new Error('Crypto Pay makes no refunds'))
    return {
      provider: like(),
      lacks: ['refunds', 'disputes', 'named_parameters'],
      repeatedKey: 'looked_up',
      countFor: (key) => [...vendor.invoices.values()].filter(({ payload }) => payload === key).length,
      like,
      looksUp: [],
      currency: 'UZS',
      pay: async (id) => vendor.pay(id),
      decline: async (id) => vendor.expire(id),
      webhook: (id) => ({ ...vendor.webhook(id), address: home, now: now() }),
      bank: undefined,
      refundByHand: noRefunds,
      endRefund: noRefunds,
      refundWebhook: () => {
        throw new Error('Crypto Pay makes no refunds')
      },
      refuse: async (how) => {
        vendor.refusal = how === 'nothing' ? undefined : cryptopayRefusals[how]
      },
      loseRefund: noRefunds,
      vendor,
      close: vendor.close,
    }
  },
}

/** Keeps what the store's books would have of refunds, for a provider that asks them. */
function bookRefunds(payments: ReadonlyMap<string, { initial: number; isSbp: boolean }>) {
  const booked = new Map<string, BookedRefund[]>()
  const at = (id: string) => booked.get(id) ?? []
  return {
    read: (id: string) => {
      const payment = payments.get(id)
      return payment && { charged: payment.initial, isSbp: payment.isSbp, refunds: at(id) }
    },
    /** Books a refund before it is sent, and what it was answered. */
    noting:
      (refund: RefundingProvider['refund']): RefundingProvider['refund'] =>
      async (request) => {
        const { providerPaymentId: id, key, amount } = request
        const known = at(id).find((one) => one.key === key)
        const row = known ?? { key, amount, provider_refund_id: null, status: 'sending', attempts: 0 }
        if (!known) booked.set(id, [...at(id), row])
        row.attempts += 1
        const answer = await refund(request)
        if (answer.kind === 'done') {
          row.provider_refund_id = answer.value.providerRefundId
          row.status = answer.value.status === 'pending' ? 'sent' : answer.value.status
        }
        if (answer.kind === 'rejected' && row.attempts === 1) row.status = 'failed'
        return answer
      },
  }
}

/** Carries out what is sent now without an answer, and rejects everything afterwards. */
async function loseAnswer(vendor: VendorDouble, refusal: VendorAnswer, send: () => Promise<unknown>): Promise<void> {
  vendor.fault = 'hang-up'
  await send()
  vendor.fault = undefined
  vendor.refusal = refusal
}

/** The provider as one that makes refunds; undefined where somebody makes them in its cabinet. */
export const asRefunding = (provider: PaymentProvider): RefundingProvider | undefined =>
  isRefunding(provider) ? provider : undefined

const isRefunding = (provider: PaymentProvider): provider is RefundingProvider => provider.refund !== undefined

export const requestFor = ({ provider, currency }: Pick<Bench, 'provider' | 'currency'>): PaymentRequest => ({
  key: randomUUID(),
  orderId: 'ABCDEF1234',
  method: provider.methods[0].name,
  language: 'ru',
  amount: 1_999,
  currency,
  description: 'Olmos ABCDEF1234',
  returnUrl: 'http://shop.example/orders/ABCDEF1234',
  expiresAt: new Date(Date.now() + 15 * 60_000),
})
