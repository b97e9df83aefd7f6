import { Failure } from '@olmos/contract/failure'
import type { Queries } from '../../platform/database.ts'
import { type DollarRates, dollarRates } from '../rates/rates-in-force.ts'
import { isSteamAmount, type SteamSum, type SteamWish, steamSum } from './steam.rules.ts'

export interface SteamPrice extends SteamSum {
  rates: DollarRates
}

/** What an amount for Steam costs at the rates that hold now. Refuses one that is not sold: INVALID_AMOUNT. */
export async function priceSteam(queries: Queries, wish: SteamWish): Promise<SteamPrice> {
  const rates = await dollarRates(queries)
  const sum = steamSum(wish, rates)
  if (!isSteamAmount(wish, sum)) throw new Failure('INVALID_AMOUNT', { amount: 'invalid_amount' })
  return { ...sum, rates }
}
