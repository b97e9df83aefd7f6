import { z } from 'zod'
import { endpoint, endpointsFor } from './endpoint.ts'
import { byOrderId, nothing, text, time } from './fields.ts'
import { receipt } from './orders.ts'

/** For how many hours a receipt may be shared. */
const sharedHours = [1, 24, 168] as const

const share = z.object({
  expires_at: time,
  /** How often the codes were read by it. */
  openings: z.int(),
  opened_at: time.nullable(),
})
export type ReceiptShare = z.infer<typeof share>

const item = receipt.shape.items.element.pick({
  id: true,
  item_type: true,
  quantity: true,
  game_amount: true,
  game_currency: true,
  status: true,
  region: true,
  product: true,
  code: true,
  codes: true,
  withheld_codes: true,
  held_codes: true,
})

/** What a friend sees: the codes and what they are for, and nothing about who bought them or for how much. */
const sharedReceipt = z.object({ expires_at: time, items: z.array(item) })
export type SharedReceipt = z.infer<typeof sharedReceipt>

const orderEndpoint = endpointsFor({ access: 'customer', tag: 'orders' })

export const sharedReceiptsApi = {
  read: orderEndpoint('GET /orders/:id/share', {
    operationId: 'readReceiptShare',
    summary: 'Whether the codes of an own order are shared by a link, and how often it was opened',
    params: byOrderId,
    answer: z.object({ share: share.nullable() }),
  }),
  make: orderEndpoint('POST /orders/:id/share', {
    operationId: 'shareReceipt',
    refusals: ['STATE_CONFLICT', 'RATE_LIMITED'],
    summary: 'Shares the codes of an own order by a link and a PIN, which are told this once; ends an earlier link',
    params: byOrderId,
    body: z.strictObject({ hours: z.literal(sharedHours) }),
    answer: z.object({ link: z.string(), pin: z.string(), expires_at: time }),
    status: 201,
  }),
  end: orderEndpoint('DELETE /orders/:id/share', {
    operationId: 'endReceiptShare',
    summary: 'Ends the link to the codes of an own order',
    params: byOrderId,
    answer: nothing,
    status: 204,
  }),
  open: endpoint('POST /shared-receipts', {
    operationId: 'openSharedReceipt',
    refusals: ['NOT_FOUND', 'WRONG_PIN', 'RATE_LIMITED'],
    access: 'visitor',
    tag: 'orders',
    summary:
      'The codes of an order whose owner shared them, by what its link ends with and its PIN; records the reveal',
    body: z.strictObject({ token: text(1, 100), pin: text(1, 20) }),
    answer: sharedReceipt,
  }),
}
