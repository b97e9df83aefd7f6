import { useSyncExternalStore } from 'react'
import { useRouteLoaderData } from 'react-router'
import { lastingStorage } from '../ui/browser-storage.ts'
import { keepCookie } from '../ui/keep-cookie.ts'

export const currencies = ['RUB', 'USD'] as const
export type Currency = (typeof currencies)[number]

const defaultCurrency: Currency = 'RUB'
export const currencySigns: Record<Currency, string> = { RUB: '₽', USD: '$' }

const storageKey = 'currency'
/** Told to the page whenever another currency is chosen. */
const changeEvent = 'currencychange'

export const readCurrency = (text: string | null | undefined): Currency => (text === 'USD' ? 'USD' : defaultCurrency)

/** Keeps the choice for the browser, for the server, and tells the page. */
export function chooseCurrency(currency: Currency): void {
  lastingStorage.setItem(storageKey, currency)
  keepCookie('currency', currency)
  window.dispatchEvent(new CustomEvent(changeEvent, { detail: currency }))
}

/** The server may not know yet what the browser keeps: with the next page it does, and nothing jumps. */
export function setServerCurrency(): void {
  const stored = lastingStorage.getItem(storageKey)
  if (stored !== null) keepCookie('currency', readCurrency(stored))
}

function subscribe(onChange: () => void): () => void {
  window.addEventListener(changeEvent, onChange)
  window.addEventListener('storage', onChange)
  return () => {
    window.removeEventListener(changeEvent, onChange)
    window.removeEventListener('storage', onChange)
  }
}

/** The currency prices are shown in. What the server rendered with is what the cookie says. */
export function useCurrency(): Currency {
  const rendered = readCurrency(useRouteLoaderData<{ currency: Currency }>('root')?.currency)
  return useSyncExternalStore(
    subscribe,
    () => readCurrency(lastingStorage.getItem(storageKey) ?? rendered),
    () => rendered,
  )
}

/** A currency as calls write it. */
export const lowerCode = (currency: Currency): 'usd' | 'rub' => (currency === 'USD' ? 'usd' : 'rub')
