import * as LIMITS from '@olmos/contract/limits'
import type { TFunction } from 'i18next'
import { ApiError, isConflict, isRefusal, type Refusal } from './api-error.ts'

/** Tells a customer why a call failed. */
export function failureText(t: TFunction, error: unknown): string {
  if (!(error instanceof ApiError)) return t('failure.UNEXPECTED_ERROR')
  if (isRefusal(error, 'OUT_OF_STOCK')) return outOfStockText(t, error.details)
  if (isConflict(error, 'cart_full')) return t('cart.full')
  const text = t(`failure.${error.code}`, { ...error.details, defaultValue: t('failure.UNEXPECTED_ERROR') })
  return error.code === 'UNEXPECTED_ERROR' ? withRequestId(t, error, text) : text
}

/** Adds to the text of a fault which request it was, for who reports it. */
export const withRequestId = (t: TFunction, { requestId: id }: ApiError, text: string): string =>
  id === undefined ? text : `${text.replace(/\.$/, '')}. ${t('loading.request', { id })}`

/** Mentions what is in the cart already. The most of one line is our own limit, not the stock's, so it is worded differently. */
function outOfStockText(t: TFunction, details: Refusal<'OUT_OF_STOCK'>['details']): string {
  const { available_count: available, in_cart: inCart = 0 } = details
  const text = available >= LIMITS.quantityMax ? t('cart.mostAtOnce', { count: available }) : undefined
  if (inCart === 0) return text ?? t('failure.OUT_OF_STOCK', { available_count: available })
  if (text) return `${text}. ${t('product.inCart', { count: inCart })}`
  return t('cart.alreadyInCart', { available, inCart })
}
