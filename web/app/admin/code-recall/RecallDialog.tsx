import { Text, Textarea } from '@mantine/core'
import type { CodeBatch } from '@olmos/contract/code-batches'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../form/ConfirmDialog.tsx'
import { useAdminAction } from '../form/use-admin-action.ts'
import { recallBatch } from './recall.queries.ts'

/** Asks for the reason, and for the number of the batch: there is no way back. */
export function RecallDialog({ batch, onClose }: { batch: CodeBatch; onClose(): void }) {
  const { t } = useTranslation()
  const [reason, setReason] = useState('')
  const recall = useAdminAction({
    noun: 'codes',
    send: (why: string) => recallBatch(batch.id, why),
    done: t('admin.recall.done'),
    onDone: onClose,
  })
  const { available = 0, archived = 0, reserved = 0 } = batch.counts
  return (
    <ConfirmDialog
      title={t('admin.recall.askTitle', { batch: batch.id })}
      takesAlong={[
        t('admin.recall.takes', { count: available + archived }),
        ...(reserved > 0 ? [t('admin.recall.takesHeld', { count: reserved })] : []),
      ]}
      name={String(batch.id)}
      confirmLabel={t('admin.recall.recall')}
      isBusy={recall.isPending}
      isRefused={reason.trim() === ''}
      refusal={recall.refusal}
      onConfirm={() => recall.mutate(reason)}
      onClose={onClose}
    >
      <Text>{t('admin.recall.askText')}</Text>
      <Textarea
        label={t('admin.recall.reason')}
        required
        maxLength={500}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </ConfirmDialog>
  )
}
