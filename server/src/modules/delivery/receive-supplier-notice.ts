import { announce } from '../../platform/announce.ts'
import type { HttpReply, Notice } from '../payments/provider.ts'
import { isSupplierName } from '../topups/supplier-settings.ts'
import type { DeliveryShop } from './delivery-shop.ts'
import { insertEvent, makeDue } from './supplier-orders.store.ts'

const noSupplier: HttpReply = { status: 404, body: 'no such supplier' }
const unavailable: HttpReply = { status: 503, body: 'this supplier is not configured' }

/**
 * Takes a supplier's notice. What can't be proven is refused, and of what is proven nothing is believed either: the
 * deliveries it speaks of are looked up at once, by whoever works on them. The same notice again has no effect.
 */
export async function receiveSupplierNotice(shop: DeliveryShop, name: string, notice: Notice): Promise<HttpReply> {
  if (!isSupplierName(name)) return noSupplier
  const supplier = shop.suppliers.configured.find((configured) => configured.name === name)
  if (!supplier?.readWebhook) return unavailable
  const reading = supplier.readWebhook(notice)
  if (!reading.verified) {
    shop.log.warn({ supplier: name, why: reading.reply.body }, 'notice refused')
    return reading.reply
  }
  await shop.database.transaction(async (tx) => {
    for (const { eventKey, about } of reading.events) {
      if (!(await insertEvent(tx, name, eventKey))) continue
      await makeDue(tx, name, about)
      await announce(tx, 'delivery', name)
    }
  })
  return reading.reply
}
