import { useTranslation } from '../../i18n/use-translation.ts'

/** Why the cardholder wants the money back, in words; what an operator wrote, or the bank calls otherwise, stays as it is. */
export function useDisputeReason(): (reason: string) => string {
  const { t } = useTranslation()
  return (reason) => (/^\w+$/.test(reason) && t(`admin.disputes.why.${reason}`, { defaultValue: '' })) || reason
}
