import type { Coupon, couponsApi } from '@olmos/contract/coupons'
import { caller } from '../../api/client.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { toMoment } from '../form/local-moment.ts'
import { useAdminChange } from '../list/use-admin-change.ts'
import { readAllPages, useAdminList, useAdminQuery } from '../list/use-admin-list.ts'

const list = caller<typeof couponsApi.list>('GET /admin/coupons')
const add = caller<typeof couponsApi.add>('POST /admin/coupons')
const change = caller<typeof couponsApi.change>('PUT /admin/coupons/:id')
const remove = caller<typeof couponsApi.remove>('DELETE /admin/coupons/:id')

/** Every coupon to choose from, by code. */
export const useAllCoupons = () =>
  useAdminQuery(queryKeys.admin.noun('coupons', 'all'), (signal) =>
    readAllPages((place) => list({ query: { ...place, sort: 'code', order: 'asc' } }, { signal })),
  )

export const useCoupons = () => useAdminList<Coupon>({ noun: 'coupons', load: list })

/** Fields that are blank are typed as texts. */
export interface CouponValues extends Record<string, unknown> {
  code: string
  kind: 'percent' | 'amount'
  percent: number | string
  amount_usd: number | string
  amount_rub: number | string
  /** None for all. */
  product_ids: string[]
  least_usd: number | string
  least_rub: number | string
  is_first_order: boolean
  max_uses: number | string
  max_uses_each: number | string
  /** In the operator's own time, as a field of the browser has it. */
  starts_at: string
  ends_at: string
  is_active: boolean
  note: string
}

const orNull = (typed: number | string): number | null => (typed === '' ? null : Number(typed))

const toBody = ({ kind, product_ids, ...values }: CouponValues) => {
  const isPercent = kind === 'percent'
  return {
    ...values,
    percent: isPercent ? orNull(values.percent) : null,
    amount_usd: isPercent ? null : orNull(values.amount_usd),
    amount_rub: isPercent ? null : orNull(values.amount_rub),
    product_ids: product_ids.length === 0 ? null : product_ids.map(Number),
    least_usd: Number(values.least_usd),
    least_rub: Number(values.least_rub),
    max_uses: orNull(values.max_uses),
    max_uses_each: orNull(values.max_uses_each),
    starts_at: toMoment(values.starts_at),
    ends_at: toMoment(values.ends_at),
  }
}

export const saveCoupon = (coupon: Coupon | undefined, values: CouponValues, version: number | undefined) =>
  coupon
    ? change({ params: { id: String(coupon.id) }, body: { ...toBody(values), ...(version && { version }) } })
    : add({ body: toBody(values) })

export const removeCoupon = (coupon: Coupon) => remove({ params: { id: String(coupon.id) } })

export const useCouponSwitch = () =>
  useAdminChange<Coupon, boolean>({
    noun: 'coupons',
    send: (coupon, is_active) =>
      change({ params: { id: String(coupon.id) }, body: { is_active, version: coupon.version } }),
    shown: (coupon, is_active) => ({ ...coupon, is_active }),
  })
