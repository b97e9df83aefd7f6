import { Group, NumberInput, SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import type { ListedCode } from '@olmos/contract/codes'
import { LIMITS } from '@olmos/contract/limits'
import { useTranslation } from 'react-i18next'
import { FormDrawer } from '../form/FormDrawer.tsx'
import { moneySign } from '../form/money-sign.ts'
import { useAdminForm } from '../form/use-admin-form.ts'
import { useCodeProducts } from '../products/all-products.ts'
import { codeErrors, codeValues, sentCode, sentCodeChange } from './code-values.ts'
import { addCode, changeCode, noun } from './codes.queries.ts'
import { PlaceFields } from './PlaceFields.tsx'

export function CodeForm({ code, onClose }: { code: ListedCode | undefined; onClose(): void }) {
  const { t } = useTranslation()
  const saving = useAdminForm({
    noun,
    row: code,
    valuesOf: codeValues,
    validate: (values) => codeErrors(values, code),
    send: (values, _version, seen) =>
      seen ? changeCode(seen, sentCodeChange(values, seen)) : addCode(sentCode(values)),
    onSaved: onClose,
  })
  const { form } = saving
  const { data: products = [] } = useCodeProducts()
  const labels = {
    productId: t('admin.codes.product'),
    regionId: t('admin.codes.region'),
    mask: t('admin.codes.code'),
    code: t('admin.codes.code'),
    gameAmount: t('admin.codes.gameAmount'),
    priceUsd: t('admin.products.priceUsd'),
    priceRub: t('admin.products.priceRub'),
    status: t('admin.codes.status'),
  }
  const states = [
    { value: 'available', label: t('admin.codes.state.available') },
    { value: 'archived', label: t('admin.codes.state.archived') },
  ]
  const choices = {
    productId: Object.fromEntries(products.map(({ id, name }) => [id, name])),
    regionId: {
      0: t('admin.codes.noRegion'),
      ...Object.fromEntries(products.flatMap(({ regions }) => regions.map(({ id, name }) => [id, name]))),
    },
    status: Object.fromEntries(states.map(({ value, label }) => [value, label])),
  }
  const money = { decimalScale: 2, min: 0, max: LIMITS.amountMax / 100, hideControls: true, flex: 1, required: true }
  return (
    <FormDrawer
      title={code ? t('admin.codes.edit', { code: code.code }) : t('admin.codes.add')}
      onClose={onClose}
      form={saving}
      labels={labels}
      choices={choices}
    >
      <PlaceFields
        productId={form.values.productId}
        product={form.getInputProps('productId')}
        region={form.getInputProps('regionId')}
      />
      <TextInput
        label={labels.code}
        description={code && t('admin.codes.codeStays')}
        required={!code}
        maxLength={LIMITS.codeLengthMax}
        autoComplete="off"
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        {...form.getInputProps('code')}
      />
      <NumberInput
        label={labels.gameAmount}
        required
        hideControls
        allowDecimal={false}
        min={1}
        max={LIMITS.gameAmountMax}
        {...form.getInputProps('gameAmount')}
      />
      <Stack gap={4}>
        <Group align="flex-start">
          <NumberInput label={labels.priceUsd} {...moneySign.USD} {...money} {...form.getInputProps('priceUsd')} />
          <NumberInput label={labels.priceRub} {...moneySign.RUB} {...money} {...form.getInputProps('priceRub')} />
        </Group>
        <Text size="xs" c="dimmed">
          {t('admin.codes.priceOfPackage')}
        </Text>
      </Stack>
      {code && <SegmentedControl aria-label={labels.status} data={states} {...form.getInputProps('status')} />}
    </FormDrawer>
  )
}
