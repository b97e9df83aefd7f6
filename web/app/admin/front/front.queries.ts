import type { Language } from '@olmos/contract/fields'
import type { Front, FrontSettings, frontApi, ShopBanner, ShopQuestion } from '@olmos/contract/front'
import { caller } from '../../api/client.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { toLocal, toMoment } from '../form/local-moment.ts'
import { useAdminRead } from '../list/use-admin-list.ts'

const settings = caller<typeof frontApi.settings>('GET /admin/shop-front')
const change = caller<typeof frontApi.change>('PUT /admin/shop-front')

export const useFront = () => useAdminRead(queryKeys.admin.noun('shop', 'front'), settings, {})

const save = (front: Partial<Front>, version: number | undefined) =>
  change({ body: { ...front, ...(version && { version }) } })

/** The values of the forms; a blank field is a text. */
export type HomeValues = { action_url: string; featured: string[] }

export const toHomeValues = ({ action_url, featured }: FrontSettings): HomeValues => ({
  action_url: action_url ?? '',
  featured: featured.map(String),
})

export const saveHome = ({ action_url, featured }: HomeValues, version: number | undefined) =>
  save({ action_url: action_url.trim() || null, featured: featured.map(Number) }, version)

export type BannerValues = {
  banner: Omit<ShopBanner, 'texts' | 'url' | 'from' | 'until'> & {
    texts: Record<Language, string>
    url: string
    /** In the operator's own time, as a field of the browser has it. */
    from: string
    until: string
  }
}

export const toBannerValues = ({ banner }: FrontSettings): BannerValues => ({
  banner: {
    is_on: banner?.is_on ?? false,
    kind: banner?.kind ?? 'info',
    texts: { ru: banner?.texts.ru ?? '', en: banner?.texts.en ?? '', uz: banner?.texts.uz ?? '' },
    url: banner?.url ?? '',
    from: toLocal(banner?.from),
    until: toLocal(banner?.until),
  },
})

export const saveBanner = ({ banner }: BannerValues, version: number | undefined) =>
  save(
    {
      banner: {
        ...banner,
        url: banner.url.trim() || null,
        from: toMoment(banner.from),
        until: toMoment(banner.until),
      },
    },
    version,
  )

export type QuestionValues = { questions: Record<Language, ShopQuestion[]> }

export const toQuestionValues = ({ questions }: FrontSettings): QuestionValues => ({
  questions: { ru: questions.ru ?? [], en: questions.en ?? [], uz: questions.uz ?? [] },
})

export const saveQuestions = ({ questions }: QuestionValues, version: number | undefined) =>
  save({ questions }, version)
