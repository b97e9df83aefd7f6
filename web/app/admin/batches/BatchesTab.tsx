import { Anchor, Text } from '@mantine/core'
import type { CodeBatch } from '@olmos/contract/code-batches'
import { useState } from 'react'
import { Link } from 'react-router'
import { gameNumber } from '../../i18n/digit-grouping.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { paths } from '../../paths.ts'
import { recallParam, useBatch } from '../code-recall/recall.queries.ts'
import { AdminTable, type Column } from '../list/AdminTable.tsx'
import { columns } from '../list/columns.tsx'
import { toIdOptions } from '../list/FilterSelect.tsx'
import { ListFailed } from '../list/ListFailed.tsx'
import { RowButtons } from '../list/RowButtons.tsx'
import { useChosen } from '../list/use-list-view.ts'
import { useAllProducts } from '../products/products.queries.ts'
import { Allowed } from '../shell/Allowed.tsx'
import { BatchForm } from './BatchForm.tsx'
import { batchParam, useBatches } from './batches.queries.ts'

/** Every import of codes: what one of them cost, who sold them, and how long they can be sold. */
export default function BatchesTab() {
  const { t } = useTranslation()
  const list = useBatches()
  const { data: products } = useAllProducts()
  const [edited, setEdited] = useState<CodeBatch>()
  const [linkedId, link] = useChosen(list.view, batchParam)
  return (
    <>
      <AdminTable
        list={list}
        columns={useBatchColumns()}
        onOpen={setEdited}
        searchLabel={t('admin.batches.search')}
        empty={t('admin.batches.empty')}
        selects={[
          { name: 'productId', label: t('admin.codes.product'), options: toIdOptions(products) },
          {
            name: 'cost',
            label: t('admin.batches.cost'),
            options: [{ value: 'unknown', label: t('admin.profit.unknown') }],
          },
        ]}
        actions={(batch) => (
          <Allowed to="stock.write">
            <RowButtons name={t('admin.recall.title', { batch: batch.id })} onEdit={() => setEdited(batch)} />
          </Allowed>
        )}
      />
      {edited && <BatchForm batch={edited} onClose={() => setEdited(undefined)} />}
      {linkedId && !edited && <LinkedBatch batchId={Number(linkedId)} onClose={() => link(undefined)} />}
    </>
  )
}

/** The import that the address names. */
function LinkedBatch({ batchId, onClose }: { batchId: number; onClose(): void }) {
  const query = useBatch(batchId)
  if (query.error) return <ListFailed query={query} />
  return query.data && <BatchForm batch={query.data} onClose={onClose} />
}

function useBatchColumns(): Column<CodeBatch>[] {
  const { t } = useTranslation()
  return [
    {
      title: t('admin.batches.import'),
      sort: 'id',
      isHead: true,
      cell: (batch) => (
        <>
          <Anchor component={Link} to={`${paths.admin('codes')}?${recallParam}=${batch.id}`}>
            {[batch.product_title, batch.region_name].filter(Boolean).join(', ')}
          </Anchor>
          <Text size="xs" c="dimmed" fw={400}>
            {t('admin.recall.title', { batch: batch.id })}
            {batch.recalled_at && ` · ${t('admin.recall.isRecalled')}`}
          </Text>
        </>
      ),
    },
    { title: t('admin.batches.left'), align: 'right', cell: ({ counts }) => gameNumber(counts.available ?? 0) },
    { title: t('admin.batches.cost'), align: 'right', cell: (batch) => <BatchCost batch={batch} /> },
    columns.withNote(
      { title: t('admin.batches.supplier'), isSecondary: true },
      ({ supplier }) => supplier ?? '—',
      ({ invoice }) => invoice,
    ),
    { title: t('admin.batches.expires'), sort: 'expires_on', cell: ({ expires_on }) => expires_on ?? '—' },
    columns.when({ title: t('admin.list.created'), isState: true }, (batch) => batch.created_at),
  ]
}

/** What one code of a batch cost, in the currency of its invoice. */
export function BatchCost({ batch: { cost, currency, is_bought_singly } }: { batch: CodeBatch }) {
  const { t } = useTranslation()
  if (cost !== null) return `${cost} ${currency}`
  return (
    <Text span size="sm" c="dimmed">
      {t(is_bought_singly ? 'admin.batches.eachItsOwn' : 'admin.profit.unknown')}
    </Text>
  )
}
