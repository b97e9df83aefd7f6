import { Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { queryKeys } from '../../api/query-keys.ts'
import { ActionDialog } from '../form/ActionDialog.tsx'
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
  const remove = async () => {
    await removeDenomination[game](row)
    client.invalidateQueries({ queryKey: queryKeys.admin.all })
  }
  return (
    <ActionDialog
      title={t('admin.products.removeTitle', { name })}
      takesAlong={row.unsold_codes > 0 ? [t('admin.denominations.takesCodes', { count: row.unsold_codes })] : []}
      {...(row.unsold_codes > 0 && { name })}
      noun={nouns[game]}
      send={remove}
      onClose={onClose}
    >
      <Text>{t('admin.denominations.removeText')}</Text>
      {row.sold_codes > 0 && <Text>{t('admin.denominations.keepsCodes', { count: row.sold_codes })}</Text>}
    </ActionDialog>
  )
}
