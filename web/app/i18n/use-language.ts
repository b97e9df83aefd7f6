import type { Language } from '@olmos/contract/fields'
import { useTranslation } from 'react-i18next'
import { readLanguage } from './languages.ts'

export const useLanguage = (): Language => readLanguage(useTranslation().i18n.language)
