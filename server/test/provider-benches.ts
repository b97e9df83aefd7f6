import { randomBytes, randomUUID } from 'node:crypto'
import type { Notice, PaymentProvider, PaymentRequest } from '../src/modules/payments/provider.ts'
import { stripe } from '../src/modules/payments/providers/stripe.ts'
import { yookassa } from '../src/modules/payments/providers/yookassa.ts'
import { sandbox } from '../src/modules/payments/sandbox.ts'
import { createVendorFetch } from '../src/platform/vendor-fetch.ts'
import { startStripe } from './doubles/stripe.ts'
import { disputesAt, type StripeDispute } from './doubles/stripe-disputes.ts'
import type { VendorDouble } from './doubles/vendor-double.ts'
import { startYookassa } from './doubles/yookassa.ts'
import { startShop, type TestShop } from './shop.ts'

/** A provider, and the other side of it. */
export interface Bench {
  provider: PaymentProvider
  currency: 'USD' | 'RUB'
  pay(id: string): Promise<void>
  decline(id: string): Promise<void>
  /** A true notice of how the payment stands. */
  notice(id: string): Notice
  /** True notices of what a bank says against a paid payment; none where the provider tells nothing of it. */
  bank: BenchBank | undefined
  /** None where no vendor is behind it. */
  vendor: VendorDouble | undefined
  /** The same provider, with less patience. */
  withTimeout(timeoutMs: number): PaymentProvider
  close(): Promise<void>
}

export interface BenchBank {
  open(id: string): Promise<Notice>
  close(id: string, status: 'won' | 'lost'): Promise<Notice>
  warn(id: string): Promise<Notice>
}

export const home = '127.0.0.1'
export const now = () => new Date()

export const benches: Record<string, () => Promise<Bench>> = {
  sandbox: async () => {
    const shop: TestShop = await startShop()
    const secret = randomBytes(16).toString('hex')
    const provider = sandbox({ database: shop.database, publicUrl: 'http://shop.example', secret })
    const notices = new Map<string, Notice>()
    const act = async (id: string, action: 'pay' | 'decline') => {
      for (const notice of (await provider.act(id, action, now())).notices) notices.set(id, notice)
    }
    const told = async (id: string, action: 'dispute' | 'win_dispute' | 'lose_dispute' | 'fraud_warning') =>
      (await provider.act(id, action, now())).notices[0] as Notice
    return {
      provider,
      currency: 'USD',
      pay: (id) => act(id, 'pay'),
      decline: (id) => act(id, 'decline'),
      notice: (id) => notices.get(id) as Notice,
      bank: {
        open: (id) => told(id, 'dispute'),
        close: (id, status) => told(id, status === 'won' ? 'win_dispute' : 'lose_dispute'),
        warn: (id) => told(id, 'fraud_warning'),
      },
      vendor: undefined,
      withTimeout: () => provider,
      close: () => shop.close(),
    }
  },
  yookassa: async () => {
    const vendor = await startYookassa()
    const { shopId, secretKey, url: baseUrl } = vendor
    const withTimeout = (timeoutMs?: number) =>
      yookassa({ shopId, secretKey, baseUrl, addresses: [`${home}/32`] }, createVendorFetch(timeoutMs))
    return {
      provider: withTimeout(),
      withTimeout,
      currency: 'RUB',
      pay: async (id) => vendor.pay(id),
      decline: async (id) => vendor.decline(id),
      notice: (id) => ({ body: vendor.notice(id), headers: {}, address: home, now: now() }),
      bank: undefined,
      vendor,
      close: vendor.close,
    }
  },
  stripe: async () => {
    const vendor = await startStripe()
    const { secretKey, webhookSecret, url: baseUrl } = vendor
    const withTimeout = (timeoutMs?: number) =>
      stripe({ secretKey, webhookSecret, baseUrl }, createVendorFetch(timeoutMs))
    const disputes = disputesAt(vendor)
    const begun = new Map<string, StripeDispute>()
    const sent = (type: string, object: object): Notice => ({
      ...disputes.event(type, object),
      address: home,
      now: now(),
    })
    return {
      provider: withTimeout(),
      withTimeout,
      currency: 'USD',
      pay: async (id) => vendor.pay(id),
      decline: async (id) => vendor.decline(id),
      notice: (id) => ({ ...vendor.notice(id), address: home, now: now() }),
      bank: {
        async open(id) {
          const dispute = disputes.open(id)
          begun.set(id, dispute)
          return sent('charge.dispute.created', dispute)
        },
        close: async (id, status) =>
          sent('charge.dispute.closed', disputes.close(begun.get(id) ?? disputes.open(id), status)),
        warn: async (id) => sent('radar.early_fraud_warning.created', disputes.warning(id)),
      },
      vendor,
      close: vendor.close,
    }
  },
}

export const requestIn = (currency: 'USD' | 'RUB'): PaymentRequest => ({
  key: randomUUID(),
  orderId: 'ABCDEF1234',
  amount: 1_999,
  currency,
  description: 'Olmos ABCDEF1234',
  returnUrl: 'http://shop.example/orders/ABCDEF1234',
  expiresAt: new Date(Date.now() + 15 * 60_000),
})
