import type { ChargeCurrency, Currency } from '@olmos/contract/money'
import { useRouteLoaderData } from 'react-router'
import { lastingStorage } from '../ui/browser-storage.ts'
import { keepCookie } from '../ui/keep-cookie.ts'
import { announceStored, useStored } from '../ui/stored.ts'

/** In the order of the picker. The contract's own list would bring its schemas into the first page. */
export const shownCurrencies = ['RUB', 'USD'] as const satisfies readonly Currency[]

const defaultCurrency: Currency = 'RUB'
export const currencySigns: Record<Exclude<ChargeCurrency, 'UZS'>, string> = { RUB: '₽', USD: '$', KZT: '₸' }

const wholeCurrencies: readonly ChargeCurrency[] = ['UZS', 'KZT']

/** Whether people leave the hundredths of the currency out. */
export const isWholeCurrency = (currency: ChargeCurrency): boolean => wholeCurrencies.includes(currency)

/** Returns the name of a currency that a payment may be charged in; none for another text. */
export const readChargeCurrency = (text: unknown): ChargeCurrency | undefined =>
  [...shownCurrencies, ...wholeCurrencies].find((known) => known === text)

const storageKey = 'currency'

export const readCurrency = (text: string | null | undefined): Currency => (text === 'USD' ? 'USD' : defaultCurrency)

/** Keeps the choice for the browser and for the server, and shows it everywhere on the page. */
export function chooseCurrency(currency: Currency): void {
  lastingStorage.setItem(storageKey, currency)
  keepCookie('currency', currency)
  announceStored()
}

/** The server may not know yet what the browser keeps: with the next page it does, and nothing jumps. */
export function setServerCurrency(): void {
  const stored = lastingStorage.getItem(storageKey)
  if (stored !== null) keepCookie('currency', readCurrency(stored))
}

/** The currency prices are shown in. The server renders with the one in the cookie. */
export function useCurrency(): Currency {
  const rendered = readCurrency(useRouteLoaderData<{ currency: Currency }>('root')?.currency)
  return useStored(() => readCurrency(lastingStorage.getItem(storageKey) ?? rendered), rendered)
}

/** A currency as calls write it. */
export const lowerCode = (currency: Currency): 'usd' | 'rub' => (currency === 'USD' ? 'usd' : 'rub')
