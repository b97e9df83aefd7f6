import { Anchor, Text } from '@mantine/core'
import type { FreefireDenomination } from '@olmos/contract/denominations'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { gameNumber } from '../../money/game-number.ts'
import { paths } from '../../paths.ts'
import { useFreefireChange, useFreefireDenominations } from '../denominations/denominations.queries.ts'
import { RemoveDenomination } from '../denominations/RemoveDenomination.tsx'
import type { Column } from '../list/AdminTable.tsx'
import { columns } from '../list/columns.tsx'
import { EditableTable } from '../list/EditableTable.tsx'
import { FreefireForm } from './FreefireForm.tsx'

const toName = (row: FreefireDenomination) => row.name

export default function FreefireCodesTab() {
  const { t } = useTranslation()
  return (
    <EditableTable
      list={useFreefireDenominations()}
      columns={useDiamondColumns()}
      searchLabel={t('admin.denominations.search')}
      empty={t('admin.denominations.empty')}
      addLabel={t('admin.denominations.add')}
      toName={toName}
      form={(row, close) => <FreefireForm row={row} onClose={close} />}
      removeDialog={(row, close) => <RemoveDenomination game="freefire" row={row} name={row.name} onClose={close} />}
    />
  )
}

function useDiamondColumns(): Column<FreefireDenomination>[] {
  const { t } = useTranslation()
  const change = useFreefireChange()
  return [
    {
      title: t('admin.products.name'),
      sort: 'name',
      isHead: true,
      cell: (row) => (
        <>
          {row.name}
          <Text size="xs" c="dimmed" ff="monospace" translate="no">
            {row.item_id}
          </Text>
        </>
      ),
    },
    {
      title: t('admin.denominations.diamonds'),
      sort: 'game_amount',
      align: 'right',
      cell: (row) => gameNumber(row.game_amount),
    },
    ...columns.editedPrices<FreefireDenomination>({
      t,
      toName,
      onUsd: (row, price_usd) => change.mutate({ row, change: { price_usd } }),
      onRub: (row, price_rub) => change.mutate({ row, change: { price_rub } }),
    }),
    {
      title: t('admin.denominations.codes'),
      align: 'right',
      cell: (row) => (
        <Anchor component={Link} to={`${paths.admin('generatedCodes')}?denominationId=${row.id}`}>
          {row.unsold_codes}
        </Anchor>
      ),
    },
    columns.toggle(
      { title: t('admin.products.active'), sort: 'is_active' },
      {
        label: (row) => t('admin.products.activeOf', { name: row.name }),
        isOn: (row) => row.is_active,
        onTurn: (row, is_active) => change.mutate({ row, change: { is_active } }),
      },
    ),
  ]
}
