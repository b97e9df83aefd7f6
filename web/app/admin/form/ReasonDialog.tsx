import { Button, Group, Stack, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import type { AdminNoun } from '../../api/query-keys.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { ReasonField } from './ReasonField.tsx'
import { RefusalAlert } from './RefusalAlert.tsx'
import { useAdminAction } from './use-admin-action.ts'

interface ReasonDialogProps {
  title: string
  text?: string
  confirmLabel: string
  color?: string
  /** What else is to be chosen. */
  children?: ReactNode
  /** Something else is still to be chosen. */
  isIncomplete?: boolean
  noun: AdminNoun
  send(reason: string): Promise<unknown>
  /** The toast shown when it is done. */
  done: string
  onClose(): void
}

/** Asks why, and then does something that the audit log keeps for good. */
export function ReasonDialog({ title, text, confirmLabel, color, children, ...dialog }: ReasonDialogProps) {
  const { t } = useTranslation()
  const { noun, send, done, onClose } = dialog
  const [reason, setReason] = useState('')
  const action = useAdminAction({ noun, send, done, onDone: onClose })
  const isReady = reason.trim() !== '' && !dialog.isIncomplete
  return (
    <Dialog isOpen onClose={onClose} title={title} closeLabel={t('admin.form.cancel')}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (isReady) action.mutate(reason.trim())
        }}
      >
        <Stack>
          {text && <Text>{text}</Text>}
          {children}
          <ReasonField value={reason} onChange={(event) => setReason(event.currentTarget.value)} />
          <RefusalAlert text={action.refusal} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('admin.form.cancel')}
            </Button>
            <Button type="submit" disabled={!isReady} loading={action.isPending} {...(color && { color })}>
              {confirmLabel}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
