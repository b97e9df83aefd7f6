import type { TFunction } from 'i18next'
import { ApiError } from '../../api/api-error.ts'
import type { Language } from '../../i18n/languages.ts'
import { currencyOf } from '../../money/currency.ts'
import { formatAmount } from '../../money/format.ts'
import { refusedRangeText } from '../../money/steam-amount.ts'

/**
 * What to tell a customer whose payment did not go through: which thing, how much, and that no money was taken; `failed`
 * where the store does not say why.
 */
export function refusalText(t: TFunction, language: Language, error: Error, failed: string): string {
  if (!(error instanceof ApiError)) return failed
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
  if (code === 'BELOW_LEAST_AMOUNT') {
    const least = formatAmount(Number(details.least), currencyOf(String(details.currency)), language)
    return `${t('failure.BELOW_LEAST_AMOUNT', { least })}. ${t('checkout.nothingTaken')}`
  }
  if (code === 'PRICE_CHANGED') {
    const titles = titlesOf(details.items)
    return titles === '' ? t('checkout.totalChanged') : t('checkout.priceChanged', { titles })
  }
  if (code === 'OUT_OF_STOCK' && typeof details.product_title === 'string') {
    if (details.item_id === pastTheCart) return t('checkout.notSold', { title: details.product_title })
    return t('checkout.outOfStock', { title: details.product_title, count: Number(details.available_count) || 0 })
  }
  if (code === 'NETWORK_ERROR') return t('checkout.noAnswer')
  if (code === 'UNEXPECTED_ERROR') return failed
  const range = code === 'INVALID_AMOUNT' ? refusedRangeText(t, language, details) : undefined
  const text = [t(`failure.${code}`, { ...details, defaultValue: failed }), range].filter(Boolean).join('. ')
  return beforePaying.includes(code) ? `${text.replace(/\.$/, '')}. ${t('checkout.nothingTaken')}` : text
}

/** How the store calls what is bought without having been in the cart. */
const pastTheCart = -1

/** What is looked at before any money moves. */
const beforePaying = [
  'PLAYER_NOT_FOUND',
  'STEAM_LOGIN_REFUSED',
  'OFFER_NOT_FOUND',
  'SUPPLIER_UNAVAILABLE',
  'INVALID_AMOUNT',
  'BALANCE_ON_HOLD',
]

function titlesOf(items: unknown): string {
  const titles = Array.isArray(items) ? items.map((item) => item?.product_title) : []
  return [...new Set(titles.filter((title) => typeof title === 'string'))].join(', ')
}
