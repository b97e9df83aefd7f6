import { Alert, Anchor, Button, Group, Stack, Text, Title } from '@mantine/core'
import type { BatchBuyer, CodeBatch } from '@olmos/contract/code-batches'
import type { CodeStatus } from '@olmos/contract/codes'
import { useState } from 'react'
import { Link } from 'react-router'
import { Ago } from '../../i18n/Ago.tsx'
import { gameNumber } from '../../i18n/digit-grouping.ts'
import { Moment } from '../../i18n/Moment.tsx'
import { useTranslation } from '../../i18n/use-translation.ts'
import { paths } from '../../paths.ts'
import { Surface } from '../../ui/Surface.tsx'
import { BatchCost } from '../batches/BatchesTab.tsx'
import { BatchForm } from '../batches/BatchForm.tsx'
import { CodeStatusBadge } from '../codes/CodeStatusBadge.tsx'
import { ActionDialog } from '../form/ActionDialog.tsx'
import { ReasonField } from '../form/ReasonField.tsx'
import { AdminTable, type Column } from '../list/AdminTable.tsx'
import { BackLink } from '../list/BackLink.tsx'
import { columns } from '../list/columns.tsx'
import { Loaded } from '../list/ListFailed.tsx'
import type { ListPage } from '../list/use-admin-list.ts'
import { Allowed } from '../shell/Allowed.tsx'
import { MendPanel } from './MendPanel.tsx'
import { recallBatch, useBatch, useBuyers } from './recall.queries.ts'

/** An import that turned out bad: take the rest off the shelf, and help who bought of it. */
export function RecallScreen({ batchId }: { batchId: number }) {
  const { t } = useTranslation()
  const [isAsked, setIsAsked] = useState(false)
  return (
    <Stack>
      <Group>
        <BackLink to={`${paths.admin('codes')}?batch=${batchId}`} text={t('admin.recall.back')} />
      </Group>
      <Title order={2} size="h3">
        {t('admin.recall.title', { batch: batchId })}
      </Title>
      <Loaded query={useBatch(batchId)} height={160}>
        {(batch) => (
          <>
            <BatchHead batch={batch} onRecall={() => setIsAsked(true)} />
            {batch.recall_reason !== null && (
              <MendPanel batchId={batchId} reason={batch.recall_reason} sold={batch.counts.used ?? 0} />
            )}
            <BuyerTable batchId={batchId} />
            {isAsked && <RecallDialog batch={batch} onClose={() => setIsAsked(false)} />}
          </>
        )}
      </Loaded>
    </Stack>
  )
}

/** What a batch is, and what became of its codes. */
function BatchHead({ batch, onRecall }: { batch: CodeBatch; onRecall(): void }) {
  const { t } = useTranslation()
  const [isEdited, setEdited] = useState(false)
  const counts = Object.entries(batch.counts) as [CodeStatus, number][]
  return (
    <Surface>
      <Stack gap="sm">
        <div>
          <Text fw={600}>{[batch.product_title, batch.region_name].filter(Boolean).join(', ')}</Text>
          <Text size="sm" c="dimmed">
            <Moment at={batch.created_at} /> {batch.imported_by}
            {batch.supplier &&
              t(batch.is_bought_singly ? 'admin.recall.boughtAt' : 'admin.batches.from', { supplier: batch.supplier })}
          </Text>
          <Text size="sm" c="dimmed">
            {t('admin.batches.cost')}: <BatchCost batch={batch} />
            {batch.invoice && ` · ${t('admin.batches.invoice')}: ${batch.invoice}`}
            {batch.expires_on && ` · ${t('admin.batches.expires')}: ${batch.expires_on}`}
          </Text>
        </div>
        <Group gap="xs">
          {counts.map(([status, count]) => (
            <CodeStatusBadge key={status} status={status} count={count} />
          ))}
        </Group>
        {batch.recalled_at ? (
          <Alert color="yellow" title={t('admin.recall.isRecalled')}>
            <Moment at={batch.recalled_at} />: {batch.recall_reason}
          </Alert>
        ) : (
          <Group>
            <Allowed to="stock.write">
              <Button variant="default" onClick={() => setEdited(true)}>
                {t('admin.batches.edit')}
              </Button>
            </Allowed>
            <Allowed to="stock.write">
              <Button color="red" onClick={onRecall}>
                {t('admin.recall.recall')}
              </Button>
            </Allowed>
          </Group>
        )}
        {isEdited && <BatchForm batch={batch} onClose={() => setEdited(false)} />}
      </Stack>
    </Surface>
  )
}

/** Asks for the reason, and for the number of the batch: there is no way back. */
function RecallDialog({ batch, onClose }: { batch: CodeBatch; onClose(): void }) {
  const { t } = useTranslation()
  const [reason, setReason] = useState('')
  const { available = 0, archived = 0, reserved = 0 } = batch.counts
  return (
    <ActionDialog
      title={t('admin.recall.askTitle', { batch: batch.id })}
      takesAlong={[
        t('admin.recall.takes', { count: available + archived }),
        ...(reserved > 0 ? [t('admin.recall.takesHeld', { count: reserved })] : []),
      ]}
      name={String(batch.id)}
      confirmLabel={t('admin.recall.recall')}
      isRefused={reason.trim() === ''}
      noun="codes"
      send={() => recallBatch(batch.id, reason)}
      done={t('admin.recall.done')}
      onClose={onClose}
    >
      <Text>{t('admin.recall.askText')}</Text>
      <ReasonField value={reason} onChange={(event) => setReason(event.currentTarget.value)} />
    </ActionDialog>
  )
}

type BuyerPage = ListPage<BatchBuyer> & { looked_at?: number | null }

/** Who has codes of a batch, and whether they have seen them. */
function BuyerTable({ batchId }: { batchId: number }) {
  const { t } = useTranslation()
  const buyerColumns: Column<BatchBuyer>[] = [
    { title: t('admin.orders.buyer'), isHead: true, cell: (buyer) => buyer.nickname },
    {
      title: t('admin.orders.order'),
      cell: (buyer) => (
        <Anchor component={Link} to={`${paths.admin('orders')}?search=${buyer.order_id}`}>
          {buyer.order_id}
        </Anchor>
      ),
    },
    {
      title: t('admin.codes.code'),
      sort: 'code_id',
      cell: (buyer) => `${t('admin.codes.number', { id: buyer.code_id })}, ${buyer.code}`,
    },
    columns.gameAmount({ title: t('admin.products.package') }, (buyer) => [buyer.game_amount, buyer.game_currency]),
    columns.money({ title: t('admin.recall.paid') }, (buyer) => [
      buyer.unit_price,
      buyer.currency === 'usd' ? 'USD' : 'RUB',
    ]),
    columns.when({ title: t('admin.recall.sold') }, (buyer) => buyer.sold_at),
    {
      title: t('admin.recall.seen'),
      cell: (buyer) =>
        buyer.seen_at ? (
          <Ago at={buyer.seen_at} />
        ) : (
          t(buyer.is_withheld ? 'admin.recall.withheld' : 'admin.recall.unseen')
        ),
    },
  ]
  const list = useBuyers(batchId)
  const page: BuyerPage | undefined = list.query.data
  return (
    <AdminTable
      list={list}
      columns={buyerColumns}
      rowKey={({ code_id }) => code_id}
      searchLabel={t('admin.recall.search')}
      empty={t('admin.recall.noBuyers')}
      {...(page?.looked_at && { note: t('admin.recall.lookedAt', { amount: gameNumber(page.looked_at) }) })}
    />
  )
}
