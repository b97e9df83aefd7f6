import { Group, NativeSelect, Radio, Stack, Text, TextInput } from '@mantine/core'
import { costCurrencies, type EditedOffer, priceModes } from '@olmos/contract/offers'
import { useTranslation } from '../../i18n/use-translation.ts'
import { FormDrawer } from '../form/FormDrawer.tsx'
import { useAdminForm } from '../form/use-admin-form.ts'
import { PricePair } from './PricePreview.tsx'
import { PricingBadges } from './PricingBadges.tsx'
import { type CostValues, saveCosting } from './price-rules.queries.ts'

const toValues = (offer: EditedOffer): CostValues => ({
  priceMode: offer.price_mode,
  cost: offer.base_cost ?? '',
  currency: offer.base_currency ?? 'USD',
})

/** How a package is priced: by hand or by the nearest rule, and what it costs where no source says so. */
export function OfferCosting({ offer, name, onClose }: { offer: EditedOffer; name: string; onClose(): void }) {
  const { t } = useTranslation()
  const { form, ...saving } = useAdminForm<CostValues, EditedOffer>({
    noun: 'offers',
    row: offer,
    toValues: (row = offer) => toValues(row),
    send: (values, version, _seen, isConfirmed, underFloor) =>
      saveCosting(offer, values, version, { isConfirmed, underFloor }),
    onSaved: onClose,
  })
  const labels = {
    priceMode: t('admin.priceRules.how'),
    cost: t('admin.priceRules.baseCost'),
    currency: t('admin.priceRules.currency'),
  }
  const modes = priceModes.map((value) => ({ value, label: t(`admin.priceRules.modes.${value}`) }))
  return (
    <FormDrawer
      permission="prices.write"
      title={t('admin.priceRules.pricingOf', { name })}
      onClose={onClose}
      form={{ form, ...saving }}
      labels={labels}
      choices={{ priceMode: modes }}
    >
      <PricingBadges pricing={offer} />
      <Text>
        {t('admin.priceRules.cost')}:{' '}
        {offer.cost === null ? t('admin.priceRules.unknown') : `${offer.cost} ${offer.cost_currency}`}
      </Text>
      {offer.floor_usd !== null && offer.floor_rub !== null && (
        <Text size="sm" c="dimmed">
          {t('admin.priceRules.floor')}
          <br />
          <PricePair usd={offer.floor_usd} rub={offer.floor_rub} />
        </Text>
      )}
      <Radio.Group label={labels.priceMode} {...form.getInputProps('priceMode')}>
        <Stack gap="xs" mt={4}>
          {modes.map((mode) => (
            <Radio key={mode.value} {...mode} />
          ))}
        </Stack>
      </Radio.Group>
      <Group align="flex-start">
        <TextInput
          label={labels.cost}
          description={t('admin.priceRules.baseCostHint')}
          inputMode="decimal"
          {...form.getInputProps('cost')}
          onChange={(event) => form.setFieldValue('cost', event.currentTarget.value.replace(',', '.').trim())}
        />
        <NativeSelect label={labels.currency} data={[...costCurrencies]} {...form.getInputProps('currency')} />
      </Group>
    </FormDrawer>
  )
}
