import type { Language } from '@olmos/contract/fields'
import { useTranslation } from './use-translation.ts'

export const useLanguage = (): Language => useTranslation().language
