import { SERVER_LIMITS } from '../../limits.ts'
import { deliverNext } from './deliver.ts'
import type { DeliveryShop } from './deliveries.store.ts'
import { receiveSupplierWebhook } from './receive-webhook.ts'
import { handOverOverdue } from './settle-order.ts'

interface Deliveries {
  /** Looks for work at once. */
  wake(): void
  /** Waits for deliveries under way. */
  stop(): Promise<void>
}

/** Works on due deliveries, a few at a time, when it is woken and every second. */
export function runDeliveries(shop: DeliveryShop): Deliveries {
  const atWork = new Set<Promise<void>>()
  let isStopped = false

  const workOff = async () => {
    try {
      while (!isStopped && (await deliverNext(shop)));
    } catch (error) {
      // Its delivery goes to another worker once the lease expires.
      shop.log.error({ err: error }, 'delivery')
    }
  }
  const start = (work: () => Promise<void>) => {
    const working = work().finally(() => atWork.delete(working))
    atWork.add(working)
  }
  const wake = () => {
    while (!isStopped && atWork.size < SERVER_LIMITS.deliveriesAtOnce) start(workOff)
  }
  const receive = () => receiveSandboxWebhooks(shop).catch((error) => shop.log.error({ err: error }, 'sandbox'))
  const handOver = () => handOverOverdue(shop.database).catch((error) => shop.log.error({ err: error }, 'overdue'))
  let isHandingOver = false

  const timer = setInterval(() => {
    wake()
    void receive()
    if (isHandingOver) return
    isHandingOver = true
    start(() => handOver().finally(() => (isHandingOver = false)))
  }, SERVER_LIMITS.deliveryPollMs)
  wake()
  return {
    wake,
    async stop() {
      isStopped = true
      clearInterval(timer)
      await Promise.all(atWork)
    },
  }
}

/** Sends the sandbox's late outcomes as webhooks, the way a real supplier would. */
async function receiveSandboxWebhooks(shop: DeliveryShop): Promise<void> {
  for (const webhook of (await shop.suppliers.sandbox?.takeWebhooks(shop.clock.now())) ?? []) {
    await receiveSupplierWebhook(shop, 'sandbox', webhook)
  }
}
