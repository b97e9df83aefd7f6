import { Button, Checkbox, Group, Text } from '@mantine/core'
import * as LIMITS from '@olmos/contract/limits'
import { type OfferPriceRow, type OfferSelection, offerPriceStates } from '@olmos/contract/price-changes'
import { IconAdjustmentsHorizontal, IconPercentage } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from '../../i18n/use-translation.ts'
import { gameAmountText } from '../../money/game-number.ts'
import { AdminTable, type Column } from '../list/AdminTable.tsx'
import { columns } from '../list/columns.tsx'
import { type ListSelect, toIdOptions } from '../list/FilterSelect.tsx'
import type { ListView } from '../list/use-list-view.ts'
import { useAllProducts } from '../products/products.queries.ts'
import { Allowed } from '../shell/Allowed.tsx'
import { BulkChangeForm } from './BulkChangeForm.tsx'
import { BulkOffersForm } from './BulkOffersForm.tsx'
import { PackageName } from './PricePreview.tsx'
import { PricingBadges } from './PricingBadges.tsx'
import { useOfferPrices } from './price-rules.queries.ts'
import { noTicks, withTicks } from './ticks.rules.ts'

/** What every package costs and is sold at; many of them are changed at once from here. */
export function OfferPrices() {
  const { t } = useTranslation()
  const list = useOfferPrices()
  const [{ ticked, left }, setTicks] = useState(noTicks)
  const [changed, setChanged] = useState<'prices' | 'offers'>()
  const rows = list.query.data?.data ?? []
  const Form = changed === 'offers' ? BulkOffersForm : BulkChangeForm
  const tick = (ids: readonly number[], isTicked: boolean) => setTicks(withTicks(ticked, ids, isTicked))
  return (
    <>
      <AdminTable
        list={list}
        columns={usePriceColumns(ticked, tick)}
        rowKey={({ offer_id }) => offer_id}
        searchLabel={t('admin.priceRules.searchPackages')}
        empty={t('admin.products.noPackages')}
        {...(left > 0 && { note: t('admin.priceRules.tickedMost', { most: LIMITS.selectedOffersMax, left }) })}
        selects={usePriceSelects()}
        head={
          <>
            <Button
              variant="default"
              onClick={() =>
                tick(
                  rows.map(({ offer_id }) => offer_id),
                  true,
                )
              }
            >
              {t('admin.priceRules.tickPage')}
            </Button>
            <Allowed to="prices.write">
              <Button leftSection={<IconPercentage size={18} />} onClick={() => setChanged('prices')}>
                {ticked.size > 0
                  ? t('admin.priceRules.changeTicked', { count: ticked.size })
                  : t('admin.priceRules.changeMany')}
              </Button>
              <Button
                variant="default"
                leftSection={<IconAdjustmentsHorizontal size={18} />}
                onClick={() => setChanged('offers')}
              >
                {ticked.size > 0
                  ? t('admin.priceRules.offers.changeTicked', { count: ticked.size })
                  : t('admin.priceRules.offers.changeMany')}
              </Button>
            </Allowed>
          </>
        }
      />
      {changed && (
        <Form
          selections={toSelections(ticked, list.view)}
          onClose={() => setChanged(undefined)}
          onDone={() => {
            setChanged(undefined)
            setTicks(noTicks)
          }}
        />
      )}
    </>
  )
}

/** Whose prices may be changed: what is ticked, or what the list is narrowed to, or all of them. */
function toSelections(ticked: ReadonlySet<number>, view: ListView): OfferSelection[] {
  const [productId, category] = [view.filter('productId'), view.filter('category')]
  return [
    ...(ticked.size > 0 ? [{ of: 'offers' as const, offer_ids: [...ticked] }] : []),
    ...(productId ? [{ of: 'product' as const, product_id: Number(productId) }] : []),
    ...(category ? [{ of: 'category' as const, category }] : []),
    { of: 'shop' as const },
  ]
}

function usePriceSelects(): ListSelect[] {
  const { t } = useTranslation()
  const products = useAllProducts()
  const categories = [...new Set(products.data?.flatMap(({ category }) => category))].sort()
  return [
    {
      name: 'state',
      label: t('admin.priceRules.state'),
      options: offerPriceStates.map((value) => ({ value, label: t(`admin.priceRules.states.${value}`) })),
    },
    {
      name: 'category',
      label: t('admin.products.category'),
      options: categories.map((value) => ({ value, label: value })),
    },
    { name: 'productId', label: t('admin.codes.product'), options: toIdOptions(products.data) },
  ]
}

function usePriceColumns(
  ticked: ReadonlySet<number>,
  onTick: (ids: readonly number[], isTicked: boolean) => void,
): Column<OfferPriceRow>[] {
  const { t } = useTranslation()
  const toName = (row: OfferPriceRow) => `${row.product_title} ${gameAmountText(t, row.game_amount, row.game_currency)}`
  return [
    {
      title: t('admin.products.package'),
      sort: 'offer_id',
      isHead: true,
      cell: (row) => (
        <Group wrap="nowrap" gap="sm">
          <Allowed to="prices.write">
            <Checkbox
              aria-label={t('admin.priceRules.tick', { name: toName(row) })}
              checked={ticked.has(row.offer_id)}
              onChange={(event) => onTick([row.offer_id], event.currentTarget.checked)}
            />
          </Allowed>
          <div>
            <PackageName offer={row} />
          </div>
        </Group>
      ),
    },
    {
      title: t('admin.priceRules.cost'),
      align: 'right',
      cell: (row) =>
        row.cost === null ? (
          <Text span inherit c="dimmed">
            {t('admin.priceRules.unknown')}
          </Text>
        ) : (
          <span translate="no">
            {row.cost} {row.cost_currency}
          </span>
        ),
    },
    columns.prices({ title: t('admin.priceRules.price') }),
    { title: t('admin.priceRules.pricing'), cell: (row) => <PricingBadges pricing={row} /> },
  ]
}
