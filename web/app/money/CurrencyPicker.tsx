import { useTranslation } from 'react-i18next'
import { Picker } from '../ui/Picker.tsx'
import { chooseCurrency, currencySigns, shownCurrencies, useCurrency } from './currency.ts'

const options = shownCurrencies.map((currency) => ({ value: currency, text: `${currencySigns[currency]} ${currency}` }))

export function CurrencyPicker() {
  const { t } = useTranslation()
  const current = useCurrency()
  return (
    <Picker label={`${t('header.currency')}: ${current}`} current={current} options={options} onChoose={chooseCurrency}>
      {currencySigns[current]} {current}
    </Picker>
  )
}
