import { Alert, Button, Group, Stack, Text, Textarea } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../../ui/Dialog.tsx'

interface ReasonDialogProps {
  title: string
  text?: string | undefined
  confirmLabel: string
  color?: string
  /** What else is to be chosen. */
  children?: ReactNode
  /** Something else is still to be chosen. */
  isIncomplete?: boolean
  isBusy: boolean
  refusal: string | undefined
  onConfirm(reason: string): void
  onClose(): void
}

/** Asks why, before something that the audit log keeps for good. */
export function ReasonDialog({ title, text, confirmLabel, color, children, ...dialog }: ReasonDialogProps) {
  const { t } = useTranslation()
  const [reason, setReason] = useState('')
  const isReady = reason.trim() !== '' && !dialog.isIncomplete
  return (
    <Dialog isOpen onClose={dialog.onClose} title={title} closeLabel={t('admin.form.cancel')}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (isReady) dialog.onConfirm(reason.trim())
        }}
      >
        <Stack>
          {text && <Text>{text}</Text>}
          {children}
          <Textarea
            label={t('admin.reason.label')}
            description={t('admin.reason.hint')}
            required
            autosize
            minRows={2}
            maxLength={500}
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
          {dialog.refusal && (
            <Alert color="red" role="alert">
              {dialog.refusal}
            </Alert>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={dialog.onClose}>
              {t('admin.form.cancel')}
            </Button>
            <Button type="submit" disabled={!isReady} loading={dialog.isBusy} {...(color && { color })}>
              {confirmLabel}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
