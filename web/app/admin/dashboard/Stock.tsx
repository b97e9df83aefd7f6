import { Accordion, Anchor, Button, Group, Table, Text, Title } from '@mantine/core'
import type { OfferStock, Summary } from '@olmos/contract/summary'
import { useState } from 'react'
import { Link } from 'react-router'
import { gameNumber } from '../../i18n/digit-grouping.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { GameAmount } from '../../money/GameAmount.tsx'
import { gameAmountText } from '../../money/game-number.ts'
import { Surface } from '../../ui/Surface.tsx'
import { RefusalAlert } from '../form/RefusalAlert.tsx'
import { useAdminAction } from '../form/use-admin-action.ts'
import { WideTable } from '../list/WideTable.tsx'
import { LowStockCell } from '../products/LowStockCell.tsx'
import { changeLowStock } from '../products/products.queries.ts'
import { toTab } from './links.ts'
import { sortOutLowStock } from './low-stock.rules.ts'

const toCodes = (filter: { productId: number; offerId?: number }) =>
  toTab('codes', {
    productId: String(filter.productId),
    ...(filter.offerId && { offerId: String(filter.offerId) }),
    status: 'available',
  })

const shownAtFirst = 10

/** Offers that are sold out or nearly so, the most urgent first; those that nobody buys are folded. */
export function LowStock({ offers }: { offers: OfferStock[] }) {
  const { t } = useTranslation()
  const [isAll, setAll] = useState(false)
  const { urgent, unsold } = sortOutLowStock(offers)
  return (
    <section aria-labelledby="low-stock">
      <Surface>
        <Title order={2} size="h4" mb="sm" id="low-stock">
          {t('admin.dashboard.low')}
        </Title>
        {urgent.length === 0 ? (
          <Text c="dimmed">{t('admin.dashboard.nothingLow')}</Text>
        ) : (
          <WideTable minWidth={300} label={t('admin.dashboard.low')}>
            <OfferStockTable offers={isAll ? urgent : urgent.slice(0, shownAtFirst)} withProduct />
          </WideTable>
        )}
        {!isAll && urgent.length > shownAtFirst && (
          <Button mt="sm" variant="default" onClick={() => setAll(true)}>
            {t('admin.dashboard.allLow', { count: urgent.length })}
          </Button>
        )}
        {unsold.length > 0 && (
          <Accordion keepMounted={false} mt="sm">
            <Accordion.Item value="unsold">
              <Accordion.Control>
                <Group justify="space-between" wrap="nowrap" pe="sm">
                  <Text>{t('admin.dashboard.unsold')}</Text>
                  <Text c="dimmed">{gameNumber(unsold.length)}</Text>
                </Group>
              </Accordion.Control>
              <Accordion.Panel>
                <WideTable minWidth={300} label={t('admin.dashboard.unsold')}>
                  <OfferStockTable offers={unsold} withProduct />
                </WideTable>
              </Accordion.Panel>
            </Accordion.Item>
          </Accordion>
        )}
      </Surface>
    </section>
  )
}

/** Lists what is left of each offer, and for how long it lasts. */
function OfferStockTable({ offers, withProduct = false }: { offers: OfferStock[]; withProduct?: boolean }) {
  const { t } = useTranslation()
  const change = useAdminAction({
    noun: 'summary',
    send: ({ offer, lowStock }: { offer: OfferStock; lowStock: number | null }) =>
      changeLowStock(offer.offer_id, offer.version, lowStock),
    done: t('admin.form.saved'),
  })
  const toName = (one: OfferStock) =>
    [one.product_title, gameAmountText(t, one.game_amount, one.game_currency), one.region_name]
      .filter((part) => part !== '')
      .join(', ')
  return (
    <>
      <RefusalAlert text={change.refusal} />
      <Table verticalSpacing={6} styles={{ th: { whiteSpace: 'nowrap' } }}>
        <Table.Thead>
          <Table.Tr>
            {withProduct && <Table.Th visibleFrom="sm">{t('admin.codes.product')}</Table.Th>}
            <Table.Th>{t('admin.products.package')}</Table.Th>
            <Table.Th ta="right">{t('admin.dashboard.left')}</Table.Th>
            <Table.Th ta="right" visibleFrom="sm">
              {t('admin.dashboard.sold')}
            </Table.Th>
            <Table.Th ta="right">{t('admin.dashboard.lasts')}</Table.Th>
            <Table.Th ta="right">{t('admin.products.lowStock')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {offers.map((one) => (
            <Table.Tr key={one.offer_id}>
              {withProduct && <Table.Td visibleFrom="sm">{one.product_title}</Table.Td>}
              <Table.Td>
                {withProduct && (
                  <Text size="xs" c="dimmed" hiddenFrom="sm">
                    {one.product_title}
                  </Text>
                )}
                <GameAmount amount={one.game_amount} currency={one.game_currency} />
                {one.region_name && ` · ${one.region_name}`}
              </Table.Td>
              <Table.Td ta="right" c={one.available_count === 0 ? 'var(--olmos-bad)' : undefined}>
                <Anchor component={Link} to={toCodes({ productId: one.product_id, offerId: one.offer_id })} c="inherit">
                  {gameNumber(one.available_count)}
                </Anchor>
              </Table.Td>
              <Table.Td ta="right" visibleFrom="sm">
                {gameNumber(one.sold_count)}
              </Table.Td>
              <Table.Td ta="right">
                {one.days_left === null
                  ? t('admin.dashboard.notSelling')
                  : t('admin.dashboard.days', { count: Math.floor(one.days_left) })}
              </Table.Td>
              <Table.Td ta="right">
                <LowStockCell
                  value={one.low_stock}
                  label={t('admin.products.lowStockOf', { name: toName(one) })}
                  onChange={(lowStock) => change.mutate({ offer: one, lowStock })}
                />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </>
  )
}

export function StockByProduct({ products }: { products: Summary['stock'] }) {
  const { t } = useTranslation()
  return (
    <section aria-labelledby="stock">
      <Surface>
        <Title order={2} size="h4" mb="sm" id="stock">
          {t('admin.dashboard.stock')}
        </Title>
        <Accordion multiple variant="default" keepMounted={false}>
          {products.map((product) => (
            <Accordion.Item key={product.product_id} value={String(product.product_id)}>
              <Accordion.Control>
                <Group justify="space-between" wrap="nowrap" pe="sm">
                  <Text>{product.product_title}</Text>
                  <Text c="dimmed">{t('admin.orders.codes', { count: product.available_count })}</Text>
                </Group>
              </Accordion.Control>
              <Accordion.Panel>
                <WideTable minWidth={280} label={product.product_title}>
                  <OfferStockTable offers={product.packages} />
                </WideTable>
                <Text size="sm" mt="xs">
                  <Anchor component={Link} to={toCodes({ productId: product.product_id })}>
                    {t('admin.orders.codes', { count: product.available_count })}
                  </Anchor>
                </Text>
              </Accordion.Panel>
            </Accordion.Item>
          ))}
        </Accordion>
      </Surface>
    </section>
  )
}
