import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../api/api-error.ts'
import { noticeError, noticeWarning } from '../../ui/notice.ts'

/** Why an amount could not be calculated. */
export function calculationFailure(error: Error): 'loginToCalculate' | 'invalidAmount' | 'calculateFailed' {
  const status = error instanceof ApiError ? error.status : 0
  if (status === 401) return 'loginToCalculate'
  return status === 400 ? 'invalidAmount' : 'calculateFailed'
}

export const calculationTexts = {
  loginToCalculate: 'topups.steam.loginToCalculate',
  invalidAmount: 'topups.steam.invalidAmount',
  calculateFailed: 'topups.steam.calculateFailed',
} as const

/** Says why an amount could not be calculated, each time it could not; whom it asks to log in it shows the way. */
export function useSteamNotices(error: Error | null, onGoToLogin: () => void): void {
  const { t } = useTranslation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another language or address is no other failure
  useEffect(() => {
    if (!error) return
    const failure = calculationFailure(error)
    const text = t(calculationTexts[failure])
    if (failure !== 'loginToCalculate') return noticeError(text)
    noticeWarning(text, { label: t('topups.steam.goToLogin'), onPress: onGoToLogin })
  }, [error])
}
