import type { OrderStatus } from '@olmos/contract/orders'
import type { Database } from '../../platform/database/database.ts'
import { type Queries, sql, type Tx } from '../../platform/database/queries.ts'
import { lockBlocked } from '../accounts/change-user.ts'
import { areCodesUnseen, returnableItems } from '../codes/change-code.ts'
import { extendOrder, type LockedOrder, lockCartAndOrder, readItemStates } from '../orders/order-states.ts'
import { readCodedLines } from '../payments/fiscal-receipts.ts'
import { findPayments, type PaymentRow, readPaymentRow } from '../payments/payments.ts'
import type { BooksRefusal, PaymentBooks, ProviderName, ProviderTransaction } from '../payments/provider.ts'
import { lockBalances } from '../wallet/wallet.ts'
import { bookReversal } from './card-refunds.ts'
import { refundRest } from './refund-order.ts'
import { settlePayment } from './settle-payment.ts'

interface TransactionRow {
  id: number
  external_id: string
  payment_id: number
  order_id: string
  amount: number
  at: Date
  begun_at: Date
  performed_at: Date | null
  canceled_at: Date | null
  reason: string | null
}

const selectTransaction = sql`
  SELECT provider_transaction.id, external_id, payment_id, order_id, provider_transaction.amount, at, begun_at,
    performed_at, canceled_at, reason
  FROM provider_transaction JOIN payment ON payment.id = payment_id`

const findTransaction = (queries: Queries, provider: ProviderName, id: string) =>
  queries.maybe<TransactionRow>(sql`
    ${selectTransaction} WHERE provider_transaction.provider = ${provider} AND external_id = ${id}`)

const listTransactions = (queries: Queries, provider: ProviderName, from: Date, to: Date) =>
  queries.rows<TransactionRow>(sql`
    ${selectTransaction} WHERE provider_transaction.provider = ${provider} AND at BETWEEN ${from} AND ${to}
    ORDER BY at, provider_transaction.id`)

/** Whether the provider has a transaction under way for the order. */
const hasLiveTransaction = async (queries: Queries, provider: ProviderName, orderId: string): Promise<boolean> =>
  (await queries.maybe(sql`
    SELECT FROM provider_transaction JOIN payment ON payment.id = payment_id
    WHERE order_id = ${orderId} AND payment.provider = ${provider} AND canceled_at IS NULL LIMIT 1`)) !== undefined

/** Stores nothing where the provider has begun one with this id before. */
const insertTransaction = (
  tx: Tx,
  provider: ProviderName,
  paymentId: number,
  { id, amount, at }: { id: string; amount: number; at: Date },
) =>
  tx.run(sql`
    INSERT INTO provider_transaction (provider, external_id, payment_id, amount, at)
    VALUES (${provider}, ${id}, ${paymentId}, ${amount}, ${at}) ON CONFLICT (provider, external_id) DO NOTHING`)

const setPerformed = (tx: Tx, id: number, at: Date) =>
  tx.run(sql`UPDATE provider_transaction SET performed_at = ${at} WHERE id = ${id}`)

const setCanceled = (tx: Tx, id: number, at: Date, reason: string) =>
  tx.run(sql`UPDATE provider_transaction SET canceled_at = ${at}, reason = ${reason} WHERE id = ${id}`)

/** What an order is once somebody has paid for it, and not taken all of it back. */
const paidStatuses: readonly OrderStatus[] = ['pending', 'completed', 'partially_refunded']

const refuse = (refused: BooksRefusal['refused']): BooksRefusal => ({ refused })

/**
 * Opens the store's books for a provider that asks. Each change is one database transaction in which cart, order and payment
 * are locked in this order, as by every settlement, so that of many calls at once one moves the books and the others are
 * answered from the row it has left.
 */
export function createPaymentBooks(database: Database, provider: ProviderName): PaymentBooks {
  const shown = async (queries: Queries, id: string): Promise<ProviderTransaction> => {
    const row = await findTransaction(queries, provider, id)
    if (!row) throw new Error(`transaction ${id} of ${provider} is gone`)
    return toTransaction(row)
  }

  /** Runs `work` with the transaction and its order locked. */
  const withTransaction = (
    id: string,
    work: (tx: Tx, row: TransactionRow, order: LockedOrder) => Promise<BooksRefusal | undefined>,
  ): Promise<ProviderTransaction | BooksRefusal> =>
    database.transaction(async (tx) => {
      const found = await findTransaction(tx, provider, id)
      if (!found) return refuse('unknown_transaction')
      const order = await lockCartAndOrder(tx, found.order_id)
      const row = await findTransaction(tx, provider, id)
      if (!order || !row) throw new Error(`transaction ${id} of ${provider} has lost its order`)
      return (await work(tx, row, order)) ?? shown(tx, id)
    })

  return {
    check: (account, amount) =>
      database.transaction(async (tx) => {
        const judged = await judge(tx, provider, account, amount)
        return 'refused' in judged ? judged : 'payable'
      }),

    listLines: (account, amount) => readCodedLines(database, account.toUpperCase(), amount),

    begin: (account, transaction) =>
      database.transaction(async (tx) => {
        const known = () => findTransaction(tx, provider, transaction.id)
        const before = await known()
        if (before) return repeatBegin(before, account, transaction.amount)
        const judged = await judge(tx, provider, account, transaction.amount)
        // Another call with this id may have been quicker.
        const meanwhile = await known()
        if (meanwhile) return repeatBegin(meanwhile, account, transaction.amount)
        if ('refused' in judged) return judged
        const isNew = (await insertTransaction(tx, provider, judged.payment.id, transaction)) === 1
        // It is of another order, which this call has not locked.
        if (!isNew) return refuse('unknown_account')
        await extendOrder(tx, judged.order.id, 'most')
        return shown(tx, transaction.id)
      }),

    perform: (id, at) =>
      withTransaction(id, async (tx, row) => {
        if (row.canceled_at) return refuse('state')
        if (row.performed_at) return undefined
        const payment = await readPaymentRow(tx, row.payment_id)
        await settlePayment(tx, provider, { key: `performed:${id}`, snapshot: toSnapshot(payment, row, 'succeeded') })
        await setPerformed(tx, row.id, at)
        return undefined
      }),

    cancel: (id, reason, at, { onlyBegun } = { onlyBegun: false }) =>
      withTransaction(id, async (tx, row, order) => {
        if (row.canceled_at) return undefined
        if (row.performed_at && onlyBegun) return refuse('state')
        const payment = await readPaymentRow(tx, row.payment_id)
        if (row.performed_at) {
          if (!(await canReverse(tx, order, payment))) return refuse('delivered')
          await bookReversal(tx, payment, { providerRefundId: `canceled:${id}`, amount: row.amount })
          if (payment.settled_to === 'order' && order.wallet_amount > 0) await refundRest(tx, order.id)
        } else {
          // The operator is told that no money comes of a payment that was confirmed by hand meanwhile.
          await settlePayment(tx, provider, {
            key: `canceled:${id}`,
            snapshot: { ...toSnapshot(payment, row, 'canceled'), why: reason },
          })
        }
        await setCanceled(tx, row.id, at, reason)
        return undefined
      }),

    async find(id) {
      const row = await findTransaction(database, provider, id)
      return row && toTransaction(row)
    },

    list: async (from, to) => (await listTransactions(database, provider, from, to)).map(toTransaction),
  }
}

const toTransaction = (row: TransactionRow): ProviderTransaction => ({
  id: row.external_id,
  ownId: String(row.id),
  account: row.order_id,
  amount: row.amount,
  state: row.canceled_at ? (row.performed_at ? 'reversed' : 'canceled') : row.performed_at ? 'performed' : 'begun',
  at: row.at,
  begunAt: row.begun_at,
  performedAt: row.performed_at ?? undefined,
  canceledAt: row.canceled_at ?? undefined,
  reason: row.reason ?? undefined,
})

/** A payment whose opening was cut short has no name at the provider yet: it gets its key. */
const toSnapshot = (payment: PaymentRow, { amount }: TransactionRow, status: 'succeeded' | 'canceled') => ({
  providerPaymentId: payment.provider_payment_id ?? payment.key,
  reference: payment.key,
  status,
  amount,
  currency: payment.charge_currency,
})

/** Answers a transaction that was begun before, if it is the one that is meant. */
function repeatBegin(row: TransactionRow, account: string, amount: number): ProviderTransaction | BooksRefusal {
  if (row.order_id !== account.toUpperCase()) return refuse('unknown_account')
  return row.amount === amount ? toTransaction(row) : refuse('wrong_amount')
}

/**
 * Locks the order and finds the payment of it that this amount would make: the latest that charges so much, since a payment
 * that was renewed at another rate leaves its pay page behind.
 */
async function judge(
  tx: Tx,
  provider: ProviderName,
  account: string,
  amount: number,
): Promise<BooksRefusal | { order: LockedOrder; payment: PaymentRow }> {
  const order = await lockCartAndOrder(tx, account.toUpperCase())
  const payments = order ? (await findPayments(tx, order.id)).filter((payment) => payment.provider === provider) : []
  if (!order || payments.length === 0) return refuse('unknown_account')
  if (paidStatuses.includes(order.status)) return refuse('already_paid')
  const isWaiting = order.status === 'awaiting_payment' && !order.is_overtime
  if (!isWaiting || (await lockBlocked(tx, order.user_id))) return refuse('not_payable')
  const payment = payments.find(({ status, charge_amount }) => status !== 'succeeded' && charge_amount === amount)
  if (!payment) return refuse('wrong_amount')
  return (await hasLiveTransaction(tx, provider, order.id)) ? refuse('other_pending') : { order, payment }
}

/**
 * Whether the store still has all that a performed payment paid for: codes nobody has seen, with no part of the order refunded
 * before, or the money itself in the wallet. Nothing of it is shown or spent until the transaction ends.
 */
async function canReverse(tx: Tx, order: LockedOrder, payment: PaymentRow): Promise<boolean> {
  if (payment.settled_to === 'operator') return true
  if (payment.settled_to === 'wallet') {
    const wallets = await lockBalances(tx, order.user_id)
    const inWallet = payment.amount - payment.booked_fee
    return wallets.some(({ currency, balance }) => currency === payment.currency && balance >= inWallet)
  }
  const items = await readItemStates(tx, order.id)
  const ids = items.map(({ id }) => id)
  const isKept = items.every(
    (item) => item.item_type === 'code' && item.status === 'delivered' && !item.refunded_amount,
  )
  if (!isKept || (await returnableItems(tx, ids)).length < ids.length) return false
  return areCodesUnseen(
    tx,
    ids,
    items.reduce((sum, { quantity }) => sum + quantity, 0),
  )
}
