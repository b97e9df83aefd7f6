import { sql } from '../../platform/database.ts'
import type { Invariant } from './invariant.ts'

/** Longer than any transaction that moves money: a statement may take 8 seconds. */
const transaction = sql`interval '1 minute'`

export const invariantsOfAudit: readonly Invariant[] = [
  {
    number: 19,
    name: 'audit-chain',
    sentence: 'The audit trail has no gap, and each entry hashes the one before',
    offenders: sql`
      SELECT 'audit entry ' || id AS subject FROM (
        SELECT id, hash, row_number() OVER in_order AS place,
          audit_hash(coalesce(lag(hash) OVER in_order, ''::bytea), audit_entry) AS expected
        FROM audit_entry WINDOW in_order AS (ORDER BY id)) AS chain
      WHERE hash IS DISTINCT FROM expected OR id <> place`,
  },
  {
    number: 20,
    name: 'money-is-audited',
    sentence: 'Every change of money that an admin made has its entry in the audit trail',
    offenders: sql`
      SELECT 'transfer ' || transfer.id AS subject FROM transfer
      JOIN account ON account.id = CASE WHEN credit_balance IS NULL THEN debit_account ELSE credit_account END
      WHERE made_by IS NOT NULL AND transfer.kind <> 'refund' AND NOT EXISTS (
        SELECT FROM audit_entry
        WHERE subject = 'user:' || account.user_id AND actor_id = made_by AND CASE action
          WHEN 'user.balance' THEN (after ->> transfer.currency)::bigint = coalesce(credit_balance, debit_balance)
          WHEN 'user.topup' THEN after @> jsonb_build_object('currency', transfer.currency, 'amount', amount) END
          AND audit_entry.created_at BETWEEN transfer.created_at AND transfer.created_at + ${transaction})
      UNION ALL
      SELECT 'refund ' || refund.id FROM refund
      WHERE made_by IS NOT NULL AND NOT EXISTS (
        SELECT FROM audit_entry
        WHERE actor_id = made_by AND CASE WHEN delivery_id IS NULL
          THEN subject = 'order:' || order_id AND action = 'order.refund'
            AND after -> 'items' @> to_jsonb(order_item_id)
            AND (part_id IS NULL OR after -> 'parts' @> jsonb_build_array(jsonb_build_object('id', part_id)))
          ELSE subject = 'delivery:' || delivery_id AND action = 'delivery.refund' END)`,
  },
]
