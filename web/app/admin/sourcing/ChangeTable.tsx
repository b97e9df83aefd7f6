import { Anchor, NativeSelect } from '@mantine/core'
import type { SupplierProduct } from '@olmos/contract/supplier-lists'
import { useState } from 'react'
import { Link } from 'react-router'
import { useTranslation } from '../../i18n/use-translation.ts'
import { AdminTable, type Column } from '../list/AdminTable.tsx'
import { columns } from '../list/columns.tsx'
import { productPath } from '../products/products.queries.ts'
import { useSupplierChanges } from './sourcing.queries.ts'

const productChanges = ['new', 'gone', 'dearer'] as const
const dayMs = 86_400_000
const spans = [1, 7, 30, 90] as const

interface ChangeTableProps {
  catalogue: Parameters<typeof useSupplierChanges>[0]
}

/** What is new, gone or dearer at a supplier for some days. */
export function ChangeTable({ catalogue }: ChangeTableProps) {
  const { t } = useTranslation()
  const [days, setDays] = useState<number>(spans[0])
  const [openedAt] = useState(() => Date.now())
  const list = useSupplierChanges(catalogue, new Date(openedAt - days * dayMs).toISOString())
  return (
    <AdminTable
      list={list}
      columns={useChangeColumns()}
      searchLabel={t('admin.sourcing.searchProducts')}
      empty={t('admin.sourcing.noChanges')}
      filters={
        <>
          <NativeSelect
            label={t('admin.sourcing.change')}
            value={list.view.filter('change') || productChanges[0]}
            onChange={(event) => list.view.change({ change: event.currentTarget.value })}
            data={productChanges.map((change) => ({ value: change, label: t(`admin.sourcing.changeKinds.${change}`) }))}
          />
          <NativeSelect
            label={t('admin.sourcing.since')}
            value={String(days)}
            onChange={(event) => {
              setDays(Number(event.currentTarget.value))
              list.view.change({})
            }}
            data={spans.map((count) => ({ value: String(count), label: t('admin.sourcing.days', { count }) }))}
          />
        </>
      }
    />
  )
}

function useChangeColumns(): Column<SupplierProduct>[] {
  const { t } = useTranslation()
  return [
    columns.withId({ title: t('admin.products.name'), sort: 'name', isHead: true }, ({ name, reference }) => [
      name,
      reference,
    ]),
    { title: t('admin.sourcing.game'), cell: (product) => product.service_title ?? '—' },
    {
      title: t('admin.sourcing.cost'),
      sort: 'cost',
      align: 'right',
      cell: (product) => (
        <span translate="no">
          {product.cost_then !== null && product.cost_then !== product.cost && `${product.cost_then} → `}
          {product.cost} {product.currency}
        </span>
      ),
    },
    columns.when({ title: t('admin.sourcing.changedAt') }, (product) => product.gone_at ?? product.cost_changed_at),
    {
      title: t('admin.sourcing.inShop'),
      cell: ({ offers }) =>
        offers.length === 0
          ? '—'
          : offers.map(({ id, product_id, product_title }) => (
              <Anchor key={id} component={Link} to={productPath(product_id)} display="block">
                {product_title}
              </Anchor>
            )),
    },
  ]
}
