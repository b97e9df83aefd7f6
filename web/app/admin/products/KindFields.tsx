import { Checkbox, Group, NativeSelect, NumberInput, Stack, Switch, Text, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useTranslation } from '../../i18n/use-translation.ts'
import { ListFailed } from '../list/ListFailed.tsx'
import { useAllRegions } from '../regions/regions.queries.ts'
import { UnitHint } from '../shop/UnitList.tsx'
import type { useProductNames } from './product-names.ts'
import type { ProductValues } from './product-values.ts'

export interface ProductFieldsProps {
  form: UseFormReturnType<ProductValues>
  names: ReturnType<typeof useProductNames>
}

/** What only codes, or only top-ups, have to say. */
export const KindFields = (props: ProductFieldsProps) =>
  props.form.values.kind === 'topup' ? <TopupFields {...props} /> : <CodeFields {...props} />

/** Where codes are sold, and where they come from. */
function CodeFields({ form, names: { labels, choices } }: ProductFieldsProps) {
  const { t } = useTranslation()
  return (
    <>
      <ProductRegions form={form} />
      <Switch
        label={labels.supportsCodeGeneration}
        {...form.getInputProps('supportsCodeGeneration', { type: 'checkbox' })}
      />
      {form.values.supportsCodeGeneration && (
        <>
          <NativeSelect
            label={labels.codeGame}
            description={t('admin.products.codeGameHint')}
            required
            data={[{ value: '', label: t('admin.products.chooseGame'), disabled: true }, ...choices.codeGame]}
            {...form.getInputProps('codeGame')}
          />
          <TextInput
            label={labels.codePrefix}
            description={t('admin.products.codePrefixHint')}
            maxLength={20}
            {...form.getInputProps('codePrefix')}
          />
        </>
      )}
      <Switch
        label={labels.buysOnDemand}
        description={t('admin.products.onDemandHint')}
        {...form.getInputProps('buysOnDemand', { type: 'checkbox' })}
      />
    </>
  )
}

/** How a top-up is priced, checked and promised. */
function TopupFields({ form, names: { labels, choices } }: ProductFieldsProps) {
  const { t } = useTranslation()
  return (
    <>
      <NativeSelect label={labels.pricing} data={choices.pricing} {...form.getInputProps('pricing')} />
      {form.values.pricing === 'combination' && (
        <TextInput
          label={labels.presets}
          description={t('admin.products.presetsHint')}
          inputMode="numeric"
          {...form.getInputProps('presets')}
        />
      )}
      <NativeSelect label={labels.playerCheck} data={choices.playerCheck} {...form.getInputProps('playerCheck')} />
      <NumberInput
        label={labels.promisedMinutes}
        description={t('admin.products.promisedHint')}
        required
        min={1}
        max={10_080}
        allowDecimal={false}
        allowNegative={false}
        hideControls
        {...form.getInputProps('promisedMinutes')}
      />
    </>
  )
}

/** Where a product is sold, and what its game currency is called there. */
function ProductRegions({ form }: { form: UseFormReturnType<ProductValues> }) {
  const { t } = useTranslation()
  const query = useAllRegions()
  const regions = query.data ?? []
  const { regionIds, currencies, gameCurrency } = form.values
  if (query.error && regions.length === 0) return <ListFailed query={query} />
  return (
    <Checkbox.Group
      label={t('admin.tabs.regions')}
      description={t('admin.products.regionsHint')}
      {...form.getInputProps('regionIds')}
    >
      <Stack gap="xs" mt="xs">
        {regions.map(({ id, name, is_active }) => (
          <Group key={id} gap="sm" mih={36} wrap="nowrap" justify="space-between">
            <Checkbox
              value={String(id)}
              label={is_active ? name : t('admin.products.regionOff', { name })}
              styles={{ root: { flex: 1, minWidth: 0 } }}
            />
            {regionIds.includes(String(id)) && (
              <TextInput
                flex={1}
                aria-label={t('admin.products.currencyIn', { region: name })}
                placeholder={gameCurrency}
                description={currencies[id]?.trim() && <UnitHint currency={currencies[id]} />}
                inputWrapperOrder={['input', 'description', 'error']}
                maxLength={40}
                {...form.getInputProps(`currencies.${id}`)}
                value={currencies[id] ?? ''}
              />
            )}
          </Group>
        ))}
        {regionIds.length > 0 && (
          <Text size="xs" c="dimmed">
            {t('admin.products.regionCurrencies')}
          </Text>
        )}
      </Stack>
    </Checkbox.Group>
  )
}
