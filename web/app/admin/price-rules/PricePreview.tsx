import { Skeleton, Stack, Table, Text } from '@mantine/core'
import * as LIMITS from '@olmos/contract/limits'
import type { PreviewedPrice, PricePreview, PriceWish } from '@olmos/contract/price-changes'
import { useEffect, useState } from 'react'
import { PagePager } from '../../i18n/PagePager.tsx'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Amount } from '../../money/Amount.tsx'
import { GameAmount } from '../../money/GameAmount.tsx'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { ListFailed } from '../list/ListFailed.tsx'
import { usePreview } from './price-rules.queries.ts'

interface PricePreviewTableProps {
  wish: PriceWish
  /** Hears which prices are shown: their digest, and how many of them are under cost. */
  onSeen?(digest: string, preview: PricePreview): void
  /** What is to be known about what follows. */
  note?: string
}

/** Every price that a change would make, before and after, a page at a time. */
export function PricePreviewTable({ wish, onSeen, note }: PricePreviewTableProps) {
  const { t } = useTranslation()
  const [page, setPage] = useState(1)
  const query = usePreview(wish, page)
  const { data, error } = query
  const digest = data?.digest
  // The form is told about what the store has answered.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a digest names all of it
  useEffect(() => {
    if (data && !query.isPlaceholderData) onSeen?.(data.digest, data)
  }, [digest, query.isPlaceholderData])
  if (error) return <ListFailed query={query} />
  if (!data) return <Skeleton h={160} />
  return (
    <Stack gap="xs">
      <Text role="status">
        {t('admin.priceRules.changes', { count: data.total })}
        {data.jumps > 0 && ` · ${t('admin.priceRules.jumps', { count: data.jumps })}`}
        {data.under_floor > 0 && ` · ${t('admin.priceRules.underFloor', { count: data.under_floor })}`}
        {wish.by === 'rule' &&
          data.without_cost > 0 &&
          ` · ${t('admin.priceRules.withoutCost', { count: data.without_cost })}`}
      </Text>
      {data.total > 0 && (
        <>
          {note && (
            <Text size="sm" c="dimmed">
              {note}
            </Text>
          )}
          <PriceTable prices={data.data} />
          <PagePager page={page} pages={Math.max(1, Math.ceil(data.total / LIMITS.listPageSize))} onChange={setPage} />
        </>
      )}
    </Stack>
  )
}

function PriceTable({ prices }: { prices: readonly PreviewedPrice[] }) {
  const { t } = useTranslation()
  return (
    <Table verticalSpacing="xs">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('admin.products.package')}</Table.Th>
          <Table.Th ta="right">{t('admin.priceRules.before')}</Table.Th>
          <Table.Th ta="right">{t('admin.priceRules.after')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {prices.map((price) => (
          <Table.Tr key={price.offer_id}>
            <Table.Td>
              <PackageName offer={price} />
              {price.doubts.map((doubt) => (
                <StatusBadge
                  key={doubt}
                  tone={doubt === 'floor' ? 'bad' : 'wait'}
                  text={t(`admin.priceRules.doubts.${doubt}`)}
                />
              ))}
            </Table.Td>
            <Table.Td ta="right">
              <PricePair usd={price.was_usd} rub={price.was_rub} />
            </Table.Td>
            <Table.Td ta="right">
              <b>
                <PricePair usd={price.price_usd} rub={price.price_rub} />
              </b>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

type NamedOffer = Pick<PreviewedPrice, 'product_title' | 'game_amount' | 'game_currency' | 'region_name'>

/** What a package is called beside those of other products. */
export function PackageName({ offer }: { offer: NamedOffer }) {
  return (
    <>
      {offer.product_title}
      <Text size="sm" c="dimmed">
        <GameAmount amount={offer.game_amount} currency={offer.game_currency} /> {offer.region_name}
      </Text>
    </>
  )
}

/** A price in USD, with the one in RUB below it. */
export function PricePair({ usd, rub }: { usd: number; rub: number }) {
  return (
    <>
      <Amount value={usd} currency="USD" />
      <br />
      <Amount value={rub} currency="RUB" />
    </>
  )
}
