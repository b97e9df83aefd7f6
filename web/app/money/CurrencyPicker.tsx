import { useTranslation } from 'react-i18next'
import { useLanguage } from '../i18n/use-language.ts'
import { Picker } from '../ui/Picker.tsx'
import { useConversion } from './conversion.ts'
import { chooseCurrency } from './currency.ts'
import { currencySign } from './format.ts'

export function CurrencyPicker() {
  const { t } = useTranslation()
  const language = useLanguage()
  const { shown, choices } = useConversion()
  const options = choices.map((currency) => {
    const sign = currencySign(currency, language)
    return { value: currency, text: sign === currency ? currency : `${sign} ${currency}` }
  })
  return (
    <Picker label={`${t('header.currency')}: ${shown}`} current={shown} options={options} onChoose={chooseCurrency}>
      {/* A word for a sign would be too wide for the header of a phone. */}
      {shown === 'UZS' ? shown : `${currencySign(shown, language)} ${shown}`}
    </Picker>
  )
}
