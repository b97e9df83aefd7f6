import { toCharge } from '@olmos/contract/charge'
import { type Decimal, parseDecimal } from '@olmos/contract/decimal'
import { toMajor, toMinor } from '@olmos/contract/minor-units'
import type { ChargeCurrency, Currency } from '@olmos/contract/money'
import type { ShownCurrencyRate } from '@olmos/contract/rates'
import { createContext, useContext } from 'react'
import { isConvertedCurrency, toOrderCurrency } from './currency.ts'

/** An amount in major units, in the currency that it is shown in. */
export interface ShownAmount {
  value: number
  currency: ChargeCurrency
}

/** How a page shows prices: in a currency of orders as they are, else converted as the store converts what it charges. */
interface Conversion {
  /** What prices are shown in: what the customer chose, unless the shop has no rate for it. */
  shown: ChargeCurrency
  /** All that can be chosen. */
  choices: readonly ChargeCurrency[]
  /** Shows an amount of an order. A sum is converted as a whole, as it would be charged. */
  convert(amount: number, currency: Currency): ShownAmount
  /** Shows a price that is known in both currencies of orders. */
  showPrice(prices: { price_usd: number; price_rub: number }): ShownAmount
}

/** Makes the conversion for what a customer chose of what the shop offers, by its rates. */
export function toConversion(
  chosen: ChargeCurrency,
  listed: readonly ShownCurrencyRate[],
  offered: readonly ChargeCurrency[] = [],
): Conversion {
  const rates = new Map<ChargeCurrency, Decimal>()
  for (const { currency, rate } of listed) {
    const value = parseDecimal(rate)
    if (value !== undefined) rates.set(currency, value)
  }
  const orders = toOrderCurrency(chosen)
  const shown = isConvertedCurrency(chosen) && !rates.has(chosen) ? orders : chosen
  const convert = (amount: number, currency: Currency): ShownAmount => {
    const isOwn = !isConvertedCurrency(shown)
    const charge = isOwn ? undefined : toCharge({ amount: toMinor(amount), currency }, shown, rates)
    return charge ? { value: toMajor(charge.amount), currency: shown } : { value: amount, currency }
  }
  return {
    shown,
    choices: offered.filter((one) => !isConvertedCurrency(one) || rates.has(one)),
    convert,
    showPrice: ({ price_usd, price_rub }) => convert(orders === 'USD' ? price_usd : price_rub, orders),
  }
}

export const ConversionContext = createContext(toConversion('RUB', []))

/** Returns how prices are shown on this page. */
export const useConversion = (): Conversion => useContext(ConversionContext)
