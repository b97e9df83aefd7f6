import { type Queries, sql } from '../../platform/database.ts'

/** What an operator wants to be woken for. Each is counted in a partial index, so that asking often costs nothing. */
export const readShopFigures = (queries: Queries) =>
  queries.one<Record<string, number>>(sql`
    SELECT (SELECT count(*)::int FROM alert WHERE resolved_at IS NULL) AS alerts_open,
      (SELECT count(*)::int FROM delivery WHERE next_at IS NOT NULL) AS deliveries_waiting,
      (SELECT count(*)::int FROM delivery WHERE operator_since IS NOT NULL) AS deliveries_with_operator,
      (SELECT count(*)::int FROM orders WHERE status = 'awaiting_payment') AS orders_awaiting_payment,
      (SELECT count(*)::int FROM payment WHERE status IN ('opening', 'open')) AS payments_undecided`)
