import { SERVER_BUSINESS } from '../../business.ts'
import { SERVER_LIMITS } from '../../limits.ts'
import { type Sql, sql, type Tx } from '../../platform/database/queries.ts'
import { raiseAlert, resolveAlert } from '../../platform/live/alert.ts'

interface SettledSource {
  id: number
  product_id: number
  is_on: boolean
  /** The shop's product, and the supplier's name for what is bought. */
  product: string
  cost: string
  accepted: string | null
}

/** Selects the sources of offers by a supplier. `bought` is what they buy. */
const sourcesBy = (supplier: string) => sql`
  offer_source AS source JOIN supplier_product AS bought ON bought.id = source.supplier_product_id
  JOIN offer ON offer.id = source.offer_id AND offer.deleted_at IS NULL AND bought.supplier = ${supplier}`

/** How far a cost may be from the accepted one; another currency is another cost. */
const hasMoved = sql`(bought.currency <> source.accepted_currency
  OR abs(bought.cost - source.accepted_cost) * 100 > source.accepted_cost * ${SERVER_BUSINESS.costMovePercent}::int)`

/** Closes or opens some of the sources that the condition is true of. */
const setClosed = (tx: Tx, supplier: string, reason: 'gone' | 'cost_moved' | null, condition: Sql) =>
  tx.rows<SettledSource>(sql`
    WITH due AS (
      SELECT source.id, offer.product_id FROM ${sourcesBy(supplier)}
      WHERE ${condition} ORDER BY source.id LIMIT ${SERVER_LIMITS.sourcesAtOnce}::int FOR UPDATE OF source)
    UPDATE offer_source AS source
    SET closed_reason = ${reason}, closed_at = CASE WHEN ${reason}::text IS NULL THEN NULL ELSE now() END
    FROM due, supplier_product AS bought, product_text AS texts
    WHERE source.id = due.id AND bought.id = source.supplier_product_id
      AND texts.product_id = due.product_id AND texts.language = 'ru'
    RETURNING source.id, due.product_id, source.is_on, texts.title || ': ' || bought.name AS product,
      trim_scale(bought.cost) || ' ' || bought.currency AS cost,
      trim_scale(source.accepted_cost) || ' ' || source.accepted_currency AS accepted`)

/** What a source was bought for first is what its operator said yes to. */
const acceptFirstCosts = (tx: Tx, supplier: string) =>
  tx.run(sql`
    UPDATE offer_source AS source SET accepted_cost = bought.cost, accepted_currency = bought.currency
    FROM supplier_product AS bought
    WHERE bought.id = source.supplier_product_id AND bought.supplier = ${supplier} AND bought.gone_at IS NULL
      AND source.accepted_cost IS NULL`)

/**
 * Closes the sources whose product is gone or whose cost has moved too far, with an alert for each that was in use, and
 * opens those that only were gone. Returns whether there may be more to do: it does a part at a time.
 */
export async function settleSources(tx: Tx, supplier: string): Promise<boolean> {
  const settled = await tx.pipeline({
    accepted: (tx) => acceptFirstCosts(tx, supplier),
    gone: (tx) => setClosed(tx, supplier, 'gone', sql`bought.gone_at IS NOT NULL AND source.closed_reason IS NULL`),
    back: (tx) => setClosed(tx, supplier, null, sql`bought.gone_at IS NULL AND source.closed_reason = 'gone'`),
    moved: (tx) =>
      setClosed(
        tx,
        supplier,
        'cost_moved',
        sql`bought.gone_at IS NULL AND source.closed_reason IS NULL AND ${hasMoved}`,
      ),
  })
  for (const { id, is_on, product } of settled.gone) {
    if (!is_on) continue
    await raiseAlert(tx, { kind: 'source.gone', subject: toSubject(id), details: { supplier, product } })
  }
  for (const { id } of settled.back) await resolveAlert(tx, 'source.gone', toSubject(id))
  for (const { id, is_on, product, cost, accepted } of settled.moved) {
    if (!is_on) continue
    const details = { supplier, product, cost: accepted, costs_now: cost }
    await raiseAlert(tx, { kind: 'source.cost_moved', subject: toSubject(id), details, whenChanged: 'refresh' })
  }
  const all = [...settled.gone, ...settled.back, ...settled.moved]
  for (const productId of new Set(all.map(({ product_id }) => product_id))) {
    tx.notify('catalogue', `product:${productId}`)
  }
  return all.length > 0
}

const toSubject = (sourceId: number): string => `source:${sourceId}`

/** Closes the alerts about a source: an operator has opened it, or it is none any more. */
export async function resolveSourceAlerts(tx: Tx, sourceId: number): Promise<void> {
  await resolveAlert(tx, 'source.gone', toSubject(sourceId))
  await resolveAlert(tx, 'source.cost_moved', toSubject(sourceId))
}
