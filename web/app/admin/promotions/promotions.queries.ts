import type { ListedPromotion, promotionsApi } from '@olmos/contract/promotions'
import { caller } from '../../api/client.ts'
import { useAdminChange } from '../list/use-admin-change.ts'
import { useAdminList } from '../list/use-admin-list.ts'

const list = caller<typeof promotionsApi.list>('GET /admin/promotions')
const add = caller<typeof promotionsApi.add>('POST /admin/promotions')
const change = caller<typeof promotionsApi.change>('PUT /admin/promotions/:id')
const remove = caller<typeof promotionsApi.remove>('DELETE /admin/promotions/:id')

export const usePromotions = () => useAdminList<ListedPromotion>({ noun: 'promotions', load: list })

export interface PromotionValues extends Record<string, unknown> {
  /** In Russian, which is shown where there is no translation. */
  text: string
  translations: { en: string; uz: string }
  background_color: string
  is_active: boolean
  /** The code of a coupon; blank for none. */
  coupon: string
}

export const savePromotion = (
  promotion: ListedPromotion | undefined,
  values: PromotionValues,
  version: number | undefined,
) =>
  promotion
    ? change({ params: { id: String(promotion.id) }, body: { ...toBody(values), ...(version && { version }) } })
    : add({ body: { ...toBody(values), translations: toGiven(values.translations) } })

const toBody = ({ coupon, ...values }: PromotionValues) => ({ ...values, coupon: coupon || null })

/** A new promotion has no translations to take out. */
const toGiven = (translations: Record<string, string>) =>
  Object.fromEntries(Object.entries(translations).filter(([, text]) => text.trim() !== ''))

export const removePromotion = (promotion: ListedPromotion) => remove({ params: { id: String(promotion.id) } })

export const usePromotionSwitch = () =>
  useAdminChange<ListedPromotion, boolean>({
    noun: 'promotions',
    send: (promotion, is_active) =>
      change({ params: { id: String(promotion.id) }, body: { is_active, version: promotion.version } }),
    shown: (promotion, is_active) => ({ ...promotion, is_active }),
  })
