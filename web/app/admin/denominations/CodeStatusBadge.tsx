import type { CodeStatus } from '@olmos/contract/codes'
import { useTranslation } from '../../i18n/use-translation.ts'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { codeStateTones } from '../codes/states.ts'

export function CodeStatusBadge({ status }: { status: CodeStatus }) {
  const { t } = useTranslation()
  return <StatusBadge tone={codeStateTones[status]} text={t(`admin.codes.state.${status}`)} />
}

/** Some of the states, to choose from. */
export function useCodeStatusOptions(statuses: readonly CodeStatus[]) {
  const { t } = useTranslation()
  return statuses.map((status) => ({ value: status, label: t(`admin.codes.state.${status}`) }))
}
