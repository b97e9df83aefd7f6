import type { SteamCurrency } from '@olmos/contract/topup-data'
import { sql, type Tx } from '../../platform/database/queries.ts'
import { isOnSale, offerPlace, offersOnDemand } from '../catalogue/availability.ts'
import type { LockedOrder } from '../orders/order-states.ts'
import { priceSteamAgain } from '../topups/price-steam.ts'

/** How an ordered item would be sold now. */
interface ItemTerms {
  is_on_sale: boolean
  /** The price of one without a coupon, in minor units of the order's currency: as it was ordered, and as it is now. */
  unit_price: number
  price_now: number
  quantity: number
  /** Whether its price follows from rates. */
  is_steam: boolean
}

/**
 * Returns why money that came late no longer buys the items of its order; undefined if it still does. What follows from rates may
 * have become dearer by so much.
 */
export function whyNotSold(
  items: readonly ItemTerms[],
  lossPercent: number,
): 'not_on_sale' | 'price_changed' | undefined {
  if (items.some((item) => !item.is_on_sale)) return 'not_on_sale'
  return items.some((item) => isDearer(item, lossPercent)) ? 'price_changed' : undefined
}

/** Rates move a little every day, while an offer's price moves only when an admin changes it. */
const isDearer = ({ unit_price, price_now, is_steam }: ItemTerms, lossPercent: number): boolean =>
  (price_now - unit_price) * 100 > (is_steam ? unit_price * lossPercent : 0)

/** Returns what all items cost now, in minor units. */
export const costNow = (items: readonly ItemTerms[]): number =>
  items.reduce((sum, { price_now, quantity }) => sum + price_now * quantity, 0)

/** Returns whether somebody who ordered the same items now would get them at the same prices. */
export const isSoldAsOrdered = (items: readonly ItemTerms[]): boolean =>
  items.every(({ is_on_sale, unit_price, price_now }) => is_on_sale && unit_price === price_now)

interface TermsRow extends Omit<ItemTerms, 'price_now'> {
  /** None of a top-up of Steam, which is no offer. */
  price_now: number | null
  steam_amount: number | null
  steam_currency: SteamCurrency | null
  product_id: number
}

/**
 * Reads the terms on which each item of a locked order would be sold now. Prices and rates are read once and not
 * locked: a change that commits while the money is being accepted counts from then on.
 */
export async function termsNow(tx: Tx, { id, currency }: Pick<LockedOrder, 'id' | 'currency'>): Promise<ItemTerms[]> {
  const rows = await tx.rows<TermsRow>(sql`
    SELECT order_item.unit_price + order_item.unit_discount AS unit_price, order_item.quantity, ${isOnSale} AS is_on_sale, target.steam_currency IS NOT NULL AS is_steam,
      CASE ${currency}::text WHEN 'USD' THEN offer.price_usd ELSE offer.price_rub END AS price_now,
      target.steam_amount, target.steam_currency, product.id AS product_id
    FROM order_item
    LEFT JOIN offer ON offer.id = order_item.offer_id
    JOIN product ON product.id = coalesce(order_item.product_id, offer.product_id)
    ${offerPlace}
    LEFT JOIN topup_target AS target ON target.order_item_id = order_item.id
    WHERE order_item.order_id = ${id} ORDER BY order_item.position`)
  const wishes = rows.flatMap(({ steam_amount: amount, steam_currency: currency, product_id: productId }) =>
    amount !== null && currency !== null ? [{ amount, currency, productId }] : [],
  )
  const steam = await priceSteamAgain(tx, wishes)
  return rows.map(({ steam_amount: _amount, steam_currency: _currency, product_id: _product, price_now, ...terms }) => {
    const price = terms.is_steam ? steam.shift() : undefined
    if (!price) return { ...terms, price_now: price_now ?? 0 }
    return { ...terms, price_now: currency === 'USD' ? price.priceUsd : price.priceRub }
  })
}

/** Returns whether the codes of a locked order that is not paid are all reserved, or can be bought where they are not. */
export async function areCodesLeft(tx: Tx, { id }: Pick<LockedOrder, 'id'>): Promise<boolean> {
  const lacking = await tx.rows<{ offer_id: number }>(sql`
    SELECT offer_id FROM order_item
    WHERE order_id = ${id} AND item_type = 'code'
      AND quantity > (SELECT count(*) FROM code_hold WHERE order_item_id = order_item.id)`)
  const onDemand = await offersOnDemand(
    tx,
    lacking.map(({ offer_id }) => offer_id),
  )
  return lacking.every(({ offer_id }) => onDemand.has(offer_id))
}
