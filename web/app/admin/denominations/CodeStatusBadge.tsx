import type { CodeStatus } from '@olmos/contract/codes'
import { useTranslation } from 'react-i18next'
import { StatusBadge } from '../../ui/StatusBadge.tsx'

const tones = {
  available: 'good',
  reserved: 'wait',
  used: 'wait',
  error: 'bad',
  quarantined: 'bad',
  archived: 'wait',
  unpublished: 'wait',
} as const satisfies Record<CodeStatus, string>

export function CodeStatusBadge({ status }: { status: CodeStatus }) {
  const { t } = useTranslation()
  return <StatusBadge tone={tones[status]} text={t(`admin.orders.codeStatus.${status}`)} />
}
