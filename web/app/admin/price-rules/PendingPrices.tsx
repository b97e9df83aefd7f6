import { Button, Group, Text } from '@mantine/core'
import type { PendingPrice, PriceDecision } from '@olmos/contract/price-changes'
import { useState } from 'react'
import { useTranslation } from '../../i18n/use-translation.ts'
import { ActionDialog } from '../form/ActionDialog.tsx'
import { AdminTable, type Column } from '../list/AdminTable.tsx'
import { columns } from '../list/columns.tsx'
import { Allowed } from '../shell/Allowed.tsx'
import { PackageName, PricePair } from './PricePreview.tsx'
import { decidePrices, usePendingPrices } from './price-rules.queries.ts'

interface Decision {
  decision: PriceDecision
  /** Undefined for all that wait. */
  row?: PendingPrice
}

/** The prices that rules made and that moved too far: they are in force once an admin says so. */
export function PendingPrices() {
  const { t } = useTranslation()
  const list = usePendingPrices()
  const [asked, setAsked] = useState<Decision>()
  const { data: rows = [], total = 0 } = list.query.data ?? {}
  // The newest is on the first page, and has the highest id.
  const newest = list.view.page === 1 && !list.view.sort ? rows[0]?.id : undefined
  return (
    <>
      <Text c="dimmed" size="sm" mb="md">
        {t('admin.priceRules.pendingHint')}
      </Text>
      <AdminTable
        list={list}
        columns={usePendingColumns()}
        empty={t('admin.priceRules.nonePending')}
        {...(newest !== undefined && {
          head: (
            <>
              <Allowed to="prices.write">
                <Button variant="default" onClick={() => setAsked({ decision: 'reject' })}>
                  {t('admin.priceRules.rejectAll')}
                </Button>
              </Allowed>
              <Allowed to="prices.write">
                <Button onClick={() => setAsked({ decision: 'approve' })}>{t('admin.priceRules.approveAll')}</Button>
              </Allowed>
            </>
          ),
        })}
        actions={(row) => (
          <Group gap="xs" wrap="nowrap">
            <Allowed to="prices.write">
              <Button size="xs" onClick={() => setAsked({ decision: 'approve', row })}>
                {t('admin.priceRules.approve')}
              </Button>
            </Allowed>
            <Allowed to="prices.write">
              <Button size="xs" variant="default" onClick={() => setAsked({ decision: 'reject', row })}>
                {t('admin.priceRules.reject')}
              </Button>
            </Allowed>
          </Group>
        )}
      />
      {asked && (
        <DecideDialog asked={asked} all={{ up_to: newest ?? 0, count: total }} onClose={() => setAsked(undefined)} />
      )}
    </>
  )
}

function usePendingColumns(): Column<PendingPrice>[] {
  const { t } = useTranslation()
  return [
    { title: t('admin.products.package'), isHead: true, cell: (row) => <PackageName offer={row} /> },
    {
      title: t('admin.priceRules.before'),
      align: 'right',
      cell: (row) => <PricePair usd={row.was_usd} rub={row.was_rub} />,
    },
    {
      title: t('admin.priceRules.after'),
      align: 'right',
      cell: (row) => (
        <b>
          <PricePair usd={row.price_usd} rub={row.price_rub} />
        </b>
      ),
    },
    {
      title: t('admin.priceRules.cost'),
      align: 'right',
      cell: ({ floor_usd, floor_rub }) =>
        floor_usd === null || floor_rub === null ? '—' : <PricePair usd={floor_usd} rub={floor_rub} />,
    },
    columns.when({ title: t('admin.priceRules.since'), sort: 'id' }, (row) => row.created_at),
  ]
}

interface DecideDialogProps {
  asked: Decision
  all: { up_to: number; count: number }
  onClose(): void
}

function DecideDialog({ asked: { decision, row }, all, onClose }: DecideDialogProps) {
  const { t } = useTranslation()
  return (
    <ActionDialog
      title={t(`admin.priceRules.${decision}Title`, { count: row ? 1 : all.count })}
      confirmLabel={t(`admin.priceRules.${decision}`)}
      noun="prices"
      send={() => decidePrices(decision, row ? { ids: [row.id] } : { all })}
      done={t('admin.form.saved')}
      onClose={onClose}
    >
      <Text>{t(`admin.priceRules.${decision}Text`)}</Text>
      {row && (
        <Text>
          <PricePair usd={row.price_usd} rub={row.price_rub} />
        </Text>
      )}
    </ActionDialog>
  )
}
