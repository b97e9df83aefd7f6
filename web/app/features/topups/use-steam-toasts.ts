import type { Language } from '@olmos/contract/fields'
import type { TFunction } from 'i18next'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError, isRefusal } from '../../api/api-error.ts'
import { useLanguage } from '../../i18n/use-language.ts'
import { refusedRangeText } from '../../money/steam-amount.ts'
import { toastError, toastWarning } from '../../ui/toast.ts'

/** Why an amount could not be calculated. */
export function calculationFailure(error: Error): 'loginToCalculate' | 'invalidAmount' | 'calculateFailed' {
  const status = error instanceof ApiError ? error.status : 0
  if (status === 401) return 'loginToCalculate'
  return status === 400 ? 'invalidAmount' : 'calculateFailed'
}

/** Why an amount could not be calculated, in words: of one that is not sold also how much is. */
export function calculationText(t: TFunction, language: Language, error: Error): string {
  const text = t(`topups.steam.notCalculated.${calculationFailure(error)}`)
  const range = isRefusal(error, 'INVALID_AMOUNT') ? refusedRangeText(t, language, error.details) : undefined
  return range === undefined ? text : `${text}. ${range}`
}

/** Says why an amount could not be calculated, each time it could not; whom it asks to log in it shows the way. */
export function useSteamToasts(error: Error | null, onGoToLogin: () => void): void {
  const { t } = useTranslation()
  const language = useLanguage()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another language or address is no other failure
  useEffect(() => {
    if (!error) return
    const failure = calculationFailure(error)
    const text = calculationText(t, language, error)
    if (failure !== 'loginToCalculate') return toastError(text)
    toastWarning(text, { label: t('topups.steam.goToLogin'), onPress: onGoToLogin })
  }, [error])
}
