import type { OperatorsCode, PurchaseReason } from '@olmos/contract/failure-codes'
import type { ConflictReason } from '@olmos/contract/refusal-details'
import { isConflict, isRefusal } from '../../api/api-error.ts'
import { failureText } from '../../api/failure-text.ts'
import type { useTranslation } from '../../i18n/use-translation.ts'
import { formatAmount } from '../../money/format.ts'

/** What an operator reads of these is that the state is another one: lists are refetched after every refusal. */
type ShownByList =
  | 'changed_meanwhile'
  | 'move_not_allowed'
  | 'items_not_delivered'
  | 'being_asked'
  | 'refund_not_stuck'
  | 'payment_succeeded'
  | 'reference_of_another_refund'
  | 'dispute_inquiry'
  | 'dispute_open'
  | 'code_not_in_stock'
  | 'code_taken'
  | 'no_second_factor'

/** What customers never meet, and what needs nothing of its details to be told. */
const operatorsCodes = [
  'DUPLICATE',
  'FLOOR_PRICE',
  'PICTURES_UNAVAILABLE',
  'RATE_JUMP',
  'SECOND_FACTOR_NEEDED_FIRST',
] as const satisfies readonly OperatorsCode[]

/** What only customers meet: in the cart, when they pay or review, and on the page of the sandbox. */
type OfCustomers =
  | PurchaseReason
  | 'cart_full'
  | 'no_codes_to_share'
  | 'payment_decided'
  | 'payment_not_succeeded'
  | 'nothing_left'
  | 'dispute_out_of_turn'
  | 'review_not_delivered'
  | 'review_closed'

/** Reasons that have a text of their own in the admin area. */
export type ExplainedReason = Exclude<ConflictReason, ShownByList | OfCustomers>

/** Tells an operator why a call was refused, and what can be done instead. */
export function refusalText(
  { t, language }: Pick<ReturnType<typeof useTranslation>, 't' | 'language'>,
  error: unknown,
): string {
  if (isConflict(error, 'above_limit')) {
    const { approval, limit, most, left, currency } = error.details
    const amount = formatAmount(limit.endsWith('_daily') ? left : most, currency, language)
    return t(approval ? 'admin.refused.above_limit' : 'admin.refused.above_limit_alone', { most: amount })
  }
  if (isRefusal(error, 'STATE_CONFLICT')) {
    const reason = error.details.reason as ExplainedReason
    return t(`admin.refused.${reason}`, { defaultValue: t('admin.conflict.refused') })
  }
  if (isRefusal(error, 'FORBIDDEN') && error.details) {
    const { details } = error
    if ('permission' in details && details.permission) {
      return t('admin.refused.lacking', { permission: t(`admin.staff.may.${details.permission}`) })
    }
    if ('limited' in details && details.limited) {
      return t('admin.refused.limited', { permission: t(`admin.staff.may.${details.limited}`) })
    }
    if ('limit' in details) return t('admin.refused.beyond_limit')
  }
  if (isRefusal(error, 'RATE_LIMITED') && 'code' in error.details) {
    const { code, most, retryAfterSeconds } = error.details
    return t(`admin.refused.${code}`, { most, minutes: Math.ceil(retryAfterSeconds / 60) })
  }
  if (isRefusal(error, 'INVALID_AMOUNT') && 'amount' in error.details && error.details.amount === 'above_paid')
    return t('admin.refused.above_paid')
  if (isRefusal(error, 'IDEMPOTENCY_KEY_REUSED')) return t('admin.refused.IDEMPOTENCY_KEY_REUSED')
  if (isRefusal(error, 'BODY_TOO_LARGE')) return t('admin.refused.BODY_TOO_LARGE')
  if (isRefusal(error, 'OUT_OF_STOCK')) return t('admin.refused.OUT_OF_STOCK')
  if (isRefusal(error, 'SECOND_FACTOR_REQUIRED')) return t('admin.refused.SECOND_FACTOR_REQUIRED')
  if (isRefusal(error, 'UNREADABLE_COLOR')) {
    const { ratio, least } = error.details
    return t('admin.refused.UNREADABLE_COLOR', { ratio, least })
  }
  const operatorsCode = operatorsCodes.find((code) => isRefusal(error, code))
  return operatorsCode ? t(`admin.refused.${operatorsCode}`) : failureText(t, error)
}
