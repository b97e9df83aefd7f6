import { adminPaymentsApi, type ListedPayment } from '@olmos/contract/admin-payments'
import type { DisputeFlag } from '@olmos/contract/disputes'
import { Failure } from '@olmos/contract/failure'
import { toMajor } from '@olmos/contract/minor-units'
import type { ChargeCurrency, Currency } from '@olmos/contract/money'
import type { OrderStatus, PaymentStatus } from '@olmos/contract/orders'
import type { Sql } from 'sql-template-tag'
import type { Context } from '../../platform/context.ts'
import { allConditions, countAll, direction, type ListPage, toPage, withTotal } from '../../platform/database/lists.ts'
import { type Queries, sql } from '../../platform/database/queries.ts'
import { findFewUsers } from '../accounts/accounts.store.ts'
import { chargeColumns } from './payments.ts'

interface ListedPaymentRow {
  id: number
  order_id: string
  order_status: OrderStatus
  user_id: number
  nickname: string
  provider: string
  method: string
  provider_payment_id: string | null
  /** In minor units. */
  amount: number
  fee_amount: number
  currency: Currency
  /** In minor units. */
  charge_amount: number
  charge_currency: ChargeCurrency
  charge_rate: string | null
  status: PaymentStatus
  paid_amount: number | null
  paid_currency: string | null
  settled_to: 'order' | 'wallet' | 'operator' | null
  dispute: DisputeFlag | null
  created_at: Date
  settled_at: Date | null
}

interface PaymentList extends ListPage {
  search: string
  /** Ids of the users whose nickname contains the search, if they are few. */
  users: number[] | undefined
  sort: 'id' | 'amount'
  status?: PaymentStatus | undefined
  provider?: string | undefined
  dispute?: DisputeFlag | undefined
}

const columns = sql`
  payment.id, payment.order_id, orders.status AS order_status, orders.user_id, users.nickname, payment.provider,
  coalesce(payment.method, payment.provider) AS method, payment.provider_payment_id, payment.amount, payment.fee_amount,
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

const isListed = ({ status, provider, dispute, search, ...list }: PaymentList) =>
  allConditions(
    status && sql`payment.status = ${status}`,
    provider ? sql`payment.provider = ${provider}` : undefined,
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

export function paymentsAdmin({ serve, database }: Context): void {
  serve(adminPaymentsApi.list, async ({ query }) => {
    const users = query.search ? await findFewUsers(database, query.search) : undefined
    const list = { ...query, sort: query.sort ?? 'id', users }
    const { rows, total } = await withTotal(list, listPayments(database, list), () => countPayments(database, list))
    return { data: rows.map(shownPayment), total }
  })
}
