import { type PurchaseReason, pastTheCart, purchaseReasons } from '@olmos/contract/failure-codes'
import type { Language } from '@olmos/contract/fields'
import type { TFunction } from 'i18next'
import { ApiError, isConflict, isRefusal, type Refusal, type StateConflict } from '../../api/api-error.ts'
import { withRequestId } from '../../api/failure-text.ts'
import { formatAmount } from '../../money/format.ts'
import { refusedRangeText } from '../../money/steam-amount.ts'

/** The fee that a refusal reports, in major units; the next press agrees to it. */
export const toldFee = (error: Error | null): number | undefined =>
  isRefusal(error, 'PRICE_CHANGED') && 'fee' in error.details ? error.details.fee : undefined

/**
 * Tells a customer why a payment did not go through: which product, how much, and that no money was taken. Falls back to
 * `failed` where the store does not say why.
 */
export function paymentRefusalText(t: TFunction, language: Language, error: Error, failed: string): string {
  if (isRefusal(error, 'INSUFFICIENT_BALANCE')) {
    const { required, available, currency } = error.details
    const shown = (amount: number) => formatAmount(amount, currency, language)
    return t('checkout.insufficient', {
      required: shown(required),
      available: shown(available),
      missing: shown(required - available),
    })
  }
  if (isRefusal(error, 'INVALID_AMOUNT') && 'from_balance' in error.details) return t('checkout.partCoversAll')
  if (isRefusal(error, 'BELOW_LEAST_AMOUNT')) {
    const least = formatAmount(error.details.least, error.details.currency, language)
    return `${t('failure.BELOW_LEAST_AMOUNT', { least })}. ${t('checkout.nothingTaken')}`
  }
  if (isRefusal(error, 'ABOVE_MOST_AMOUNT')) {
    const most = formatAmount(error.details.most, error.details.currency, language)
    return `${t('failure.ABOVE_MOST_AMOUNT', { most })}. ${t('checkout.nothingTaken')}`
  }
  if (isRefusal(error, 'PRICE_CHANGED') && 'fee' in error.details) {
    return t('checkout.feeChanged', { fee: formatAmount(error.details.fee, error.details.currency, language) })
  }
  if (isRefusal(error, 'PRICE_CHANGED')) {
    const titles = toTitles(error.details)
    return titles === '' ? t('checkout.totalChanged') : t('checkout.priceChanged', { titles })
  }
  if (isRefusal(error, 'OUT_OF_STOCK') && error.details.product_title !== undefined) {
    const { item_id, product_title: title, available_count: count } = error.details
    return item_id === pastTheCart ? t('checkout.notSold', { title }) : t('checkout.outOfStock', { title, count })
  }
  if (isRefusal(error, 'COUPON_REFUSED'))
    return `${couponText(t, language, error.details)} ${t('checkout.nothingTaken')}`
  if (isConflict(error, ...purchaseReasons)) return conflictText(t, error.details)
  if (!(error instanceof ApiError)) return failed
  const { code, details } = error
  if (code === 'NETWORK_ERROR') return t('checkout.noAnswer')
  if (code === 'UNEXPECTED_ERROR') return withRequestId(t, error, failed)
  const range = isRefusal(error, 'INVALID_AMOUNT') ? refusedRangeText(t, language, error.details) : undefined
  const text = [t(`failure.${code}`, { ...details, defaultValue: failed }), range].filter(Boolean).join('. ')
  return beforePaying.includes(code) ? `${text.replace(/\.$/, '')}. ${t('checkout.nothingTaken')}` : text
}

/** Tells a customer why a coupon is of no use. */
export function couponText(t: TFunction, language: Language, details: Refusal<'COUPON_REFUSED'>['details']): string {
  const { reason, least = 0, currency = 'USD' } = details
  return t(`checkout.coupon.refused.${reason}`, { least: formatAmount(least, currency, language) })
}

function conflictText(t: TFunction, details: StateConflict<PurchaseReason>['details']): string {
  switch (details.reason) {
    // Other customers have opened payments for a part of the stock; some of the rest may still be paid by card.
    case 'shelf_reserved': {
      const { product_title: title, available_count: count, minutes } = details
      return t(count > 0 ? 'checkout.shelfReserved' : 'checkout.shelfAllReserved', { title, count, minutes })
    }
    case 'too_many_codes':
      return t(details.is_new ? 'checkout.tooManyForNew' : 'checkout.tooManyCodes', { count: details.limit })
    case 'filling_off':
      return t('fill.off')
    case 'too_many_fillings':
      return t('fill.tooMany')
    case 'repeat':
    case 'currency_off':
    case 'payment_canceled':
      return t('failure.STATE_CONFLICT')
  }
}

/** Refusals that come before any money moves. */
const beforePaying = [
  'PLAYER_NOT_FOUND',
  'STEAM_LOGIN_REFUSED',
  'OFFER_NOT_FOUND',
  'SUPPLIER_UNAVAILABLE',
  'INVALID_AMOUNT',
  'BALANCE_ON_HOLD',
  'METHOD_UNAVAILABLE',
  'CONTACT_REQUIRED',
]

function toTitles(details: Refusal<'PRICE_CHANGED'>['details']): string {
  const titles = 'items' in details ? details.items.map((item) => item.product_title) : []
  return [...new Set(titles)].join(', ')
}
