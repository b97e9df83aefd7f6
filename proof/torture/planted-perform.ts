import { randomUUID } from 'node:crypto'
import * as real from '../../server/src/modules/checkout/payment-books.ts'
import { findPayments } from '../../server/src/modules/payments/payments.ts'
import { credit } from '../../server/src/modules/wallet/wallet.ts'
import type { Database } from '../../server/src/platform/database/database.ts'
import { sql } from '../../server/src/platform/database/queries.ts'

export * from '../../server/src/modules/checkout/payment-books.ts'

/** Does not look whether a transaction was performed before it books the money of it. */
export const createPaymentBooks: typeof real.createPaymentBooks = (database, provider) => {
  const books = real.createPaymentBooks(database, provider)
  return {
    ...books,
    async find(id) {
      const known = await books.find(id)
      return known?.state === 'performed' ? { ...known, state: 'begun' } : known
    },
    async perform(id, at) {
      const performed = await books.perform(id, at)
      const isRepeat = !('refused' in performed) && performed.performedAt?.getTime() !== at.getTime()
      if (isRepeat) await bookAgain(database, performed.account)
      return performed
    },
  }
}

const bookAgain = (database: Database, orderId: string): Promise<void> =>
  database.transaction(async (tx) => {
    const [payment] = await findPayments(tx, orderId)
    if (!payment) return
    const { user_id: userId } = await tx.one<{ user_id: number }>(sql`SELECT user_id FROM orders WHERE id = ${orderId}`)
    const { currency, amount } = payment
    const key = `payment:${payment.id}:${randomUUID()}`
    await credit(tx, { userId, currency, amount, kind: 'card', shopAccount: 'card', orderId, key })
  })
