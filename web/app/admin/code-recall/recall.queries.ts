import type { adminOrdersApi } from '@olmos/contract/admin-orders'
import type { BatchBuyer, codeBatchesApi } from '@olmos/contract/code-batches'
import type { paymentsApi } from '@olmos/contract/payments'
import { caller } from '../../api/client.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { readAllPages, useAdminList, useAdminRead } from '../list/use-admin-list.ts'

const one = caller<typeof codeBatchesApi.one>('GET /admin/code-batches/:id')
const buyers = caller<typeof codeBatchesApi.buyers>('GET /admin/code-batches/:id/buyers')
const recall = caller<typeof codeBatchesApi.recall>('POST /admin/code-batches/:id/recall')
const replace = caller<typeof adminOrdersApi.replaceCode>('POST /admin/orders/:id/codes/:codeId/replace')
const refund = caller<typeof paymentsApi.refund>('POST /admin/orders/:id/refund')

/** Parameter of the address: which import is looked at. */
export const recallParam = 'recall'

export const useBatch = (batchId: number) =>
  useAdminRead(queryKeys.admin.noun('codes', 'batch', batchId), one, { params: { id: String(batchId) } })

export const useBuyers = (batchId: number) =>
  useAdminList<BatchBuyer>({
    noun: 'codes',
    of: `buyers of ${batchId}`,
    place: [recallParam],
    load: (sent, options) => buyers({ ...sent, params: { id: String(batchId) } }, options),
  })

/** Everybody who has a code of the batch now. */
export const readAllBuyers = (batchId: number): Promise<BatchBuyer[]> =>
  readAllPages((place) => buyers({ params: { id: String(batchId) }, query: { ...place, order: 'asc' } }))

export const recallBatch = (batchId: number, reason: string) =>
  recall({ params: { id: String(batchId) }, body: { reason } })

/** One code, once, however often it is tried again after an answer was lost. */
export const replaceFor = ({ order_id, code_id }: BatchBuyer, reason: string) =>
  replace(
    { params: { id: order_id, codeId: String(code_id) }, body: { reason } },
    { once: `recall-replace-${code_id}` },
  )

/** The whole line of the order, once. */
export const refundFor = ({ order_id, item_id }: BatchBuyer, reason: string) =>
  refund(
    { params: { id: order_id }, body: { to: 'wallet', reason, items: [item_id] } },
    { once: `recall-refund-${item_id}` },
  )
