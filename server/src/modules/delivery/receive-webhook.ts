import type { Sql } from 'sql-template-tag'
import { z } from 'zod'
import { type Queries, sql, type Tx } from '../../platform/database/queries.ts'
import { raiseAlert } from '../../platform/live/alert.ts'
import { type HttpReply, repeatWebhook, type Webhook } from '../../platform/vendor/webhooks.ts'
import { openPoolCode } from '../codes/spend-codes.ts'
import type { Supplier, SupplierEvent } from '../topups/supplier.ts'
import { isSupplierName } from '../topups/suppliers.ts'
import { readService, toRequest } from './deliver.ts'
import { type DeliveryShop, type OpenOrder, type Ordered, orderedColumns, orderedJoins } from './deliveries.store.ts'

/** Returns whether the supplier sends it for the first time. */
const insertEvent = async (tx: Tx, supplier: string, eventKey: string): Promise<boolean> =>
  (await tx.run(sql`
    INSERT INTO supplier_event (supplier, event_key) VALUES (${supplier}, ${eventKey}) ON CONFLICT DO NOTHING`)) === 1

/**
 * Matches what a webhook is about: by the supplier's name for it, or by the shop's key, which may be no key of this
 * shop.
 */
const isAbout = (about: SupplierEvent['about']): Sql =>
  'key' in about
    ? sql`key = ${z.uuid().safeParse(about.key).data ?? null}`
    : sql`supplier_order_id = ${about.supplierOrderId}`

/** Makes the delivery a webhook names due now. */
const makeDue = (tx: Tx, supplier: string, about: SupplierEvent['about']) =>
  tx.run(sql`
    UPDATE delivery SET next_at = now() FROM supplier_order
    WHERE supplier_order.delivery_id = delivery.id AND supplier = ${supplier} AND ${isAbout(about)}
      AND supplier_order.state IN ('sent', 'unknown') AND delivery.next_at IS NOT NULL`)

/** An order that was refunded while its outcome was unknown, with everything its supplier has to be told. */
interface GivenUpOrder extends Omit<OpenOrder, 'item'>, Ordered {
  /** What the supplier was asked for. */
  sent_item: string | null
  delivery_id: number
  order_id: string
}

const findGivenUp = (queries: Queries, supplier: string, about: SupplierEvent['about']) =>
  queries.rows<GivenUpOrder>(sql`
    SELECT supplier_order.id, supplier, key, code_id, supplier_order.item AS sent_item, supplier_product_id,
      cost_at_most::text AS cost_at_most, supplier_order_id, delivery_id, order_item.order_id,
      extract(epoch FROM now() - sent_at)::float AS age_seconds, ${orderedColumns}
    FROM supplier_order JOIN delivery ON delivery.id = delivery_id
    JOIN order_item ON order_item.id = delivery.order_item_id ${orderedJoins}
    WHERE supplier = ${supplier} AND ${isAbout(about)} AND supplier_order.state = 'given_up'`)

const noSupplier: HttpReply = { status: 404, body: 'no such supplier' }
const unavailable: HttpReply = { status: 503, body: 'this supplier is not configured' }

/**
 * Receives a supplier's webhook. One without proof is refused, and even a proven one is not believed: the deliveries it
 * names are looked up at once, by their worker, and here those that were refunded while their outcome was unknown.
 * Receiving a webhook twice has no further effect.
 */
export async function receiveSupplierWebhook(shop: DeliveryShop, name: string, webhook: Webhook): Promise<HttpReply> {
  if (!isSupplierName(name)) return noSupplier
  const supplier = shop.suppliers.configured.find((configured) => configured.name === name)
  if (!supplier?.readWebhook) return unavailable
  const reading = supplier.readWebhook(webhook)
  if (!reading.verified) {
    shop.log.warn({ supplier: name, why: reading.reply.body }, 'webhook refused')
    return reading.reply
  }
  for (const { about } of reading.events) {
    for (const order of await findGivenUp(shop.database, name, about)) {
      if (!(await lookAtGivenUp(shop, supplier, order))) return repeatWebhook
    }
  }
  await shop.database.transaction(async (tx) => {
    for (const { eventKey, about } of reading.events) {
      if (!(await insertEvent(tx, name, eventKey))) continue
      await makeDue(tx, name, about)
      tx.notify('delivery', 'due')
    }
  })
  return reading.reply
}

/** Raises an alert when it was delivered after all. Returns whether the supplier said what became of it. */
async function lookAtGivenUp(
  { database, vault, log }: DeliveryShop,
  supplier: Supplier,
  order: GivenUpOrder,
): Promise<boolean> {
  const { code_id: codeId } = order
  const code = codeId === null ? undefined : await database.transaction((tx) => openPoolCode(tx, vault, codeId))
  const sent = { supplierOrderId: order.supplier_order_id, ageSeconds: order.age_seconds }
  // Nothing may be bought here any more, even if this supplier's look-up sends the order again.
  const fieldNames = (await readService(database, order, order))?.field_names ?? {}
  const asked = { key: order.key, item: order.sent_item }
  const request = { ...toRequest(order, { order: asked, code, fieldNames }), costAtMost: 0n }
  const answer = await supplier.lookUp(request, sent)
  log.warn({ delivery: order.delivery_id, supplier: supplier.name, answer }, 'told of what was refunded')
  if (answer.kind === 'done' && answer.value.status === 'done') {
    await raiseAlert(database, {
      kind: 'delivery.done_after_refund',
      subject: `delivery:${order.delivery_id}`,
      details: { order: order.order_id },
    })
  }
  return answer.kind !== 'unknown'
}
