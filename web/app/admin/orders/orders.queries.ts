import type { adminOrdersApi, NewOrderView, OrderRow, SavedView } from '@olmos/contract/admin-orders'
import type { AnswerTo } from '@olmos/contract/endpoint'
import type { fillingsApi } from '@olmos/contract/fillings'
import type { paymentsApi, RefundDestination, SeenLine } from '@olmos/contract/payments'
import { caller } from '../../api/client.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { useAdminList, useAdminRead } from '../list/use-admin-list.ts'
import type { ListView } from '../list/use-list-view.ts'

const list = caller<typeof adminOrdersApi.list>('GET /admin/orders')
const lookUp = caller<typeof adminOrdersApi.lookUpCode>('POST /admin/orders/code')
const views = caller<typeof adminOrdersApi.views>('GET /admin/order-views')
const addView = caller<typeof adminOrdersApi.addView>('POST /admin/order-views')
const changeView = caller<typeof adminOrdersApi.changeView>('PUT /admin/order-views/:id')
const deleteView = caller<typeof adminOrdersApi.removeView>('DELETE /admin/order-views/:id')
const one = caller<typeof adminOrdersApi.one>('GET /admin/orders/:id')
const setStatus = caller<typeof adminOrdersApi.setStatus>('PUT /admin/orders/:id/status')
const replace = caller<typeof adminOrdersApi.replaceCode>('POST /admin/orders/:id/codes/:codeId/replace')
const refund = caller<typeof paymentsApi.refund>('POST /admin/orders/:id/refund')
const refundMoney = caller<typeof fillingsApi.refund>('POST /admin/fillings/:id/refund')

export type OrderDetail = AnswerTo<typeof adminOrdersApi.one>['data']
export type OrderDetailItem = OrderDetail['items'][number]

/** What orders are narrowed by more rarely. */
export const rarerFilters = [
  'currency',
  'productId',
  'supplier',
  'nickname',
  'account',
  'payment',
  'email',
  'paid_by',
  'refunded_from',
  'refunded_to',
  'refund_reason',
  'amount_from',
  'amount_to',
  'code',
] as const

/** What the address may say of the list, beside its search and order. */
const filterNames = ['status', 'paid', 'payment_method', 'dispute', 'purpose', 'from', 'to', ...rarerFilters] as const

type Filters = Record<string, string>

const readSet = (view: ListView, names: readonly string[]): Filters =>
  Object.fromEntries(names.map((name) => [name, view.filter(name)]).filter(([, value]) => value !== ''))

/** The search and the filters of the address that are set. */
export const toFilters = (view: ListView): Filters => readSet(view, ['search', ...filterNames])

const keptNames = ['search', ...filterNames, 'sort', 'order'] as const

/** What a view keeps of the address: which orders it shows, and in which order. */
export const toKept = (view: ListView): Filters => readSet(view, keptNames)

/** What makes the address that of these filters, and of no others. */
export const toChange = (filters: Filters): Filters =>
  Object.fromEntries(keptNames.map((name) => [name, filters[name] ?? '']))

export const useOrderViews = () => useAdminRead(queryKeys.admin.noun('orderViews'), views, {})

export const saveView = (view: SavedView | undefined, values: Partial<NewOrderView>, version: number | undefined) =>
  view
    ? changeView({ params: { id: String(view.id) }, body: { ...values, ...(version && { version }) } })
    : addView({ body: { name: '', filters: {}, is_shared: false, ...values } })

export const removeView = ({ id }: SavedView) => deleteView({ params: { id: String(id) } })

export const useOrderList = () =>
  useAdminList<OrderRow>({
    noun: 'orders',
    load: list,
    filters: filterNames,
    place: ['order'],
  })

export const useOrder = (id: string) => useAdminRead(queryKeys.admin.noun('orders', 'one', id), one, { params: { id } })

interface WantedRefund {
  items: (number | { id: number; quantity?: number; amount?: number; codeIds?: number[] })[]
  /** The lines of which a part is refunded, as they were seen. */
  seen: readonly SeenLine[]
  to: RefundDestination
  reason: string
}

export const refundItems = (id: string, { seen, ...body }: WantedRefund) =>
  refund(
    { params: { id }, body: { ...body, ...(seen.length > 0 && { seen: [...seen] }) } },
    { once: `refund:${id}:${JSON.stringify(body.items)}:${body.to}` },
  )

export const refundToCard = (id: string, body: { amount: number; seen: { refunded: number }; reason: string }) =>
  refundMoney({ params: { id }, body }, { once: `refund-filling:${id}:${body.amount}` })

export const endOrder = (id: string, reason: string) =>
  setStatus({ params: { id }, body: { status: 'expired', reason } }, { once: `end:${id}` })

export const completeOrder = (id: string, reason: string) =>
  setStatus({ params: { id }, body: { status: 'completed', reason } }, { once: `complete:${id}` })

export const replaceCode = (id: string, codeId: number, reason: string) =>
  replace({ params: { id, codeId: String(codeId) }, body: { reason } }, { once: `replace:${id}:${codeId}` })

/** Finds the id of a whole code; null for one the shop never had. */
export const lookUpCode = async (code: string) => (await lookUp({ body: { code } })).data.id
