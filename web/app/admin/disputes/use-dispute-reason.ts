import { useTranslation } from 'react-i18next'

/** Why the cardholder wants the money back, in words; what an operator wrote, or the bank calls otherwise, stays as it is. */
export function useDisputeReason(): (reason: string) => string {
  const { t, i18n } = useTranslation()
  return (reason) => {
    const key = `admin.disputes.why.${reason}`
    return /^\w+$/.test(reason) && i18n.exists(key) ? t(key) : reason
  }
}
