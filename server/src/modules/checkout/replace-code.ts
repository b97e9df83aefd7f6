import { Failure } from '@olmos/contract/failure'
import type { Tx } from '../../platform/database/queries.ts'
import { writeAudit } from '../../platform/security/audit.ts'
import { replaceSoldCode } from '../codes/change-code.ts'
import { lockOrder, readLockedItems } from '../orders/order-states.ts'
import { isOrderId } from '../orders/orders.ts'

interface BadCode {
  orderId: string
  codeId: number
  reason: string
  adminId: number
}

interface ReplacedCode {
  id: string
  item_id: number
  code_id: number
  replaced_code_id: number
}

/** Replaces a code that does not work by another one of the same offer. No money moves. */
export async function replaceCode(tx: Tx, { codeId, reason, adminId, ...bad }: BadCode): Promise<ReplacedCode> {
  const orderId = bad.orderId.toUpperCase()
  const order = isOrderId(orderId) ? await lockOrder(tx, orderId) : undefined
  if (!order) throw new Failure('NOT_FOUND')
  const items = (await readLockedItems(tx, order)).flatMap(({ offer_id, ...item }) =>
    item.item_type === 'code' && item.status === 'delivered' && offer_id !== null ? [{ ...item, offer_id }] : [],
  )
  const { itemId, newCodeId } = await replaceSoldCode(tx, items, codeId)
  await writeAudit(tx, {
    actorId: adminId,
    action: 'order.replace_code',
    subject: `order:${order.id}`,
    before: { item_id: itemId, code_id: codeId },
    after: { item_id: itemId, code_id: newCodeId, reason },
  })
  return { id: order.id, item_id: itemId, code_id: newCodeId, replaced_code_id: codeId }
}
