import { IconLanguage } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Picker } from '../ui/Picker.tsx'
import { languageNames, shownLanguages } from './languages.ts'
import { useLanguage } from './use-language.ts'
import { useLanguageChoice } from './use-language-choice.ts'

const options = shownLanguages.map((language) => ({ value: language, text: languageNames[language], lang: language }))

export function LanguagePicker() {
  const { t } = useTranslation()
  const current = useLanguage()
  const choose = useLanguageChoice()

  return (
    <Picker
      label={`${t('header.language')}: ${languageNames[current]}`}
      icon={<IconLanguage size={18} aria-hidden />}
      current={current}
      options={options}
      onChoose={choose}
    >
      {current.toUpperCase()}
    </Picker>
  )
}
