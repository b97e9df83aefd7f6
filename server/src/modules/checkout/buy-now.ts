import { Failure } from '@olmos/contract/failure'
import { pastTheCart } from '@olmos/contract/failure-codes'
import type { Currency } from '@olmos/contract/money'
import type { OrderStatus } from '@olmos/contract/orders'
import { sql, type Tx } from '../../platform/database/queries.ts'
import { lockCartVersion } from '../cart/cart.ts'
import { isOnDemand, isOnSale, offerPlace } from '../catalogue/availability.ts'
import type { OrderLine } from './order-lines.ts'
import { buyLines } from './pay-from-balance.ts'

interface SoldOffer {
  offer_id: number
  price_version: number
  title: string
  game_amount: number
  game_currency: string
  price_usd: number
  price_rub: number
  is_on_demand: boolean
}

/** Finds an offer of codes that is on sale, as it would be charged now. */
const findSoldOffer = (tx: Tx, offerId: number) =>
  tx.maybe<SoldOffer>(sql`
    SELECT offer.id AS offer_id, offer.price_version, texts.title, offer.game_amount::float8 AS game_amount,
      coalesce(nullif(product_region.game_currency, ''), product.game_currency) AS game_currency,
      offer.price_usd, offer.price_rub, ${isOnDemand} AS is_on_demand
    FROM offer JOIN product ON product.id = offer.product_id ${offerPlace}
    JOIN product_text AS texts ON texts.product_id = product.id AND texts.language = 'ru'
    WHERE offer.id = ${offerId} AND product.kind = 'code' AND ${isOnSale}`)

interface WantedOffer {
  userId: number
  offerId: number
  quantity: number
  currency: Currency
  /** The total the customer saw, in minor units. */
  amount: number
}

/**
 * Buys one offer of codes from the wallet. The cart and its unpaid orders stay as they are; its lock makes the customer's
 * purchases and the freeze of a balance wait for each other. Refuses with OFFER_NOT_FOUND what is not on sale, and with
 * PRICE_CHANGED, OUT_OF_STOCK, INSUFFICIENT_BALANCE or BALANCE_ON_HOLD.
 */
export async function buyNow(
  tx: Tx,
  { userId, offerId, quantity, currency, amount }: WantedOffer,
): Promise<{ id: string; status: OrderStatus }> {
  const { offer } = await tx.pipeline({
    cart: (tx) => lockCartVersion(tx, userId),
    offer: (tx) => findSoldOffer(tx, offerId),
  })
  if (!offer) throw new Failure('OFFER_NOT_FOUND')
  const line: OrderLine = {
    ...offer,
    id: pastTheCart,
    item_type: 'code',
    product_id: null,
    quantity,
    is_on_sale: true,
    target: null,
  }
  return buyLines(tx, { userId, currency, amount, lines: [line] })
}
