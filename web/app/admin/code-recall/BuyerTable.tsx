import { Anchor } from '@mantine/core'
import type { BatchBuyer } from '@olmos/contract/code-batches'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { Ago } from '../../i18n/Ago.tsx'
import { gameNumber } from '../../money/game-number.ts'
import { paths } from '../../paths.ts'
import { AdminTable, type Column } from '../list/AdminTable.tsx'
import { columns } from '../list/columns.tsx'
import type { ListPage } from '../list/use-admin-list.ts'
import { useBuyers } from './recall.queries.ts'

type BuyerPage = ListPage<BatchBuyer> & { looked_at?: number | null }

/** Who has codes of a batch, and whether they have seen them. */
export function BuyerTable({ batchId }: { batchId: number }) {
  const { t } = useTranslation()
  const buyerColumns: Column<BatchBuyer>[] = [
    { title: t('admin.recall.buyer'), isHead: true, cell: (buyer) => buyer.nickname },
    {
      title: t('admin.recall.order'),
      cell: (buyer) => (
        <Anchor component={Link} to={`${paths.admin('orders')}?search=${buyer.order_id}`}>
          {buyer.order_id}
        </Anchor>
      ),
    },
    { title: t('admin.codes.code'), sort: 'code_id', cell: (buyer) => `№ ${buyer.code_id}, ${buyer.code}` },
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
