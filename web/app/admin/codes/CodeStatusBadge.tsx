import type { CodeStatus } from '@olmos/contract/codes'
import { gameNumber } from '../../i18n/digit-grouping.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { StatusBadge } from '../../ui/StatusBadge.tsx'

/** Every state of a code, and how urgent it looks. */
const tones: Record<CodeStatus, 'good' | 'wait' | 'bad'> = {
  unpublished: 'wait',
  available: 'good',
  reserved: 'wait',
  used: 'wait',
  error: 'bad',
  quarantined: 'bad',
  archived: 'wait',
}

/** How a code stands, or how many stand like that. */
export function CodeStatusBadge({ status, count }: { status: CodeStatus; count?: number }) {
  const { t } = useTranslation()
  const state = t(`admin.codes.state.${status}`)
  return <StatusBadge tone={tones[status]} text={count === undefined ? state : `${state}: ${gameNumber(count)}`} />
}

/** The states to choose from: all of them, unless some are named. */
export function useCodeStatusOptions(statuses = Object.keys(tones) as readonly CodeStatus[]) {
  const { t } = useTranslation()
  return statuses.map((status) => ({ value: status, label: t(`admin.codes.state.${status}`) }))
}
