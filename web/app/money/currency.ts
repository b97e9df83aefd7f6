import type { ChargeCurrency, Currency } from '@olmos/contract/money'
import type { ShownCurrencyRate } from '@olmos/contract/rates'
import { useRouteLoaderData } from 'react-router'
import { lastingStorage } from '../ui/browser-storage.ts'
import { keepCookie } from '../ui/keep-cookie.ts'
import { announceStored, useStored } from '../ui/stored.ts'

/**
 * What orders and balances are in, in the order of the picker. The contract's own list would bring its schemas into the
 * first page.
 */
export const walletCurrencies = ['RUB', 'USD'] as const satisfies readonly Currency[]

/** Prices can be shown in these too, wherever the shop has a rate for them; orders are in dollars then. */
const convertedCurrencies = ['UZS', 'KZT'] as const satisfies readonly ChargeCurrency[]
type ConvertedCurrency = (typeof convertedCurrencies)[number]

const defaultCurrency: Currency = 'RUB'

/** Whether prices are converted into the currency: it is none that orders are in. People leave its hundredths out. */
export const isConvertedCurrency = (currency: ChargeCurrency): currency is ConvertedCurrency =>
  convertedCurrencies.some((known) => known === currency)

/** Returns the name of a currency that a payment may be charged in; none for another text. */
export const readChargeCurrency = (text: unknown): ChargeCurrency | undefined =>
  [...walletCurrencies, ...convertedCurrencies].find((known) => known === text)

const storageKey = 'currency'

export const readCurrency = (text: string | null | undefined): Currency => (text === 'USD' ? 'USD' : defaultCurrency)

/** Keeps the choice for the browser and for the server, and shows it everywhere on the page. */
export function chooseCurrency(currency: ChargeCurrency): void {
  lastingStorage.setItem(storageKey, currency)
  keepCookie('currency', currency)
  announceStored()
}

/** The server may not know yet what the browser keeps: with the next page it does, and nothing jumps. */
export function setServerCurrency(): void {
  const stored = readChargeCurrency(lastingStorage.getItem(storageKey))
  if (stored !== undefined) keepCookie('currency', stored)
}

interface RenderedPrices {
  /** What is in the cookie, if the shop offers that. */
  currency: ChargeCurrency
  /** What the shop offers wherever there is a rate, its default first. */
  currencies: readonly ChargeCurrency[]
  rates: readonly ShownCurrencyRate[]
}

const notRendered: RenderedPrices = { currency: defaultCurrency, currencies: walletCurrencies, rates: [] }

/** What the server rendered prices with. A page that broke before it was loaded has none of it. */
export const useRenderedPrices = (): RenderedPrices => useRouteLoaderData<RenderedPrices>('root') ?? notRendered

/** What the customer wants prices shown in, of what the shop offers; its default for what it does not. */
export function useChosenCurrency(): ChargeCurrency {
  const { currency, currencies } = useRenderedPrices()
  const read = () => {
    const stored = lastingStorage.getItem(storageKey)
    return stored === null ? currency : (currencies.find((known) => known === stored) ?? currencies[0] ?? currency)
  }
  return useStored(read, currency)
}

/** The currency of the orders of who wants prices shown in this one: soums and tenge have one rate, to the dollar. */
export const toOrderCurrency = (shown: ChargeCurrency): Currency => (isConvertedCurrency(shown) ? 'USD' : shown)

/** The currency that the customer's orders are in, unless another one is chosen at the checkout. */
export const useCurrency = (): Currency => toOrderCurrency(useChosenCurrency())

/** A currency as calls write it. */
export const lowerCode = (currency: Currency): 'usd' | 'rub' => (currency === 'USD' ? 'usd' : 'rub')
