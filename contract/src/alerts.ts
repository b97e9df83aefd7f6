import { z } from 'zod'
import { adminEndpoint } from './endpoint.ts'
import { bigId, byBigId, listQuery, time, toData, toList } from './fields.ts'

/** `acknowledged`: an operator takes care of it, and it is not over yet. */
const alertStates = ['open', 'acknowledged', 'resolved'] as const
export type AlertState = (typeof alertStates)[number]

/** What the store raises alerts about. Each has a title in `alert-titles.ts`, or the build breaks. */
export const alertKinds = [
  'approval.expired',
  'approval.waiting',
  'backup.failed',
  'backup.not_copied',
  'backup.old',
  'backup.wal_gap',
  'backup.wal_late',
  'codes.expiring',
  'codes.low',
  'codes.other_game',
  'delivery.done_after_refund',
  'delivery.stuck',
  'invariant',
  'offer.too_dear',
  'payment.buyer_blocked',
  'payment.canceled_after_success',
  'payment.charged_back_twice',
  'payment.coupon_gone',
  'payment.difference',
  'payment.dispute_unknown',
  'payment.disputed',
  'payment.fraud_warning',
  'payment.not_allowed',
  'payment.not_on_sale',
  'payment.out_of_stock',
  'payment.paid_before',
  'payment.part_gone',
  'payment.price_changed',
  'payment.receipt_failed',
  'payment.receipt_unread',
  'payment.refused',
  'payment.superseded',
  'payment.unknown',
  'payment.wrong_amount',
  'payment.wrong_currency',
  'price.no_rate',
  'price.too_low',
  'price.under_floor',
  'price.waiting',
  'product.fields',
  'product.options',
  'rate.held',
  'rate.missing',
  'rates.failed',
  'refund.failed',
  'refund.outside',
  'refund.stuck',
  'refund.unknown',
  'security.copies',
  'security.guessing',
  'security.resets',
  'security.reveals',
  'source.cost_moved',
  'source.gone',
  'supplier.catalogue',
  'supplier.float',
  'supplier.no_rate',
  'supplier.not_allowed',
  'supplier.out',
  'supplier.refuses',
  'supplier.steam_rate',
  'support.waiting',
] as const
export type AlertKind = (typeof alertKinds)[number]

/** Kinds about what waits in a list of its own as well: a conversation, a delivery of the operator, a package that runs out. */
export const alertKindsWithList = ['codes.low', 'delivery.stuck', 'support.waiting'] as const satisfies AlertKind[]

/** The facts an alert may have. Each has a text in the admin area's `alerts.fact`, or the build breaks. */
export type AlertFact =
  | 'admin'
  | 'added'
  | 'amount'
  | 'as_of'
  | 'asked'
  | 'at_most'
  | 'charged'
  | 'codes'
  | 'cost'
  | 'costs_now'
  | 'day'
  | 'differences'
  | 'due_by'
  | 'expires_on'
  | 'failures'
  | 'field'
  | 'from_balance'
  | 'gone'
  | 'held'
  | 'hours'
  | 'in_force'
  | 'minutes'
  | 'not_in_wallet'
  | 'number'
  | 'offenders'
  | 'order'
  | 'paid'
  | 'paid_to'
  | 'packages'
  | 'pair'
  | 'parameter'
  | 'passwords'
  | 'product'
  | 'provider'
  | 'provider_payment_id'
  | 'provider_refund_id'
  | 'reason'
  | 'rows'
  | 'sample'
  | 'since'
  | 'sold'
  | 'source'
  | 'status'
  | 'supplier'
  | 'too_much'
  | 'why'
  | 'withdrawn'

/** `amount` is of `currency`; `sentence` describes an invariant in English, for the log. */
export type AlertDetails = { readonly [Fact in AlertFact | 'currency' | 'sentence']?: unknown }

export const alert = z.object({
  id: bigId,
  /** One of `alertKinds`, or its name in an earlier version of the store. */
  kind: z.string(),
  /** What it is about: `delivery:17`, or a supplier's name. */
  subject: z.string(),
  /** The facts, which depend on the kind; money is in minor units. */
  details: z.record(z.string(), z.unknown()),
  state: z.enum(alertStates),
  created_at: time,
  acknowledged_at: time.nullable(),
  /** The admin's nickname. */
  acknowledged_by: z.string().nullable(),
  resolved_at: time.nullable(),
  /** Null when its cause ended by itself. */
  resolved_by: z.string().nullable(),
})
export type Alert = z.infer<typeof alert>

export const alertsApi = {
  list: adminEndpoint('GET /admin/alerts', {
    operationId: 'listAlerts',
    permission: 'alerts.write',
    summary:
      'What went wrong and waits for an operator: what is not over first; a search is for a part of kind or subject',
    query: listQuery(['id']).extend({
      state: z.enum(alertStates).optional(),
      /** `elsewhere`: those of `alertKindsWithList`; `here`: all others. */
      waits: z.enum(['elsewhere', 'here']).optional(),
    }),
    answer: toList(alert),
  }),
  count: adminEndpoint('GET /admin/alerts/count', {
    operationId: 'countOpenAlerts',
    permission: 'alerts.write',
    summary:
      'How many nobody has taken on yet; `only_here` without those about what waits in another list too: conversations, deliveries and packages that run out',
    answer: toData(z.object({ open: z.int(), only_here: z.int() })),
  }),
  change: adminEndpoint('PUT /admin/alerts/:id', {
    operationId: 'answerAlert',
    permission: 'alerts.write',
    refusals: ['STATE_CONFLICT'],
    summary: 'Takes an alert on, or says that it is over; the same trouble raises a new one afterwards',
    params: byBigId,
    body: z.strictObject({ state: z.enum(['acknowledged', 'resolved']) }),
    answer: toData(alert),
  }),
}
