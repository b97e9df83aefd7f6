import { Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { queryKeys } from '../../api/query-keys.ts'
import { ConfirmDialog } from '../form/ConfirmDialog.tsx'
import { useAdminAction } from '../form/use-admin-action.ts'
import { nouns, removeDenomination } from './denominations.queries.ts'

interface RemoveDenominationProps {
  game: keyof typeof nouns
  row: { id: number; unsold_codes: number; sold_codes: number }
  name: string
  onClose(): void
}

/** Says how many codes go with a denomination and which stay; one with codes asks for its name. */
export function RemoveDenomination({ game, row, name, onClose }: RemoveDenominationProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const remove = useAdminAction({
    noun: nouns[game],
    send: removeDenomination[game],
    done: t('admin.remove.done'),
    onDone: () => {
      client.invalidateQueries({ queryKey: queryKeys.admin.all })
      onClose()
    },
  })
  return (
    <ConfirmDialog
      title={t('admin.products.removeTitle', { name })}
      takesAlong={row.unsold_codes > 0 ? [t('admin.denominations.takesCodes', { count: row.unsold_codes })] : []}
      {...(row.unsold_codes > 0 && { name })}
      isBusy={remove.isPending}
      refusal={remove.refusal}
      onConfirm={() => remove.mutate(row)}
      onClose={onClose}
    >
      <Text>{t('admin.denominations.removeText')}</Text>
      {row.sold_codes > 0 && <Text>{t('admin.denominations.keepsCodes', { count: row.sold_codes })}</Text>}
    </ConfirmDialog>
  )
}
