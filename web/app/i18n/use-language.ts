import { useTranslation } from 'react-i18next'
import { type Language, readLanguage } from './languages.ts'

export const useLanguage = (): Language => readLanguage(useTranslation().i18n.language)
