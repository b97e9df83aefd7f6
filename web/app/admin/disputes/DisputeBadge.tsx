import type { DisputeFlag } from '@olmos/contract/disputes'
import type { Tone } from '../../features/orders/order.rules.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { toOptions } from '../list/FilterSelect.tsx'

const flagTones: Record<DisputeFlag, Tone> = {
  open: 'bad',
  inquiry: 'wait',
  lost: 'bad',
  fraud_warning: 'bad',
  won: 'good',
  closed: 'good',
}

/** The bank has the money, or may still take it: there is nothing to write down by hand. */
export const isTakenBack = (flag: DisputeFlag | null): boolean =>
  flag === 'open' || flag === 'inquiry' || flag === 'lost'

/** The worst that a bank says against an order. */
export function DisputeBadge({ flag }: { flag: DisputeFlag }) {
  const { t } = useTranslation()
  return <StatusBadge tone={flagTones[flag]} text={t(`admin.disputes.flag.${flag}`)} />
}

export function useDisputeSelect() {
  const { t } = useTranslation()
  const options = toOptions(flagTones, (flag) => t(`admin.disputes.flag.${flag}`))
  return { name: 'dispute', label: t('admin.disputes.column'), options }
}
