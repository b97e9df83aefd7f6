import { Button, Switch, Text, Title } from '@mantine/core'
import { LIMITS } from '@olmos/contract/limits'
import type { EditedOffer } from '@olmos/contract/offers'
import { IconArrowLeft, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { GameAmount } from '../../money/GameAmount.tsx'
import { paths } from '../../paths.ts'
import { AdminTable, type Column } from '../list/AdminTable.tsx'
import { ListFailed } from '../list/ListFailed.tsx'
import { RowButtons } from '../list/RowButtons.tsx'
import { NameCell } from './NameCell.tsx'
import { OfferForm } from './OfferForm.tsx'
import { PriceCell } from './PriceCell.tsx'
import { useOfferChange, useOffers, useProduct } from './products.queries.ts'
import { RemoveOffer } from './RemoveOffer.tsx'

const toName = (offer: EditedOffer) => `${offer.game_amount} ${offer.game_currency} ${offer.region_name}`.trim()

/** The packages of a product: what they cost, and whether they are sold and shown as popular. */
export function OfferList({ productId }: { productId: number }) {
  const { t } = useTranslation()
  const product = useProduct(productId)
  const list = useOffers(productId)
  const [isAdding, setIsAdding] = useState(false)
  const [removed, setRemoved] = useState<EditedOffer>()
  const name = product.data?.name ?? ''
  // Those of the top-up pages are denominations, which have tabs of their own.
  const sellsCodes = product.data?.kind === 'code'

  return (
    <>
      <Button
        component={Link}
        to={paths.admin('products')}
        variant="subtle"
        color="gray"
        px={8}
        leftSection={<IconArrowLeft size={18} />}
      >
        {t('admin.products.back')}
      </Button>
      {product.error ? (
        <ListFailed query={product} />
      ) : (
        <>
          <Title order={2} size="h3" mt="xs">
            {t('admin.products.packagesOf', { name })}
          </Title>
          <Text c="dimmed" size="sm" mb="md">
            {t(sellsCodes || !product.data ? 'admin.products.packagesHint' : 'admin.products.denominationsHint')}
          </Text>
          <AdminTable
            list={list}
            columns={useColumns()}
            rowKey={({ id }) => id}
            searchLabel={t('admin.products.searchPackages')}
            empty={t('admin.products.noPackages')}
            {...(sellsCodes && {
              head: (
                <Button leftSection={<IconPlus size={18} />} onClick={() => setIsAdding(true)}>
                  {t('admin.products.addPackage')}
                </Button>
              ),
              actions: (offer: EditedOffer) => <RowButtons name={toName(offer)} onRemove={() => setRemoved(offer)} />,
            })}
          />
          {isAdding && product.data && <OfferForm product={product.data} onClose={() => setIsAdding(false)} />}
          {removed && <RemoveOffer offer={removed} name={toName(removed)} onClose={() => setRemoved(undefined)} />}
        </>
      )}
    </>
  )
}

function useColumns(): Column<EditedOffer>[] {
  const { t } = useTranslation()
  const change = useOfferChange()
  return [
    {
      title: t('admin.products.package'),
      sort: 'game_amount',
      isHead: true,
      cell: (offer) => <GameAmount amount={offer.game_amount} currency={offer.game_currency} />,
    },
    {
      title: t('admin.products.region'),
      sort: 'region',
      cell: (offer) => offer.region_name || t('admin.products.anyRegion'),
    },
    {
      title: t('admin.products.priceUsd'),
      sort: 'price_usd',
      align: 'right',
      cell: (offer) => (
        <PriceCell
          value={offer.price_usd}
          currency="USD"
          label={t('admin.products.priceUsdOf', { name: toName(offer) })}
          onChange={(priceUsd) => change.mutate({ row: offer, change: { priceUsd } })}
        />
      ),
    },
    {
      title: t('admin.products.priceRub'),
      sort: 'price_rub',
      align: 'right',
      cell: (offer) => (
        <PriceCell
          value={offer.price_rub}
          currency="RUB"
          label={t('admin.products.priceRubOf', { name: toName(offer) })}
          onChange={(priceRub) => change.mutate({ row: offer, change: { priceRub } })}
        />
      ),
    },
    {
      title: t('admin.products.supplierName'),
      cell: (offer) => (
        <NameCell
          value={offer.item_id ?? ''}
          maxLength={LIMITS.itemIdMax}
          label={t('admin.products.supplierNameOf', { name: toName(offer) })}
          onChange={(itemId) => change.mutate({ row: offer, change: { itemId } })}
        />
      ),
    },
    { title: t('admin.products.stock'), align: 'right', cell: (offer) => offer.available_count },
    {
      title: t('admin.products.popular'),
      sort: 'is_popular',
      cell: (offer) => (
        <Switch
          aria-label={t('admin.products.popularOf', { name: toName(offer) })}
          checked={offer.is_popular}
          onChange={(event) => change.mutate({ row: offer, change: { isPopular: event.currentTarget.checked } })}
        />
      ),
    },
    {
      title: t('admin.products.active'),
      sort: 'is_active',
      cell: (offer) => (
        <Switch
          aria-label={t('admin.products.activeOf', { name: toName(offer) })}
          checked={offer.is_active}
          onChange={(event) => change.mutate({ row: offer, change: { isActive: event.currentTarget.checked } })}
        />
      ),
    },
  ]
}
