import { BUSINESS } from '@olmos/contract/business'
import { SERVER_BUSINESS } from '../../business.ts'
import type { Resources } from '../../platform/context.ts'
import { sql, type Tx } from '../../platform/database/queries.ts'

/**
 * How many minutes each unit took that was paid for in the last days. What was refunded never came, and neither has what
 * is still under way past its promise: both stand behind everything that was delivered. What is younger is left out.
 */
const units = sql`
  SELECT coalesce(order_item.product_id, offer.product_id) AS product_id,
    CASE WHEN delivery.state = 'done' AND order_item.status <> 'refunded'
      THEN (extract(epoch FROM delivery.decided_at - delivery.created_at) / 60)::float8
      ELSE 'Infinity'::float8 END AS minutes
  FROM delivery JOIN order_item ON order_item.id = delivery.order_item_id
  LEFT JOIN offer ON offer.id = order_item.offer_id
  WHERE delivery.created_at > now() - make_interval(days => ${BUSINESS.measuredDays})
    AND (delivery.decided_at IS NOT NULL
      OR delivery.created_at < now() - make_interval(mins => delivery.promised_minutes))`

/** Writes what differs from the last time, and returns the products it is about. */
const updateMinutes = (tx: Tx) =>
  tx.rows<{ product_id: number }>(sql`
    WITH pace AS (
      SELECT product_id, percentile_disc(ARRAY[0.5, 0.95]::float8[]) WITHIN GROUP (ORDER BY minutes) AS minutes
      FROM (${units}) AS unit GROUP BY product_id
      HAVING count(*) FILTER (WHERE minutes < 'Infinity') >= ${SERVER_BUSINESS.measuredDeliveriesMin}),
    measured AS (
      SELECT product_id, greatest(1, ceil(minutes[1]))::int AS p50, greatest(1, ceil(minutes[2]))::int AS p95
      FROM pace WHERE minutes[2] < 'Infinity'),
    gone AS (
      DELETE FROM delivery_minutes WHERE product_id NOT IN (SELECT product_id FROM measured) RETURNING product_id),
    written AS (
      INSERT INTO delivery_minutes AS known (product_id, p50, p95) SELECT product_id, p50, p95 FROM measured
      ON CONFLICT (product_id) DO UPDATE SET p50 = excluded.p50, p95 = excluded.p95
      WHERE (known.p50, known.p95) IS DISTINCT FROM (excluded.p50, excluded.p95)
      RETURNING product_id)
    SELECT product_id FROM gone UNION ALL SELECT product_id FROM written`)

/** Measures how long deliveries take, from the payment on, and renews the pages that show it. */
export const measureMinutes = ({ database }: Pick<Resources, 'database'>): Promise<void> =>
  database.transaction(async (tx) => {
    for (const { product_id } of await updateMinutes(tx)) tx.notify('catalogue', `product:${product_id}`)
  })
