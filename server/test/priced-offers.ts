import { sql } from '../src/platform/database/queries.ts'
import { anOffer, type OfferWish, type TestOffer } from './factories.ts'
import type { TestShop } from './shop.ts'

interface PricedWish extends OfferWish {
  /** What it costs where no source says so, such as ['1.25', 'USD']. */
  base?: readonly [cost: string, currency: string]
  mode?: 'fixed' | 'rule'
}

/** An offer with a cost that was typed, and prices of its own or of a rule; nothing has priced it yet. */
export async function aPricedOffer(
  shop: TestShop,
  { base, mode = 'rule', ...wish }: PricedWish = {},
): Promise<TestOffer> {
  const offer = await anOffer(shop, wish)
  await shop.database.run(sql`
    UPDATE offer SET price_mode = ${mode}, base_cost = ${base?.[0] ?? null}, base_currency = ${base?.[1] ?? null}
    WHERE id = ${offer.id}`)
  return offer
}

let products = 0

interface SourceWish {
  supplier?: string
  rank?: number
  isOn?: boolean
  isGone?: boolean
  closedReason?: 'gone' | 'cost_moved'
  /** In USD. */
  costAtMost?: string
}

/** A supplier's product of this cost, as a source of the offer; returns the id of the product. */
export async function aSource(
  shop: Pick<TestShop, 'database'>,
  offerId: number,
  [cost, currency]: readonly [cost: string, currency: string],
  { supplier = 'sandbox', rank = 1, isOn = true, isGone = false, closedReason, costAtMost }: SourceWish = {},
): Promise<number> {
  const { id } = await shop.database.one<{ id: number }>(sql`
    INSERT INTO supplier_product (supplier, reference, kind, name, cost, currency, gone_at)
    VALUES (${supplier}, ${`priced-${++products}`}, 'topup', 'A package', ${cost}, ${currency},
      ${isGone ? new Date() : null}) RETURNING id`)
  await shop.database.run(sql`
    INSERT INTO offer_source (offer_id, kind, supplier_product_id, rank, is_on, closed_reason, cost_at_most)
    VALUES (${offerId}, 'supplier', ${id}, ${rank}, ${isOn}, ${closedReason ?? null}, ${costAtMost ?? null})`)
  return id
}

export interface StoredPrice {
  price_usd: number
  price_rub: number
  price_version: number
  price_mode: string
  floor_usd: number | null
  floor_rub: number | null
  is_active: boolean
  is_off_sale: boolean
}

export const storedPrice = (shop: Pick<TestShop, 'database'>, offerId: number) =>
  shop.database.one<StoredPrice>(sql`
    SELECT price_usd, price_rub, price_version, price_mode, floor_usd, floor_rub, is_active,
      under_floor_since IS NOT NULL AS is_off_sale
    FROM offer WHERE id = ${offerId}`)
