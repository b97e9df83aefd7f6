import { useTranslation } from 'react-i18next'
import { languageNames, shownLanguages } from '../../i18n/languages.ts'
import { useLanguage } from '../../i18n/use-language.ts'
import { useLanguageChoice } from '../../i18n/use-language-choice.ts'
import { chooseCurrency, currencySigns, shownCurrencies, useCurrency } from '../../money/currency.ts'
import { Picker } from '../../ui/Picker.tsx'

const flags = { ru: 'ru', en: 'us', uz: 'uz' } as const

const languages = shownLanguages.map((language) => ({
  value: language,
  text: languageNames[language],
  lang: language,
  flag: `/art/flags/${flags[language]}.svg`,
}))
const currencies = shownCurrencies.map((currency) => ({
  value: currency,
  text: `${currencySigns[currency]} ${currency}`,
}))

/** Language and currency behind one button: both are chosen once. */
export function LocalePicker() {
  const { t } = useTranslation()
  const [language, currency] = [useLanguage(), useCurrency()]
  const chooseLanguage = useLanguageChoice()
  const [languageLabel, currencyLabel] = [t('header.language'), t('header.currency')]
  return (
    <Picker
      label={`${languageLabel}: ${languageNames[language]}. ${currencyLabel}: ${currency}`}
      groups={[
        { label: languageLabel, current: language, options: languages, onChoose: chooseLanguage },
        { label: currencyLabel, current: currency, options: currencies, onChoose: chooseCurrency },
      ]}
    >
      {language.toUpperCase()} · {currencySigns[currency]}
    </Picker>
  )
}
