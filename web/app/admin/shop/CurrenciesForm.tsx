import { Checkbox, Stack } from '@mantine/core'
import { convertedCurrencies } from '@olmos/contract/money'
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
    toValues: ({ currencies, default_currency, shown_currencies } = settings) => ({
      currencies,
      default_currency,
      shown_currencies,
    }),
    send: saveCurrencies,
    done: t('admin.shop.currenciesSaved'),
  })
  const { form } = saving
  const options = walletCurrencies.map((value) => ({ value, label: t(`admin.shop.currencyNames.${value}`) }))
  const shown = convertedCurrencies.map((value) => ({ value, label: t(`admin.shop.currencyNames.${value}`) }))
  const labels = {
    currencies: t('admin.shop.currencies'),
    default_currency: t('admin.shop.defaultCurrency'),
    shown_currencies: t('admin.shop.shownCurrencies'),
  }
  return (
    <SettingsForm
      form={saving}
      permission="settings.write"
      id="shop-currencies"
      title={labels.currencies}
      text={t('admin.shop.currenciesText')}
      labels={labels}
      choices={{ currencies: options, default_currency: options, shown_currencies: shown }}
    >
      <OfferedChoices
        options={options}
        labels={{ offered: labels.currencies, standard: labels.default_currency }}
        offered={form.values.currencies}
        standard={form.values.default_currency}
        inputs={{ offered: form.getInputProps('currencies'), standard: form.getInputProps('default_currency') }}
        onChange={(currencies, default_currency) => form.setValues({ currencies, default_currency })}
      />
      <Checkbox.Group
        label={labels.shown_currencies}
        description={t('admin.shop.shownCurrenciesText')}
        {...form.getInputProps('shown_currencies')}
      >
        <Stack gap="xs" mt="xs">
          {shown.map((option) => (
            <Checkbox key={option.value} {...option} disabled={!form.values.currencies.includes('USD')} />
          ))}
        </Stack>
      </Checkbox.Group>
    </SettingsForm>
  )
}
