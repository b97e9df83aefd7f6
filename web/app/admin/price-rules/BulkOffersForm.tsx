import { Button, Group, NativeSelect, NumberInput, Skeleton, Stack, Table, Text } from '@mantine/core'
import * as LIMITS from '@olmos/contract/limits'
import type { OfferedState, OffersPreview, OfferWish, PreviewedOffer } from '@olmos/contract/offer-changes'
import type { OfferSelection } from '@olmos/contract/price-changes'
import type { TFunction } from 'i18next'
import { useEffect, useState } from 'react'
import { gameNumber } from '../../i18n/digit-grouping.ts'
import { PagePager } from '../../i18n/PagePager.tsx'
import { useTranslation } from '../../i18n/use-translation.ts'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { ListFailed } from '../list/ListFailed.tsx'
import { SideView } from '../list/SideView.tsx'
import { lowStockField } from '../products/LowStockCell.tsx'
import { selectionText } from './BulkChangeForm.tsx'
import { ConfirmSeen } from './ConfirmSeen.tsx'
import { PackageName } from './PricePreview.tsx'
import { changeOffers, useOffersPreview } from './price-rules.queries.ts'

interface BulkOffersFormProps {
  /** Which packages may be changed; the first is meant, unless another is chosen. */
  selections: readonly OfferSelection[]
  onClose(): void
  onDone(): void
}

/** What is chosen in the form: blank leaves it as it is. */
interface Choices {
  sale: '' | 'on' | 'off'
  popular: '' | 'yes' | 'no'
  lowStock: '' | 'shop' | 'own'
  codes: number | string
}

const blank: Choices = { sale: '', popular: '', lowStock: '', codes: '' }

function toWish(selection: OfferSelection, { sale, popular, lowStock, codes }: Choices): OfferWish {
  return {
    selection,
    set: {
      ...(sale && { is_active: sale === 'on' }),
      ...(popular && { is_popular: popular === 'yes' }),
      ...(lowStock && { low_stock: lowStock === 'shop' ? null : Number(codes) }),
    },
  }
}

/** Puts many packages on or off sale, makes them popular, sets when they run out. Each is shown first, and what was seen is what comes. */
export function BulkOffersForm({ selections, onClose, onDone }: BulkOffersFormProps) {
  const { t } = useTranslation()
  const [at, setAt] = useState(0)
  const [choices, setChoices] = useState(blank)
  const [shown, setShown] = useState<OfferWish>()
  const wish = toWish(selections[at] ?? { of: 'shop' }, choices)
  const isReady = Object.keys(wish.set).length > 0 && (choices.lowStock !== 'own' || choices.codes !== '')
  const isShown = shown !== undefined && JSON.stringify(shown) === JSON.stringify(wish)
  const choose = (change: Partial<Choices>) => setChoices({ ...choices, ...change })
  return (
    <SideView
      title={t('admin.priceRules.offers.changeMany')}
      isUnsaved={JSON.stringify(choices) !== JSON.stringify(blank)}
      onClose={onClose}
      closeLabel={t('admin.form.cancel')}
    >
      <Stack>
        <NativeSelect
          label={t('admin.priceRules.offers.whose')}
          value={String(at)}
          onChange={(event) => setAt(Number(event.currentTarget.value))}
          data={selections.map((one, index) => ({ value: String(index), label: selectionText(t, one) }))}
        />
        <NativeSelect
          label={t('admin.priceRules.offers.sale')}
          value={choices.sale}
          onChange={(event) => choose({ sale: event.currentTarget.value as Choices['sale'] })}
          data={[
            { value: '', label: t('admin.priceRules.offers.same') },
            { value: 'on', label: t('admin.priceRules.offers.turnOn') },
            { value: 'off', label: t('admin.priceRules.offers.turnOff') },
          ]}
        />
        <NativeSelect
          label={t('admin.priceRules.offers.popular')}
          description={t('admin.priceRules.offers.ofCodes')}
          value={choices.popular}
          onChange={(event) => choose({ popular: event.currentTarget.value as Choices['popular'] })}
          data={[
            { value: '', label: t('admin.priceRules.offers.same') },
            { value: 'yes', label: t('admin.priceRules.offers.makePopular') },
            { value: 'no', label: t('admin.priceRules.offers.makeUsual') },
          ]}
        />
        <NativeSelect
          label={t('admin.products.lowStock')}
          description={t('admin.priceRules.offers.ofCodes')}
          value={choices.lowStock}
          onChange={(event) => choose({ lowStock: event.currentTarget.value as Choices['lowStock'] })}
          data={[
            { value: '', label: t('admin.priceRules.offers.same') },
            { value: 'shop', label: t('admin.priceRules.offers.ofShop') },
            { value: 'own', label: t('admin.priceRules.offers.own') },
          ]}
        />
        {choices.lowStock === 'own' && (
          <NumberInput
            label={t('admin.priceRules.offers.codes')}
            required
            allowDecimal={false}
            {...lowStockField}
            value={choices.codes}
            onChange={(codes) => choose({ codes })}
          />
        )}
        <Group>
          <Button variant="default" disabled={!isReady || isShown} onClick={() => setShown(wish)}>
            {t('admin.priceRules.offers.preview')}
          </Button>
        </Group>
        {isShown && (
          <ConfirmSeen<OffersPreview>
            table={(onSeen) => <PreviewTable wish={wish} onSeen={onSeen} />}
            label={(count) => t('admin.priceRules.offers.apply', { count })}
            send={(digest, reason) => changeOffers(wish, digest, reason)}
            onDone={onDone}
          />
        )}
      </Stack>
    </SideView>
  )
}

/** Every package that would change, before and after, a page at a time. */
function PreviewTable({ wish, onSeen }: { wish: OfferWish; onSeen(preview: OffersPreview): void }) {
  const { t } = useTranslation()
  const [page, setPage] = useState(1)
  const query = useOffersPreview(wish, page)
  const { data, error } = query
  // The form is told about what the store has answered.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a digest names all of it
  useEffect(() => {
    if (data && !query.isPlaceholderData) onSeen(data)
  }, [data?.digest, query.isPlaceholderData])
  if (error) return <ListFailed query={query} />
  if (!data) return <Skeleton h={160} />
  return (
    <Stack gap="xs">
      <Text role="status">
        {t('admin.priceRules.offers.changes', { count: data.total })}
        {data.turned_on > 0 && ` · ${t('admin.priceRules.offers.turnedOn', { count: data.turned_on })}`}
        {data.under_floor > 0 && ` · ${t('admin.priceRules.underFloor', { count: data.under_floor })}`}
      </Text>
      {data.total > 0 && (
        <>
          <Table verticalSpacing="xs">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('admin.products.package')}</Table.Th>
                <Table.Th>
                  {t('admin.priceRules.before')} → {t('admin.priceRules.after')}
                </Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {data.data.map((offer) => (
                <PreviewRow key={offer.offer_id} offer={offer} />
              ))}
            </Table.Tbody>
          </Table>
          <PagePager page={page} pages={Math.max(1, Math.ceil(data.total / LIMITS.listPageSize))} onChange={setPage} />
        </>
      )}
    </Stack>
  )
}

function PreviewRow({ offer }: { offer: PreviewedOffer }) {
  const { t } = useTranslation()
  const changed = fields.filter((field) => offer.before[field] !== offer.after[field])
  return (
    <Table.Tr>
      <Table.Td>
        <PackageName offer={offer} />
        {offer.is_under_floor && <StatusBadge tone="bad" text={t('admin.priceRules.doubts.floor')} />}
      </Table.Td>
      <Table.Td>
        {changed.map((field) => (
          <div key={field}>
            {stateText(t, offer.before, field)} → <b>{stateText(t, offer.after, field)}</b>
          </div>
        ))}
      </Table.Td>
    </Table.Tr>
  )
}

const fields = ['sale', 'is_popular', 'low_stock'] as const

function stateText(t: TFunction, state: OfferedState, field: (typeof fields)[number]): string {
  if (field === 'sale') return t(`admin.priceRules.offers.sales.${state.sale}`)
  if (field === 'is_popular') return t(`admin.priceRules.offers.${state.is_popular ? 'isPopular' : 'isUsual'}`)
  const codes = state.low_stock === null ? t('admin.products.lowStockOfShop') : gameNumber(state.low_stock)
  return t('admin.priceRules.offers.runsOutAt', { codes })
}
