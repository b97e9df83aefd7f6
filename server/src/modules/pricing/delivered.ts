import { SERVER_BUSINESS } from '../../business.ts'
import { SERVER_LIMITS } from '../../limits.ts'
import { type Sql, sql } from '../../platform/database/queries.ts'
import { numberInForce } from '../shop/shop.ts'

/** Whether a source may be bought by now. Needs `source` and, left joined, what it buys, `bought`, in scope. */
export const isOpenSource = sql`(source.is_on AND source.closed_reason IS NULL AND bought.gone_at IS NULL)`

/** Joins what the sources of offers buy. */
export const sourcesOfOffers = sql`
  offer_source AS source LEFT JOIN supplier_product AS bought ON bought.id = source.supplier_product_id`

/** Whether a rate is certain enough to buy by, as `rateToBuyBy` of deliveries has it. Needs `currency_rate` in scope. */
export const isRateToBuyBy = sql`(currency_rate.source <> 'fixed' AND currency_rate.held_rate IS NULL
  AND currency_rate.updated_at > now() - make_interval(days => ${SERVER_BUSINESS.rateStaleDays}))`

/** Units of a cost's currency to one USD; null where there is no rate to buy by, and suppliers refuse. */
const rateToBuyBy = sql`CASE bought.currency WHEN 'USD' THEN 1 ELSE (
  SELECT rate FROM currency_rate
  WHERE from_currency = 'USD' AND to_currency = bought.currency AND ${isRateToBuyBy}) END`

/**
 * The most a unit may cost, in hundred-millionths of USD, as `costAtMost` of a delivery computes it: of the lower of both prices,
 * as a customer may pay either. It divides once and at the end, so that no rounding comes between it and the least price of a rule.
 */
const costAtMost = sql`(
  SELECT least(offer.price_usd * share * 10000, div(offer.price_rub * share * 10000, (
    SELECT rate FROM currency_rate WHERE from_currency = 'USD' AND to_currency = 'RUB')))
  FROM (SELECT CASE product.kind WHEN 'code' THEN ${numberInForce('on_demand_cost_percent')} ELSE 100 END::numeric) AS may (share))`

/** Whether what a supplier's product costs today is no more than so many hundred-millionths of USD, converted as suppliers do. */
const isWithin = (atMost: Sql) => sql`coalesce(bought.cost * 100000000 <= trunc(${atMost} * ${rateToBuyBy}), false)`

/**
 * Whether what a supplier's product costs today is within what a unit of an offer may cost: one that costs more is refused by
 * a delivery for certain. Needs `offer`, `product` and `bought` in scope.
 */
const isWithinPrice = isWithin(costAtMost)

/** Whether it is also within the limit of the source itself. Needs `source`, too. */
const isWithinLimits = isWithin(sql`least(${costAtMost}, source.cost_at_most * 100000000)`)

/** Whether a supplier is on and sells what an offer is of. Needs `seller` and `product` in scope. */
const isOn = sql`(product.kind = ANY (seller.sells))`

/** Whether a product of a supplier's list is sold by one piece, as customers order it, as far as the list says. */
export const isSoldByOne = (product: Sql) => sql`coalesce(${product}.quantity_min, 1) <= 1`

/** Whether its list has one piece of what is bought, as far as it says. Needs `bought` in scope. */
const isInStock = sql`(coalesce(bought.stock, 1) > 0 AND ${isSoldByOne(sql`bought`)})`

/**
 * Whether the shop's money there, in hundredths, pays for a unit, as far as it is known: there has to be some where it is in
 * another currency than the cost, or no list says the cost. Needs `seller` and `bought` in scope.
 */
const isPayable = sql`coalesce(
  CASE WHEN seller.balance_currency = bought.currency THEN seller.balance >= bought.cost * 100 ELSE seller.balance > 0 END,
  true)`

/**
 * Whether it can also be asked now: it has a unit that the shop can pay, and one of codes is not out of service. A top-up
 * waits for that, but not for money: for want of it a supplier refuses, and the unit is refunded.
 */
const isSelling = sql`(${isOn} AND ${isInStock} AND ${isPayable} AND (product.kind = 'topup'
  OR NOT (seller.failures >= ${SERVER_LIMITS.breakerFailures} AND coalesce(seller.out_until > now(), false))))`

/** Whether somebody delivers by an offer's own sources, of whom `isMet` holds; null where it has none. */
const isDeliveredByOwn = (isMet: Sql) => sql`(
  SELECT bool_or(coalesce(${isOpenSource} AND ${isMet}, false))
  FROM ${sourcesOfOffers} LEFT JOIN supplier_health AS seller
    ON seller.supplier = CASE source.kind WHEN 'operator' THEN 'manual' ELSE bought.supplier END
  WHERE source.offer_id = offer.id)`

/**
 * The reference that an offer's item has in a supplier's list: its own, or with the kind before it at SEAGM, where the number
 * alone names a type, too (`toTypeId` of the adapter). Needs `offer` and `product` in scope.
 */
export const referenceAt = (supplier: Sql) => sql`CASE
  WHEN ${supplier} = 'seagm' AND offer.item_id ~ '^[0-9]+$'
    THEN CASE product.kind WHEN 'code' THEN 'card/' ELSE 'recharge/' END || offer.item_id
  ELSE offer.item_id END`

/**
 * Whether some supplier of the shop delivers an offer by its name: one of whom `isMet` holds, and where its list has that name,
 * `isHad`. Where a list has it, only who lists it knows it, at the cost that stands there, and who needs no name; what no list
 * has is tried at any supplier.
 */
const isDeliveredByShop = (isMet: Sql, isHad: Sql) => sql`(
  SELECT coalesce(CASE WHEN bool_or(bought.id IS NOT NULL)
    THEN bool_or(${isMet} AND CASE WHEN bought.id IS NULL THEN NOT seller.needs_item
      ELSE bought.gone_at IS NULL AND ${isHad} END)
    ELSE bool_or(${isMet} AND (offer.item_id IS NOT NULL OR product.kind = 'topup' AND NOT seller.needs_item)) END, false)
  FROM supplier_health AS seller LEFT JOIN supplier_product AS bought
    ON bought.supplier = seller.supplier AND bought.reference = ${referenceAt(sql`seller.supplier`)}
      AND bought.kind = product.kind)`

/** Whether a supplier of whom `isMet` holds can have an offer for what it costs today, or the operator delivers it. */
const isDeliveredBy = (isMet: Sql) => sql`coalesce(
  ${isDeliveredByOwn(sql`${isMet} AND (source.kind = 'operator' OR ${isWithinLimits})`)},
  ${isDeliveredByShop(isMet, isWithinPrice)})`

/**
 * Whether somebody delivers an offer without codes of its pool: a supplier that is on and can have it for what it costs
 * today, or the operator. It asks what a delivery asks, so that nothing is sold that is certainly refunded. Needs `offer` and
 * `product` in scope.
 */
export const isDelivered = isDeliveredBy(isSelling)

/**
 * Whether there is anybody whom the delivery of a unit that is paid for asks. What that may cost follows from the price that was
 * paid, not from today's, and the delivery waits for a supplier that is out of service. Needs `offer` and `product` in scope.
 */
export const isAskedFor = sql`coalesce(${isDeliveredByOwn(isOn)}, ${isDeliveredByShop(isOn, sql`true`)})`

/** Whether codes of an offer's pool are spent on players, if there are any. Needs `offer` and `product` in scope. */
export const isPoolSpent = sql`(product.kind = 'topup'
  AND coalesce((
    SELECT bool_or(${isOpenSource} AND source.kind = 'pool') FROM ${sourcesOfOffers} WHERE source.offer_id = offer.id),
    product.pricing = 'combination')
  AND EXISTS (SELECT FROM supplier_health WHERE redeems_codes AND 'topup' = ANY (sells)))`

/** Whether the shop has codes of an offer, to be sold or to be spent on players. */
const hasStock = sql`((product.kind = 'code' OR ${isPoolSpent})
  AND EXISTS (SELECT FROM code WHERE offer_id = offer.id AND status = 'available'))`

/** Whether an offer is for everybody, or for a region in which its product is sold. */
const isInPlace = sql`(offer.region_id IS NULL OR EXISTS (
  SELECT FROM product_region JOIN region ON region.id = product_region.region_id
  WHERE product_region.product_id = offer.product_id AND region.id = offer.region_id AND region.is_active))`

/**
 * Whether an offer is on sale, and a supplier that is on would deliver it, were what it costs not too much for its price or
 * for the limit of its source, or without a rate to buy by: then it is sold out, unless there are codes of it, and no delivery
 * tells anybody. Needs `offer` and `product` in scope.
 */
export const isSoldOutByCost = sql`(product.is_active AND product.deleted_at IS NULL AND offer.is_active
  AND offer.deleted_at IS NULL AND (product.kind = 'topup' OR product.buys_on_demand) AND ${isInPlace}
  AND ${isAskedFor} AND NOT ${isDeliveredBy(isOn)} AND NOT ${hasStock})`
