import { Checkbox, NumberInput, SimpleGrid, Stack, Switch, TextInput } from '@mantine/core'
import * as LIMITS from '@olmos/contract/limits'
import type { EditedOffer } from '@olmos/contract/offers'
import type { EditedProduct } from '@olmos/contract/products'
import { languageNames } from '../../i18n/languages.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { MoneyInput } from '../../money/MoneyInput.tsx'
import { FormDrawer } from '../form/FormDrawer.tsx'
import { missingFields } from '../form/missing-fields.ts'
import { useAdminForm } from '../form/use-admin-form.ts'
import { toIdOptions } from '../list/FilterSelect.tsx'
import { lowStockField } from './LowStockCell.tsx'
import { addOffer, type OfferValues, saveOffer, toOfferName, toOfferValues } from './products.queries.ts'

const blank: OfferValues = {
  regionIds: [],
  gameAmount: '',
  name: '',
  translations: { en: '', uz: '' },
  itemId: '',
  priceUsd: '',
  priceRub: '',
  isPopular: false,
  isActive: true,
  lowStock: '',
}

/** What an amount is counted in where the package is to be sold. */
function toCurrencies({ regions, gameCurrency }: EditedProduct, regionIds: readonly string[]): string {
  const chosen = regionIds.map((chosenId) => regions.find(({ id }) => String(id) === chosenId)?.game_currency)
  return [...new Set(chosen.map((currency) => currency || gameCurrency))].join(' / ') || gameCurrency
}

interface OfferFormProps {
  product: EditedProduct
  offer: EditedOffer | undefined
  onClose(): void
}

/** Adds an offer to a product, or edits one: how much it is, and where, stays what it was made with. */
export function OfferForm({ product, offer, onClose }: OfferFormProps) {
  const { t } = useTranslation()
  const isTopup = product.kind === 'topup'
  const regions = isTopup ? [] : [{ value: '0', label: t('product.anyRegion') }, ...toIdOptions(product.regions)]
  const [only, ...otherRegions] = regions
  const isChoice = !offer && otherRegions.length > 0
  const added = { ...blank, regionIds: only && !isChoice ? [only.value] : [] }
  const { form, ...saving } = useAdminForm<OfferValues, EditedOffer>({
    noun: 'offers',
    row: offer,
    toValues: (row) => (row ? toOfferValues(row) : added),
    validate: (values) =>
      missingFields(values, ['gameAmount', 'priceUsd', 'priceRub', ...(isChoice ? ['regionIds'] : [])]),
    send: (values, _version, seen, isConfirmed, underFloor) =>
      seen ? saveOffer(seen, values, isConfirmed, underFloor) : addOffer(product.id, values, isConfirmed),
    onSaved: onClose,
  })
  const labels = {
    regionIds: t('admin.tabs.regions'),
    gameAmount: t('admin.products.gameAmount'),
    name: `${t('admin.products.name')}, ${languageNames.ru}`,
    'translations.en': languageNames.en,
    'translations.uz': languageNames.uz,
    itemId: t('admin.products.supplierName'),
    priceUsd: t('admin.products.priceUsd'),
    priceRub: t('admin.products.priceRub'),
    isPopular: t('admin.products.popular'),
    isActive: t('admin.products.active'),
    lowStock: t('admin.products.lowStock'),
  }
  // The store names them by their place in the list that was sent.
  const taken = form.values.regionIds.flatMap((id, at) =>
    form.errors[`regionIds.${at}`] ? regions.filter(({ value }) => value === id).map(({ label }) => label) : [],
  )
  const money = { required: true, max: LIMITS.amountMax / 100 }
  return (
    <FormDrawer
      title={offer ? t('admin.list.edit', { name: toOfferName(t, offer) }) : t('admin.products.addPackage')}
      permission="prices.write"
      onClose={onClose}
      form={{ form, ...saving }}
      labels={labels}
    >
      {!offer && (
        <NumberInput
          label={labels.gameAmount}
          required
          data-autofocus
          min={1}
          max={LIMITS.gameAmountMax}
          allowDecimal={false}
          allowNegative={false}
          thousandSeparator=" "
          suffix={` ${toCurrencies(product, form.values.regionIds)}`}
          hideControls
          {...form.getInputProps('gameAmount')}
        />
      )}
      {isTopup && (
        <>
          <TextInput
            label={labels.name}
            description={t('admin.products.offerNameHint')}
            maxLength={LIMITS.denominationNameMax}
            {...form.getInputProps('name')}
          />
          <SimpleGrid cols={2}>
            {(['translations.en', 'translations.uz'] as const).map((path) => (
              <TextInput
                key={path}
                label={labels[path]}
                maxLength={LIMITS.denominationNameMax}
                disabled={form.values.name.trim() === ''}
                {...form.getInputProps(path)}
              />
            ))}
          </SimpleGrid>
        </>
      )}
      {(isTopup || offer) && (
        <TextInput
          label={labels.itemId}
          description={t('admin.products.itemIdHint')}
          spellCheck={false}
          maxLength={LIMITS.itemIdMax}
          {...form.getInputProps('itemId')}
        />
      )}
      {isChoice && (
        <Checkbox.Group
          label={labels.regionIds}
          description={t('admin.products.packageRegionsHint')}
          required
          {...form.getInputProps('regionIds')}
          {...(form.errors.regionIds &&
            taken.length > 0 && { error: t('admin.products.packageThere', { list: taken.join(', ') }) })}
        >
          <Stack gap="xs" mt="xs">
            {regions.map((region) => (
              <Checkbox key={region.value} {...region} />
            ))}
          </Stack>
        </Checkbox.Group>
      )}
      <SimpleGrid cols={2}>
        <MoneyInput currency="USD" label={labels.priceUsd} {...money} {...form.getInputProps('priceUsd')} />
        <MoneyInput currency="RUB" label={labels.priceRub} {...money} {...form.getInputProps('priceRub')} />
      </SimpleGrid>
      {!isTopup && (
        <NumberInput
          label={labels.lowStock}
          description={t('admin.products.lowStockHint')}
          allowDecimal={false}
          {...lowStockField}
          {...form.getInputProps('lowStock')}
        />
      )}
      {!isTopup && <Switch label={labels.isPopular} {...form.getInputProps('isPopular', { type: 'checkbox' })} />}
      <Switch label={labels.isActive} {...form.getInputProps('isActive', { type: 'checkbox' })} />
    </FormDrawer>
  )
}
