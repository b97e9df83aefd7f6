import type { AdminNoun } from '../../api/query-keys.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { ConfirmDialog, type ConfirmDialogProps } from './ConfirmDialog.tsx'
import { useAdminAction } from './use-admin-action.ts'

interface ActionDialogProps extends Omit<ConfirmDialogProps, 'isBusy' | 'refusal' | 'onConfirm'> {
  noun: AdminNoun
  send(): Promise<unknown>
  /** The toast shown when it is done; without it, that something is deleted. */
  done?: string
}

/** Asks before something that cannot be taken back, and then does it: a deletion, unless it is labelled otherwise. */
export function ActionDialog({ noun, send, done, ...dialog }: ActionDialogProps) {
  const { t } = useTranslation()
  const action = useAdminAction({ noun, send, done: done ?? t('admin.remove.done'), onDone: dialog.onClose })
  return (
    <ConfirmDialog
      {...dialog}
      isBusy={action.isPending}
      refusal={action.refusal}
      onConfirm={() => action.mutate(undefined)}
    />
  )
}
