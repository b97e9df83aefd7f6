import { randomUUID } from 'node:crypto'
import { type Decimal, one, parseDecimal } from '@olmos/contract/decimal'
import type { Supplier, SupplierRequest } from '../src/modules/topups/supplier.ts'
import { fazercards } from '../src/modules/topups/suppliers/fazercards.ts'
import { g2bulk } from '../src/modules/topups/suppliers/g2bulk.ts'
import { kinguin } from '../src/modules/topups/suppliers/kinguin.ts'
import { sandboxDear, sandboxSupplier } from '../src/modules/topups/suppliers/sandbox.ts'
import { seagm } from '../src/modules/topups/suppliers/seagm.ts'
import { sql } from '../src/platform/database/queries.ts'
import type { Webhook } from '../src/platform/vendor/adapters.ts'
import { createVendorFetch } from '../src/platform/vendor/vendor.ts'
import { startFazercards } from './doubles/fazercards.ts'
import { startG2bulk } from './doubles/g2bulk.ts'
import { startKinguin } from './doubles/kinguin.ts'
import { startSeagm } from './doubles/seagm.ts'
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
  /** An order whose account does not say what the item wants; none where nothing is wanted. */
  misfit?: SupplierRequest
  /** Where the catalogue has what `request` asks for, and where the last page of its services begins. */
  shelf: { service: string; reference: string; lastPage?: string }
  /** Stops selling it. */
  remove(): void
  /** Changes what it costs there; none for what is in the store itself. */
  reprice?(cost: unknown): void
  /** Ends an order on the other side. */
  finish(key: string): Promise<void>
  fail?(key: string): Promise<void>
  executions(key: string): Promise<number>
  /** Whether its look-up by the shop's key never says that an order did not arrive, so that an operator has to. */
  neverProvesAbsence?: true
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
  wanted: 'topup',
  account: { player_id: aPlayer() },
  item: 'pubg_mobile_auto/60_uc',
  costAtMost: usd('100'),
  ...change,
})

interface FazercardsWares extends Pick<SupplierBench, 'misfit' | 'shelf'> {
  make(): SupplierRequest
  cost: Decimal
}

const fazercardsBench =
  ({ make, cost, ...wares }: FazercardsWares) =>
  async (): Promise<SupplierBench> => {
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
      ...wares,
      request: make,
      unknownItem: topup({ item: 'pubg_mobile/no_such' }),
      priced: () => ({ ...make(), costAtMost: cost }),
      remove: () => void delete vendor.prices[wares.shelf.reference],
      reprice: (price) => void Object.assign(vendor.prices, { [wares.shelf.reference]: price }),
      finish: async (key) => vendor.set(key, { status: 'completed', cards: ['CARD-1'] }),
      fail: async (key) => vendor.set(key, { status: 'refunded', failReason: 'player_not_found' }),
      executions: async (key) => vendor.executions(key),
      webhook: async (key) => told(vendor.webhook(key)),
      forged: async (key) => told(vendor.webhook(key, 'another')),
      vendor,
      close: vendor.close,
    }
  }

const aCode = { wanted: 'code', account: {}, item: 'itunes/10_usd' } as const
const steam = {
  wanted: 'amount',
  account: { login: 'gabe' },
  item: null,
  steam: { amount: 1_050, currency: 'kzt' },
} as const

/** 10.50 tenge at 515.1 to the dollar, rounded up to the next hundred-millionth. */
const steamCost = (usd('10.5') * one) / usd('515.1') + 1n
/** Euros per dollar. */
const euroRate = usd('0.9')

/** Ringgits per dollar. */
const ringgitRate = usd('4.3')

interface SeagmWares extends Pick<SupplierBench, 'misfit' | 'shelf'> {
  make(): SupplierRequest
  ringgits: string
}

const seagmBench =
  ({ make, ringgits, ...wares }: SeagmWares) =>
  async (): Promise<SupplierBench> => {
    const vendor = await startSeagm()
    const like = ({ timeoutMs, apiKey = vendor.secretKey }: { timeoutMs?: number; apiKey?: string } = {}) =>
      seagm.create(
        { SEAGM_UID: vendor.uid, SEAGM_SECRET_KEY: apiKey, SEAGM_BASE_URL: vendor.url },
        { fetchVendor: createVendorFetch(timeoutMs), rateToBuyBy: async () => ringgitRate },
      )
    const cards = [{ sn: 'SN-1', pin: 'PIN-1', expired: '2030-12-30' }]
    return {
      neverProvesAbsence: true,
      supplier: like(),
      like,
      ...wares,
      request: make,
      unknownItem: { ...make(), item: '9999' },
      remove: () => void delete vendor.types[wares.shelf.reference],
      reprice: (unit_price) => void Object.assign(vendor.types[wares.shelf.reference] ?? {}, { unit_price }),
      // Rounded up to the next hundred-millionth of a dollar.
      priced: () => ({ ...make(), costAtMost: (usd(ringgits) * one) / ringgitRate + 1n }),
      finish: async (key) => vendor.set(key, { status_code: 10_003, ...(make().wanted === 'code' && { cards }) }),
      fail: async (key) => vendor.set(key, { status_code: 10_005, refunded_reason: 'Wrong player' }),
      executions: async (key) => vendor.executions(key),
      webhook: async (key) => told(vendor.callback(key)),
      forged: async (key) => told(vendor.callback(key, { secret: 'another' })),
      vendor,
      close: vendor.close,
    }
  }

export const supplierBenches: Record<string, () => Promise<SupplierBench>> = {
  sandbox: async () => {
    const shop = await startShop()
    const secret = 'the secret of the sandbox'
    let now = new Date('2026-11-22T10:00:00Z')
    const make = (key: string) =>
      sandboxSupplier.create({ SANDBOX_SECRET: key }, { database: shop.database, clock: { now: () => now } })
    const item = 'efootball/12800_coins'
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
      request: () => topup({ account: { user_id: aPlayer('6005') }, item }),
      unknownItem: topup({ account: { user_id: aPlayer('6001') } }),
      priced: () => topup({ account: { user_id: aPlayer('6008') }, costAtMost: sandboxDear }),
      misfit: topup({ account: { user_id: aPlayer() }, item: 'mobile_legends/86_diamonds' }),
      shelf: { service: 'efootball', reference: item },
      // It is sold in every second hour.
      remove: () => {
        now = new Date('2026-11-22T11:00:00Z')
      },
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
  'fazercards top-up': fazercardsBench({
    make: () => topup(),
    cost: usd('0.88'),
    misfit: topup({ item: 'mobile_legends_ru/275_diamonds' }),
    shelf: { service: 'pubg_mobile_auto', reference: 'pubg_mobile_auto/60_uc', lastPage: 'topups:game_17' },
  }),
  'fazercards steam': fazercardsBench({
    make: () => topup(steam),
    cost: steamCost,
    misfit: topup({ ...steam, account: { player_id: 'gabe' } }),
    shelf: { service: 'steam', reference: '' },
  }),
  'fazercards gift card': fazercardsBench({
    make: () => topup(aCode),
    cost: usd('9.5'),
    shelf: { service: 'giftcards/itunes', reference: 'itunes/10_usd', lastPage: 'giftcards:' },
  }),
  g2bulk: async () => {
    const vendor = await startG2bulk()
    const like = ({ timeoutMs, apiKey = vendor.apiKey }: { timeoutMs?: number; apiKey?: string } = {}) =>
      g2bulk.create(g2bulk.settings.parse({ G2BULK_API_KEY: apiKey, G2BULK_BASE_URL: vendor.url }), {
        fetchVendor: createVendorFetch(timeoutMs),
        publicUrl: 'http://localhost:3000',
      })
    const make = () => topup({ item: 'pubgm/60 UC' })
    return {
      supplier: like(),
      like,
      request: make,
      unknownItem: topup({ item: 'pubgm/no such' }),
      misfit: topup({ item: 'mlbb/86 Diamonds', account: { user_id: aPlayer(), zone_id: '2001' } }),
      shelf: { service: 'pubgm', reference: 'pubgm/60 UC', lastPage: 'mlbb' },
      remove: () => void delete vendor.prices['pubgm/60 UC'],
      reprice: (price) => void Object.assign(vendor.prices, { 'pubgm/60 UC': price }),
      priced: () => ({ ...make(), costAtMost: usd('0.88') }),
      finish: async (key) => vendor.set(key, { status: 'COMPLETED' }),
      fail: async (key) => vendor.set(key, { status: 'FAILED', message: 'Order failed' }),
      executions: async (key) => vendor.executions(key),
      webhook: async (key) => told(vendor.webhook(key)),
      // A stranger may know the shop's key, but not the proof beside it.
      forged: async (key) => told(vendor.webhook(key, `${key}.${'x'.repeat(22)}`)),
      vendor,
      close: vendor.close,
    }
  },
  kinguin: async () => {
    const vendor = await startKinguin()
    const like = ({ timeoutMs, apiKey = vendor.apiKey }: { timeoutMs?: number; apiKey?: string } = {}) =>
      kinguin.create(
        { KINGUIN_API_KEY: apiKey, KINGUIN_WEBHOOK_SECRET: vendor.webhookSecret, KINGUIN_BASE_URL: vendor.url },
        { fetchVendor: createVendorFetch(timeoutMs), rateToBuyBy: async () => euroRate },
      )
    const code = { wanted: 'code', account: {} } as const
    // 5.79 EUR, rounded up to the next hundred-millionth.
    const cost = (usd('5.79') * one) / euroRate + 1n
    return {
      supplier: like(),
      like,
      request: () => topup({ ...code, item: '5c9b0a1b2c3d' }),
      unknownItem: topup({ ...code, item: 'no such' }),
      shelf: { service: 'EA App', reference: '5c9b0a1b2c3d' },
      remove: () => {
        vendor.isSold = false
      },
      reprice: (price) => void Object.assign(vendor, { price }),
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
  'seagm top-up': seagmBench({
    make: () => topup({ item: '1060' }),
    ringgits: '4.15',
    misfit: topup({ item: 'recharge/1100' }),
    shelf: { service: 'recharge/1', reference: 'recharge/1060', lastPage: 'recharge:recharge/805' },
  }),
  'seagm card': seagmBench({
    make: () => topup({ ...aCode, item: '2010' }),
    ringgits: '43.5',
    shelf: { service: 'card/181', reference: 'card/2010', lastPage: 'card:' },
  }),
}
