import type { Sql } from 'sql-template-tag'
import { z } from 'zod'
import { type Queries, sql, type Tx } from '../../platform/database/database.ts'
import type { SupplierEvent } from '../topups/supplier.ts'
import { aroundOrdered, type OpenOrder, type Ordered, orderedColumns } from './deliveries.store.ts'
import type { Tried } from './delivery.rules.ts'

interface NewSupplierOrder {
  deliveryId: number
  supplier: string
  codeId: number | null
  /** What it is asked for. */
  item: string | null
}

export const insertOrder = (tx: Tx, order: NewSupplierOrder) =>
  tx.one<OpenOrder>(sql`
    INSERT INTO supplier_order (delivery_id, supplier, code_id, item)
    VALUES (${order.deliveryId}, ${order.supplier}, ${order.codeId}, ${order.item})
    RETURNING id, supplier, key, code_id, supplier_order_id, 0 AS age_seconds`)

/** What came to nothing since the delivery was last begun anew. */
export const readTried = (tx: Tx, deliveryId: number) =>
  tx.rows<Tried>(sql`
    SELECT supplier, code_id IS NOT NULL AS "isPool", supplier_order.reason AS why
    FROM supplier_order JOIN delivery ON delivery.id = delivery_id
    WHERE delivery_id = ${deliveryId} AND supplier_order.state = 'rejected'
      AND supplier_order.created_at >= delivery.tried_since
    ORDER BY supplier_order.id`)

export const setOrder = (
  tx: Tx,
  id: number,
  to: {
    state: 'sent' | 'done' | 'rejected' | 'unknown' | 'given_up'
    supplierOrderId?: string | undefined
    reason?: string | undefined
  },
) =>
  tx.run(sql`
    UPDATE supplier_order SET state = ${to.state}, reason = ${to.reason},
      supplier_order_id = coalesce(supplier_order_id, ${to.supplierOrderId})
    WHERE id = ${id}`)

export const noteResent = (tx: Tx, id: number) =>
  tx.run(sql`UPDATE supplier_order SET sent_at = now() WHERE id = ${id}`)

/** Whether the supplier gave this name to another order before. */
export const isNameTaken = async (tx: Tx, { id, supplier }: OpenOrder, supplierOrderId: string): Promise<boolean> =>
  (await tx.maybe(sql`
    SELECT FROM supplier_order
    WHERE supplier = ${supplier} AND supplier_order_id = ${supplierOrderId} AND id <> ${id}`)) !== undefined

export type CallKind = 'submit' | 'look_up'

export const insertCall = async (tx: Tx, orderId: number, kind: CallKind): Promise<number> => {
  const { id } = await tx.one<{ id: number }>(
    sql`INSERT INTO supplier_call (supplier_order_id, kind) VALUES (${orderId}, ${kind}) RETURNING id`,
  )
  return id
}

/** Whether a worker waits for a supplier's answer about the delivery. Of one that died nobody waits once its hold is over. */
export const isCallUnderWay = async (tx: Tx, deliveryId: number): Promise<boolean> =>
  (await tx.maybe(sql`
    SELECT FROM delivery JOIN supplier_order ON supplier_order.delivery_id = delivery.id
    JOIN supplier_call ON supplier_call.supplier_order_id = supplier_order.id
    WHERE delivery.id = ${deliveryId} AND held_until > now() AND outcome IS NULL LIMIT 1`)) !== undefined

export const endCall = (tx: Tx, id: number, outcome: string, reason: string | null) =>
  tx.run(sql`UPDATE supplier_call SET outcome = ${outcome}, reason = ${reason}, ended_at = now() WHERE id = ${id}`)

/** Answers whether the supplier tells it for the first time. */
export const insertEvent = async (tx: Tx, supplier: string, eventKey: string): Promise<boolean> =>
  (await tx.run(sql`
    INSERT INTO supplier_event (supplier, event_key) VALUES (${supplier}, ${eventKey}) ON CONFLICT DO NOTHING`)) === 1

/** What a notice is about: by the supplier's name for it, or by the shop's key, which may be no key of this shop. */
const isAbout = (about: SupplierEvent['about']): Sql =>
  'key' in about
    ? sql`key = ${z.uuid().safeParse(about.key).data ?? null}`
    : sql`supplier_order_id = ${about.supplierOrderId}`

/** The delivery a notice speaks of is to be looked at now. */
export const makeDue = (tx: Tx, supplier: string, about: SupplierEvent['about']) =>
  tx.run(sql`
    UPDATE delivery SET next_at = now() FROM supplier_order
    WHERE supplier_order.delivery_id = delivery.id AND supplier = ${supplier} AND ${isAbout(about)}
      AND supplier_order.state IN ('sent', 'unknown') AND delivery.next_at IS NOT NULL`)

/** An order that was refunded without knowing what became of it, with all that its supplier has to be told. */
export interface GivenUpOrder extends OpenOrder, Ordered {
  delivery_id: number
  order_id: string
}

export const findGivenUp = (queries: Queries, supplier: string, about: SupplierEvent['about']) =>
  queries.rows<GivenUpOrder>(sql`
    SELECT supplier_order.id, supplier, key, code_id, supplier_order_id, delivery_id, order_item.order_id,
      extract(epoch FROM now() - sent_at)::float AS age_seconds, ${orderedColumns}
    FROM supplier_order JOIN delivery ON delivery.id = delivery_id
    JOIN order_item ON order_item.id = delivery.order_item_id ${aroundOrdered}
    WHERE supplier = ${supplier} AND ${isAbout(about)} AND supplier_order.state = 'given_up'`)

export const lockOpenOrder = (tx: Tx, deliveryId: number) =>
  tx.maybe<Pick<OpenOrder, 'id' | 'supplier' | 'code_id'>>(sql`
    SELECT id, supplier, code_id FROM supplier_order
    WHERE delivery_id = ${deliveryId} AND state IN ('sent', 'unknown') FOR UPDATE`)
