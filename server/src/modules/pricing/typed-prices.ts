import { Failure } from '@olmos/contract/failure'
import { toMajor } from '@olmos/contract/minor-units'
import type { OfferPricing } from '@olmos/contract/offers'
import { exists } from '../../platform/database/lists.ts'
import { type Queries, type Sql, sql, type Tx } from '../../platform/database/queries.ts'
import { writeAudit } from '../../platform/security/audit.ts'
import { agreedUpTo, lockPrices, repriceOffers } from './reprice.ts'

/** What `pricingColumns` selects; money is in minor units. */
export interface OfferPricingRow extends Omit<OfferPricing, 'under_floor_since'> {
  under_floor_since: Date | null
}

/** Formats how an offer is priced. */
export const shownPricing = (row: OfferPricingRow): OfferPricing => ({
  price_mode: row.price_mode,
  cost: row.cost,
  cost_currency: row.cost_currency,
  base_cost: row.base_cost,
  base_currency: row.base_currency,
  floor_usd: row.floor_usd && toMajor(row.floor_usd),
  floor_rub: row.floor_rub && toMajor(row.floor_rub),
  rub_at_rate: toMajor(row.rub_at_rate),
  has_drifted: row.has_drifted,
  has_pending_price: row.has_pending_price,
  under_floor_since: row.under_floor_since?.toISOString() ?? null,
})

interface TypedPrice {
  /** In minor units. What is left out stays as it is. */
  priceUsd?: number | undefined
  priceRub?: number | undefined
  isActive?: boolean | undefined
  /** Why it is sold under its cost. */
  underFloor?: string | undefined
}

interface PricedRow {
  game_amount: number
  price_usd: number
  price_rub: number
  floor_usd: number | null
  floor_rub: number | null
  is_active: boolean
  is_off_sale: boolean
}

/**
 * Makes what a typed price sets of an offer that the caller has locked, for its UPDATE: the price, which no rule makes from
 * then on, and whether it is on sale. Refuses a price under cost without a reason: FLOOR_PRICE. With one, the yes is in the
 * audit log, and holds until the price changes or the cost has risen by `price_jump_percent`.
 */
export async function typePrice(tx: Tx, adminId: number | null, offerId: number, typed: TypedPrice): Promise<Sql> {
  const offer = await tx.one<PricedRow>(sql`
    SELECT game_amount, price_usd, price_rub, floor_usd, floor_rub, is_active, under_floor_since IS NOT NULL AS is_off_sale
    FROM offer WHERE id = ${offerId}`)
  const { priceUsd = offer.price_usd, priceRub = offer.price_rub, underFloor } = typed
  const isChanged = priceUsd !== offer.price_usd || priceRub !== offer.price_rub
  if (!isChanged && typed.isActive === undefined && underFloor === undefined) return sql`price_usd = price_usd`
  // What the shop took off sale is on sale again once its price allows it.
  const isActive = typed.isActive ?? (offer.is_active || offer.is_off_sale)
  const isUnder = priceUsd < (offer.floor_usd ?? 0) || priceRub < (offer.floor_rub ?? 0)
  const isAsked = isUnder && (isChanged || (isActive && !offer.is_active) || underFloor !== undefined)
  if (isAsked) await agree(tx, adminId, offerId, { ...offer, price_usd: priceUsd, price_rub: priceRub }, underFloor)
  if (isChanged) {
    await tx.run(sql`
      UPDATE pending_price SET decision = 'superseded', decided_at = now()
      WHERE offer_id = ${offerId} AND decided_at IS NULL`)
  }
  const agreed = (floor: Sql, column: Sql) => (isAsked ? agreedUpTo(floor) : isChanged ? null : column)
  return sql`price_usd = ${priceUsd}, price_rub = ${priceRub}, is_active = ${isActive},
    price_mode = CASE WHEN ${isChanged} THEN 'fixed' ELSE price_mode END, under_floor_since = NULL,
    agreed_usd = ${agreed(sql`floor_usd`, sql`agreed_usd`)}, agreed_rub = ${agreed(sql`floor_rub`, sql`agreed_rub`)}`
}

type UnderCost = Pick<PricedRow, 'game_amount' | 'price_usd' | 'price_rub' | 'floor_usd' | 'floor_rub'>

/** Writes that an admin has agreed to a price under cost, and why; without a reason it refuses with FLOOR_PRICE. */
async function agree(tx: Tx, adminId: number | null, offerId: number, offer: UnderCost, reason: string | undefined) {
  const prices = {
    price_usd: toMajor(offer.price_usd),
    price_rub: toMajor(offer.price_rub),
    floor_usd: toMajor(offer.floor_usd ?? 0),
    floor_rub: toMajor(offer.floor_rub ?? 0),
  }
  if (reason === undefined)
    throw new Failure('FLOOR_PRICE', { prices: [{ game_amount: offer.game_amount, ...prices }] })
  const entry = { actorId: adminId, action: 'offer.under_floor', subject: `offer:${offerId}` } as const
  await writeAudit(tx, { ...entry, after: { reason, ...prices } })
}

/** Whether there is a rate to convert a currency by. */
const hasRate = (queries: Queries, currency: string) =>
  exists(queries, sql`SELECT FROM currency_rate WHERE from_currency = 'USD' AND to_currency = ${currency}`)

interface OfferCosting {
  priceMode?: OfferPricing['price_mode'] | undefined
  /** Null: only its sources say what it costs. */
  base?: { cost: string; currency: string } | null | undefined
  /** Whether a price that jumps is confirmed. */
  isConfirmed?: boolean | undefined
}

/**
 * Says how an offer is priced, or what it costs where no source does, and prices it by that. The caller has called
 * `lockPrices` and locked the offer. Refuses a currency without a rate, and a price by rule of what has no known cost:
 * VALIDATION_FAILED.
 */
export async function setCosting(
  tx: Tx,
  adminId: number,
  offerId: number,
  { priceMode, base, isConfirmed = false }: OfferCosting,
): Promise<void> {
  if (base && base.currency !== 'USD' && !(await hasRate(tx, base.currency))) {
    throw new Failure('VALIDATION_FAILED', { 'base.currency': 'no_rate' })
  }
  await lockPrices(tx)
  const mode = priceMode ? sql`${priceMode}` : sql`price_mode`
  const cost =
    base === undefined
      ? sql`base_cost = base_cost`
      : sql`base_cost = ${base?.cost ?? null}::numeric, base_currency = ${base?.currency ?? null}`
  await tx.run(sql`UPDATE offer SET price_mode = ${mode}, ${cost} WHERE id = ${offerId}`)
  await repriceOffers(tx, { offerIds: [offerId] }, { adminId, because: 'offer', isConfirmed })
  const { is_priced } = await tx.one<{ is_priced: boolean }>(sql`
    SELECT price_mode = 'fixed' OR floor_usd IS NOT NULL AS is_priced FROM offer WHERE id = ${offerId}`)
  if (!is_priced && priceMode === 'rule') throw new Failure('VALIDATION_FAILED', { priceMode: 'no_cost' })
}
