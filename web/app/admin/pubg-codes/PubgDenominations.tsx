import { Anchor, Button, Switch } from '@mantine/core'
import type { PubgDenomination } from '@olmos/contract/denominations'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { Ago } from '../../i18n/Ago.tsx'
import { GameAmount } from '../../money/GameAmount.tsx'
import { paths } from '../../paths.ts'
import { usePubgChange, usePubgDenominations } from '../denominations/denominations.queries.ts'
import { RemoveDenomination } from '../denominations/RemoveDenomination.tsx'
import { AdminTable, type Column } from '../list/AdminTable.tsx'
import { RowButtons } from '../list/RowButtons.tsx'
import { PriceCell } from '../products/PriceCell.tsx'
import { PubgDenominationForm } from './PubgDenominationForm.tsx'

const toName = (row: PubgDenomination) => `${row.uc_amount} UC`

export function PubgDenominations() {
  const { t } = useTranslation()
  const list = usePubgDenominations()
  const [edited, setEdited] = useState<PubgDenomination | 'new'>()
  const [removed, setRemoved] = useState<PubgDenomination>()
  return (
    <>
      <AdminTable
        list={list}
        columns={useColumns()}
        rowKey={({ id }) => id}
        onOpen={setEdited}
        searchLabel={t('admin.denominations.searchUc')}
        empty={t('admin.denominations.empty')}
        head={
          <Button leftSection={<IconPlus size={18} />} onClick={() => setEdited('new')}>
            {t('admin.denominations.add')}
          </Button>
        }
        actions={(row) => (
          <RowButtons name={toName(row)} onEdit={() => setEdited(row)} onRemove={() => setRemoved(row)} />
        )}
      />
      {edited && (
        <PubgDenominationForm row={edited === 'new' ? undefined : edited} onClose={() => setEdited(undefined)} />
      )}
      {removed && (
        <RemoveDenomination game="pubg" row={removed} name={toName(removed)} onClose={() => setRemoved(undefined)} />
      )}
    </>
  )
}

function useColumns(): Column<PubgDenomination>[] {
  const { t } = useTranslation()
  const change = usePubgChange()
  return [
    {
      title: t('admin.denominations.uc'),
      sort: 'uc_amount',
      isHead: true,
      cell: (row) => <GameAmount amount={row.uc_amount} currency="UC" />,
    },
    {
      title: t('admin.products.priceUsd'),
      sort: 'price_usd',
      align: 'right',
      cell: (row) => (
        <PriceCell
          value={row.price_usd}
          currency="USD"
          label={t('admin.products.priceUsdOf', { name: toName(row) })}
          onChange={(price_usd) => change.mutate({ row, change: { price_usd } })}
        />
      ),
    },
    {
      title: t('admin.products.priceRub'),
      sort: 'price_rub',
      align: 'right',
      cell: (row) => (
        <PriceCell
          value={row.price_rub}
          currency="RUB"
          label={t('admin.products.priceRubOf', { name: toName(row) })}
          onChange={(price_rub) => change.mutate({ row, change: { price_rub } })}
        />
      ),
    },
    {
      title: t('admin.denominations.pool'),
      align: 'right',
      cell: (row) => (
        <Anchor component={Link} to={`${paths.admin('pubgCodes')}?denominationId=${row.id}`}>
          {row.unsold_codes}
        </Anchor>
      ),
    },
    {
      title: t('admin.products.active'),
      sort: 'is_active',
      cell: (row) => (
        <Switch
          aria-label={t('admin.products.activeOf', { name: toName(row) })}
          checked={row.is_active}
          onChange={(event) => change.mutate({ row, change: { is_active: event.currentTarget.checked } })}
        />
      ),
    },
    { title: t('admin.list.created'), sort: 'created_at', cell: (row) => <Ago at={row.created_at} /> },
  ]
}
