import { Group, MultiSelect, Stack, Text, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { useAllRegions } from '../regions/all-regions.ts'
import type { ProductValues } from './product-values.ts'

/** Where a product is sold, and what its game currency is called there. */
export function ProductRegions({ form }: { form: UseFormReturnType<ProductValues> }) {
  const { t } = useTranslation()
  const { data: regions = [] } = useAllRegions()
  const { regionIds, gameCurrency } = form.values
  const chosen = regions.filter(({ id }) => regionIds.includes(String(id)))
  return (
    <Stack gap="xs">
      <MultiSelect
        label={t('admin.products.regions')}
        description={t('admin.products.regionsHint')}
        data={regions.map(({ id, name, is_active }) => ({
          value: String(id),
          label: is_active ? name : t('admin.products.regionOff', { name }),
        }))}
        searchable
        nothingFoundMessage={t('admin.list.nothing')}
        {...form.getInputProps('regionIds')}
      />
      {chosen.length > 0 && (
        <Text size="sm" fw={500}>
          {t('admin.products.regionCurrencies')}
        </Text>
      )}
      {chosen.map(({ id, name }) => (
        <Group key={id} gap="sm" wrap="nowrap">
          <Text size="sm" w={110} truncate>
            {name}
          </Text>
          <TextInput
            flex={1}
            size="sm"
            aria-label={t('admin.products.currencyIn', { region: name })}
            placeholder={gameCurrency}
            maxLength={40}
            {...form.getInputProps(`currencies.${id}`)}
            value={form.values.currencies[id] ?? ''}
          />
        </Group>
      ))}
    </Stack>
  )
}
