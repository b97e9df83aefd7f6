import { SERVER_LIMITS } from '../../limits.ts'
import type { Database } from '../../platform/database/database.ts'
import { removeInBatches } from '../../platform/database/jobs.ts'
import { type Queries, type Sql, sql, type Tx } from '../../platform/database/queries.ts'
import { raiseAlert } from '../../platform/live/alert.ts'
import { type HttpReply, repeatWebhook, type Webhook } from '../../platform/vendor/adapters.ts'
import { isUuid } from '../../platform/vendor/vendor.ts'
import { openPoolCode } from '../codes/spend-codes.ts'
import type { Supplier, SupplierEvent } from '../topups/supplier.ts'
import { isSupplierName, supplierNamed } from '../topups/suppliers.ts'
import { deliverNext, readService, toRequest } from './deliver.ts'
import {
  type DeliveryShop,
  handOverOverdue,
  type OpenOrder,
  type Ordered,
  orderedColumns,
  orderedJoins,
} from './deliveries.ts'

/** Returns whether the supplier sends it for the first time. */
const insertEvent = async (tx: Tx, supplier: string, eventKey: string): Promise<boolean> =>
  (await tx.run(sql`
    INSERT INTO supplier_event (supplier, event_key) VALUES (${supplier}, ${eventKey}) ON CONFLICT DO NOTHING`)) === 1

/** Deletes what is known of webhooks that no supplier repeats any more. */
export const forgetOldEvents = (database: Database): Promise<number> =>
  removeInBatches(
    database,
    'supplier_event',
    sql`created_at < now() - make_interval(days => ${SERVER_LIMITS.supplierEventDays})`,
  )

/**
 * Matches what a webhook is about: by the supplier's name for it, or by the shop's key, which may be no key of this
 * shop.
 */
const isAbout = (about: SupplierEvent['about']): Sql =>
  'key' in about
    ? sql`key = ${isUuid(about.key) ? about.key : null}`
    : sql`supplier_order_id = ${about.supplierOrderId}`

/** Makes the delivery a webhook names due now. */
const makeDue = (tx: Tx, supplier: string, about: SupplierEvent['about']) =>
  tx.run(sql`
    UPDATE delivery SET next_at = now() FROM supplier_order
    WHERE supplier_order.delivery_id = delivery.id AND supplier = ${supplier} AND ${isAbout(about)}
      AND supplier_order.state IN ('sent', 'unknown') AND delivery.next_at IS NOT NULL`)

/** An order that was refunded while its outcome was unknown, with everything its supplier has to be told. */
interface GivenUpOrder extends Omit<OpenOrder, 'item' | 'account_mark'>, Ordered {
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
  const supplier = supplierNamed(shop.suppliers, name)
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
  // What was delivered is a code, which belongs into no log.
  const told = answer.kind === 'done' ? { kind: answer.kind, status: answer.value.status } : answer
  log.warn({ delivery: order.delivery_id, supplier: supplier.name, answer: told }, 'supplier answered after the refund')
  if (answer.kind === 'done' && answer.value.status === 'done') {
    await raiseAlert(database, {
      kind: 'delivery.done_after_refund',
      subject: `delivery:${order.delivery_id}`,
      details: { order: order.order_id },
    })
  }
  return answer.kind !== 'unknown'
}

/** Reads in how many seconds a delivery has to be looked at, and one becomes overdue; null: none that is known. */
const readDue = (queries: Queries) =>
  queries.one<{ delivery: number | null; overdue: number | null }>(sql`
    SELECT extract(epoch FROM least((SELECT min(next_at) FROM delivery WHERE next_at > now()),
        (SELECT min(coalesce(held_until, next_at)) FROM delivery WHERE next_at <= now())) - now())::float8 AS delivery,
      extract(epoch FROM (SELECT min(tried_since + make_interval(mins => promised_minutes)) FROM delivery
        WHERE operator_since IS NULL AND decided_at IS NULL) - now())::float8 AS overdue`)

interface Deliveries {
  /** Looks for work at once. */
  wake(): void
  /** Waits for deliveries under way. */
  stop(): Promise<void>
}

/**
 * Works on due deliveries, a few at a time: when it is woken, when the next one is due, and every few seconds in case it
 * was not woken.
 */
export function runDeliveries(shop: DeliveryShop): Deliveries {
  const atWork = new Set<Promise<void>>()
  let isStopped = false
  let isWokenAgain = false

  const workOff = async () => {
    let hasWorked = false
    const onClaim = () => {
      hasWorked = true
      // Where one delivery was due there may be more.
      if (atWork.size < SERVER_LIMITS.deliveriesAtOnce) startWorker()
    }
    try {
      while (!isStopped && (await deliverNext(shop, onClaim)));
    } catch (error) {
      // Its delivery goes to another worker once the lease expires.
      shop.log.error({ err: error }, 'delivery')
    }
    // What it worked on may be due again before anything wakes this node.
    if (hasWorked) clock.look()
  }
  const startWorker = () => {
    const working = workOff().finally(() => {
      atWork.delete(working)
      if (!isWokenAgain) return
      isWokenAgain = false
      wake()
    })
    atWork.add(working)
  }
  const wake = () => {
    if (isStopped) return
    if (atWork.size < SERVER_LIMITS.deliveriesAtOnce) startWorker()
    else isWokenAgain = true
  }

  const clock = startClock(shop, wake)
  return {
    wake,
    async stop() {
      isStopped = true
      await clock.stop()
      await Promise.all(atWork)
    },
  }
}

const soonMs = 1_000

/** Does whatever is due by the time of day, and sleeps until the next of it, a few seconds at most. */
function startClock(shop: DeliveryShop, wake: () => void) {
  const { database, log, suppliers } = shop
  let timer: NodeJS.Timeout | undefined
  let looking: Promise<void> | undefined
  let isToLookAgain = false
  let isStopped = false

  /** Returns how long nothing more is due. */
  const doWhatIsDue = async (): Promise<number> => {
    const { delivery, overdue } = await readDue(database)
    const webhook = (await suppliers.sandbox?.readSecondsToWebhook()) ?? null
    if (isDue(webhook)) await receiveSandboxWebhooks(shop)
    if (isDue(overdue)) await handOverOverdue(database)
    if (isDue(delivery)) wake()
    return Math.min(SERVER_LIMITS.deliveryPollMs, ...[delivery, overdue, webhook].map(toPauseMs))
  }
  const lookOnce = async () => {
    let pauseMs: number = SERVER_LIMITS.deliveryPollMs
    do {
      isToLookAgain = false
      try {
        pauseMs = await doWhatIsDue()
      } catch (error) {
        log.error({ err: error }, 'deliveries')
      }
    } while (isToLookAgain && !isStopped)
    looking = undefined
    if (!isStopped) timer = setTimeout(look, pauseMs)
  }
  const look = () => {
    if (isStopped) return
    clearTimeout(timer)
    if (looking) isToLookAgain = true
    else looking = lookOnce()
  }

  look()
  return {
    look,
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await looking
    },
  }
}

const isDue = (seconds: number | null): boolean => seconds !== null && seconds <= 0

/** Computes the pause before the next look. What is due and was left is locked by somebody else, so that pause is short. */
const toPauseMs = (seconds: number | null): number => {
  if (seconds === null) return Number.POSITIVE_INFINITY
  return seconds > 0 ? Math.ceil(seconds * 1_000) : soonMs
}

/** Sends the sandbox's late outcomes as webhooks, the way a real supplier would. */
async function receiveSandboxWebhooks(shop: DeliveryShop): Promise<void> {
  for (const webhook of (await shop.suppliers.sandbox?.takeWebhooks(shop.clock.now())) ?? []) {
    await receiveSupplierWebhook(shop, 'sandbox', webhook)
  }
}
