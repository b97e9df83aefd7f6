import { Failure } from '@olmos/contract/failure'
import { toMajor } from '@olmos/contract/money'
import type { Queries } from '../../platform/database.ts'
import { formatDecimal } from '../rates/rate.rules.ts'
import { type DollarRates, dollarRates } from '../rates/rates-in-force.ts'
import {
  isSteamAmount,
  type SteamRange,
  type SteamRates,
  type SteamSum,
  type SteamWish,
  steamRange,
  steamSum,
} from './steam.rules.ts'
import { steamRates } from './steam-rates.ts'
import type { SteamCredit } from './topup-line.ts'

export interface SteamPrice extends SteamSum {
  credit: SteamCredit
  range: SteamRange
}

interface RatesInForce {
  own: DollarRates
  supplier: SteamRates
}

const ratesInForce = async (queries: Queries): Promise<RatesInForce> => {
  const [own, supplier] = await Promise.all([dollarRates(queries), steamRates(queries)])
  return { own, supplier }
}

function priceOf(wish: SteamWish, { own: rates, supplier }: RatesInForce): SteamPrice {
  const steamRate = supplier.get(wish.currency.toUpperCase())
  const sum = steamSum(wish, rates, steamRate?.rate)
  const range = steamRange(wish.currency, rates, steamRate?.rate)
  const used = ['RUB', wish.currency.toUpperCase()].map((currency) => [
    currency,
    formatDecimal(rates.get(currency) ?? 0n),
  ])
  const credit = { ...wish, usd: sum.usd, rates: Object.fromEntries(used), rateId: steamRate?.id ?? null }
  return { ...sum, credit, range }
}

/** What an amount for Steam costs at the rates in force. Refuses one that is not sold: INVALID_AMOUNT with the least and the most. */
export async function priceSteam(queries: Queries, wish: SteamWish): Promise<SteamPrice> {
  const price = priceOf(wish, await ratesInForce(queries))
  if (isSteamAmount(wish, price.range)) return price
  throw new Failure('INVALID_AMOUNT', {
    amount: 'invalid_amount',
    least: toMajor(price.range.least),
    most: toMajor(price.range.most),
    currency: wish.currency.toUpperCase() as Uppercase<typeof wish.currency>,
  })
}

/** The same for amounts that were accepted before, whatever the rates have become. Asks for no rates when there are none. */
export async function priceSteamAgain(queries: Queries, wishes: readonly SteamWish[]): Promise<SteamPrice[]> {
  if (wishes.length === 0) return []
  const rates = await ratesInForce(queries)
  return wishes.map((wish) => priceOf(wish, rates))
}
