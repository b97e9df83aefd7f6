import type { Currency } from '@olmos/contract/money'
import type { Tx } from '../../platform/database.ts'
import { insertPayment, latestPayment } from './payments.store.ts'
import type { PaymentProvider } from './provider.ts'

export interface NewPayment {
  orderId: string
  /** Minor units. */
  amount: number
  currency: Currency
}

/** Writes down that the order is to be paid at the provider, with the key that every attempt to open it will send. */
export const addPayment = (tx: Tx, provider: PaymentProvider, payment: NewPayment) =>
  insertPayment(tx, { ...payment, provider: provider.name })

/** The same unless the order has a payment that can still be made. Answers whether a new one was needed. */
export async function renewPayment(tx: Tx, provider: PaymentProvider, payment: NewPayment): Promise<boolean> {
  const latest = await latestPayment(tx, payment.orderId)
  if (latest?.status === 'opening' || latest?.status === 'open') return false
  await addPayment(tx, provider, payment)
  return true
}
