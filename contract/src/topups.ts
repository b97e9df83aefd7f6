import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { id } from './fields.ts'
import { amountSchema, lowerCurrencySchema, shownAmountSchema } from './money.ts'
import { steamCurrencies } from './topup-data.ts'

export {
  freefireTopup,
  playerId,
  pubgTopup,
  type SteamCurrency,
  shownTopup,
  steamCurrencies,
  steamLogin,
  steamTopup,
  type TopupData,
  type TopupService,
  topupData,
  topupServices,
  type WantedTopup,
} from './topup-data.ts'

const tag = 'topups'

/** Calls about top-ups. Texts come in the language of the Accept-Language header. */
export const topupsApi = {
  freefireOffers: endpoint({
    method: 'GET',
    path: '/freefire/offers',
    access: 'visitor',
    tag,
    summary: 'Free Fire offers, smallest first',
    answer: z.object({
      offers: z.array(
        z.object({
          id,
          item_id: z.string(),
          name: z.string(),
          is_active: z.boolean(),
          price: shownAmountSchema,
          price_rub: shownAmountSchema,
          game_amount: z.int(),
        }),
      ),
    }),
  }),
  pubgPackages: endpoint({
    method: 'GET',
    path: '/pubg/packages',
    access: 'visitor',
    tag,
    summary: 'PUBG packages, smallest first',
    answer: z.array(
      z.object({
        id,
        uc_amount: z.int(),
        price_usd: shownAmountSchema,
        price_rub: shownAmountSchema,
        available_count: z.int(),
      }),
    ),
  }),
  calculateSteam: endpoint({
    method: 'POST',
    path: '/steam/calculate',
    access: 'customer',
    tag,
    summary: 'What a Steam amount costs, commission included',
    body: z.strictObject({
      amount: amountSchema,
      inputCurrency: z.enum(steamCurrencies),
      userBalanceCurrency: lowerCurrencySchema,
    }),
    answer: z.object({
      success: z.literal(true),
      calculation: z.object({
        /** What is paid, in the currency of the balance. */
        amountInUserCurrency: shownAmountSchema,
        /** USD. */
        amountWithCommission: shownAmountSchema,
        /** USD. */
        commission: shownAmountSchema,
      }),
    }),
  }),
}
