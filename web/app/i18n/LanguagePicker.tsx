import { IconLanguage } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useRevalidator } from 'react-router'
import { keepCookie } from '../ui/keep-cookie.ts'
import { Picker } from '../ui/Picker.tsx'
import { showIn } from './browser.ts'
import { type Language, languageNames, languages } from './languages.ts'
import { useLanguage } from './use-language.ts'

const options = languages.map((language) => ({ value: language, text: languageNames[language], lang: language }))

export function LanguagePicker() {
  const { t, i18n } = useTranslation()
  const current = useLanguage()
  const { revalidate } = useRevalidator()

  const choose = async (language: Language) => {
    localStorage.setItem('language', language)
    keepCookie('language', language)
    await showIn(i18n, language)
    // The texts of products come from the server, in its language.
    await revalidate()
  }

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
