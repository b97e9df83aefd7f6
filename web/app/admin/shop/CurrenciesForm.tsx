import type { ShopSettings } from '@olmos/contract/shop'
import { useTranslation } from '../../i18n/use-translation.ts'
import { walletCurrencies } from '../../money/currency.ts'
import { SettingsForm } from '../form/SettingsForm.tsx'
import { useAdminForm } from '../form/use-admin-form.ts'
import { OfferedChoices } from './OfferedChoices.tsx'
import { type CurrencyValues, saveCurrencies } from './shop.queries.ts'

/** Which currencies the pages offer, and which of them a visitor without a choice gets. */
export function CurrenciesForm({ settings }: { settings: ShopSettings }) {
  const { t } = useTranslation()
  const saving = useAdminForm<CurrencyValues, ShopSettings>({
    noun: 'shop',
    row: settings,
    toValues: (row = settings) => ({ currencies: row.currencies, default_currency: row.default_currency }),
    send: saveCurrencies,
    done: t('admin.shop.currenciesSaved'),
  })
  const { form } = saving
  const options = walletCurrencies.map((value) => ({ value, label: t(`admin.shop.currencyNames.${value}`) }))
  const labels = { currencies: t('admin.shop.currencies'), default_currency: t('admin.shop.defaultCurrency') }
  return (
    <SettingsForm
      form={saving}
      permission="settings.write"
      id="shop-currencies"
      title={labels.currencies}
      text={t('admin.shop.currenciesText')}
      labels={labels}
      choices={{ currencies: options, default_currency: options }}
    >
      <OfferedChoices
        options={options}
        labels={{ offered: labels.currencies, standard: labels.default_currency }}
        offered={form.values.currencies}
        standard={form.values.default_currency}
        inputs={{ offered: form.getInputProps('currencies'), standard: form.getInputProps('default_currency') }}
        onChange={(currencies, default_currency) => form.setValues({ currencies, default_currency })}
      />
    </SettingsForm>
  )
}
