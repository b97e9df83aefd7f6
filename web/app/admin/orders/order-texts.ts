import type { CodeStatus } from '@olmos/contract/codes'

export const methodTexts = {
  balance: 'admin.orders.balance',
  card: 'admin.orders.card',
  code: 'admin.orders.code',
} as const

export const codeStatusTexts = {
  unpublished: 'admin.orders.codeStatus.unpublished',
  available: 'admin.orders.codeStatus.available',
  reserved: 'admin.orders.codeStatus.reserved',
  used: 'admin.orders.codeStatus.used',
  error: 'admin.orders.codeStatus.error',
  quarantined: 'admin.orders.codeStatus.quarantined',
  archived: 'admin.orders.codeStatus.archived',
} as const satisfies Record<CodeStatus, string>

/** What happened, by the kind of the event; of a kind that is not here the kind itself is shown. */
export const eventTexts: Readonly<Record<string, string>> = {
  placed: 'admin.orders.event.placed',
  transfer: 'admin.orders.event.transfer',
  payment_opened: 'admin.orders.event.payment_opened',
  payment_settled: 'admin.orders.event.payment_settled',
  codes_sold: 'admin.orders.event.codes_sold',
  codes_revealed: 'admin.orders.event.codes_revealed',
  codes_returned: 'admin.orders.event.codes_returned',
  refund: 'admin.orders.event.refund',
  'order.refund': 'admin.orders.event.order_refund',
  'order.status': 'admin.orders.event.order_status',
  'order.replace_code': 'admin.orders.event.order_replace_code',
  'delivery.complete': 'admin.orders.event.delivery_complete',
  'delivery.retry': 'admin.orders.event.delivery_retry',
  'delivery.refund': 'admin.orders.event.delivery_refund',
  status: 'admin.orders.event.status',
  'payment.confirm': 'admin.orders.event.payment_confirm',
  dispute: 'admin.orders.event.dispute',
  fraud_warning: 'admin.orders.event.fraud_warning',
  'dispute.open': 'admin.orders.event.dispute_open',
  'dispute.decide': 'admin.orders.event.dispute_decide',
  'dispute.release': 'admin.orders.event.dispute_release',
  'dispute.evidence': 'admin.orders.event.dispute_evidence',
  'refund.decide': 'admin.orders.event.refund_decide',
}
