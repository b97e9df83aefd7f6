import { SERVER_LIMITS } from '../../limits.ts'
import { type Queries, sql } from '../../platform/database/queries.ts'
import { deliverNext } from './deliver.ts'
import type { DeliveryShop } from './deliveries.store.ts'
import { receiveSupplierWebhook } from './receive-webhook.ts'
import { handOverOverdue } from './settle-order.ts'

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

/** What is due now and was left is locked by somebody else, and looked at again soon. */
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
