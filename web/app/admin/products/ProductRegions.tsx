import { Checkbox, Group, Stack, Text, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { ListFailed } from '../list/ListFailed.tsx'
import { useAllRegions } from '../regions/regions.queries.ts'
import type { ProductValues } from './product-values.ts'

/** Where a product is sold, and what its game currency is called there. */
export function ProductRegions({ form }: { form: UseFormReturnType<ProductValues> }) {
  const { t } = useTranslation()
  const query = useAllRegions()
  const regions = query.data ?? []
  const { regionIds, currencies, gameCurrency } = form.values
  if (query.error && regions.length === 0) return <ListFailed query={query} />
  return (
    <Checkbox.Group
      label={t('admin.products.regions')}
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
