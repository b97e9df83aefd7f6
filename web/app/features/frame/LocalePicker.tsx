import { languageNames, shownLanguages } from '../../i18n/languages.ts'
import { useLanguage, useOfferedLanguages } from '../../i18n/use-language.ts'
import { useLanguageChoice } from '../../i18n/use-language-choice.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { useConversion } from '../../money/conversion.ts'
import { chooseCurrency } from '../../money/currency.ts'
import { currencySign } from '../../money/format.ts'
import { Picker } from '../../ui/Picker.tsx'

const flags = { ru: 'ru', en: 'us', uz: 'uz' } as const

const all = shownLanguages.map((language) => ({
  value: language,
  text: languageNames[language],
  lang: language,
  flag: `/art/flags/${flags[language]}.svg`,
}))

/** Language and currency behind one button: both are chosen once. */
export function LocalePicker() {
  const { t } = useTranslation()
  const language = useLanguage()
  const { shown: currency, choices } = useConversion()
  const currencies = choices.map((choice) => {
    const sign = currencySign(choice, language)
    return { value: choice, text: sign === choice ? choice : `${sign} ${choice}` }
  })
  const chooseLanguage = useLanguageChoice()
  const offered = useOfferedLanguages()
  const languages = all.filter(({ value }) => offered.includes(value))
  const [languageLabel, currencyLabel] = [t('header.language'), t('header.currency')]
  return (
    <Picker
      label={`${languageLabel}: ${languageNames[language]}. ${currencyLabel}: ${currency}`}
      groups={[
        { label: languageLabel, current: language, options: languages, onChoose: chooseLanguage },
        { label: currencyLabel, current: currency, options: currencies, onChoose: chooseCurrency },
      ]}
    >
      {language.toUpperCase()} · {currencySign(currency, language)}
    </Picker>
  )
}
