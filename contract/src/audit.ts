import { z } from 'zod'
import { adminEndpoint } from './endpoint.ts'
import { bigId, id, idText, listQuery, text, time, toList } from './fields.ts'

/** The audited actions: noun and verb. Each has a text in the admin area's `audit.did`, or the build breaks. */
export const auditActions = [
  'alert.acknowledged',
  'alert.resolved',
  'batch.update',
  'code.create',
  'code.delete',
  'code.publish',
  'code.reveal',
  'code.update',
  'codes.copy',
  'codes.generate',
  'codes.import',
  'codes.publish',
  'codes.recall',
  'delivery.complete',
  'delivery.refund',
  'delivery.retry',
  'denomination.create',
  'denomination.delete',
  'denomination.update',
  'dispute.decide',
  'dispute.evidence',
  'dispute.open',
  'dispute.release',
  'fiscal.settings',
  'fiscal.try',
  'ledger.prove',
  'offer.create',
  'offer.delete',
  'offer.sources',
  'offer.under_floor',
  'offer.update',
  'order.refund',
  'order.replace_code',
  'order.status',
  'payment.confirm',
  'price_rule.create',
  'price_rule.delete',
  'price_rule.update',
  'prices.approve',
  'prices.change',
  'prices.reject',
  'product.create',
  'product.currency',
  'product.fields',
  'product.delete',
  'product.regions',
  'product.update',
  'promotion.create',
  'promotion.delete',
  'promotion.update',
  'pubg_code.create',
  'pubg_code.delete',
  'pubg_code.update',
  'pubg_codes.import',
  'rate.change',
  'rates.refresh',
  'rates.settings',
  'refund.decide',
  'region.create',
  'region.delete',
  'region.update',
  'second_factor.disable',
  'second_factor.enrol',
  'second_factor.recovery',
  'second_factor.recovery_codes',
  'second_factor.reset',
  'source.reopen',
  'supplier.fields',
  'supplier.sync',
  'supplier.take_over',
  'support.update',
  'user.balance',
  'user.blocked',
  'user.password',
  'user.role',
  'user.topup',
] as const
export type AuditAction = (typeof auditActions)[number]

export const auditEntry = z.object({
  id: bigId,
  created_at: time,
  actor_id: id.nullable(),
  /** The admin's nickname; null when the shop itself did it. */
  actor: z.string().nullable(),
  /** One of `auditActions`, or its name in an earlier version of the store. */
  action: z.string(),
  /** What was changed: `product:17`. */
  subject: z.string(),
  /** Only the fields that changed. */
  before: z.unknown(),
  after: z.unknown(),
})
export type AuditEntry = z.infer<typeof auditEntry>

const moment = z.iso.datetime({ offset: true, error: 'invalid_time' }).optional()

export const auditApi = {
  list: adminEndpoint('GET /admin/audit', {
    operationId: 'listAudit',
    summary: 'Who changed what, newest first; a search is for a part of an action, a subject or a nickname',
    query: listQuery(['id']).extend({
      actorId: idText.optional(),
      action: text(0, 100).optional(),
      subject: text(0, 100).optional(),
      from: moment,
      to: moment,
    }),
    answer: toList(auditEntry),
  }),
}
