import { Anchor } from '@mantine/core'
import type { PubgDenomination } from '@olmos/contract/denominations'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { paths } from '../../paths.ts'
import { usePubgChange, usePubgDenominations } from '../denominations/denominations.queries.ts'
import { RemoveDenomination } from '../denominations/RemoveDenomination.tsx'
import type { Column } from '../list/AdminTable.tsx'
import { columns } from '../list/columns.tsx'
import { EditableTable } from '../list/EditableTable.tsx'
import { PubgDenominationForm } from './PubgDenominationForm.tsx'

const toName = (row: PubgDenomination) => `${row.uc_amount} UC`

export function PubgDenominations() {
  const { t } = useTranslation()
  return (
    <EditableTable
      list={usePubgDenominations()}
      columns={useUcColumns()}
      searchLabel={t('admin.denominations.searchUc')}
      empty={t('admin.denominations.empty')}
      addLabel={t('admin.denominations.add')}
      toName={toName}
      form={(row, close) => <PubgDenominationForm row={row} onClose={close} />}
      removeDialog={(row, close) => <RemoveDenomination game="pubg" row={row} name={toName(row)} onClose={close} />}
    />
  )
}

function useUcColumns(): Column<PubgDenomination>[] {
  const { t } = useTranslation()
  const change = usePubgChange()
  return [
    columns.gameAmount({ title: t('admin.denominations.uc'), sort: 'uc_amount', isHead: true }, (row) => [
      row.uc_amount,
      'UC',
    ]),
    ...columns.editedPrices<PubgDenomination>({
      t,
      toName,
      onUsd: (row, price_usd) => change.mutate({ row, change: { price_usd } }),
      onRub: (row, price_rub) => change.mutate({ row, change: { price_rub } }),
    }),
    {
      title: t('admin.denominations.pool'),
      align: 'right',
      cell: (row) => (
        <Anchor component={Link} to={`${paths.admin('pubgCodes')}?denominationId=${row.id}`}>
          {row.unsold_codes}
        </Anchor>
      ),
    },
    columns.toggle(
      { title: t('admin.products.active'), sort: 'is_active' },
      {
        label: (row) => t('admin.products.activeOf', { name: toName(row) }),
        isOn: (row) => row.is_active,
        onTurn: (row, is_active) => change.mutate({ row, change: { is_active } }),
      },
    ),
    columns.created(t),
  ]
}
