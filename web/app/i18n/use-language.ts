import { useTranslation } from 'react-i18next'
import { type Language, languageOf } from './languages.ts'

export const useLanguage = (): Language => languageOf(useTranslation().i18n.language)
