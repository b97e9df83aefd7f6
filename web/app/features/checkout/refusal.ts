import type { TFunction } from 'i18next'
import { ApiError } from '../../api/api-error.ts'
import { failureText } from '../../api/failure-text.ts'
import type { Language } from '../../i18n/languages.ts'
import { currencyOf } from '../../money/currency.ts'
import { formatAmount } from '../../money/format.ts'

/** What to tell a customer whose payment did not go through: which thing, how much, and that no money was taken. */
export function refusalText(t: TFunction, language: Language, error: Error): string {
  if (!(error instanceof ApiError)) return failureText(t, error)
  const { code, details } = error
  if (code === 'INSUFFICIENT_BALANCE') {
    const currency = currencyOf(String(details.currency))
    const [required, available] = [Number(details.required), Number(details.available)]
    const shown = (amount: number) => formatAmount(amount, currency, language)
    return t('checkout.insufficient', {
      required: shown(required),
      available: shown(available),
      missing: shown(required - available),
    })
  }
  if (code === 'PRICE_CHANGED') return t('checkout.priceChanged', { titles: titlesOf(details.items) })
  if (code === 'OUT_OF_STOCK' && typeof details.product_title === 'string') {
    return t('checkout.outOfStock', { title: details.product_title, count: Number(details.available_count) || 0 })
  }
  if (code === 'NETWORK_ERROR' || code === 'UNEXPECTED_ERROR') return t('checkout.noAnswer')
  return failureText(t, error)
}

function titlesOf(items: unknown): string {
  const titles = Array.isArray(items) ? items.map((item) => item?.product_title) : []
  return [...new Set(titles.filter((title) => typeof title === 'string'))].join(', ')
}
