import type { RefundedFilling } from '@olmos/contract/fillings'
import { toMajor } from '@olmos/contract/minor-units'
import type { Currency } from '@olmos/contract/money'
import type { OrderStatus } from '@olmos/contract/orders'
import { countAll } from '../../platform/database/lists.ts'
import { type Queries, sql, type Tx } from '../../platform/database/queries.ts'
import { bookedAmount, bookedCurrency } from '../payments/payments.ts'
import type { ProviderName } from '../payments/provider.ts'
import { readBalances, type WalletBalance } from '../wallet/wallet.ts'
import type { CartOrder } from './place-order.ts'

interface FillingRow {
  id: string
  created_at: Date
  currency: Currency
  total: number
  status: OrderStatus
  pay_url: string | null
}

const isOfUser = (userId: number) => sql`orders.user_id = ${userId} AND orders.purpose = 'balance'`

/** Lists a customer's fillings, newest first; where the page to pay one is, only while it waits. */
export const listFillings = (
  queries: Queries,
  userId: number,
  { page, pageSize }: { page: number; pageSize: number },
) =>
  queries.rows<FillingRow>(sql`
    SELECT id, created_at, currency, total, status,
      CASE WHEN status = 'awaiting_payment' THEN (
        SELECT pay_url FROM payment WHERE order_id = orders.id AND payment.status = 'open' ORDER BY payment.id DESC LIMIT 1)
      END AS pay_url
    FROM orders WHERE ${isOfUser(userId)}
    ORDER BY created_at DESC, id LIMIT ${pageSize} OFFSET ${(page - 1) * pageSize}`)

export const countFillings = (queries: Queries, userId: number) =>
  countAll(queries, sql`SELECT FROM orders WHERE ${isOfUser(userId)}`)

/** Finds a customer's fillings that wait for their payment. The caller has locked the cart, so that none is added. */
export const findWaitingFillings = (tx: Tx, userId: number) =>
  tx.rows<Omit<CartOrder, 'is_of_cart'>>(sql`
    SELECT id, status, currency, total, wallet_amount, coupon_id, false AS is_overdue FROM orders
    WHERE ${isOfUser(userId)} AND status = 'awaiting_payment' AND expires_at > now() ORDER BY created_at`)

/** A payment that filled a balance, in minor units of the balance. */
interface FillingPayment {
  id: number
  provider: ProviderName
  /** Without the fee of the method. */
  paid: number
  is_fee_refunded: boolean
  /** What went back to the card, or is on its way there. */
  refunded: number
  /** What a bank has charged back. */
  charged_back: number
  /** Whether a bank may charge it back, or did so in a currency the books do not have. */
  is_disputed: boolean
}

/** Reads what filled the balance, oldest first; money of another currency than was wanted is refunded in the cabinet only. */
export const readFillingPayments = (queries: Queries, orderId: string) =>
  queries.rows<FillingPayment>(sql`
    SELECT payment.id, payment.provider, ${bookedAmount} - payment.booked_fee AS paid, payment.is_fee_refunded,
      (SELECT coalesce(sum(amount - card_refund.fee_amount), 0)::bigint FROM card_refund
        WHERE payment_id = payment.id AND card_refund.status <> 'failed') AS refunded,
      (SELECT coalesce(sum(covered + excess), 0)::bigint FROM dispute
        WHERE payment_id = payment.id AND transfers % 2 = 1) AS charged_back,
      EXISTS (SELECT FROM dispute WHERE payment_id = payment.id AND dispute.kind = 'dispute'
        AND (dispute.status = 'open' OR dispute.status = 'lost' AND transfers = 0)) AS is_disputed
    FROM payment JOIN orders ON orders.id = payment.order_id
    WHERE order_id = ${orderId} AND settled_to = 'wallet' AND ${bookedCurrency} = orders.currency ORDER BY payment.id`)

const findFilling = (queries: Queries, orderId: string) =>
  queries.maybe<{ user_id: number; currency: Currency }>(
    sql`SELECT user_id, currency FROM orders WHERE id = ${orderId} AND purpose = 'balance'`,
  )

interface RefundRow {
  amount: number
  fee: number
  status: 'sending' | 'sent' | 'succeeded' | 'failed'
  is_outside: boolean
  created_at: Date
}

const listRefunds = (queries: Queries, orderId: string) =>
  queries.rows<RefundRow>(sql`
    SELECT card_refund.amount - card_refund.fee_amount AS amount, card_refund.fee_amount AS fee, card_refund.status, origin = 'provider' AS is_outside, card_refund.created_at
    FROM card_refund JOIN payment ON payment.id = payment_id WHERE order_id = ${orderId} ORDER BY card_refund.id`)

/** How much of it can still go back, in minor units. */
export const toRefundable = ({ paid, refunded, charged_back }: FillingPayment) =>
  Math.max(0, paid - refunded - charged_back)
const toSum = (amounts: readonly number[]) => amounts.reduce((sum, amount) => sum + amount, 0)
export const sumRefundable = (payments: readonly FillingPayment[]) => toSum(payments.map(toRefundable))
export const sumRefunded = (payments: readonly FillingPayment[]) => toSum(payments.map(({ refunded }) => refunded))
export const findBalance = (wallets: readonly WalletBalance[], currency: Currency) =>
  wallets.find((wallet) => wallet.currency === currency)?.balance ?? 0

const shownStatus = { sending: 'waiting', sent: 'waiting', succeeded: 'done', failed: 'failed' } as const

/** Reads what was paid for a filling, what was refunded and what can be; undefined for an order of goods. */
export async function readFilling(queries: Queries, id: string): Promise<RefundedFilling | undefined> {
  const filling = await findFilling(queries, id)
  if (!filling) return undefined
  const { user_id: userId, currency } = filling
  const [payments, refunds, wallets] = await Promise.all([
    readFillingPayments(queries, id),
    listRefunds(queries, id),
    readBalances(queries, userId),
  ])
  const isDisputed = payments.some(({ is_disputed }) => is_disputed)
  return {
    id,
    currency,
    paid: toMajor(toSum(payments.map(({ paid }) => paid))),
    refunded: toMajor(sumRefunded(payments)),
    refundable: toMajor(isDisputed ? 0 : Math.min(sumRefundable(payments), findBalance(wallets, currency))),
    refunds: refunds.map(({ amount, fee, status, is_outside, created_at }) => ({
      amount: toMajor(amount),
      fee: toMajor(fee),
      status: shownStatus[status],
      is_outside,
      created_at: created_at.toISOString(),
    })),
  }
}
