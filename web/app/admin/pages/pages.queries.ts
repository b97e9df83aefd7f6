import type { Language } from '@olmos/contract/fields'
import type { PageName, pagesApi, WrittenPage } from '@olmos/contract/pages'
import { caller } from '../../api/client.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { useAdminRead } from '../list/use-admin-list.ts'

const list = caller<typeof pagesApi.list>('GET /admin/pages')
const written = caller<typeof pagesApi.written>('GET /admin/pages/:name')
const change = caller<typeof pagesApi.change>('PUT /admin/pages/:name')
const preview = caller<typeof pagesApi.preview>('POST /admin/pages/preview')
const versions = caller<typeof pagesApi.versions>('GET /admin/pages/:name/versions')

export const usePages = () => useAdminRead(queryKeys.admin.noun('pages', 'list'), list, {})

/** What a page says, or said in an earlier version. */
export const useWrittenPage = (name: PageName, version?: number) =>
  useAdminRead(queryKeys.admin.noun('pages', 'written', name, version ?? 'newest'), written, {
    params: { name },
    ...(version && { query: { version: String(version) } }),
  })

export const usePageVersions = (name: PageName) =>
  useAdminRead(queryKeys.admin.noun('pages', 'versions', name), versions, { params: { name } })

export const previewText = async (text: string) => (await preview({ body: { text } })).data.blocks

/** The values of the form; a language without a text is blank. */
export type PageValues = { is_published: boolean; texts: Record<Language, string> }

export const toPageValues = ({ is_published, texts }: WrittenPage): PageValues => ({
  is_published,
  texts: { ru: texts.ru ?? '', en: texts.en ?? '', uz: texts.uz ?? '' },
})

export const savePage = (name: PageName, values: PageValues, version: number | undefined) =>
  change({ params: { name }, body: { ...values, ...(version && { version }) } })
