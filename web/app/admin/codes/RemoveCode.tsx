import { Button, Code, Text } from '@mantine/core'
import type { ListedCode } from '@olmos/contract/codes'
import { useTranslation } from 'react-i18next'
import { isConflict } from '../../api/api-error.ts'
import { ConfirmDialog } from '../form/ConfirmDialog.tsx'
import { useAdminAction } from '../form/use-admin-action.ts'
import { changeCode, removeCode } from './codes.queries.ts'

/** Deletes a code that nobody has seen; one that was shown can be taken off the shelf. What was sold stays. */
export function RemoveCode({ code, onClose }: { code: ListedCode; onClose(): void }) {
  const { t } = useTranslation()
  const remove = useAdminAction({ noun: 'codes', send: removeCode, done: t('admin.remove.done'), onDone: onClose })
  const archive = useAdminAction({
    noun: 'codes',
    send: () => changeCode(code, { status: 'archived' }),
    done: t('admin.codes.archived'),
    onDone: onClose,
  })
  const isKept = code.status !== 'available' && code.status !== 'archived'
  const isSeen = isConflict(remove.error, 'code_revealed')
  return (
    <ConfirmDialog
      title={t('admin.codes.removeTitle')}
      isBusy={remove.isPending}
      isRefused={isKept || isSeen}
      refusal={archive.refusal ?? remove.refusal}
      onConfirm={() => remove.mutate(code)}
      onClose={onClose}
    >
      <div>
        <Code>{code.code}</Code>
      </div>
      <Text>{isKept ? t('admin.codes.isKept') : t('admin.codes.removeText')}</Text>
      {isSeen && code.status === 'available' && (
        <Button variant="default" loading={archive.isPending} onClick={() => archive.mutate(undefined)}>
          {t('admin.codes.archive')}
        </Button>
      )}
    </ConfirmDialog>
  )
}
