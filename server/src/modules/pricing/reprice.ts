import { Failure } from '@olmos/contract/failure'
import * as LIMITS from '@olmos/contract/limits'
import { toMajor } from '@olmos/contract/minor-units'
import type { PreviewedPrice, PricePreview } from '@olmos/contract/price-changes'
import { exists, toPage } from '../../platform/database/lists.ts'
import { type Queries, type Sql, sql, type Tx } from '../../platform/database/queries.ts'
import { raiseAlert, resolveAlert } from '../../platform/live/alert.ts'
import { writeAudit } from '../../platform/security/audit.ts'
import { numberInForce } from '../shop/shop.ts'
import { isSoldOutByCost } from './delivered.ts'
import { isChosen, type OffersToPrice, type Pricing, wantedPrices } from './wanted-prices.ts'

/**
 * Lets one transaction at a time make prices. Call it before anything else is locked: who makes prices locks offers, and
 * would wait for somebody who waits here.
 */
export const lockPrices = (tx: Tx) => tx.run(sql`SELECT pg_advisory_xact_lock(hashtext('prices'))`)

/** Locks the offers whose prices are about to be made, so that what is computed next is computed from what stays. */
export const lockChosen = (tx: Tx, which: OffersToPrice) =>
  tx.one<{ count: number }>(sql`
    WITH locked AS (SELECT id FROM offer WHERE ${isChosen(which)} ORDER BY id FOR NO KEY UPDATE)
    SELECT count(*)::int AS count FROM locked`)

interface Setting {
  /** Whether an admin has seen and confirmed prices that jump. */
  isConfirmed: boolean
  /** Whether an admin has agreed, in writing, to prices under cost. */
  isAgreed?: boolean
  /** Whether more follows at once, after which operators are told: to count what they are told looks at every package. */
  isPart?: boolean
}

/** How far a cost may rise before the yes to a price under it ends. */
export const agreedUpTo = (floor: Sql) => sql`${floor} * (100 + ${numberInForce('price_jump_percent')}) / 100`

const agreedFor = (currency: Sql, { isAgreed = false }: Setting) => sql`
  CASE WHEN NOT is_changed THEN agreed_${currency}
    WHEN ${isAgreed} AND price_${currency} < floor_${currency} THEN ${agreedUpTo(sql`floor_${currency}`)} END AS agreed_${currency}`

const usd = sql`usd`
const rub = sql`rub`

export interface Repriced {
  /** How many prices changed. */
  changed: number
  /** How many jump and wait to be approved. */
  pending: number
}

interface SetPrices extends Repriced {
  written: number
  /** Currencies of costs that have no rate. */
  unrated: string[]
  hasPending: boolean
}

/**
 * Puts the wanted prices in force, both currencies of all offers by one statement, so that nobody reads half of them. What
 * jumps and is not confirmed keeps its price. An offer that is under what it costs goes off sale unless an admin has
 * agreed to that, and comes back once it is not: while nobody knows what it costs, it stays off.
 */
const setWanted = (tx: Tx, wanted: Sql, setting: Setting) =>
  tx.one<SetPrices>(sql`
    WITH ${wanted},
    decided AS (
      SELECT *, is_moved AND (${setting.isConfirmed} OR NOT is_jump) AS is_changed,
        is_moved AND is_jump AND NOT ${setting.isConfirmed} AS is_pending FROM wanted),
    priced AS (
      SELECT offer_id, price_mode, is_changed, is_pending, unrated, floor_usd, floor_rub, is_active, under_floor_since,
        CASE WHEN is_pending THEN was_usd ELSE price_usd END AS price_usd,
        CASE WHEN is_pending THEN was_rub ELSE price_rub END AS price_rub,
        ${agreedFor(usd, setting)}, ${agreedFor(rub, setting)} FROM decided),
    settled AS (
      SELECT *, under_floor_since IS NOT NULL AND floor_usd IS NOT NULL AND NOT is_under AS is_back
      FROM (
        SELECT *, is_under_floor(price_usd, floor_usd, agreed_usd) OR is_under_floor(price_rub, floor_rub, agreed_rub)
          AS is_under FROM priced) AS judged),
    written AS (
      UPDATE offer SET price_mode = settled.price_mode, price_usd = settled.price_usd, price_rub = settled.price_rub,
        floor_usd = settled.floor_usd, floor_rub = settled.floor_rub, agreed_usd = settled.agreed_usd,
        agreed_rub = settled.agreed_rub,
        is_active = CASE WHEN settled.is_under THEN false ELSE settled.is_active OR settled.is_back END,
        under_floor_since = CASE WHEN settled.is_under AND settled.under_floor_since IS NULL AND settled.is_active THEN now()
          WHEN NOT settled.is_back THEN settled.under_floor_since END
      FROM settled WHERE offer.id = settled.offer_id AND (
        (offer.price_mode, offer.price_usd, offer.price_rub, offer.floor_usd, offer.floor_rub, offer.agreed_usd, offer.agreed_rub)
          IS DISTINCT FROM (settled.price_mode, settled.price_usd, settled.price_rub, settled.floor_usd, settled.floor_rub,
            settled.agreed_usd, settled.agreed_rub)
        OR settled.is_under AND settled.is_active OR settled.is_back)
      RETURNING offer.id)
    SELECT count(*) FILTER (WHERE is_changed)::int AS changed, count(*) FILTER (WHERE is_pending)::int AS pending,
      (SELECT count(*)::int FROM written) AS written,
      coalesce(array_agg(DISTINCT unrated) FILTER (WHERE unrated IS NOT NULL), '{}') AS unrated,
      EXISTS (SELECT FROM pending_price WHERE decided_at IS NULL) AS "hasPending"
    FROM settled`)

/** Closes proposals that are wanted no more. */
const supersede = (tx: Tx, which: OffersToPrice, wanted: Sql) =>
  tx.run(sql`
    WITH ${wanted}
    UPDATE pending_price AS pending SET decision = 'superseded', decided_at = now()
    WHERE decided_at IS NULL AND pending.offer_id IN (SELECT id FROM offer WHERE ${isChosenOrDeleted(which)})
      AND NOT EXISTS (
        SELECT FROM wanted WHERE wanted.offer_id = pending.offer_id AND wanted.price_mode = 'rule'
          AND (wanted.was_usd, wanted.was_rub) = (pending.was_usd, pending.was_rub)
          AND (wanted.price_usd, wanted.price_rub) = (pending.price_usd, pending.price_rub))`)

/** Those that were deleted are among them. */
const isChosenOrDeleted = (which: OffersToPrice) =>
  which === 'all' ? sql`true` : sql`(${isChosen(which)} OR deleted_at IS NOT NULL)`

/** The proposals that an admin can decide: not those of what was deleted, which may stay open until all is repriced. */
export const waitingPrices = sql`
  pending_price AS pending JOIN offer ON offer.id = pending.offer_id AND pending.decided_at IS NULL
  JOIN product ON product.id = offer.product_id AND offer.deleted_at IS NULL AND product.deleted_at IS NULL`

/** Stores the prices that rules want and that are not in force: they wait for an admin. */
const propose = (tx: Tx, wanted: Sql) =>
  tx.run(sql`
    WITH ${wanted}
    INSERT INTO pending_price (offer_id, was_usd, was_rub, price_usd, price_rub)
    SELECT offer_id, was_usd, was_rub, price_usd, price_rub FROM wanted
    WHERE price_mode = 'rule' AND is_moved AND NOT EXISTS (
      SELECT FROM pending_price WHERE pending_price.offer_id = wanted.offer_id AND decided_at IS NULL)
    ORDER BY offer_id`)

interface Repricing extends Partial<Setting> {
  /** Null when the shop itself does it. */
  adminId: number | null
  /** Why, for the audit log. */
  because: 'costs' | 'rates' | 'rule' | 'offer'
}

/**
 * Makes the prices of offers that are priced by a rule, from their costs, the rates and the rules as they are now, and
 * learns what every chosen offer costs. Call it in the transaction of what changed one of these, before which
 * `lockPrices` is called if it locks offers or products. Prices that jump too far wait to be approved.
 */
export async function repriceOffers(
  tx: Tx,
  which: OffersToPrice,
  { adminId, because, ...setting }: Repricing,
): Promise<Repriced> {
  await lockPrices(tx)
  await lockChosen(tx, which)
  const repriced = await putPricesInForce(tx, which, wantedPrices({ which }), { isConfirmed: false, ...setting })
  if (repriced.changed + repriced.pending > 0 && because !== 'offer') {
    await writeAudit(tx, {
      actorId: adminId,
      action: 'prices.change',
      subject: 'prices',
      after: { because, ...repriced },
    })
  }
  return repriced
}

/**
 * Has new offers priced by the nearest rules from their first price on; the caller has called `lockPrices`. Returns whether
 * all have a cost that counts: one without keeps the price that it has.
 */
export async function startPricing(tx: Tx, adminId: number, offerIds: readonly number[]): Promise<boolean> {
  await tx.run(sql`UPDATE offer SET price_mode = 'rule' WHERE id = ANY (${offerIds}::int[])`)
  await repriceOffers(tx, { offerIds }, { adminId, because: 'offer', isConfirmed: true })
  return !(await exists(tx, sql`SELECT FROM offer WHERE id = ANY (${offerIds}::int[]) AND floor_usd IS NULL`))
}

/** Puts wanted prices of locked offers in force, and what follows from that: proposals, alerts, caches. */
export async function putPricesInForce(tx: Tx, which: OffersToPrice, wanted: Sql, setting: Setting): Promise<Repriced> {
  const { changed, pending, written, unrated, hasPending } = await setWanted(tx, wanted, setting)
  if (pending > 0 || hasPending) {
    const now = wantedPrices({ which })
    await supersede(tx, which, now)
    await propose(tx, now)
  }
  if (!setting.isPart) await noteAlerts(tx, which, unrated)
  if (written > 0) tx.notify('catalogue', 'prices')
  return { changed, pending }
}

async function noteAlerts(tx: Tx, which: OffersToPrice, unrated: readonly string[]): Promise<void> {
  const { waiting, under, low } = await tx.one<{ waiting: number; under: number; low: number }>(sql`
    SELECT (SELECT count(*)::int FROM ${waitingPrices}) AS waiting,
      (SELECT count(*)::int FROM offer JOIN product ON product.id = offer.product_id
        WHERE offer.under_floor_since IS NOT NULL AND offer.deleted_at IS NULL AND product.deleted_at IS NULL) AS under,
      (SELECT count(*)::int FROM offer JOIN product ON product.id = offer.product_id WHERE ${isSoldOutByCost}) AS low`)
  for (const [kind, number] of [
    ['price.waiting', waiting],
    ['price.under_floor', under],
    ['price.too_low', low],
  ] as const) {
    if (number > 0)
      await raiseAlert(tx, { kind, subject: 'prices', details: { packages: number }, whenChanged: 'refresh' })
    else await resolveAlert(tx, kind)
  }
  for (const currency of unrated) await raiseAlert(tx, { kind: 'price.no_rate', subject: currency, details: {} })
  if (which !== 'all') return
  const open = await tx.rows<{ subject: string }>(sql`
    SELECT subject FROM alert WHERE kind = 'price.no_rate' AND resolved_at IS NULL`)
  for (const { subject } of open) if (!unrated.includes(subject)) await resolveAlert(tx, 'price.no_rate', subject)
}

/** Names an offer for operators. Needs `offer` and `product` in scope, and `withOfferName` after them. */
export const offerName = sql`
  offer.id AS offer_id, offer.product_id, texts.title AS product_title, offer.game_amount,
  coalesce(nullif(product_region.game_currency, ''), product.game_currency) AS game_currency,
  coalesce(region.name, '') AS region_name`

export const withOfferName = sql`
  JOIN product_text AS texts ON texts.product_id = product.id AND texts.language = 'ru'
  LEFT JOIN region ON region.id = offer.region_id
  LEFT JOIN product_region ON product_region.product_id = offer.product_id AND product_region.region_id = offer.region_id`

/** What would change, as a whole. */
type Summary = Omit<PricePreview, 'data'>

/** All that decides what would be written, in a digest: two that are equal write the same. */
const summarize = (queries: Queries, pricing: Pricing) =>
  queries.one<Summary>(sql`
    WITH ${wantedPrices(pricing)},
    change AS (SELECT * FROM wanted WHERE is_moved OR price_mode <> was_mode)
    SELECT count(*) FILTER (WHERE is_moved)::int AS total, count(*) FILTER (WHERE is_moved AND is_jump)::int AS jumps,
      count(*) FILTER (WHERE is_moved AND is_under_cost)::int AS under_floor,
      (SELECT count(*)::int FROM wanted WHERE is_unpriced) AS without_cost,
      md5(coalesce(string_agg(concat_ws(':', offer_id, was_mode, was_usd, was_rub, price_mode, price_usd, price_rub,
        floor_usd, floor_rub), ' ' ORDER BY offer_id), '')) AS digest
    FROM change`)

/** Prices are in minor units. */
interface PreviewRow extends Omit<PreviewedPrice, 'doubts'> {
  is_jump: boolean
  is_under_cost: boolean
}

/**
 * Computes every price that would change, and shows a page of them. It writes nothing; call it in a snapshot, so that the
 * digest is of what is shown.
 */
export async function previewPrices(queries: Queries, pricing: Pricing, page: number): Promise<PricePreview> {
  const pageSize = LIMITS.listPageSize
  const [rows, summary] = await Promise.all([
    queries.rows<PreviewRow>(sql`
      WITH ${wantedPrices(pricing)}
      SELECT ${offerName}, was_usd, was_rub, wanted.price_usd, wanted.price_rub, wanted.floor_usd, wanted.floor_rub,
        is_jump, is_under_cost
      FROM wanted JOIN offer ON offer.id = wanted.offer_id JOIN product ON product.id = offer.product_id ${withOfferName}
      WHERE is_moved
      ORDER BY product.position, product.id, offer.id ${toPage({ page, pageSize })}`),
    summarize(queries, pricing),
  ])
  return { data: rows.map(shownPreview), ...summary }
}

function shownPreview({ is_jump, is_under_cost, ...row }: PreviewRow): PreviewedPrice {
  return {
    ...row,
    was_usd: toMajor(row.was_usd),
    was_rub: toMajor(row.was_rub),
    price_usd: toMajor(row.price_usd),
    price_rub: toMajor(row.price_rub),
    floor_usd: row.floor_usd && toMajor(row.floor_usd),
    floor_rub: row.floor_rub && toMajor(row.floor_rub),
    doubts: [...(is_jump ? (['jump'] as const) : []), ...(is_under_cost ? (['floor'] as const) : [])],
  }
}

/**
 * Locks what is about to be priced, and refuses when it would not come out exactly as it was seen: PRICE_CHANGED. Returns
 * what would change; without a digest nothing was seen, and nothing is compared.
 */
export async function requireSeenPreview(
  tx: Tx,
  pricing: Pricing,
  seen: string | undefined,
): Promise<Summary | undefined> {
  if (seen === undefined) return undefined
  await lockChosen(tx, pricing.which)
  const summary = await summarize(tx, pricing)
  if (summary.digest !== seen) throw new Failure('PRICE_CHANGED', { preview: 'moved' })
  return summary
}
