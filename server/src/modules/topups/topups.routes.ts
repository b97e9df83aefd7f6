import { LIMITS } from '@olmos/contract/limits'
import { toMajor, toMinor } from '@olmos/contract/minor-units'
import type { TopupService } from '@olmos/contract/topup-data'
import { topupsApi } from '@olmos/contract/topups'
import type { Sql } from 'sql-template-tag'
import type { Context } from '../../platform/context.ts'
import { type Queries, sql } from '../../platform/database/database.ts'
import { findOrderable, type PlayerCheck, type PoolOffer } from './player-check.ts'
import { priceSteam } from './price-steam.ts'
import type { Suppliers } from './suppliers.ts'
import { isServiceProduct } from './topups.store.ts'

interface ListedOfferRow {
  id: number
  /** The supplier's name for it. */
  item_id: string | null
  name: string
  game_amount: number
  price_usd: number
  price_rub: number
}

const listedColumns = sql`
  offer.id, offer.item_id, coalesce(offer.name, offer.game_amount || ' ' || product.game_currency) AS name,
  offer.game_amount, offer.price_usd, offer.price_rub`

const toListed = (service: TopupService): Sql => sql`
  FROM product JOIN offer ON offer.product_id = product.id AND offer.region_id IS NULL AND offer.is_active
  WHERE ${isServiceProduct(service)} AND product.is_active ORDER BY offer.game_amount, offer.id`

/** Lists the offers of a service on sale, smallest first. */
const listTopupOffers = (queries: Queries, service: TopupService) =>
  queries.rows<ListedOfferRow>(sql`SELECT ${listedColumns} ${toListed(service)}`)

/** Lists the PUBG offers on sale with the number of codes in each pool, counted no further than it is shown. */
const listPool = (queries: Queries) =>
  queries.rows<ListedOfferRow & PoolOffer>(sql`
    SELECT ${listedColumns}, (
      SELECT count(*)::int FROM (
        SELECT FROM code WHERE offer_id = offer.id AND status = 'available' LIMIT ${LIMITS.stockShownMax}) AS pool)
      AS in_pool ${toListed('pubg')}`)

export function topupsRoutes(
  { serve, database, suppliers }: Context & { suppliers: Suppliers },
  players: PlayerCheck,
): void {
  serve(topupsApi.checkFreefirePlayer, async ({ body, address }) => {
    const { name } = await players.find('freefire', body.playerID, address)
    return { success: true as const, player_name: name }
  })

  serve(topupsApi.checkPubgPlayer, async ({ body, address }) => {
    const { name } = await players.find('pubg', body.playerID, address)
    return { success: true as const, data: { status: 'success' as const, player_name: name } }
  })

  serve.shared(topupsApi.freefireOffers, async () => ({
    offers: (await listTopupOffers(database, 'freefire')).flatMap(({ item_id, price_usd, price_rub, ...offer }) =>
      // An offer without a name at the supplier can't be ordered.
      item_id === null
        ? []
        : [{ ...offer, item_id, is_active: true, price: toMajor(price_usd), price_rub: toMajor(price_rub) }],
    ),
  }))

  serve.shared(topupsApi.pubgPackages, async () =>
    (await listPool(database)).map((offer) => ({
      id: offer.id,
      uc_amount: offer.game_amount,
      price_usd: toMajor(offer.price_usd),
      price_rub: toMajor(offer.price_rub),
      available_count: findOrderable(offer, suppliers.configured),
    })),
  )

  serve(topupsApi.calculateSteam, async ({ body }) => {
    const steam = { amount: toMinor(body.amount), currency: body.inputCurrency }
    const { priceUsd, priceRub, commissionUsd } = await priceSteam(database, steam)
    return {
      success: true as const,
      calculation: {
        amountInUserCurrency: toMajor(body.userBalanceCurrency === 'usd' ? priceUsd : priceRub),
        amountWithCommission: toMajor(priceUsd),
        commission: toMajor(commissionUsd),
      },
    }
  })
}
