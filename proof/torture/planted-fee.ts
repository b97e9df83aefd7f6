import * as real from '../../server/src/modules/orders/order-money.ts'
import { moveBetween } from '../../server/src/modules/wallet/wallet.ts'

export * from '../../server/src/modules/orders/order-money.ts'

/** Books the fee, and books it, without a key. */
export const bookFee: typeof real.bookFee = async (tx, payment) => {
  await real.bookFee(tx, payment)
  const { order_id: orderId, fee_amount: amount, currency } = payment
  if (amount > 0) await moveBetween(tx, { from: 'card', to: 'fees', kind: 'card', amount, currency, orderId })
}
