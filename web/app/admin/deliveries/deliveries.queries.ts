import type { Delivery, deliveriesApi } from '@olmos/contract/deliveries'
import { caller } from '../../api/client.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { useMay } from '../../session/profile.ts'
import { readAllPages, useAdminList, useAdminQuery, useAdminRead } from '../list/use-admin-list.ts'

const list = caller<typeof deliveriesApi.list>('GET /admin/deliveries')
const count = caller<typeof deliveriesApi.count>('GET /admin/deliveries/count')
const complete = caller<typeof deliveriesApi.complete>('POST /admin/deliveries/:id/complete')
const retry = caller<typeof deliveriesApi.retry>('POST /admin/deliveries/:id/retry')
const refund = caller<typeof deliveriesApi.refund>('POST /admin/deliveries/:id/refund')

export const useDeliveries = () =>
  useAdminList<Delivery>({ noun: 'deliveries', load: list, filters: ['state', 'delivered_by', 'from', 'to'] })

const countedEveryMs = 60_000

/** How many wait for an operator; asked again while the admin area is open. None until it is known. */
export function useOperatorsDeliveries(): number {
  const key = queryKeys.admin.noun('deliveries', 'count')
  const enabled = useMay()('orders.read')
  return useAdminRead(key, count, {}, { enabled, refetchInterval: countedEveryMs }).data?.with_operator ?? 0
}

/** Reads every delivery of an order. */
export const readDeliveriesOfOrder = (orderId: string, signal: AbortSignal): Promise<Delivery[]> =>
  readAllPages((place) => list({ query: { ...place, search: orderId, order: 'asc' } }, { signal }))

export const useDeliveriesOfOrder = (orderId: string) =>
  useAdminQuery(queryKeys.admin.noun('deliveries', 'order', orderId), (signal) =>
    readDeliveriesOfOrder(orderId, signal),
  )

interface Decision {
  reason: string
  reference: string
  /** Given when an operator completes the delivery of a code. */
  code?: string
  /** Given when an operator completes a delivery and knows what it cost. */
  cost?: { amount: string; currency: string }
}

/** What an operator can decide about a waiting delivery. The version makes the store refuse a decision about a stale one. */
export const decisions = {
  complete: (delivery: Delivery, decision: Decision) => complete(sent(delivery, decision)),
  retry: (delivery: Delivery, decision: Decision) => retry(sent(delivery, decision)),
  refund: (delivery: Delivery, decision: Decision) =>
    refund(sent(delivery, decision), { once: `refund-delivery:${delivery.id}` }),
} as const
export type DecisionName = keyof typeof decisions

const sent = ({ id, version }: Delivery, decision: Decision) => ({
  params: { id: String(id) },
  body: { ...decision, version },
})
