import type * as real from '../../server/src/modules/orders/order-money.ts'
import { releasePart as realRelease } from '../../server/src/modules/orders/order-money.ts'
import { credit } from '../../server/src/modules/wallet/wallet.ts'

export * from '../../server/src/modules/orders/order-money.ts'

/** Returns the part, and returns it. */
export const releasePart: typeof real.releasePart = async (tx, order) => {
  await realRelease(tx, order)
  const { id: orderId, user_id: userId, currency, wallet_amount: amount } = order
  if (amount > 0) await credit(tx, { userId, currency, amount, kind: 'release', shopAccount: 'reserved', orderId })
}
