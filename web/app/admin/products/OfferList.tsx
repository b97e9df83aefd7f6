import { Anchor, Button, Text, TextInput } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import * as LIMITS from '@olmos/contract/limits'
import type { EditedOffer } from '@olmos/contract/offers'
import type { EditedProduct } from '@olmos/contract/products'
import { IconAdjustmentsHorizontal, IconPlus, IconTags, IconTruckDelivery } from '@tabler/icons-react'
import type { TFunction } from 'i18next'
import { useState } from 'react'
import { Link } from 'react-router'
import { gameNumber } from '../../i18n/digit-grouping.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Amount } from '../../money/Amount.tsx'
import { GameAmount } from '../../money/GameAmount.tsx'
import { useMay } from '../../session/profile.ts'
import { isLeftToDialog } from '../../ui/covered.ts'
import { AdminTable, type Column } from '../list/AdminTable.tsx'
import { columns } from '../list/columns.tsx'
import { RowButton, RowButtons } from '../list/RowButtons.tsx'
import { OfferCosting } from '../price-rules/OfferCosting.tsx'
import { PricingBadges } from '../price-rules/PricingBadges.tsx'
import { toPrices } from '../price-rules/price-rules.queries.ts'
import { Allowed } from '../shell/Allowed.tsx'
import { OfferSources } from '../sourcing/OfferSources.tsx'
import { LowStockCell } from './LowStockCell.tsx'
import { OfferForm } from './OfferForm.tsx'
import { removeOffer, toOfferName, useEditedOffers, useOfferChange } from './products.queries.ts'
import { RemoveOffer } from './RemoveOffer.tsx'

/** The width below which a row of a list is a card of two lines: AdminTable.module.css. */
const phones = '(max-width: 47.99em)'

/**
 * Lists the offers of a product: their prices, and whether they are sold and shown as popular. They are edited where they
 * stand, and on a phone in a form that the row opens.
 */
export function OfferList({ product }: { product: EditedProduct }) {
  const { t } = useTranslation()
  const mayRemove = useMay()('catalogue.write')
  const isOnPhone = useMediaQuery(phones, undefined, { getInitialValueInEffect: false })
  const [edited, setEdited] = useState<EditedOffer | 'new'>()
  const [removed, setRemoved] = useState<EditedOffer>()
  const [sourced, setSourced] = useState<EditedOffer>()
  const [priced, setPriced] = useState<EditedOffer>()
  return (
    <>
      <Text c="dimmed" size="sm" mb="md">
        {t(product.kind === 'topup' ? 'admin.products.topupPackagesHint' : 'admin.products.packagesHint')}
      </Text>
      <AdminTable
        list={useEditedOffers(product.id)}
        columns={useOfferColumns(product, isOnPhone ? setEdited : undefined)}
        {...(isOnPhone && { onOpen: setEdited })}
        searchLabel={t('admin.products.searchPackages')}
        empty={t('admin.products.noPackages')}
        head={
          <Allowed to="prices.write">
            <Button leftSection={<IconPlus size={18} />} onClick={() => setEdited('new')}>
              {t('admin.products.addPackage')}
            </Button>
            <Button
              component={Link}
              variant="default"
              leftSection={<IconAdjustmentsHorizontal size={18} />}
              to={toPrices({ view: 'packages', productId: String(product.id) })}
            >
              {t('admin.priceRules.offers.changeMany')}
            </Button>
          </Allowed>
        }
        actions={(offer) => (
          <RowButtons name={toOfferName(t, offer)} {...(mayRemove && { onRemove: () => setRemoved(offer) })}>
            <RowButton
              icon={IconTags}
              label={t('admin.priceRules.pricingOf', { name: toOfferName(t, offer) })}
              onClick={() => setPriced(offer)}
            />
            <RowButton
              icon={IconTruckDelivery}
              label={t('admin.sources.titleOf', { name: toOfferName(t, offer) })}
              onClick={() => setSourced(offer)}
            />
          </RowButtons>
        )}
      />
      {edited && (
        <OfferForm
          product={product}
          offer={edited === 'new' ? undefined : edited}
          onClose={() => setEdited(undefined)}
        />
      )}
      {priced && <OfferCosting offer={priced} name={toOfferName(t, priced)} onClose={() => setPriced(undefined)} />}
      {sourced && <OfferSources offer={sourced} onClose={() => setSourced(undefined)} />}
      {removed && (
        <RemoveOffer
          id={removed.id}
          name={toOfferName(t, removed)}
          kept="admin.products.keepsReceipts"
          send={(seenCodes) => removeOffer(removed, seenCodes)}
          onClose={() => setRemoved(undefined)}
        />
      )}
    </>
  )
}

function useOfferColumns(
  { kind }: EditedProduct,
  onEdit: ((offer: EditedOffer) => void) | undefined,
): Column<EditedOffer>[] {
  const { t } = useTranslation()
  const change = useOfferChange()
  const active = columns.toggle<EditedOffer>(
    { title: t('admin.products.active'), sort: 'is_active', isState: true },
    {
      permission: 'prices.write',
      label: (offer) => t('admin.products.activeOf', { name: toOfferName(t, offer) }),
      isOn: (offer) => offer.is_active,
      onTurn: (row, isActive) => change.mutate({ row, change: { isActive } }),
    },
  )
  if (onEdit) return [...phoneColumns(t, kind, onEdit), active]
  const region: Column<EditedOffer> = {
    title: t('admin.codes.region'),
    sort: 'region',
    cell: (offer) => offer.region_name || t('product.anyRegion'),
  }
  const name: Column<EditedOffer> = {
    title: t('admin.products.name'),
    cell: (offer) => (
      <NameCell
        value={offer.name}
        placeholder={toOfferName(t, { ...offer, name: '' })}
        maxLength={LIMITS.denominationNameMax}
        label={t('admin.products.nameOf', { name: toOfferName(t, offer) })}
        onChange={(name) => change.mutate({ row: offer, change: { name } })}
      />
    ),
  }
  const lowStock: Column<EditedOffer> = {
    title: t('admin.products.lowStock'),
    align: 'right',
    cell: (offer) => (
      <LowStockCell
        value={offer.low_stock}
        label={t('admin.products.lowStockOf', { name: toOfferName(t, offer) })}
        onChange={(lowStock) => change.mutate({ row: offer, change: { lowStock } })}
      />
    ),
  }
  const popular = columns.toggle<EditedOffer>(
    { title: t('admin.products.popular'), sort: 'is_popular' },
    {
      permission: 'prices.write',
      label: (offer) => t('admin.products.popularOf', { name: toOfferName(t, offer) }),
      isOn: (offer) => offer.is_popular,
      onTurn: (row, isPopular) => change.mutate({ row, change: { isPopular } }),
    },
  )
  return [
    columns.gameAmount({ title: t('admin.products.package'), sort: 'game_amount', isHead: true }, (offer) => [
      offer.game_amount,
      offer.game_currency,
    ]),
    kind === 'topup' ? name : region,
    ...columns.editedPrices<EditedOffer>({
      t,
      toName: (offer) => toOfferName(t, offer),
      onUsd: (row, priceUsd) => change.mutate({ row, change: { priceUsd } }),
      onRub: (row, priceRub) => change.mutate({ row, change: { priceRub } }),
    }),
    { title: t('admin.priceRules.pricing'), cell: (offer) => <PricingBadges pricing={offer} /> },
    {
      title: t('admin.products.supplierName'),
      cell: (offer) => (
        <NameCell
          value={offer.item_id ?? ''}
          maxLength={LIMITS.itemIdMax}
          label={t('admin.products.supplierNameOf', { name: toOfferName(t, offer) })}
          onChange={(itemId) => change.mutate({ row: offer, change: { itemId } })}
        />
      ),
    },
    ...(kind === 'topup' ? [] : [toStock(t), lowStock, popular]),
    active,
  ]
}

const toStock = (t: TFunction): Column<EditedOffer> => ({
  title: t('admin.products.stock'),
  align: 'right',
  cell: (offer) => gameNumber(offer.available_count),
})

/** What a phone has room for: what it is, both prices and how many are left; what is odd about the price, where something is. */
const phoneColumns = (
  t: TFunction,
  kind: EditedProduct['kind'],
  onEdit: (offer: EditedOffer) => void,
): Column<EditedOffer>[] => [
  {
    title: t('admin.products.package'),
    sort: 'game_amount',
    isHead: true,
    cell: (offer) => (
      <Anchor
        component="button"
        type="button"
        ta="start"
        fw={600}
        aria-label={t('admin.list.edit', { name: toOfferName(t, offer) })}
        onClick={() => onEdit(offer)}
      >
        {offer.name || <GameAmount amount={offer.game_amount} currency={offer.game_currency} />} {offer.region_name}
      </Anchor>
    ),
  },
  {
    title: t('admin.generated.price'),
    sort: 'price_usd',
    isBare: true,
    cell: (offer) => (
      <>
        <Amount value={offer.price_usd} currency="USD" /> · <Amount value={offer.price_rub} currency="RUB" />
      </>
    ),
  },
  ...(kind === 'topup' ? [] : [toStock(t)]),
  {
    title: t('admin.priceRules.pricing'),
    isBare: true,
    cell: (offer) =>
      (offer.has_drifted || offer.has_pending_price || offer.under_floor_since !== null) && (
        <PricingBadges pricing={offer} />
      ),
  },
]

interface NameCellProps {
  value: string
  placeholder?: string
  label: string
  maxLength: number
  onChange(value: string): void
}

/** Edits a text in its cell: leaving the field or Enter saves it, Escape restores it. */
function NameCell({ value, placeholder, label, maxLength, onChange }: NameCellProps) {
  const isAllowed = useMay()('prices.write')
  const [typed, setTyped] = useState(value)
  const [shown, setShown] = useState(value)
  // The text was changed by another admin, or ours was refused.
  if (shown !== value) {
    setShown(value)
    setTyped(value)
  }
  if (!isAllowed) return value || placeholder || '—'
  return (
    <TextInput
      aria-label={label}
      size="sm"
      w={{ base: 130, md: 165 }}
      ml="auto"
      maxLength={maxLength}
      placeholder={placeholder}
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={(event) => {
        if (!isLeftToDialog(event) && typed.trim() !== value) onChange(typed.trim())
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter') event.currentTarget.blur()
        if (event.key === 'Escape') setTyped(value)
      }}
    />
  )
}
