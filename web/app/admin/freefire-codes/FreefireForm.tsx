import { NumberInput, Switch, TextInput } from '@mantine/core'
import type { FreefireDenomination } from '@olmos/contract/denominations'
import { LIMITS } from '@olmos/contract/limits'
import { useTranslation } from 'react-i18next'
import { type FreefireValues, nouns, saveFreefire } from '../denominations/denominations.queries.ts'
import { missingFields, PriceFields } from '../denominations/PriceFields.tsx'
import { FormDrawer } from '../form/FormDrawer.tsx'
import { useAdminForm } from '../form/use-admin-form.ts'

const toValues = (row: FreefireDenomination | undefined): FreefireValues => ({
  name: row?.name ?? '',
  item_id: row?.item_id ?? '',
  game_amount: row?.game_amount ?? '',
  price_usd: row?.price_usd ?? '',
  price_rub: row?.price_rub ?? '',
  is_active: row?.is_active ?? true,
})

export function FreefireForm({ row, onClose }: { row: FreefireDenomination | undefined; onClose(): void }) {
  const { t } = useTranslation()
  const { form, ...saving } = useAdminForm<FreefireValues, FreefireDenomination>({
    noun: nouns.freefire,
    row,
    toValues,
    validate: missingFields,
    send: (values, version, _seen, isConfirmed) => saveFreefire(row, values, { version, isConfirmed }),
    onSaved: onClose,
  })
  const isInUse = row !== undefined && row.unsold_codes + row.sold_codes > 0
  const labels = {
    name: t('admin.products.name'),
    item_id: t('admin.denominations.itemId'),
    game_amount: t('admin.denominations.diamonds'),
    price_usd: t('admin.products.priceUsd'),
    price_rub: t('admin.products.priceRub'),
    is_active: t('admin.products.active'),
  }
  return (
    <FormDrawer
      title={row ? row.name : t('admin.denominations.add')}
      onClose={onClose}
      form={{ form, ...saving }}
      labels={labels}
    >
      <TextInput
        label={labels.name}
        required
        data-autofocus
        maxLength={LIMITS.denominationNameMax}
        {...form.getInputProps('name')}
      />
      <TextInput
        label={labels.item_id}
        description={t('admin.denominations.itemIdHint')}
        required
        maxLength={LIMITS.itemIdMax}
        {...form.getInputProps('item_id')}
      />
      <NumberInput
        label={labels.game_amount}
        description={isInUse ? t('field.in_use') : undefined}
        disabled={isInUse}
        required
        min={1}
        max={LIMITS.gameAmountMax}
        allowDecimal={false}
        thousandSeparator=" "
        {...form.getInputProps('game_amount')}
      />
      <PriceFields form={form} />
      <Switch label={labels.is_active} {...form.getInputProps('is_active', { type: 'checkbox' })} />
    </FormDrawer>
  )
}
