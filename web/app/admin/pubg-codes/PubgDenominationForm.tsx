import { NumberInput, Switch } from '@mantine/core'
import type { PubgDenomination } from '@olmos/contract/denominations'
import { LIMITS } from '@olmos/contract/limits'
import { useTranslation } from 'react-i18next'
import { nouns, type PubgValues, savePubg } from '../denominations/denominations.queries.ts'
import { missingFields, PriceFields } from '../denominations/PriceFields.tsx'
import { FormDrawer } from '../form/FormDrawer.tsx'
import { useAdminForm } from '../form/use-admin-form.ts'

const toValues = (row: PubgDenomination | undefined): PubgValues => ({
  uc_amount: row?.uc_amount ?? '',
  price_usd: row?.price_usd ?? '',
  price_rub: row?.price_rub ?? '',
  is_active: row?.is_active ?? true,
})

export function PubgDenominationForm({ row, onClose }: { row: PubgDenomination | undefined; onClose(): void }) {
  const { t } = useTranslation()
  const { form, ...saving } = useAdminForm<PubgValues, PubgDenomination>({
    noun: nouns.pubg,
    row,
    toValues,
    validate: missingFields,
    send: (values, version, _seen, isConfirmed) => savePubg(row, values, { version, isConfirmed }),
    onSaved: onClose,
  })
  const isInUse = row !== undefined && row.unsold_codes + row.sold_codes > 0
  const labels = {
    uc_amount: t('admin.denominations.uc'),
    price_usd: t('admin.products.priceUsd'),
    price_rub: t('admin.products.priceRub'),
    is_active: t('admin.products.active'),
  }
  return (
    <FormDrawer
      title={row ? `${row.uc_amount} UC` : t('admin.denominations.add')}
      onClose={onClose}
      form={{ form, ...saving }}
      labels={labels}
    >
      <NumberInput
        label={labels.uc_amount}
        description={isInUse ? t('field.in_use') : undefined}
        disabled={isInUse}
        required
        data-autofocus
        min={1}
        max={LIMITS.gameAmountMax}
        allowDecimal={false}
        thousandSeparator=" "
        {...form.getInputProps('uc_amount')}
      />
      <PriceFields form={form} />
      <Switch label={labels.is_active} {...form.getInputProps('is_active', { type: 'checkbox' })} />
    </FormDrawer>
  )
}
