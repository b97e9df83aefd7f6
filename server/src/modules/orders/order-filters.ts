import {
  adminOrdersApi,
  isViewFilter,
  type NewOrderView,
  type OrderViewChange,
  type SavedView,
} from '@olmos/contract/admin-orders'
import type { QueryParams } from '@olmos/contract/endpoint'
import { Failure } from '@olmos/contract/failure'
import * as LIMITS from '@olmos/contract/limits'
import { toMinor } from '@olmos/contract/minor-units'
import type { Context } from '../../platform/context.ts'
import { allConditions, isOn, type ListPage, orDuplicate, requireVersion } from '../../platform/database/lists.ts'
import { containing, join, type Queries, type Sql, sql, type Tx } from '../../platform/database/queries.ts'
import type { Caller } from '../../platform/http/route.ts'
import { writeAudit, writeAuditChange } from '../../platform/security/audit.ts'
import type { Vault } from '../../platform/security/vault.ts'
import { findFewUsers, hasContact, isNamed, toUserId } from '../accounts/accounts.store.ts'
import { toSpelling } from '../codes/generated-codes.ts'
import { isPaid, paidBy } from './order-money.ts'

export type OrderFilter = Omit<QueryParams<typeof adminOrdersApi.list>, keyof ListPage | 'sort'> & {
  userId?: number | undefined
}

/** Selects the orders of whose top-ups this is the account, or the first value of several. */
const ofAccount = (account: string): Sql => sql`
  SELECT order_id FROM order_item WHERE id IN (
    SELECT order_item_id FROM topup_target WHERE lower(account) = ${account.toLowerCase()}
    UNION ALL
    SELECT order_item_id FROM topup_target
    WHERE lower(split_part(account, ' (', 1)) = ${account.toLowerCase()} AND account LIKE '% (%')`

const ofPayment = (payment: string): Sql =>
  /^\d{1,15}$/.test(payment)
    ? sql`SELECT order_id FROM payment WHERE id = ${Number(payment)}
        UNION ALL SELECT order_id FROM payment WHERE provider_payment_id = ${payment}`
    : sql`SELECT order_id FROM payment WHERE provider_payment_id = ${payment}`

/** Selects the orders whose receipt went to this address, and those of whom it is the contact in the profile. */
const ofEmail = (email: string): Sql => sql`
  SELECT order_id FROM payment
  WHERE lower(receipt -> 'contact' ->> 'email') = ${email.toLowerCase()} AND receipt IS NOT NULL
  UNION ALL SELECT orders.id FROM users JOIN orders ON orders.user_id = users.id WHERE ${hasContact(email)}`

/** Selects the orders that a code was sold to, redeemed for or activated by. */
const ofCode = (codeId: number): Sql => sql`
  SELECT order_id FROM order_item WHERE id IN (
    SELECT order_item_id FROM code_sale WHERE code_id = ${codeId}
    UNION ALL SELECT order_item_id FROM code_activation WHERE code_id = ${codeId}
    UNION ALL SELECT delivery.order_item_id FROM supplier_order JOIN delivery ON delivery.id = delivery_id
      WHERE supplier_order.code_id = ${codeId})`

/** Which orders are listed, said in the two ways that are quick: for a page of them by time, and for all of them. */
export interface OrderCondition {
  page: Sql
  all: Sql
}

/** Whether the order was paid for, a filling of the balance too. */
const wasPaid = sql`(${isPaid} OR (orders.purpose = 'balance' AND EXISTS (
  SELECT FROM payment WHERE payment.order_id = orders.id AND payment.settled_to = 'wallet')))`

type RefundFilter = Pick<OrderFilter, 'refunded_from' | 'refunded_to' | 'refund_reason'>

/** Selects the orders of which money was refunded, also out of the balance that they filled. Those have no reason of a list. */
function ofRefunds(
  { refunded_from: from, refunded_to: to, refund_reason: reason }: RefundFilter,
  timeZone: string,
): Sql {
  const within = (time: Sql): Sql => isOn(time, { from, to, timeZone })
  const ofGoods = sql`
    SELECT order_id FROM refund
    WHERE ${allConditions(within(sql`refund.created_at`), reason ? sql`refund.reason = ${reason}` : undefined)}`
  if (reason) return ofGoods
  return sql`${ofGoods} UNION ALL
    SELECT payment.order_id FROM card_refund JOIN payment ON payment.id = payment_id AND settled_to = 'wallet'
    WHERE card_refund.status <> 'failed' AND ${within(sql`card_refund.created_at`)}`
}

const bothWays = (condition: Sql): OrderCondition => ({ page: condition, all: condition })

interface Collected {
  /** Selects the orders. */
  matches: Sql
  /** Up to how many are collected. */
  atMost?: number
  /** Whether one order is among them, and how all of them are found, where they are more. */
  isOne: Sql
  all?: Sql
}

/**
 * Narrows to the orders that `matches` selects. As long as they are few, they are looked for once, and travel on as the
 * text of an array, which nobody here reads. The newest of more are found soon by looking at one order after the other.
 */
async function collectedFirst(
  queries: Queries,
  { matches, atMost = 20_000, isOne, all = sql`orders.id IN (${matches})` }: Collected,
): Promise<OrderCondition> {
  const { ids } = await queries.one<{ ids: string | null }>(sql`
    SELECT CASE WHEN count(*) <= ${atMost} THEN coalesce(array_agg(order_id), '{}')::text END AS ids
    FROM (${matches} LIMIT ${atMost + 1}) AS matched`)
  if (ids === null) return { page: isOne, all }
  // What stands there as a value is weighed by the planner one by one.
  return bothWays(sql`orders.id = ANY (ARRAY(SELECT unnest(${ids}::text[])))`)
}

const ofProduct = (queries: Queries, productId: number): Promise<OrderCondition> =>
  collectedFirst(queries, {
    matches: sql`
      SELECT order_id FROM order_item
      WHERE offer_id = ANY (ARRAY(SELECT id FROM offer WHERE offer.product_id = ${productId}))
        OR order_item.product_id = ${productId}`,
    // As an expression, so that no index on products is tried for every order.
    isOne: sql`EXISTS (SELECT FROM order_item LEFT JOIN offer ON offer.id = offer_id
      WHERE order_id = orders.id AND coalesce(order_item.product_id, offer.product_id) = ${productId} OFFSET 0)`,
  })

function ofSupplier(queries: Queries, supplier: string): Promise<OrderCondition> {
  const asked = sql`supplier_order JOIN delivery ON delivery.id = supplier_order.delivery_id
    JOIN order_item ON order_item.id = delivery.order_item_id`
  return collectedFirst(queries, {
    matches: sql`SELECT order_id FROM ${asked} WHERE supplier = ${supplier}`,
    isOne: sql`EXISTS (SELECT FROM ${asked} WHERE order_id = orders.id AND supplier = ${supplier} OFFSET 0)`,
  })
}

/** Narrows to the orders of users whose nickname has this part; `users` are all of them, as long as they are few. */
async function ofUsers(queries: Queries, users: number[] | undefined, part: string): Promise<OrderCondition> {
  if (users) return bothWays(sql`orders.user_id = ANY (${users})`)
  return collectedFirst(queries, {
    matches: sql`
      SELECT orders.id AS order_id FROM users JOIN orders ON orders.user_id = users.id WHERE ${isNamed(part)}`,
    // An order takes one look-up, so that many more can be gone through.
    atMost: 2_000,
    isOne: sql`EXISTS (SELECT FROM users WHERE users.id = orders.user_id AND ${isNamed(part)} OFFSET 0)`,
    all: sql`orders.user_id IN (SELECT id FROM users WHERE ${isNamed(part)})`,
  })
}

const ofNickname = async (queries: Queries, part: string): Promise<OrderCondition> =>
  ofUsers(queries, await findFewUsers(queries, part), part)

const fewOrders = 1_000

/** Finds what a search may mean: a part of an order id or of a nickname, a user id, an account, a payment, an e-mail. */
async function isFound(queries: Queries, search: string): Promise<OrderCondition> {
  const users = await findFewUsers(queries, search)
  const userId = toUserId(search)
  const isNumbered = sql`orders.id LIKE ${containing(search.toUpperCase())}`
  const named = [ofAccount(search), ofPayment(search), ofEmail(search)]
  if (users) {
    const found = await queries.rows<{ id: string }>(sql`
      SELECT id FROM (
        (SELECT id FROM orders WHERE ${isNumbered} LIMIT ${fewOrders + 1})
        UNION ALL (SELECT id FROM orders WHERE user_id = ANY (${[...users, userId]}::int[]) LIMIT ${fewOrders + 1})
        UNION ALL ${join(named, ' UNION ALL ')}) AS found
      LIMIT ${fewOrders + 1}`)
    if (found.length <= fewOrders) return bothWays(sql`orders.id = ANY (${found.map(({ id }) => id)})`)
  }
  const { page, all } = await ofUsers(queries, users, search)
  const orOther = (isOfUser: Sql): Sql => sql`
    (${isNumbered} OR ${isOfUser} OR orders.user_id = ${userId}::int
      OR orders.id = ANY (ARRAY(${join(named, ' UNION ALL ')})))`
  return { page: orOther(page), all: orOther(all) }
}

/** Turns what an admin asks for into conditions on `orders`; `timeZone` is that of the days. */
export async function toCondition(queries: Queries, filter: OrderFilter, timeZone: string): Promise<OrderCondition> {
  const { search, purpose, status, payment_method, dispute, currency, from, to, userId, code, ...texts } = filter
  const { amount_from, amount_to, productId, supplier, account, payment, nickname, email, paid, paid_by } = texts
  const found = await Promise.all([
    productId ? ofProduct(queries, productId) : undefined,
    supplier ? ofSupplier(queries, supplier) : undefined,
    nickname ? ofNickname(queries, nickname) : undefined,
    search ? isFound(queries, search) : undefined,
  ])
  const few = [
    account && ofAccount(account),
    payment && ofPayment(payment),
    email && ofEmail(email),
    code && ofCode(code),
    (texts.refunded_from || texts.refunded_to || texts.refund_reason) && ofRefunds(texts, timeZone),
  ]
  const columns = [
    userId && sql`orders.user_id = ${userId}`,
    purpose && sql`orders.purpose = ${purpose}`,
    status && sql`orders.status = ${status}`,
    payment_method && sql`orders.payment_method = ${payment_method}`,
    dispute && sql`orders.id IN (SELECT order_id FROM dispute WHERE flag = ${dispute})`,
    currency && sql`orders.currency = ${currency}`,
    paid_by && sql`${paidBy} = ${paid_by}`,
    paid && (paid === 'true' ? wasPaid : sql`NOT ${wasPaid}`),
    (from || to) && isOn(sql`orders.created_at`, { from, to, timeZone }),
    amount_from !== undefined && sql`orders.total >= ${toMinor(amount_from)}`,
    amount_to !== undefined && sql`orders.total <= ${toMinor(amount_to)}`,
    ...few.map((orders) => orders && sql`orders.id = ANY (ARRAY(${orders}))`),
  ]
  const toEach = (way: keyof OrderCondition) =>
    allConditions(...[...columns, ...found.map((one) => one?.[way])].map((condition) => condition || undefined))
  return { page: toEach('page'), all: toEach('all') }
}

/** Finds a code by its keyed fingerprint, as it was imported or as one of the shop's own is spelled, and notes who asked. */
export async function lookUpCode(tx: Tx, vault: Vault, adminId: number, code: string): Promise<number | null> {
  const spelled = toSpelling(code)
  const fingerprints = [code, ...(spelled ? [spelled] : [])].map((text) => vault.fingerprint(text))
  const found = await tx.maybe<{ id: number }>(
    sql`SELECT code_id AS id FROM code_fingerprint WHERE fingerprint = ANY (${fingerprints}) ORDER BY code_id LIMIT 1`,
  )
  const subject = found ? `code:${found.id}` : 'orders'
  await writeAudit(tx, { actorId: adminId, action: 'code.look_up', subject, after: { is_known: found !== undefined } })
  return found?.id ?? null
}

interface ViewRow extends Omit<SavedView, 'is_incomplete' | 'is_own' | 'is_changeable'> {
  user_id: number
}

const viewColumns = sql`
  order_view.id, order_view.user_id, order_view.name, order_view.filters, order_view.is_shared, users.nickname AS made_by,
  order_view.version`

function shownView({ user_id, filters, ...row }: ViewRow, { id, permissions }: Caller): SavedView {
  const working = Object.entries(filters).filter(([name, value]) => isViewFilter(name, value))
  const isOwn = user_id === id
  return {
    ...row,
    filters: Object.fromEntries(working),
    is_incomplete: working.length < Object.keys(filters).length,
    is_own: isOwn,
    is_changeable: isOwn || permissions.has('staff.write'),
  }
}

const isSeenBy = ({ id }: Caller): Sql => sql`(order_view.user_id = ${id} OR order_view.is_shared)`

const listViews = (queries: Queries, caller: Caller) =>
  queries.rows<ViewRow>(sql`
    SELECT ${viewColumns} FROM order_view JOIN users ON users.id = user_id WHERE ${isSeenBy(caller)}
    ORDER BY (user_id = ${caller.id}) DESC, lower(order_view.name), order_view.id`)

const refuseTakenView = <T>(write: Promise<T>): Promise<T> => orDuplicate(write, 'order_view_name', 'name')

/** Keeps a view. Refuses more than a person may have: VALIDATION_FAILED. */
async function addView(tx: Tx, caller: Caller, { name, filters, is_shared }: NewOrderView): Promise<SavedView> {
  await tx.run(sql`SELECT FROM users WHERE id = ${caller.id} FOR NO KEY UPDATE`)
  const { count } = await tx.one<{ count: number }>(
    sql`SELECT count(*)::int AS count FROM order_view WHERE user_id = ${caller.id}`,
  )
  if (count >= LIMITS.orderViewsMax) throw new Failure('VALIDATION_FAILED', { name: 'list_too_long' })
  const { id } = await refuseTakenView(
    tx.one<{ id: number }>(sql`
      INSERT INTO order_view (user_id, name, filters, is_shared)
      VALUES (${caller.id}, ${name}, ${JSON.stringify(filters)}::jsonb, ${is_shared}) RETURNING id`),
  )
  const after = { name, filters, is_shared }
  await writeAudit(tx, { actorId: caller.id, action: 'order_view.create', subject: `order_view:${id}`, after })
  return readView(tx, caller, id)
}

async function readView(tx: Tx, caller: Caller, viewId: number): Promise<SavedView> {
  const row = await tx.maybe<ViewRow>(sql`
    SELECT ${viewColumns} FROM order_view JOIN users ON users.id = user_id WHERE order_view.id = ${viewId}`)
  if (!row) throw new Failure('NOT_FOUND')
  return shownView(row, caller)
}

/** Locks a view that the caller may change. Refuses one that the caller can't see, or that belongs to a colleague. */
async function lockView(tx: Tx, caller: Caller, viewId: number): Promise<SavedView> {
  const found = await tx.maybe(
    sql`SELECT FROM order_view WHERE order_view.id = ${viewId} AND ${isSeenBy(caller)} FOR UPDATE`,
  )
  if (!found) throw new Failure('NOT_FOUND')
  const view = await readView(tx, caller, viewId)
  if (!view.is_changeable) throw new Failure('STATE_CONFLICT', { reason: 'view_of_colleague', made_by: view.made_by })
  return view
}

async function changeView(
  tx: Tx,
  caller: Caller,
  viewId: number,
  { version, ...change }: OrderViewChange,
): Promise<SavedView> {
  const before = await lockView(tx, caller, viewId)
  requireVersion(before, version)
  const { name, filters, is_shared } = { ...before, ...change }
  await refuseTakenView(
    tx.run(sql`
      UPDATE order_view SET name = ${name}, is_shared = ${is_shared}, filters = ${
        // What the list can't be narrowed by today stays, until other filters are kept.
        change.filters ? sql`${JSON.stringify(filters)}::jsonb` : sql`filters`
      } WHERE id = ${viewId}`),
  )
  const after = await readView(tx, caller, viewId)
  const entry = { actorId: caller.id, action: 'order_view.update', subject: `order_view:${viewId}` } as const
  await writeAuditChange(tx, entry, { ...before }, { ...after })
  return after
}

async function removeView(tx: Tx, caller: Caller, viewId: number): Promise<void> {
  const { name, filters, is_shared } = await lockView(tx, caller, viewId)
  await tx.run(sql`DELETE FROM order_view WHERE id = ${viewId}`)
  const before = { name, filters, is_shared }
  await writeAudit(tx, { actorId: caller.id, action: 'order_view.delete', subject: `order_view:${viewId}`, before })
}

/** Filters of the list of orders that are kept under a name. */
export function orderViewsAdmin({ serve, database }: Context): void {
  serve(adminOrdersApi.views, async ({ user }) => ({
    data: (await listViews(database, user)).map((row) => shownView(row, user)),
  }))

  serve(adminOrdersApi.addView, async ({ user, body }) => ({
    data: await database.transaction((tx) => addView(tx, user, body)),
  }))

  serve(adminOrdersApi.changeView, async ({ user, params, body }) => ({
    data: await database.transaction((tx) => changeView(tx, user, params.id, body)),
  }))

  serve(adminOrdersApi.removeView, async ({ user, params }) => {
    await database.transaction((tx) => removeView(tx, user, params.id))
    return { data: { id: params.id } }
  })
}
