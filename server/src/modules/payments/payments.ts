import { adminPaymentsApi, type CancelReason, type ListedPayment } from '@olmos/contract/admin-payments'
import { Failure } from '@olmos/contract/failure'
import type { Language } from '@olmos/contract/fields'
import { toMajor } from '@olmos/contract/minor-units'
import type { ChargeCurrency, Currency } from '@olmos/contract/money'
import type { PaymentStatus } from '@olmos/contract/orders'
import type { Context } from '../../platform/context.ts'
import {
  allConditions,
  countAll,
  direction,
  exists,
  isOn,
  type SortedList,
  toPage,
  withTotal,
} from '../../platform/database/lists.ts'
import { type Queries, type Sql, sql, type Tx } from '../../platform/database/queries.ts'
import { currentTrace } from '../../platform/live/tracing.ts'
import { isUuid } from '../../platform/vendor/vendor.ts'
import { findFewUsers } from '../accounts/accounts.store.ts'
import { readTimeZone } from '../shop/shop.ts'
import type { FrozenReceipt } from './fiscal-receipt.rules.ts'
import type { ChosenMethod } from './methods.ts'
import type { PaymentName, PaymentSnapshot, ProviderName } from './provider.ts'

export interface PaymentRow {
  id: number
  order_id: string
  provider: ProviderName
  /** The name of the provider's method. */
  method: string
  /** The language of the pay page. */
  language: Language
  key: string
  /** What the books get for it, in minor units of the order's currency: what the order needs, and the fee. */
  amount: number
  /** The fee within the amount. */
  fee_amount: number
  /** The part booked to the fee account: the whole fee, or 0. */
  booked_fee: number
  currency: Currency
  /** What the payer is charged, in minor units: what the provider's reports are compared with. */
  charge_amount: number
  charge_currency: ChargeCurrency
  /** How much of the charge currency one of the order's is: a decimal. Null where both are one currency. */
  charge_rate: string | null
  status: PaymentStatus
  provider_payment_id: string | null
  pay_url: string | null
  settled_to: 'order' | 'wallet' | 'operator' | null
  /** What its fiscal receipt is made from; null where it has none. */
  receipt: FrozenReceipt | null
  /** The trace of the click that it was made by; null where none was recorded. */
  traceparent: string | null
}

/** A payment that is charged in its order's currency has no charge of its own. */
export const chargeColumns = sql`
  coalesce(payment.charge_amount, payment.amount) AS charge_amount,
  coalesce(payment.charge_currency, payment.currency) AS charge_currency, payment.charge_rate`

/** What the ledger has of a payment that was made, where that is not what came. */
export const bookedAmount = sql`coalesce(payment.booked_amount, payment.paid_amount)`
export const bookedCurrency = sql`coalesce(payment.booked_currency, payment.paid_currency)`

/** The name of the method, or of the provider where none was named. Needs `payment` in scope. */
export const methodName = sql`coalesce(payment.method, payment.provider)`

export const paymentColumns = sql`
  payment.id, payment.order_id, payment.provider, ${methodName} AS method,
  coalesce(payment.language, 'ru') AS language, payment.key, payment.amount, payment.fee_amount,
  payment.booked_fee, payment.currency, ${chargeColumns},
  payment.status, payment.provider_payment_id, payment.pay_url, payment.settled_to, payment.receipt, payment.traceparent`

interface NewPayment {
  orderId: string
  /** In minor units, without the fee. */
  amount: number
  currency: Currency
  language: Language
}

/** Stores that the order is to be paid by a method, with the key that every attempt to open it will send. */
export const addPayment = (tx: Tx, { provider, method, fee, charge }: ChosenMethod, payment: NewPayment) =>
  tx.run(sql`
    INSERT INTO payment (order_id, provider, method, language, amount, currency, fee_amount, fee_percent, fee_fixed,
      is_fee_refunded, charge_amount, charge_currency, charge_rate, traceparent)
    VALUES (${payment.orderId}, ${provider.name}, ${method.name}, ${payment.language}, ${payment.amount + fee.amount},
      ${payment.currency}, ${fee.amount}, ${fee.percent}, ${fee.fixed}, ${fee.isRefunded},
      ${charge.rate === null ? null : charge.amount}, ${charge.rate === null ? null : charge.currency}, ${charge.rate},
      ${currentTrace()})`)

export const latestPayment = (queries: Queries, orderId: string) =>
  queries.maybe<PaymentRow>(sql`
    SELECT ${paymentColumns} FROM payment WHERE order_id = ${orderId} ORDER BY id DESC LIMIT 1`)

/** Reads all payments of an order, the latest first. */
export const findPayments = (queries: Queries, orderId: string) =>
  queries.rows<PaymentRow>(sql`SELECT ${paymentColumns} FROM payment WHERE order_id = ${orderId} ORDER BY id DESC`)

/** Finds those of an order's payments that were made. */
export const findPaidPayments = (queries: Queries, orderId: string) =>
  queries.rows<{ provider: ProviderName; provider_payment_id: string }>(sql`
    SELECT provider, provider_payment_id FROM payment WHERE order_id = ${orderId} AND status = 'succeeded' ORDER BY id`)

/** Reads the payment with this id, which must exist. */
export const readPaymentRow = (queries: Queries, paymentId: number) =>
  queries.one<PaymentRow>(sql`SELECT ${paymentColumns} FROM payment WHERE id = ${paymentId}`)

/** Postpones an open payment's status check, because the provider asked for it. */
export const putOffPayment = (queries: Queries, paymentId: number, seconds: number) =>
  queries.run(sql`UPDATE payment SET next_at = now() + make_interval(secs => ${seconds}) WHERE id = ${paymentId}`)

/** Whether an order may be paid at a provider's page, or one is being opened for it; `after` leaves out that payment and earlier ones. */
export const hasLivePayment = (tx: Tx, orderId: string, after = 0): Promise<boolean> =>
  exists(
    tx,
    sql`SELECT FROM payment WHERE order_id = ${orderId} AND status IN ('opening', 'open') AND id > ${after}::bigint`,
  )

/** Cancels a payment that its provider did not open; returns false if its webhook was quicker, or it was canceled before. */
export const cancelUnopenedPayment = async (tx: Tx, paymentId: number, why: CancelReason): Promise<boolean> =>
  (await tx.run(sql`
    UPDATE payment SET status = 'canceled', canceled_why = ${why} WHERE id = ${paymentId} AND status = 'opening'`)) ===
  1

/** Cancels an order's payments whose pay page nobody has the address of, so that nobody can pay them. */
export const cancelUnopenedPayments = (tx: Tx, orderId: string) =>
  tx.run(sql`
    UPDATE payment SET status = 'canceled', canceled_why = ${'not_opened' satisfies CancelReason}
    WHERE order_id = ${orderId} AND status = 'opening'`)

/** Finds the payment the provider means: by its own id, else by the key that the shop gave it. */
export const findPayment = (queries: Queries, provider: ProviderName, snapshot: PaymentName) =>
  queries.maybe<PaymentRow & { user_id: number }>(sql`
    SELECT payment.*, orders.user_id FROM (
      SELECT ${paymentColumns} FROM payment
      WHERE provider = ${provider} AND provider_payment_id = ${snapshot.providerPaymentId}
      UNION ALL
      SELECT ${paymentColumns} FROM payment
      WHERE provider = ${provider} AND key = ${isUuid(snapshot.reference) ? snapshot.reference : null}) AS payment
    JOIN orders ON orders.id = payment.order_id
    ORDER BY provider_payment_id IS NOT DISTINCT FROM ${snapshot.providerPaymentId} DESC LIMIT 1`)

/** Stores another payment, to be opened under a key of its own, at the terms of one that can't be opened. */
export const replacePayment = (tx: Tx, paymentId: number) =>
  tx.run(sql`
    INSERT INTO payment (order_id, provider, method, language, amount, currency, fee_amount, fee_percent, fee_fixed,
      is_fee_refunded, charge_amount, charge_currency, charge_rate, receipt, traceparent)
    SELECT order_id, provider, method, language, amount, currency, fee_amount, fee_percent, fee_fixed, is_fee_refunded,
      charge_amount, charge_currency, charge_rate, receipt, traceparent
    FROM payment WHERE id = ${paymentId}`)

const lockPaymentRow = (tx: Tx, paymentId: number) =>
  tx.one<PaymentRow>(sql`SELECT ${paymentColumns} FROM payment WHERE id = ${paymentId} FOR UPDATE`)

const attachToProvider = (tx: Tx, paymentId: number, providerPaymentId: string) =>
  tx.one<PaymentRow>(sql`
    UPDATE payment SET provider_payment_id = ${providerPaymentId}, status = CASE status WHEN 'opening' THEN 'open' ELSE status END
    WHERE id = ${paymentId} RETURNING ${paymentColumns}`)

/** Stores a second payment that the provider made for one the shop asked for once. */
const adoptPayment = (tx: Tx, original: PaymentRow, providerPaymentId: string) =>
  tx.one<PaymentRow>(sql`
    INSERT INTO payment (order_id, provider, method, language, amount, currency, fee_amount, fee_percent, fee_fixed,
      is_fee_refunded, charge_amount, charge_currency, charge_rate, receipt, traceparent, status, provider_payment_id)
    SELECT order_id, provider, method, language, amount, currency, fee_amount, fee_percent, fee_fixed, is_fee_refunded,
      charge_amount, charge_currency, charge_rate, receipt, traceparent, 'open', ${providerPaymentId}
    FROM payment WHERE id = ${original.id} RETURNING ${paymentColumns}`)

/**
 * Returns the order's latest payment if it can still be made, with the fee that the customer saw, and by this method if one
 * is named.
 */
export async function findPayable(
  tx: Tx,
  orderId: string,
  { method, fee }: { method: string | undefined; fee: number },
): Promise<PaymentRow | undefined> {
  const latest = await latestPayment(tx, orderId)
  const isPayable = latest?.status === 'opening' || latest?.status === 'open'
  const isWanted = (method === undefined || latest?.method === method) && latest?.fee_amount === fee
  return isPayable && isWanted ? latest : undefined
}

/**
 * Finds the payment the provider means and locks it until the transaction ends; the caller has locked its order. A
 * webhook that is quicker than the answer to our own call names a payment whose provider id is not known yet, and a
 * provider that opened two for one key names the second: both are ours.
 */
export async function lockPayment(
  tx: Tx,
  provider: ProviderName,
  snapshot: PaymentSnapshot,
): Promise<PaymentRow | undefined> {
  const found = await findPayment(tx, provider, snapshot)
  if (!found) return undefined
  const payment = await lockPaymentRow(tx, found.id)
  if (payment.provider_payment_id === snapshot.providerPaymentId) return payment
  if (payment.provider_payment_id === null) return attachToProvider(tx, payment.id, snapshot.providerPaymentId)
  return adoptPayment(tx, payment, snapshot.providerPaymentId)
}

/** Stores an event; returns false when it is known already. */
export const noteEvent = async (
  tx: Tx,
  { id, provider }: PaymentRow,
  key: string,
  status: PaymentSnapshot['status'],
): Promise<boolean> =>
  (await tx.run(sql`
    INSERT INTO payment_event (provider, event_key, payment_id, status)
    VALUES (${provider}, ${key}, ${id}, ${status}) ON CONFLICT DO NOTHING`)) === 1

const canceledWhyLength = 100

/**
 * Providers say why by a code, such as 'insufficient_funds' or '-5017'. Whatever else one says is not kept: a sentence may
 * name the payer.
 */
const toCode = (why = ''): string | null => {
  const cut = why.slice(0, canceledWhyLength)
  return /^[\w.-]+$/.test(cut) ? cut : null
}

/** Cancels a payment that ended at its provider, which may have said why. */
export const cancelPayment = (tx: Tx, { id }: PaymentRow, why: string | undefined) =>
  tx.run(sql`UPDATE payment SET status = 'canceled', canceled_why = ${toCode(why)} WHERE id = ${id}`)

/** Where the money of a payment went. */
interface Closing {
  to: 'order' | 'wallet' | 'operator'
  /** What the books have of it, the fee included; undefined for nothing. */
  booked: { amount: number; currency: Currency } | undefined
  /** The part booked to the fee account: the whole fee, or 0. */
  fee?: number
}

/** Records that the money has arrived, and where it went. */
export const closePayment = (
  tx: Tx,
  { id, method }: PaymentRow,
  { amount, currency }: PaymentSnapshot,
  { to, booked, fee = 0 }: Closing,
) => {
  if (booked) tx.count(({ taken }) => taken.inc({ method, currency: booked.currency }, booked.amount))
  return tx.run(sql`
    UPDATE payment SET status = 'succeeded', canceled_why = NULL, settled_at = now(), settled_to = ${to}, paid_amount = ${amount},
      paid_currency = ${currency}, booked_amount = ${booked?.amount ?? null},
      booked_currency = ${booked?.currency ?? null}, booked_fee = ${fee}
    WHERE id = ${id}`)
}

/** Amounts are in minor units. */
interface ListedPaymentRow extends Omit<ListedPayment, 'created_at' | 'settled_at'> {
  created_at: Date
  settled_at: Date | null
}

interface PaymentList extends SortedList<typeof adminPaymentsApi.list> {
  /** That of the days. */
  timeZone: string
  /** Ids of the users whose nickname contains the search, if they are few. */
  users: number[] | undefined
}

const columns = sql`
  payment.id, payment.order_id, orders.status AS order_status, orders.user_id, users.nickname, payment.provider,
  ${methodName} AS method, payment.provider_payment_id, payment.amount, payment.fee_amount,
  payment.currency,
  ${chargeColumns}, payment.status, payment.paid_amount,
  payment.paid_currency, payment.settled_to, payment.created_at, payment.settled_at,
  (SELECT flag FROM disputed_order WHERE disputed_order.order_id = payment.order_id) AS dispute`

const joins = sql`JOIN orders ON orders.id = payment.order_id JOIN users ON users.id = orders.user_id`

const toColumn = { id: sql`payment.id`, amount: sql`payment.amount` }
const toOrderBy = ({ sort, order }: PaymentList) =>
  sql`${toColumn[sort]} ${direction(order)}, payment.id ${direction(order)}`

/** With many users the payments are checked one by one, until there are enough. */
const isInFound = ({ search, users }: PaymentList): Sql =>
  users
    ? sql`payment.order_id IN (SELECT id FROM orders WHERE user_id = ANY (${users}))`
    : sql`strpos((
        SELECT nickname_key FROM orders JOIN users ON users.id = orders.user_id WHERE orders.id = payment.order_id),
        ${search.toLowerCase()}) > 0`

const isOfOrders = ({ purpose, from, to, timeZone }: PaymentList): Sql | undefined =>
  purpose || from || to
    ? sql`payment.order_id IN (SELECT id FROM orders WHERE ${allConditions(
        purpose && sql`orders.purpose = ${purpose}`,
        isOn(sql`orders.created_at`, { from, to, timeZone }),
      )})`
    : undefined

const isDisputed = ({ disputed_from: from, disputed_to: to, dispute_reason: reason, timeZone }: PaymentList) =>
  from || to || reason
    ? sql`payment.id IN (SELECT payment_id FROM dispute WHERE ${allConditions(
        sql`dispute.kind = 'dispute'`,
        isOn(sql`dispute.created_at`, { from, to, timeZone }),
        reason ? sql`dispute.reason = ${reason}` : undefined,
      )})`
    : undefined

const isListed = ({ status, provider, method, canceled_why: why, dispute, search, ...list }: PaymentList) =>
  allConditions(
    status && sql`payment.status = ${status}`,
    provider ? sql`payment.provider = ${provider}` : undefined,
    method ? sql`${methodName} = ${method}` : undefined,
    why ? sql`payment.status = 'canceled' AND coalesce(payment.canceled_why, 'none') = ${why}` : undefined,
    isOfOrders({ search, ...list }),
    isDisputed({ search, ...list }),
    dispute && sql`payment.order_id IN (SELECT order_id FROM dispute WHERE flag = ${dispute})`,
    search
      ? sql`(payment.order_id = ${search.toUpperCase()} OR payment.provider_payment_id = ${search}
          OR ${isInFound({ search, ...list })})`
      : undefined,
  )

const listPayments = (queries: Queries, list: PaymentList) =>
  queries.rows<ListedPaymentRow>(sql`
    SELECT ${columns} FROM (
      SELECT * FROM payment WHERE ${isListed(list)} ORDER BY ${toOrderBy(list)} ${toPage(list)}) AS payment
    ${joins} ORDER BY ${toOrderBy(list)}`)

const countPayments = (queries: Queries, list: PaymentList) =>
  countAll(queries, sql`SELECT FROM payment WHERE ${isListed(list)}`, list.search)

const findListedPayment = (queries: Queries, paymentId: number) =>
  queries.maybe<ListedPaymentRow>(sql`SELECT ${columns} FROM payment ${joins} WHERE payment.id = ${paymentId}`)

const shownPayment = (row: ListedPaymentRow): ListedPayment => ({
  ...row,
  amount: toMajor(row.amount),
  fee_amount: toMajor(row.fee_amount),
  charge_amount: toMajor(row.charge_amount),
  paid_amount: row.paid_amount === null ? null : toMajor(row.paid_amount),
  created_at: row.created_at.toISOString(),
  settled_at: row.settled_at?.toISOString() ?? null,
})

export async function readPayment(queries: Queries, paymentId: number): Promise<ListedPayment> {
  const row = await findListedPayment(queries, paymentId)
  if (!row) throw new Failure('NOT_FOUND')
  return shownPayment(row)
}

export function paymentsAdmin({ serve, database, config }: Context): void {
  serve(adminPaymentsApi.list, async ({ query }) => {
    const users = query.search ? await findFewUsers(database, query.search) : undefined
    const list = { ...query, sort: query.sort ?? 'id', users, timeZone: await readTimeZone(database, config) }
    const { rows, total } = await withTotal(list, listPayments(database, list), () => countPayments(database, list))
    return { data: rows.map(shownPayment), total }
  })
}
