import type { adminOrdersApi } from '@olmos/contract/admin-orders'
import type { AnswerOf } from '@olmos/contract/endpoint'
import { Failure } from '@olmos/contract/failure'
import type { Language } from '@olmos/contract/fields'
import { toMajor } from '@olmos/contract/money'
import type { Queries } from '../../platform/database/database.ts'
import type { Vault } from '../../platform/security/vault.ts'
import { codesOfOrder } from '../codes/stock.ts'
import { readDisputes } from '../payments/disputes.ts'
import { type EventRow, findBuyer, readTimeline, readTransfers, type TransferRow } from './admin-orders.ts'
import { type HeldItem, readItemStates } from './order-states.ts'
import { shownOrder, shownParts } from './orders.routes.ts'
import { findOwnOrder, isOrderId, priceLeftOf, readRefundParts } from './orders.ts'

const shownTransfer = (row: TransferRow) => ({
  ...row,
  amount: toMajor(row.amount),
  created_at: row.created_at.toISOString(),
})

const shownEvent = (row: EventRow) => ({ ...row, at: row.at.toISOString() })

const leftOf = (item: HeldItem | undefined) => ({
  left_amount: toMajor(item && item.status !== 'refunded' ? priceLeftOf(item) : 0),
  left_quantity: item && item.status !== 'refunded' ? item.quantity - item.refunded_units : 0,
})

/** An order as the operator sees it: codes masked, the money it moved, and all that happened to it. */
export async function readOrder(
  { database, vault }: { database: Queries; vault: Vault },
  orderId: string,
  language: Language,
): Promise<AnswerOf<typeof adminOrdersApi.one>> {
  const id = orderId.toUpperCase()
  const buyer = isOrderId(id) ? await findBuyer(database, id) : undefined
  const row = buyer && (await findOwnOrder(database, buyer.user_id, id, language))
  if (!row) throw new Failure('NOT_FOUND')
  const [codes, transfers, timeline, disputes, parts, held] = await Promise.all([
    codesOfOrder(database, vault, id),
    readTransfers(database, id),
    readTimeline(database, id),
    readDisputes(database, id),
    readRefundParts(database, id),
    readItemStates(database, id),
  ])
  const order = shownOrder(row)
  return {
    data: {
      ...order,
      ...buyer,
      items: order.items.map((item) => ({
        ...item,
        codes: codes.get(item.id) ?? [],
        partial_refunds: shownParts(parts, item.id),
        ...leftOf(held.find(({ id: itemId }) => itemId === item.id)),
      })),
      transfers: transfers.map(shownTransfer),
      timeline: timeline.map(shownEvent),
      disputes,
    },
  }
}
