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

export type BannerValues = Omit<ShopBanner, 'texts' | 'url' | 'from' | 'until'> & {
  texts: Record<Language, string>
  url: string
  /** In the time of the shop, as a field of the browser has it. */
  from: string
  until: string
}

export type BannersValues = { banners: BannerValues[] }

export const newBanner: BannerValues = {
  is_on: true,
  kind: 'info',
  texts: { ru: '', en: '', uz: '' },
  url: '',
  from: '',
  until: '',
}

export const toBannersValues = ({ banners }: FrontSettings, timeZone: string): BannersValues => ({
  banners: banners.map(({ texts, url, from, until, ...banner }) => ({
    ...banner,
    texts: { ...newBanner.texts, ...texts },
    url: url ?? '',
    from: toLocal(from, timeZone),
    until: toLocal(until, timeZone),
  })),
})

export const saveBanners = ({ banners }: BannersValues, timeZone: string, version: number | undefined) =>
  save(
    {
      banners: banners.map(({ url, from, until, ...banner }) => ({
        ...banner,
        url: url.trim() || null,
        from: toMoment(from, timeZone),
        until: toMoment(until, timeZone),
      })),
    },
    version,
  )

export type QuestionValues = { questions: Record<Language, ShopQuestion[]> }

export const toQuestionValues = ({ questions }: FrontSettings): QuestionValues => ({
  questions: { ru: questions.ru ?? [], en: questions.en ?? [], uz: questions.uz ?? [] },
})

export const saveQuestions = ({ questions }: QuestionValues, version: number | undefined) =>
  save({ questions }, version)
