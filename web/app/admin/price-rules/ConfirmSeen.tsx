import { Button, Group } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from '../../i18n/use-translation.ts'
import { ReasonField } from '../form/ReasonField.tsx'
import { RefusalAlert } from '../form/RefusalAlert.tsx'
import { useAdminAction } from '../form/use-admin-action.ts'

interface Seen {
  /** How many packages change, and how many of them are sold under their cost. */
  total: number
  under_floor: number
  digest: string
}

interface ConfirmSeenProps<Preview extends Seen> {
  /** Shows what would change, and tells once it is there. */
  table(onSeen: (preview: Preview) => void): ReactNode
  /** Whether there is something to confirm also where nothing changes at once. */
  isForLater?: boolean
  label(count: number): string
  send(digest: string, reason: string): Promise<unknown>
  onDone(): void
}

/** Packages as they would be, and the button that makes exactly that of them. */
export function ConfirmSeen<Preview extends Seen>(props: ConfirmSeenProps<Preview>) {
  const { table, isForLater = false, label, send, onDone } = props
  const { t } = useTranslation()
  const [seen, setSeen] = useState<Preview>()
  const [reason, setReason] = useState('')
  const action = useAdminAction({
    noun: 'prices',
    send: (digest: string) => send(digest, reason.trim()),
    done: t('admin.form.saved'),
    onDone,
  })
  const isUnder = seen !== undefined && seen.under_floor > 0
  const isReady = seen !== undefined && (seen.total > 0 || isForLater) && (!isUnder || reason.trim() !== '')
  return (
    <>
      {table(setSeen)}
      {isUnder && (
        <ReasonField
          label={t('admin.priceRules.whyUnder')}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
      )}
      <RefusalAlert text={action.refusal} />
      <Group justify="flex-end">
        <Button disabled={!isReady} loading={action.isPending} onClick={() => seen && action.mutate(seen.digest)}>
          {label(seen?.total ?? 0)}
        </Button>
      </Group>
    </>
  )
}
