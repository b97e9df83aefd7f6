import type { SteamCurrency } from '@olmos/contract/topup-data'
import { sql, type Tx } from '../../platform/database.ts'
import { isOnSale, placeOfOffer } from '../catalogue/available-count.ts'
import type { HeldOrder } from '../orders/order-states.store.ts'
import { priceSteamAgain } from '../topups/price-steam.ts'
import type { ItemTerms } from './settlement.rules.ts'

interface TermsRow extends ItemTerms {
  steam_amount: number | null
  steam_currency: SteamCurrency | null
}

/**
 * On which terms each item of a held order would be sold at this moment. Prices and rates are read once and not locked:
 * a change that is committed while the money is being accepted counts from then on.
 */
export async function termsNow(tx: Tx, { id, currency }: Pick<HeldOrder, 'id' | 'currency'>): Promise<ItemTerms[]> {
  const rows = await tx.rows<TermsRow>(sql`
    SELECT order_item.unit_price, order_item.quantity, ${isOnSale} AS is_on_sale, target.steam_currency IS NOT NULL AS is_steam,
      CASE ${currency}::text WHEN 'USD' THEN offer.price_usd ELSE offer.price_rub END AS price_now,
      target.steam_amount, target.steam_currency
    FROM order_item
    LEFT JOIN offer ON offer.id = order_item.offer_id
    JOIN product ON product.id = coalesce(order_item.product_id, offer.product_id)
    ${placeOfOffer}
    LEFT JOIN topup_target AS target ON target.order_item_id = order_item.id
    WHERE order_item.order_id = ${id} ORDER BY order_item.position`)
  const wishes = rows.flatMap(({ steam_amount: amount, steam_currency: currency }) =>
    amount !== null && currency !== null ? [{ amount, currency }] : [],
  )
  const steam = await priceSteamAgain(tx, wishes)
  return rows.map(({ steam_amount: _amount, steam_currency: _currency, ...terms }) => {
    const price = terms.is_steam ? steam.shift() : undefined
    return price ? { ...terms, price_now: currency === 'USD' ? price.priceUsd : price.priceRub } : terms
  })
}
