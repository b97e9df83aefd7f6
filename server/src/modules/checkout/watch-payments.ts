import { cardRefundsToSend } from '../payments/card-refund.ts'
import type { PaymentShop } from '../payments/open-payment.ts'
import { putOffPayment } from '../payments/payments.store.ts'
import { providerNamed } from '../payments/providers.ts'
import type { OpenPayment } from '../payments/undecided.store.ts'
import {
  giveUpPayments,
  ordersToOpen,
  paymentsAboutToExpire,
  paymentsToAskAbout,
} from '../payments/undecided-payments.ts'
import { expireOverdueOrders } from './expire-order.ts'
import { openCardPayment } from './open-card-payment.ts'
import { askAndSettle } from './receive-notice.ts'
import { sendCardRefund } from './send-card-refund.ts'

const atOnce = 8

/** Every minute: asks about every open payment, so that a notice that never came delays and nothing more. */
export async function watchPayments(shop: PaymentShop): Promise<void> {
  await askAbout(shop, await paymentsToAskAbout(shop.database))
  await inTurns(shop, await ordersToOpen(shop.database), (orderId) => openCardPayment(shop, orderId))
  await inTurns(shop, await cardRefundsToSend(shop.database), (id) => sendCardRefund(shop, id))
  await giveUpPayments(shop.database)
}

/** Every minute: ends the orders whose time is over, after a last question whether one of them was paid. */
export async function expireUnpaidOrders(shop: PaymentShop): Promise<void> {
  await askAbout(shop, await paymentsAboutToExpire(shop.database))
  await expireOverdueOrders(shop.database)
}

const askAbout = (shop: PaymentShop, payments: readonly OpenPayment[]) =>
  inTurns(shop, payments, async ({ id, provider: name, provider_payment_id }) => {
    const provider = providerNamed(shop.providers, name)
    if (!provider) return
    const answer = await askAndSettle(shop, provider, provider_payment_id)
    if (answer.kind !== 'done') shop.log.warn({ provider: name, provider_payment_id, answer }, 'payment not read')
    const pause = answer.kind === 'unknown' ? answer.retryAfterSeconds : undefined
    if (pause !== undefined) await putOffPayment(shop.database, id, pause)
  })

/** A few at a time; one that fails must not hold up the others, and is tried again the next time. */
async function inTurns<T>(shop: PaymentShop, all: readonly T[], work: (one: T) => Promise<unknown>): Promise<void> {
  const waiting = [...all]
  const worker = async () => {
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) {
      await work(one).catch((error) => shop.log.error({ err: error, about: one }, 'payment job'))
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}
