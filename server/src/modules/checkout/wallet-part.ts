import { Failure } from '@olmos/contract/failure'
import { toMajor } from '@olmos/contract/minor-units'
import type { Currency } from '@olmos/contract/money'
import type { Tx } from '../../platform/database/queries.ts'
import type { LockedOrder } from '../orders/order-states.ts'
import type { NewOrder } from '../orders/place-order.ts'
import { credit, debit, moveBetween, moveOut } from '../wallet/wallet.ts'

// The part of an order that its buyer's balance pays while a card pays the rest: docs/decisions/034. It is reserved as long
// as the order waits, and no longer.

/** What an order needs from a card, in minor units of its currency, without the method's fee. */
export const cardPart = ({ total, wallet_amount }: Pick<LockedOrder, 'total' | 'wallet_amount'>): number =>
  total - wallet_amount

/** Refuses a part that leaves nothing for the card: INVALID_AMOUNT. In minor units; 0 for no part. */
export function requirePart({ total, currency, part }: { total: number; currency: Currency; part: number }): void {
  if (part > 0 && part >= total)
    throw new Failure('INVALID_AMOUNT', { from_balance: 'covers_all', total: toMajor(total), currency })
}

/**
 * Takes the part of an order that is being placed from its buyer's wallet, once. Refuses with INSUFFICIENT_BALANCE or
 * BALANCE_ON_HOLD. It may be sent together with other statements of the transaction.
 */
export const reservePart = async (
  tx: Tx,
  { id, userId, currency, walletAmount = 0 }: Pick<NewOrder, 'id' | 'userId' | 'currency' | 'walletAmount'>,
): Promise<void> => {
  if (walletAmount === 0) return
  await debit(tx, {
    userId,
    currency,
    amount: walletAmount,
    kind: 'reservation',
    shopAccount: 'reserved',
    orderId: id,
    key: `reservation:${id}`,
  })
}

/** Returns the part of a locked order that ends unpaid to its buyer's wallet, once. */
export const releasePart = async (tx: Tx, order: LockedOrder): Promise<void> => {
  if (order.wallet_amount > 0)
    await credit(tx, { ...toEntry(order), kind: 'release', shopAccount: 'reserved', key: `release:${order.id}` })
}

/**
 * Pays the part of a locked order whose rest has been paid by card: from what is reserved, or, if the order has ended and the
 * part was returned, from the wallet again. Returns whether it could: not if the balance is too low by now, or frozen.
 */
export async function payPart(tx: Tx, order: LockedOrder): Promise<boolean> {
  if (order.wallet_amount === 0) return true
  const entry = { ...toEntry(order), kind: 'purchase' as const, key: `purchase:${order.id}` }
  if (order.status !== 'awaiting_payment') return moveOut(tx, { ...entry, shopAccount: 'sales' })
  await moveBetween(tx, { ...entry, from: 'reserved', to: 'sales' })
  return true
}

const toEntry = ({ id: orderId, user_id: userId, currency, wallet_amount: amount }: LockedOrder) => ({
  orderId,
  userId,
  currency,
  amount,
})

/** What has gone back of an order that was paid both ways, in minor units of its currency. */
interface Returned {
  /** By all its refunds, wherever they went. */
  inAll: number
  /** To the card. */
  toCard: number
}

/**
 * Computes how much of a refund goes back to the card; the rest goes to the balance. After it the card has had back its
 * share of all that was refunded, rounded down, as far as this refund can make up for it, so that refunds of all of an order
 * return exactly what each way paid. Amounts are minor units.
 */
export function shareOfCard(paid: { total: number; byCard: number }, before: Returned, amount: number): number {
  const inAll = Math.min(before.inAll + amount, paid.total)
  const due = Number((BigInt(inAll) * BigInt(paid.byCard)) / BigInt(paid.total))
  return Math.min(amount, Math.max(0, due - before.toCard))
}

/** Divides sums into a share of their total and the rest, in proportion and exactly. None of the shares exceeds its sum. */
export function splitSums(sums: readonly number[], share: number): { share: number; rest: number }[] {
  const total = sums.reduce((all, sum) => all + sum, 0)
  let before = 0
  let given = 0
  return sums.map((sum) => {
    before += sum
    const until = total === 0 ? 0 : Number((BigInt(share) * BigInt(before)) / BigInt(total))
    const part = until - given
    given = until
    return { share: part, rest: sum - part }
  })
}
