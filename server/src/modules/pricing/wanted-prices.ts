import type { OfferSelection } from '@olmos/contract/price-changes'
import type { NewPriceRule, Rounding } from '@olmos/contract/price-rules'
import { join, raw, type Sql, sql } from '../../platform/database/queries.ts'
import { numberInForce } from '../shop/shop.ts'
import { isRateToBuyBy, isSoldByOne } from './delivered.ts'

/** Whose prices are made. */
export type OffersToPrice =
  | 'all'
  | { offerIds: readonly number[] }
  | { productId: number }
  | { category: string }
  /** Those that have something of it as a source. */
  | { supplier: string }

/** Reads whose offers an operator has chosen. */
export function toChosen(selection: OfferSelection): OffersToPrice {
  if (selection.of === 'category') return { category: selection.category }
  if (selection.of === 'product') return { productId: selection.product_id }
  if (selection.of === 'offers') return { offerIds: selection.offer_ids }
  return 'all'
}

/** Needs `offer` in scope. */
export function isChosen(which: OffersToPrice): Sql {
  if (which === 'all') return sql`offer.deleted_at IS NULL`
  return sql`offer.deleted_at IS NULL AND ${isAmong(which)}`
}

function isAmong(which: Exclude<OffersToPrice, 'all'>): Sql {
  if ('offerIds' in which) return sql`offer.id = ANY (${which.offerIds}::int[])`
  if ('productId' in which) return sql`offer.product_id = ${which.productId}`
  if ('category' in which) {
    return sql`offer.product_id IN (SELECT id FROM product WHERE ${which.category}::text = ANY (category))`
  }
  return sql`offer.id IN (
    SELECT offer_id FROM offer_source JOIN supplier_product ON supplier_product.id = supplier_product_id
    WHERE supplier = ${which.supplier})`
}

/** Units of each currency per USD at the rates in force, and whether the shop buys by them. */
const dollarRate = sql`(
  SELECT 'USD' AS currency, 1::numeric AS rate, true AS is_bought_by
  UNION ALL SELECT to_currency, rate, ${isRateToBuyBy} FROM currency_rate WHERE from_currency = 'USD')`

/**
 * What can be ordered from now, of suppliers that are on: the list of one that is off is read no more. One that is out of
 * service, or without money of the shop or stock, for a while counts, so that prices don't swing by it; what is sold by several
 * pieces only is nothing that a customer's order could buy. Where a rule makes the price, those with a rate to buy by are first,
 * the cheapest of all: the price of another could be too low for them, and it can't be bought itself. A typed price follows
 * none, so that what lies on the shelf stays on sale. A cost in a currency without any rate is the last that counts.
 */
const openSource = sql`
  offer_source AS source JOIN supplier_product ON supplier_product.id = source.supplier_product_id
  JOIN supplier_health AS seller
    ON seller.supplier = supplier_product.supplier AND supplier_product.kind = ANY (seller.sells)
  LEFT JOIN ${dollarRate} AS rate ON rate.currency = supplier_product.currency
  WHERE source.kind = 'supplier' AND source.is_on AND source.closed_reason IS NULL AND supplier_product.gone_at IS NULL
    AND ${isSoldByOne(sql`supplier_product`)}
    AND (source.cost_at_most IS NULL OR supplier_product.cost <= source.cost_at_most * rate.rate)`
const cheapestFirst = sql`
  coalesce(rate.is_bought_by AND (SELECT price_mode FROM offer WHERE id = source.offer_id) = 'rule', false) DESC,
  supplier_product.cost / rate.rate, source.rank, source.id`

/** What a supplier may take of a code's price, in percent. */
const codeShare = numberInForce('on_demand_cost_percent')

/** Takes the cost that was typed where no source has one. */
const orTyped = sql`
  CROSS JOIN LATERAL (
    SELECT coalesce(source_cost.amount, offer.base_cost) AS amount,
      coalesce(source_cost.currency, offer.base_currency) AS currency) AS cost`

/** Adds what an offer costs as `cost`: an amount and its currency, null while nobody knows. Needs `offer` in scope. */
export const withCost = sql`
  LEFT JOIN LATERAL (
    SELECT supplier_product.cost AS amount, supplier_product.currency FROM ${openSource} AND source.offer_id = offer.id
    ORDER BY ${cheapestFirst} LIMIT 1) AS source_cost ON true
  ${orTyped}`

/** The most that a price or a cost may be, in minor units; a rule that makes more of it prices nothing. */
const mostMinor = sql`100000000000`

export type RuleFigures = Pick<
  NewPriceRule,
  'margin_percent' | 'least_usd' | 'least_rub' | 'payment_percent' | 'rounding_usd' | 'rounding_rub'
>

/** Converts `cost` to minor units of a currency, rounded up. Needs `cost` and `cost_rate` in scope. */
const costIn = (rate: Sql): Sql => sql`ceil(cost.amount * ${rate} * 100 / cost_rate.rate)`

/** Rounds whole minor units up. */
const roundedUp = (minor: Sql, rounding: Sql): Sql => sql`
  CASE ${rounding}
    WHEN 'ninety_nine' THEN div(${minor} + 100, 100) * 100 - 1
    WHEN 'whole' THEN ceil(${minor} / 100) * 100
    WHEN 'tens' THEN ceil(${minor} / 1000) * 1000
    ELSE ${minor} END`

/**
 * Makes a price of a cost in whole minor units: the cost with its margin, which is a percentage of it or the least amount,
 * and what the payment takes of all of it. It divides once, so that nothing is lost before it is rounded up. Needs `cost`,
 * `cost_rate` and `rule` in scope.
 */
const marginOn = (rate: Sql, least: Sql): Sql => sql`
  ceil(greatest(cost.amount * ${rate} * 100 * (100 + rule.margin_percent),
      (cost.amount * ${rate} * 100 + ${least} * cost_rate.rate) * 100)
    / (cost_rate.rate * (100 - rule.payment_percent)))`

/**
 * The least price at which a cost is no more of it than `share` percent, in whole minor units; null without a share. Needs
 * `cost` and `cost_rate` in scope.
 */
const leastFor = (rate: Sql, share: Sql): Sql => sql`ceil(cost.amount * ${rate} * 10000 / (cost_rate.rate * ${share}))`

/**
 * Adds to each of these rows, which have a `cost`, a `rule` and an offer's columns, what it costs and what the rule makes of
 * that: `floor_usd`, `floor_rub`, `ruled_usd`, `ruled_rub`, null where they can't be said. No rule makes less than what the cost
 * may be `share` percent of, where there is a share. Each step is computed once for a row, which OFFSET 0 makes sure of.
 */
const priceRows = (columns: Sql, from: Sql, share: Sql): Sql => sql`
  SELECT *, CASE WHEN greatest(rounded_usd, rounded_rub) <= ${mostMinor} THEN rounded_usd::bigint END AS ruled_usd,
    CASE WHEN greatest(rounded_usd, rounded_rub) <= ${mostMinor} THEN rounded_rub::bigint END AS ruled_rub,
    CASE WHEN greatest(cost_usd, cost_rub) <= ${mostMinor} THEN cost_usd::bigint END AS floor_usd,
    CASE WHEN greatest(cost_usd, cost_rub) <= ${mostMinor} THEN cost_rub::bigint END AS floor_rub
  FROM (
    SELECT *, ${roundedUp(sql`exact_usd`, sql`rounding_usd`)} AS rounded_usd,
      ${roundedUp(sql`exact_rub`, sql`rounding_rub`)} AS rounded_rub
    FROM (
      SELECT ${columns}, rule.rounding_usd, rule.rounding_rub,
        CASE WHEN cost_rate.rate IS NULL THEN cost.currency END AS unrated,
        ${costIn(sql`1::numeric`)} AS cost_usd, ${costIn(sql`rub.rate`)} AS cost_rub,
        greatest(${marginOn(sql`1::numeric`, sql`rule.least_usd`)}, ${leastFor(sql`1::numeric`, share)}) AS exact_usd,
        greatest(${marginOn(sql`rub.rate`, sql`rule.least_rub`)}, ${leastFor(sql`rub.rate`, share)}) AS exact_rub
      FROM ${from}
      OFFSET 0) AS exact
    OFFSET 0) AS rounded`

/** Adds the rates by which a `cost` is converted. */
const withRates = sql`
  LEFT JOIN ${dollarRate} AS cost_rate ON cost_rate.currency = cost.currency
  CROSS JOIN (SELECT rate FROM ${dollarRate} AS rate WHERE currency = 'RUB') AS rub`

/** What a rule makes of a cost, in minor units; nothing where there is no rate of the currency. */
export const tryRule = (rule: RuleFigures, cost: string, currency: string): Sql => sql`
  SELECT ruled_usd AS price_usd, ruled_rub AS price_rub, floor_usd, floor_rub
  FROM (${priceRows(
    sql`cost.amount`,
    sql`(SELECT ${cost}::numeric(20, 8) AS amount, ${currency}::text AS currency) AS cost
      CROSS JOIN (${toFigures(rule)}) AS rule ${withRates}`,
    sql`NULL::int`,
  )}) AS priced WHERE ruled_usd IS NOT NULL`

/** The figures of a rule as columns; amounts of the wire are in major units. */
const toFigures = (rule: RuleFigures): Sql => sql`
  SELECT ${rule.margin_percent}::numeric(6, 2) AS margin_percent, (${rule.least_usd}::numeric * 100)::bigint AS least_usd,
    (${rule.least_rub}::numeric * 100)::bigint AS least_rub, ${rule.payment_percent}::numeric(4, 2) AS payment_percent,
    ${rule.rounding_usd}::text AS rounding_usd, ${rule.rounding_rub}::text AS rounding_rub`

const targetColumns = sql`id, scope, category, product_id, offer_id`
const figures = sql`margin_percent, least_usd, least_rub, payment_percent, rounding_usd, rounding_rub`

/** The rules by which prices are made: those in force, or as they would be. */
export const rules = {
  inForce: sql`SELECT ${targetColumns}, ${figures} FROM price_rule WHERE deleted_at IS NULL`,

  without: (ruleId: number): Sql =>
    sql`SELECT ${targetColumns}, ${figures} FROM price_rule WHERE deleted_at IS NULL AND id <> ${ruleId}`,

  withFigures: (ruleId: number, figures: RuleFigures): Sql => sql`
    ${rules.without(ruleId)}
    UNION ALL SELECT ${targetColumns}, figures.* FROM price_rule CROSS JOIN (${toFigures(figures)}) AS figures
    WHERE id = ${ruleId} AND deleted_at IS NULL`,

  withNew: ({ scope, category, product_id, offer_id, ...figures }: Omit<NewPriceRule, 'seen'>): Sql => sql`
    ${rules.inForce}
    UNION ALL SELECT 0, ${scope}::text, ${category ?? null}::text, ${product_id ?? null}::int, ${offer_id ?? null}::int,
      figures.*
    FROM (${toFigures(figures)}) AS figures`,
}

/**
 * How prices are made. `own`: by the nearest rule where an offer is priced by one, else it keeps its price; `rule`: by the
 * nearest rule from now on, where its cost is known; `percent`: typed, so much more or less; `pending`: as it was proposed.
 */
type PricedBy =
  | { by: 'own' }
  | { by: 'rule' }
  | { by: 'percent'; percentUsd: number; percentRub: number; roundingUsd: Rounding; roundingRub: Rounding }
  | { by: 'pending'; ids: readonly number[] }

interface Wanted {
  mode: Sql
  usd: Sql
  rub: Sql
}

const changedBy = (was: Sql, percent: number, rounding: Rounding): Sql =>
  percent === 0
    ? was
    : roundedUp(sql`greatest(ceil(${was} * (100 + ${percent}::numeric) / 100), 1)`, sql`${rounding}::text`)

function toWanted(priced: PricedBy): Wanted {
  if (priced.by === 'own') {
    const byRule = (price: Sql) => sql`CASE WHEN was_mode = 'rule' THEN ${price} END`
    return { mode: sql`was_mode`, usd: byRule(sql`ruled_usd`), rub: byRule(sql`ruled_rub`) }
  }
  if (priced.by === 'rule') {
    const mode = sql`CASE WHEN ruled_usd IS NULL THEN was_mode ELSE 'rule' END`
    return { mode, usd: sql`ruled_usd`, rub: sql`ruled_rub` }
  }
  if (priced.by === 'percent') {
    return {
      mode: sql`'fixed'`,
      usd: changedBy(sql`was_usd`, priced.percentUsd, priced.roundingUsd),
      rub: changedBy(sql`was_rub`, priced.percentRub, priced.roundingRub),
    }
  }
  const proposed = (column: Sql) => sql`(
    SELECT pending_price.${column} FROM pending_price
    WHERE pending_price.offer_id = priced.offer_id AND pending_price.id = ANY (${priced.ids}::bigint[]))`
  return { mode: sql`was_mode`, usd: proposed(sql`price_usd`), rub: proposed(sql`price_rub`) }
}

const jumps = (was: Sql, price: Sql) =>
  sql`abs(${price} - ${was}) * 100 > ${was} * ${numberInForce('price_jump_percent')}`

/**
 * What there is to say of a wanted price: that it is another one than that in force, that it moves further than it may by
 * itself, and that it is under what the offer costs.
 */
const judgement = sql`
  (price_usd, price_rub) <> (was_usd, was_rub) AS is_moved,
  ${jumps(sql`was_usd`, sql`price_usd`)} OR ${jumps(sql`was_rub`, sql`price_rub`)} AS is_jump,
  coalesce(price_usd < floor_usd OR price_rub < floor_rub, false) AS is_under_cost`

export interface Pricing {
  which: OffersToPrice
  priced?: PricedBy
  /** `rules.inForce` by default. */
  by?: Sql
}

/** The figures of an offer's own rule, else those of the nearest one of its product. */
const nearestFigures = join(
  ['margin_percent', 'least_usd', 'least_rub', 'payment_percent', 'rounding_usd', 'rounding_rub'].map((column) =>
    raw(`CASE WHEN own.id IS NULL THEN product_rule.${column} ELSE own.${column} END AS ${column}`),
  ),
)

/** What a supplier may take of the price of a code that is bought on demand, in percent; null for what is not bought so. */
const onDemandShare = sql`CASE WHEN product_rule.buys_on_demand AND source_cost.amount IS NOT NULL
  THEN ${codeShare} END`

/**
 * Makes the common table expressions that end with `wanted`: for each chosen offer the price it has and the one it should
 * have, both in minor units, what it costs, what is odd about it, and what decides whether it is sold.
 */
export function wantedPrices({ which, priced = { by: 'own' }, by = rules.inForce }: Pricing): Sql {
  const { mode, usd, rub } = toWanted(priced)
  return sql`
    rule AS MATERIALIZED (${by}),
    product_rule AS MATERIALIZED (
      SELECT product.id AS product_id, product.buys_on_demand, nearest.*
      FROM product CROSS JOIN (SELECT id FROM rule WHERE scope = 'shop') AS of_shop
      LEFT JOIN rule AS own ON own.product_id = product.id
      LEFT JOIN LATERAL (
        SELECT rule.id FROM unnest(product.category) WITH ORDINALITY AS word (category, place)
        JOIN rule ON rule.category = word.category ORDER BY place LIMIT 1) AS of_category ON own.id IS NULL
      JOIN (SELECT id AS rule_id, ${figures} FROM rule) AS nearest
        ON nearest.rule_id = coalesce(own.id, of_category.id, of_shop.id)
      WHERE product.deleted_at IS NULL),
    source_cost AS MATERIALIZED (
      SELECT DISTINCT ON (source.offer_id) source.offer_id, supplier_product.cost AS amount, supplier_product.currency
      FROM ${openSource} AND source.offer_id IN (SELECT id FROM offer WHERE ${isChosen(which)})
      ORDER BY source.offer_id, ${cheapestFirst}),
    made AS (
      SELECT offer_id, was_mode, was_usd, was_rub, ${mode} AS price_mode, coalesce(${usd}, was_usd)::bigint AS price_usd,
        coalesce(${rub}, was_rub)::bigint AS price_rub, floor_usd, floor_rub, ruled_usd IS NULL AS is_unpriced, unrated,
        agreed_usd, agreed_rub, is_active, under_floor_since
      FROM (${priceRows(
        sql`offer.id AS offer_id, offer.price_mode AS was_mode, offer.price_usd AS was_usd, offer.price_rub AS was_rub,
          offer.agreed_usd, offer.agreed_rub, offer.is_active, offer.under_floor_since`,
        sql`offer JOIN product_rule ON product_rule.product_id = offer.product_id
          LEFT JOIN rule AS own ON own.offer_id = offer.id
          CROSS JOIN LATERAL (SELECT ${nearestFigures}) AS rule
          LEFT JOIN source_cost ON source_cost.offer_id = offer.id ${orTyped} ${withRates}
          WHERE ${isChosen(which)}`,
        onDemandShare,
      )}) AS priced),
    wanted AS MATERIALIZED (SELECT *, ${judgement} FROM made)`
}

const rubAtRate = sql`round(offer.price_usd * rub.rate)`

/** Whether the prices of an offer are too far apart at the rate in force. Needs `offer` and `rub` in scope. */
export const hasDrifted = sql`
  abs(offer.price_rub - ${rubAtRate}) * 100 > ${rubAtRate} * ${numberInForce('price_spread_percent')}`

/** Adds the rate that `pricingColumns` converts by. */
export const withRubRate = sql`
  CROSS JOIN (SELECT rate FROM currency_rate WHERE from_currency = 'USD' AND to_currency = 'RUB') AS rub`

/** How an offer is priced, as operators see it. Needs `offer`, `rub` and `cost` in scope. */
export const pricingColumns = sql`
  offer.price_mode, trim_scale(cost.amount)::text AS cost, cost.currency AS cost_currency,
  trim_scale(offer.base_cost)::text AS base_cost, offer.base_currency, offer.floor_usd, offer.floor_rub,
  ${rubAtRate}::bigint AS rub_at_rate, ${hasDrifted} AS has_drifted,
  EXISTS (SELECT FROM pending_price WHERE pending_price.offer_id = offer.id AND decided_at IS NULL) AS has_pending_price,
  offer.under_floor_since`
