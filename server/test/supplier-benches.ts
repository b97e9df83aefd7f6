import { randomUUID } from 'node:crypto'
import { type Decimal, one, parseDecimal } from '../src/modules/rates/rate.rules.ts'
import type { Supplier, SupplierRequest } from '../src/modules/topups/supplier.ts'
import { fazercards } from '../src/modules/topups/suppliers/fazercards.ts'
import { kinguin } from '../src/modules/topups/suppliers/kinguin.ts'
import { sandboxDear, sandboxSupplier } from '../src/modules/topups/suppliers/sandbox.ts'
import { sql } from '../src/platform/database/database.ts'
import { createVendorFetch } from '../src/platform/vendor/vendor.ts'
import type { Webhook } from '../src/platform/vendor/webhooks.ts'
import { startFazercards } from './doubles/fazercards.ts'
import { startKinguin } from './doubles/kinguin.ts'
import type { VendorDouble } from './doubles/vendor-double.ts'
import { startShop } from './shop.ts'
import { aPlayer } from './topup-orders.ts'

/** A supplier, and its other side. */
export interface SupplierBench {
  supplier: Supplier
  /** Makes a request for something it sells, which it does not finish at once if it can delay. */
  request(): SupplierRequest
  unknownItem: SupplierRequest
  /** Makes a request for something of a known cost, with the least `costAtMost` that allows it. */
  priced(): SupplierRequest
  /** Ends an order on the other side. */
  finish(key: string): Promise<void>
  fail?(key: string): Promise<void>
  executions(key: string): Promise<number>
  /** Makes a genuine webhook about the order, and a forged one. */
  webhook(key: string): Promise<Webhook>
  forged(key: string): Promise<Webhook>
  /** Undefined for suppliers without a vendor. */
  vendor: VendorDouble | undefined
  /** Makes the supplier with a shorter timeout, or with another key. */
  like(change: { timeoutMs?: number; apiKey?: string }): Supplier
  close(): Promise<void>
}

const told = ({ body, headers }: { body: Buffer; headers: Record<string, string> }): Webhook => ({
  body,
  headers,
  address: '127.0.0.1',
  now: new Date(),
})

const usd = (text: string): Decimal => parseDecimal(text) as Decimal

const topup = (change: Partial<SupplierRequest> = {}): SupplierRequest => ({
  key: randomUUID(),
  wanted: 'pubg',
  account: aPlayer(),
  item: 'pubg_mobile_auto/60_uc',
  costAtMost: usd('100'),
  ...change,
})

const fazercardsBench = (make: () => SupplierRequest, cost: Decimal) => async (): Promise<SupplierBench> => {
  const vendor = await startFazercards()
  const like = ({ timeoutMs, apiKey = vendor.apiKey }: { timeoutMs?: number; apiKey?: string } = {}) =>
    fazercards.create(
      {
        FAZERCARDS_API_KEY: apiKey,
        FAZERCARDS_WEBHOOK_SECRET: vendor.webhookSecret,
        FAZERCARDS_BASE_URL: vendor.url,
      },
      { fetchVendor: createVendorFetch(timeoutMs) },
    )
  return {
    supplier: like(),
    like,
    request: make,
    unknownItem: topup({ item: 'pubg_mobile/no_such' }),
    priced: () => ({ ...make(), costAtMost: cost }),
    finish: async (key) => vendor.set(key, { status: 'completed', cards: ['CARD-1'] }),
    fail: async (key) => vendor.set(key, { status: 'refunded', failReason: 'player_not_found' }),
    executions: async (key) => vendor.executions(key),
    webhook: async (key) => told(vendor.webhook(key)),
    forged: async (key) => told(vendor.webhook(key, 'another')),
    vendor,
    close: vendor.close,
  }
}

const aCode = { wanted: 'code', account: '', item: 'itunes/10_usd' } as const
const steam = { wanted: 'steam', account: 'gabe', item: null, steam: { amount: 1_050, currency: 'kzt' } } as const

/** 10.50 tenge at 515.1 to the dollar, rounded up to the next hundred-millionth. */
const steamCost = (usd('10.5') * one) / usd('515.1') + 1n
/** Euros per dollar. */
const euroRate = usd('0.9')

export const supplierBenches: Record<string, () => Promise<SupplierBench>> = {
  sandbox: async () => {
    const shop = await startShop()
    const secret = 'the secret of the sandbox'
    const make = (key: string) => sandboxSupplier.create({ SANDBOX_SECRET: key }, shop)
    const supplier = make(secret)
    const webhookBy = async (key: string, by: string) => {
      const { id } = await shop.database.one<{ id: string }>(
        sql`UPDATE sandbox_topup SET told = 0, done_at = now() WHERE key = ${key} RETURNING id`,
      )
      const webhooks = await make(by).takeWebhooks(new Date())
      return webhooks.find(({ body }) => body.includes(id)) as Webhook
    }
    return {
      supplier,
      like: () => supplier,
      request: () => topup({ account: aPlayer('6005') }),
      unknownItem: topup({ account: aPlayer('6001') }),
      priced: () => topup({ account: aPlayer('6008'), costAtMost: sandboxDear }),
      finish: async (key) =>
        void (await shop.database.run(sql`UPDATE sandbox_topup SET done_at = now() WHERE key = ${key}`)),
      executions: async (key) =>
        (
          await shop.database.one<{ times: number }>(
            sql`SELECT count(*)::int AS times FROM sandbox_execution WHERE key = ${key}`,
          )
        ).times,
      webhook: (key) => webhookBy(key, secret),
      forged: (key) => webhookBy(key, 'another secret altogether'),
      vendor: undefined,
      close: () => shop.close(),
    }
  },
  'fazercards top-up': fazercardsBench(() => topup(), usd('0.88')),
  'fazercards steam': fazercardsBench(() => topup(steam), steamCost),
  'fazercards gift card': fazercardsBench(() => topup(aCode), usd('9.5')),
  kinguin: async () => {
    const vendor = await startKinguin()
    const like = ({ timeoutMs, apiKey = vendor.apiKey }: { timeoutMs?: number; apiKey?: string } = {}) =>
      kinguin.create(
        { KINGUIN_API_KEY: apiKey, KINGUIN_WEBHOOK_SECRET: vendor.webhookSecret, KINGUIN_BASE_URL: vendor.url },
        { fetchVendor: createVendorFetch(timeoutMs), rateToBuyBy: async () => euroRate },
      )
    const code = { wanted: 'code', account: '' } as const
    // 5.79 EUR, rounded up to the next hundred-millionth.
    const cost = (usd('5.79') * one) / euroRate + 1n
    return {
      supplier: like(),
      like,
      request: () => topup({ ...code, item: '5c9b0a1b2c3d' }),
      unknownItem: topup({ ...code, item: 'no such' }),
      priced: () => topup({ ...code, item: '5c9b0a1b2c3d', costAtMost: cost }),
      finish: async (key) => vendor.set(key, 'completed'),
      fail: async (key) => vendor.set(key, 'canceled'),
      executions: async (key) => vendor.executions(key),
      webhook: async (key) => told(vendor.webhook(key)),
      forged: async (key) => told(vendor.webhook(key, 'another')),
      vendor,
      close: vendor.close,
    }
  },
}
