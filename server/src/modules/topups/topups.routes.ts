import { toMajor, toMinor } from '@olmos/contract/minor-units'
import { topupsApi } from '@olmos/contract/topups'
import type { Context } from '../../platform/context.ts'
import { findOrderable, type PlayerCheck } from './player-check.ts'
import { priceSteam } from './price-steam.ts'
import type { Suppliers } from './suppliers.ts'
import { listPool, listTopupOffers } from './topups.store.ts'

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
