import { NativeSelect, NumberInput, SimpleGrid, Switch } from '@mantine/core'
import { LIMITS } from '@olmos/contract/limits'
import type { EditedProduct } from '@olmos/contract/products'
import { useTranslation } from 'react-i18next'
import { MoneyInput } from '../../money/MoneyInput.tsx'
import { missingFields } from '../denominations/PriceFields.tsx'
import { FormDrawer } from '../form/FormDrawer.tsx'
import { useAdminForm } from '../form/use-admin-form.ts'
import { toIdOptions } from '../list/FilterSelect.tsx'
import { addOffer, type OfferValues } from './products.queries.ts'

const blank: OfferValues = {
  regionId: '0',
  gameAmount: '',
  priceUsd: '',
  priceRub: '',
  isPopular: false,
  isActive: true,
}

/** Adds an offer to a product. Its price and whether it is sold are changed in the list later. */
export function OfferForm({ product, onClose }: { product: EditedProduct; onClose(): void }) {
  const { t } = useTranslation()
  const { form, ...saving } = useAdminForm<OfferValues, object>({
    noun: 'offers',
    row: undefined,
    toValues: () => blank,
    validate: missingFields,
    send: (values, _version, _seen, isConfirmed) => addOffer(product.id, values, isConfirmed),
    onSaved: onClose,
  })
  const labels = {
    regionId: t('admin.codes.region'),
    gameAmount: t('admin.products.gameAmount'),
    priceUsd: t('admin.products.priceUsd'),
    priceRub: t('admin.products.priceRub'),
    isPopular: t('admin.products.popular'),
    isActive: t('admin.products.active'),
  }
  const regions = toIdOptions(product.regions)
  const region = product.regions.find(({ id }) => String(id) === form.values.regionId)
  const money = { required: true, max: LIMITS.amountMax / 100 }
  return (
    <FormDrawer title={t('admin.products.addPackage')} onClose={onClose} form={{ form, ...saving }} labels={labels}>
      <NumberInput
        label={labels.gameAmount}
        required
        data-autofocus
        min={1}
        max={LIMITS.gameAmountMax}
        allowDecimal={false}
        allowNegative={false}
        thousandSeparator=" "
        suffix={` ${region?.game_currency || product.gameCurrency}`}
        hideControls
        {...form.getInputProps('gameAmount')}
      />
      {regions.length > 0 && (
        <NativeSelect
          label={labels.regionId}
          data={[{ value: '0', label: t('product.anyRegion') }, ...regions]}
          {...form.getInputProps('regionId')}
        />
      )}
      <SimpleGrid cols={2}>
        <MoneyInput currency="USD" label={labels.priceUsd} {...money} {...form.getInputProps('priceUsd')} />
        <MoneyInput currency="RUB" label={labels.priceRub} {...money} {...form.getInputProps('priceRub')} />
      </SimpleGrid>
      <Switch label={labels.isPopular} {...form.getInputProps('isPopular', { type: 'checkbox' })} />
      <Switch label={labels.isActive} {...form.getInputProps('isActive', { type: 'checkbox' })} />
    </FormDrawer>
  )
}
