import type { Language } from '@olmos/contract/fields'
import type { topupsApi } from '@olmos/contract/topups'
import { keepPreviousData, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { caller } from '../../api/client.ts'
import { type InLanguage, initialIn } from '../../api/initial-data.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { useLanguage } from '../../i18n/use-language.ts'

const readRules = caller<typeof topupsApi.fields>('GET /topups/:slug/fields')

/** What a game asks for, how it is priced and checked, and when it arrives. */
export type TopupRules = Awaited<ReturnType<typeof readRules>>

/** The rules of a game in a language, as any page may read them. */
const topupRulesQuery = (slug: string, language: Language) =>
  queryOptions({ queryKey: queryKeys.topups.rules(slug, language), queryFn: () => readRules({ params: { slug } }) })

/** The rules of a game; at first those the page came with. */
export function useTopupRules(slug: string, initial: InLanguage<TopupRules | undefined>) {
  const language = useLanguage()
  return useQuery({
    ...topupRulesQuery(slug, language),
    ...initialIn(language, initial),
    placeholderData: keepPreviousData,
  })
}

/** The rules of all these games at once; none until they are all there. */
export function useAllTopupRules(slugs: readonly string[]): readonly TopupRules[] {
  const client = useQueryClient()
  const language = useLanguage()
  const all = useQuery({
    queryKey: queryKeys.topups.allRules(slugs, language),
    queryFn: () => Promise.all(slugs.map((slug) => client.fetchQuery(topupRulesQuery(slug, language)))),
    enabled: slugs.length > 0,
  })
  return all.data ?? []
}
