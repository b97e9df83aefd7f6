import { Anchor, Button, Switch, Text } from '@mantine/core'
import type { FreefireDenomination } from '@olmos/contract/denominations'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { gameNumber } from '../../money/game-number.ts'
import { paths } from '../../paths.ts'
import { useFreefireChange, useFreefireDenominations } from '../denominations/denominations.queries.ts'
import { RemoveDenomination } from '../denominations/RemoveDenomination.tsx'
import { AdminTable, type Column } from '../list/AdminTable.tsx'
import { RowButtons } from '../list/RowButtons.tsx'
import { PriceCell } from '../products/PriceCell.tsx'
import { FreefireForm } from './FreefireForm.tsx'

export default function FreefireCodesTab() {
  const { t } = useTranslation()
  const list = useFreefireDenominations()
  const [edited, setEdited] = useState<FreefireDenomination | 'new'>()
  const [removed, setRemoved] = useState<FreefireDenomination>()
  return (
    <>
      <AdminTable
        list={list}
        columns={useColumns()}
        rowKey={({ id }) => id}
        onOpen={setEdited}
        searchLabel={t('admin.denominations.search')}
        empty={t('admin.denominations.empty')}
        head={
          <Button leftSection={<IconPlus size={18} />} onClick={() => setEdited('new')}>
            {t('admin.denominations.add')}
          </Button>
        }
        actions={(row) => <RowButtons name={row.name} onEdit={() => setEdited(row)} onRemove={() => setRemoved(row)} />}
      />
      {edited && <FreefireForm row={edited === 'new' ? undefined : edited} onClose={() => setEdited(undefined)} />}
      {removed && (
        <RemoveDenomination game="freefire" row={removed} name={removed.name} onClose={() => setRemoved(undefined)} />
      )}
    </>
  )
}

function useColumns(): Column<FreefireDenomination>[] {
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
    {
      title: t('admin.products.priceUsd'),
      sort: 'price_usd',
      align: 'right',
      cell: (row) => (
        <PriceCell
          value={row.price_usd}
          currency="USD"
          label={t('admin.products.priceUsdOf', { name: row.name })}
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
          label={t('admin.products.priceRubOf', { name: row.name })}
          onChange={(price_rub) => change.mutate({ row, change: { price_rub } })}
        />
      ),
    },
    {
      title: t('admin.denominations.codes'),
      align: 'right',
      cell: (row) => (
        <Anchor component={Link} to={`${paths.admin('generatedCodes')}?denominationId=${row.id}`}>
          {row.unsold_codes}
        </Anchor>
      ),
    },
    {
      title: t('admin.products.active'),
      sort: 'is_active',
      cell: (row) => (
        <Switch
          aria-label={t('admin.products.activeOf', { name: row.name })}
          checked={row.is_active}
          onChange={(event) => change.mutate({ row, change: { is_active: event.currentTarget.checked } })}
        />
      ),
    },
  ]
}
