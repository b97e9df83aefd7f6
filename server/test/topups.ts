import type { SteamCurrency } from '@olmos/contract/topup-data'
import { addProduct } from '../src/modules/catalogue/change-product.ts'
import { insertOffer } from '../src/modules/catalogue/products.ts'
import { demoProducts } from '../src/modules/operations/fill-demo.ts'
import { sql } from '../src/platform/database/queries.ts'
import type { Answer, TestShop } from './shop.ts'

/** An offer of Free Fire or PUBG, as in the demonstration. */
export interface TestTopupOffer {
  id: number
  itemId: string
  gameAmount: number
  /** In minor units. */
  priceUsd: number
  priceRub: number
}

/** Has the shop sell the top-ups of the demonstration, unless it does already. */
export async function sellTopups(shop: Pick<TestShop, 'database'>): Promise<void> {
  await shop.database.transaction(async (tx) => {
    await tx.run(sql`SELECT pg_advisory_xact_lock(hashtext('sellTopups'))`)
    if (await tx.maybe(sql`SELECT FROM product WHERE slug = 'steam'`)) return
    for (const product of demoProducts.filter(({ kind }) => kind === 'topup')) {
      const productId = await addProduct(tx, { ...product, category: [product.category], position: 0, regions: [] })
      for (const offer of product.offers) await insertOffer(tx, { productId, regionId: null }, offer)
    }
  })
}

export const topupOffer = (shop: Pick<TestShop, 'database'>, service: 'freefire' | 'pubg', gameAmount: number) =>
  shop.database.one<TestTopupOffer>(sql`
    SELECT offer.id, offer.item_id AS "itemId", offer.game_amount AS "gameAmount", offer.price_usd AS "priceUsd",
      offer.price_rub AS "priceRub"
    FROM offer JOIN product ON product.id = offer.product_id
    WHERE product.slug = ${service} AND offer.game_amount = ${gameAmount}`)

const about = { offer_name: 'As it was shown', commission: 0, image_url: '/art/pubg.svg' }

export const freefireTopup = (offer: TestTopupOffer, playerId = '5123456789') => ({
  service: 'freefire' as const,
  login: '',
  player_id: playerId,
  offer_id: offer.itemId,
  price_usd: offer.priceUsd / 100,
  price_rub: offer.priceRub / 100,
  ...about,
})

export const pubgTopup = (wanted: readonly [offer: TestTopupOffer, quantity: number][], playerId = '5123456789') => ({
  service: 'pubg' as const,
  login: '',
  player_id: playerId,
  offer_id: -1 as const,
  denominations: wanted.map(([offer, quantity]) => ({ denomination_id: offer.id, quantity })),
  price_usd: wanted.reduce((sum, [offer, quantity]) => sum + offer.priceUsd * quantity, 0) / 100,
  price_rub: wanted.reduce((sum, [offer, quantity]) => sum + offer.priceRub * quantity, 0) / 100,
  ...about,
})

export interface SteamSample {
  amount: number
  currency?: SteamCurrency
  login?: string
  /** The calculated price. */
  price_usd: number
  price_rub: number
}

export const steamTopup = ({ amount, currency = 'usd', login = 'gabe', ...seen }: SteamSample) => ({
  service: 'steam' as const,
  login,
  player_id: login,
  offer_id: 0 as const,
  user_balance_currency: 'usd' as const,
  amount,
  input_currency: currency,
  ...about,
  ...seen,
})

/** Ten dollars, at the rates of a new database. */
export const tenDollars = { amount: 10, price_usd: 10.3, price_rub: 824 }

export const orderTopup = (
  shop: TestShop,
  user: { token: string },
  topupData: unknown,
  {
    currency = 'usd',
    confirmRepeat,
    key,
    ...coupon
  }: { currency?: string; confirmRepeat?: boolean; key?: string; coupon?: string; amount?: number } = {},
): Promise<Answer> =>
  shop.call('POST', '/orders/topup', {
    token: user.token,
    body: { topupData, currency, ...coupon, ...(confirmRepeat !== undefined && { confirmRepeat }) },
    headers: key ? { 'idempotency-key': key } : {},
  })
