import type { Language } from '@olmos/contract/fields'
import { useRouteLoaderData } from 'react-router'
import { shownLanguages } from './languages.ts'
import { useTranslation } from './use-translation.ts'

/** The languages that the owner offers, the default one first. */
export const useOfferedLanguages = (): readonly Language[] =>
  useRouteLoaderData<{ languages: readonly Language[] }>('root')?.languages ?? shownLanguages

export const useLanguage = (): Language => useTranslation().language
