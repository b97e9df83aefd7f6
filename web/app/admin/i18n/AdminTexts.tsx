import type { Language } from '@olmos/contract/fields'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { QueryView } from '../../api/QueryView.tsx'
import { queryKeys } from '../../api/query-keys.ts'
import type { Texts } from '../../i18n/translate.ts'
import { useI18n, useTranslation } from '../../i18n/use-translation.ts'
import type { en } from './en.ts'

/** Their keys stand beside those of the store, as they do once they are here. */
declare module 'i18next' {
  interface ResourceNamespaceMap {
    translation: typeof en
  }
}

/** Customers never load them. */
const dictionaries: Record<Language, () => Promise<Texts>> = {
  ru: async () => (await import('./ru.ts')).ru,
  en: async () => (await import('./en.ts')).en,
  uz: async () => (await import('./uz.ts')).uz,
}

/** Shows its children once the admin area's texts stand beside those of the store, in whatever language is chosen. */
export function AdminTexts({ children, whileLoading }: { children: ReactNode; whileLoading: ReactNode }) {
  const i18n = useI18n()
  const { t, language } = useTranslation()
  const query = useQuery({
    queryKey: queryKeys.admin.texts(language),
    queryFn: async () => {
      i18n.add(language, await dictionaries[language]())
      return true
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  })
  return (
    <QueryView query={query} skeleton={whileLoading} failed={t('profile.admin')}>
      {() => children}
    </QueryView>
  )
}
