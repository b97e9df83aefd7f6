import { adminOrdersApi } from '@olmos/contract/admin-orders'
import { adminPaymentsApi } from '@olmos/contract/admin-payments'
import type { AlertDetails } from '@olmos/contract/alerts'
import {
  type Approval,
  type ApprovalDecision,
  type ApprovalEnd,
  type ApprovedCall,
  approvalsApi,
  approvedCalls,
} from '@olmos/contract/approvals'
import { deliveriesApi } from '@olmos/contract/deliveries'
import type { Endpoint } from '@olmos/contract/endpoint'
import { Failure } from '@olmos/contract/failure'
import { byOrderId } from '@olmos/contract/fields'
import { fillingsApi } from '@olmos/contract/fillings'
import { toMajor, toMinor } from '@olmos/contract/minor-units'
import type { Currency } from '@olmos/contract/money'
import { paymentsApi } from '@olmos/contract/payments'
import type { Permission } from '@olmos/contract/permissions'
import { walletApi } from '@olmos/contract/wallet'
import type { Context } from '../../platform/context.ts'
import type { Database } from '../../platform/database/database.ts'
import { doOneByOne } from '../../platform/database/jobs.ts'
import { type Queries, type Sql, sql, type Tx } from '../../platform/database/queries.ts'
import type { Call, Caller } from '../../platform/http/route.ts'
import { raiseAlert, resolveAlert } from '../../platform/live/alert.ts'
import { writeAudit } from '../../platform/security/audit.ts'
import { hasPermission, type Spender } from '../accounts/staff.ts'
import { refundDelivery } from '../delivery/operators-queue.ts'
import { lockCartAndOrder } from '../orders/order-states.ts'
import type { PaymentShop } from '../payments/open-payment.ts'
import { readNumbers } from '../shop/shop.ts'
import { lockBalances, setBalance, topUpBalance, toWantedBalance } from '../wallet/wallet.ts'
import { decideRefund, replaceCode, setOrderStatus } from './change-order.ts'
import { finishFillingRefund, refundFilling } from './fill-balance.ts'
import { learnRefunds } from './receive-webhook.ts'
import { finishRefund, refundOrder } from './refund-order.ts'
import { confirmPayment } from './settle-payment.ts'

interface ApprovalRow {
  id: number
  call: ApprovedCall
  params: { id: string | number; codeId?: string | number }
  body: Record<string, unknown>
  /** Minor units. */
  amount: number
  currency: Currency
  asked_by_id: number
  asked_by: string
  asked_at: Date
  expires_at: Date
  decision: ApprovalEnd | null
  decided_by: string | null
  decided_at: Date | null
  nickname: string | null
  /** What it is about, unless it is a balance. */
  order_id: string | null
  /** The newest of what was done of the same kind when it was asked for (`Deed.newest`); null where nobody looked. */
  done_before: number | null
}

/** As it is kept, maybe by another version of the store, with a call that this one does not know. */
interface KeptRow extends Omit<ApprovalRow, 'call'> {
  call: string
}

/** Before these the provider is asked what it has refunded already. */
const refunds: readonly ApprovedCall[] = ['refundOrder', 'setOrderStatus', 'refundFilling']
const ofOrders: readonly ApprovedCall[] = [...refunds, 'replaceCodeOfOrder']
const ofBalances: readonly ApprovedCall[] = ['setBalanceOfUser', 'topUpOwnBalance']

/** What nobody decided in time has expired, whether the job that says so was there yet or not. */
const isOver = sql`(approval.decision IS NULL AND approval.expires_at <= now())`

const findApproval = (queries: Queries, id: number) =>
  queries.maybe<KeptRow>(sql`
    SELECT approval.id, approval.call, approval.params, approval.body, approval.amount, approval.currency, approval.done_before,
      approval.asked_by AS asked_by_id, asker.nickname AS asked_by, approval.asked_at, approval.expires_at,
      CASE WHEN ${isOver} THEN 'expired' ELSE approval.decision END AS decision, decider.nickname AS decided_by,
      CASE WHEN ${isOver} THEN approval.expires_at ELSE approval.decided_at END AS decided_at,
      CASE WHEN approval.call = ANY (${ofBalances as string[]}) THEN (
        SELECT nickname FROM users WHERE users.id = (approval.params->>'id')::int) END AS nickname,
      CASE WHEN approval.call = ANY (${ofOrders as string[]}) THEN upper(approval.params->>'id')
        WHEN approval.call = 'refundDelivery' THEN (
          SELECT order_id FROM delivery JOIN order_item ON order_item.id = order_item_id
          WHERE delivery.id = (approval.params->>'id')::bigint)
        WHEN approval.call = 'confirmPayment' THEN (
          SELECT order_id FROM payment WHERE payment.id = (approval.params->>'id')::bigint)
        WHEN approval.call = 'decideCardRefund' THEN (
          SELECT order_id FROM card_refund JOIN payment ON payment.id = payment_id
          WHERE card_refund.id = (approval.params->>'id')::bigint) END AS order_id
    FROM approval JOIN users AS asker ON asker.id = approval.asked_by
    LEFT JOIN users AS decider ON decider.id = approval.decided_by WHERE approval.id = ${id}`)

const isKnown = (row: KeptRow): row is ApprovalRow => isApproved(row.call)

/** Reads a request whose call this version of the store can show and do. Refuses any other with NOT_FOUND. */
async function readApproval(queries: Queries, id: number): Promise<ApprovalRow> {
  const row = await findApproval(queries, id)
  if (!row || !isKnown(row)) throw new Failure('NOT_FOUND')
  return row
}

/** An older program of the store may have kept the id in lower case. */
const toOrderId = ({ params }: Pick<ApprovalRow, 'params'>): string => byOrderId.parse(params).id

const toSubject = ({ id, call, params, order_id }: Pick<KeptRow, 'id' | 'call' | 'params' | 'order_id'>): string => {
  if (call === 'refundDelivery') return `delivery:${params.id}`
  if (ofBalances.some((one) => one === call)) return `user:${params.id}`
  return order_id === null ? `approval:${id}` : `order:${order_id}`
}

const shownApproval = (
  { params, asked_by_id, order_id, done_before: _, ...row }: ApprovalRow,
  userId: number,
): Approval => ({
  ...row,
  subject: toSubject({ ...row, params, order_id }),
  amount: toMajor(row.amount),
  is_own: asked_by_id === userId,
  asked_at: row.asked_at.toISOString(),
  expires_at: row.expires_at.toISOString(),
  decided_at: row.decided_at?.toISOString() ?? null,
})

const isApproved = (name: string): name is ApprovedCall => approvedCalls.some((call) => call === name)

/**
 * Keeps a call that was refused because it is above its caller's limit, and raises an alert, so that a colleague may say yes;
 * undefined for any other refusal. It is to run after the refused transaction was undone, and answers the refusal with what
 * waits now.
 */
export function keepForYes(
  { operationId }: Endpoint,
  { user, params, body }: Call<Endpoint>,
  failure: Failure,
): ((tx: Tx) => Promise<Failure>) | undefined {
  const details = failure.is('STATE_CONFLICT') ? failure.details : undefined
  if (details?.reason !== 'above_limit' || !user || !isApproved(operationId)) return undefined
  const { amount, currency, seen } = details
  // A yes is bound to what it agrees to. The version is of the asker's page, which is an old one soon.
  const { version: _, ...asked }: Record<string, unknown> = body ?? {}
  return async (tx) => {
    // Whose own balance it is follows from who asks.
    const about: ApprovalRow['params'] = Object.assign({ id: user.id }, params)
    const kept = await insertApproval(tx, {
      call: operationId,
      params: about,
      body: seen ? { ...asked, seen } : asked,
      doneBefore: await readNewest(tx, { call: operationId, params: about, currency }),
      adminId: user.id,
      amount: toMinor(amount),
      currency,
    })
    const facts = toFacts(await readApproval(tx, kept))
    await raiseAlert(tx, { kind: 'approval.waiting', subject: `approval:${kept}`, details: facts })
    return new Failure('STATE_CONFLICT', { ...details, approval: kept })
  }
}

/** The facts of an alert about it. */
const toFacts = ({ order_id, asked_by, amount, currency }: KeptRow): AlertDetails => ({
  ...(order_id !== null && { order: order_id }),
  admin: asked_by,
  amount,
  currency,
})

interface KeptCall {
  call: ApprovedCall
  params: unknown
  body: unknown
  adminId: number
  amount: number
  currency: Currency
  doneBefore: number | null
}

/**
 * Adds it, or finds what waits already, which has all its time again. What comes to another sum than before, was wished of
 * another balance, or before something was done, is another request, and the one before it is withdrawn: a colleague may be
 * looking at its sum.
 */
async function insertApproval(
  tx: Tx,
  { call, adminId, amount, currency, doneBefore, ...kept }: KeptCall,
): Promise<number> {
  const [params, body] = [JSON.stringify(kept.params), JSON.stringify(kept.body)]
  const { approval_hours: hours } = await readNumbers(tx)
  const outdated = await tx.rows<{ id: number }>(sql`
    SELECT id FROM approval
    WHERE asked_by = ${adminId} AND call = ${call} AND params = ${params}
      AND body - 'seen' = ${body}::jsonb - 'seen' AND decision IS NULL
      AND (amount <> ${amount} OR currency <> ${currency} OR body <> ${body}
        OR done_before IS DISTINCT FROM ${doneBefore}) FOR UPDATE`)
  for (const { id } of outdated) await takeBack(tx, await readApproval(tx, id), adminId)
  const { id } = await tx.one<{ id: number }>(sql`
    INSERT INTO approval (call, params, body, amount, currency, done_before, asked_by, expires_at)
    VALUES (${call}, ${params}, ${body}, ${amount}, ${currency}, ${doneBefore}, ${adminId},
      now() + make_interval(hours => ${hours}))
    ON CONFLICT (asked_by, call, md5(params::text || body::text)) WHERE decision IS NULL
      DO UPDATE SET expires_at = excluded.expires_at
    RETURNING id`)
  return id
}

/** What a yes does: the call that was kept, made by whoever says yes. */
interface Deed {
  permission: Permission
  work(tx: Tx, shop: PaymentShop, row: ApprovalRow, by: Spender & { askedPayments: number }): Promise<unknown>
  /** Asks the provider for what was decided. */
  finish?(shop: PaymentShop, orderId: string): Promise<unknown>
  /** Finds the newest of what a yes would do once more; none where it can be done only once. */
  newest?(about: Pick<ApprovalRow, 'params' | 'currency'>): Sql
}

const newestRefund = (row: Pick<ApprovalRow, 'params'>): Sql =>
  sql`SELECT max(id) FROM refund WHERE order_id = ${toOrderId(row)}`

const deeds: Readonly<Record<ApprovedCall, Deed>> = {
  refundOrder: {
    permission: paymentsApi.refund.permission,
    work: (tx, { providers }, row, by) =>
      refundOrder(tx, providers, { ...paymentsApi.refund.body.parse(row.body), orderId: toOrderId(row), ...by }),
    finish: finishRefund,
    newest: newestRefund,
  },
  setOrderStatus: {
    permission: adminOrdersApi.setStatus.permission,
    newest: newestRefund,
    work: (tx, { providers }, row, by) =>
      setOrderStatus(tx, providers, {
        ...adminOrdersApi.setStatus.body.parse(row.body),
        orderId: toOrderId(row),
        ...by,
      }),
  },
  refundFilling: {
    permission: fillingsApi.refund.permission,
    work(tx, { providers }, row, by) {
      const { amount, ...asked } = fillingsApi.refund.body.parse(row.body)
      const wanted = { ...asked, amount: amount === undefined ? undefined : toMinor(amount) }
      return refundFilling(tx, providers, { ...wanted, orderId: toOrderId(row), ...by })
    },
    finish: finishFillingRefund,
    newest: (row) => sql`
      SELECT max(card_refund.id) FROM card_refund JOIN payment ON payment.id = payment_id
      WHERE order_id = ${toOrderId(row)}`,
  },
  refundDelivery: {
    permission: deliveriesApi.refund.permission,
    // What was sent to a supplier since may have come.
    newest: ({ params }) => sql`SELECT max(id) FROM supplier_order WHERE delivery_id = ${Number(params.id)}`,
    work(tx, _shop, row, by) {
      const { version: _, ...wanted } = deliveriesApi.refund.body.parse(row.body)
      return refundDelivery(tx, Number(row.params.id), { ...wanted, ...by })
    },
  },
  topUpOwnBalance: {
    permission: walletApi.topUp.permission,
    newest: ({ params, currency }) => sql`
      SELECT max(transfer.id) FROM transfer JOIN account ON account.id = credit_account
      WHERE user_id = ${Number(params.id)} AND account.kind = 'wallet' AND account.currency = ${currency}
        AND transfer.kind = 'topup'`,
    async work(tx, _shop, { asked_by_id, body }, by) {
      const { permission } = walletApi.topUp
      // The money goes to who asked, who may have left the staff since.
      if (!(await hasPermission(tx, asked_by_id, permission)))
        throw new Failure('STATE_CONFLICT', { reason: 'asker_may_not', permission })
      const { currency, amount } = walletApi.topUp.body.parse(body)
      return topUpBalance(tx, { userId: asked_by_id, currency, amount: toMinor(amount), ...by })
    },
  },
  setBalanceOfUser: {
    permission: walletApi.setBalance.permission,
    work: (tx, _shop, row, by) =>
      setBalance(tx, {
        userId: Number(row.params.id),
        ...toWantedBalance(walletApi.setBalance.body.parse(row.body)),
        ...by,
      }),
  },
  confirmPayment: {
    permission: adminPaymentsApi.confirm.permission,
    work(tx, _shop, row, by) {
      const { reason, reference } = adminPaymentsApi.confirm.body.parse(row.body)
      return confirmPayment(tx, { paymentId: Number(row.params.id), reason, reference, ...by })
    },
  },
  decideCardRefund: {
    permission: adminPaymentsApi.decideRefund.permission,
    work: (tx, _shop, row, by) =>
      decideRefund(tx, {
        refundId: Number(row.params.id),
        ...adminPaymentsApi.decideRefund.body.parse(row.body),
        ...by,
      }),
  },
  replaceCodeOfOrder: {
    permission: adminOrdersApi.replaceCode.permission,
    work: (tx, _shop, row, by) =>
      replaceCode(tx, {
        ...adminOrdersApi.replaceCode.body.parse(row.body),
        orderId: toOrderId(row),
        codeId: Number(row.params.codeId),
        ...by,
      }),
  },
}

async function readNewest(tx: Tx, row: Pick<ApprovalRow, 'call' | 'params' | 'currency'>): Promise<number | null> {
  const newest = deeds[row.call].newest?.(row)
  if (!newest) return null
  return (await tx.one<{ id: number }>(sql`SELECT coalesce((${newest}), 0) AS id`)).id
}

/** Refuses what was done since it was asked for, in another way than by a yes. Nobody does it until the transaction ends. */
async function requireNotDone(tx: Tx, row: ApprovalRow): Promise<void> {
  if (row.done_before === null) return
  await (row.order_id === null ? lockBalances(tx, Number(row.params.id)) : lockCartAndOrder(tx, row.order_id))
  if ((await readNewest(tx, row)) !== row.done_before) throw new Failure('STATE_CONFLICT', { reason: 'done_meanwhile' })
}

interface Decision {
  id: number
  decision: ApprovalDecision
  user: Caller
  askedPayments: number
}

/** Locks what waits. Refuses with STATE_CONFLICT what was decided, or what is over. */
async function lockWaiting(tx: Tx, id: number): Promise<ApprovalRow> {
  await tx.run(sql`SELECT FROM approval WHERE id = ${id} FOR UPDATE`)
  const row = await readApproval(tx, id)
  if (row.decision) throw new Failure('STATE_CONFLICT', { reason: 'approval_decided', decision: row.decision })
  return row
}

/** Writes down what became of a locked one, and ends its alert. */
async function end(tx: Tx, id: number, decision: ApprovalEnd, adminId: number | null): Promise<void> {
  await tx.run(sql`
    UPDATE approval SET decision = ${decision}, decided_by = ${adminId}, decided_at = now() WHERE id = ${id}`)
  await resolveAlert(tx, 'approval.waiting', `approval:${id}`)
}

/**
 * Says no to what waits, or does it as the call of the admin who says yes, with that one's permission and within that one's
 * limits. Refuses with STATE_CONFLICT what was decided, what one asked for oneself, which one may withdraw, what comes to more by
 * now than the admin was shown, and what was done since in another way.
 */
async function decide(tx: Tx, shop: PaymentShop, { id, decision, user, askedPayments }: Decision): Promise<void> {
  const row = await lockWaiting(tx, id)
  if (row.asked_by_id === user.id) throw new Failure('STATE_CONFLICT', { reason: 'own_request' })
  if (decision === 'yes') {
    const { permission, work } = deeds[row.call]
    const agreed = { amount: row.amount, currency: row.currency }
    if (!user.permissions.has(permission)) throw new Failure('FORBIDDEN', { permission })
    await requireNotDone(tx, row)
    await work(tx, shop, row, { adminId: user.id, agreed, askedPayments })
  }
  await end(tx, id, decision, user.id)
  await writeAudit(tx, {
    actorId: user.id,
    action: 'approval.decide',
    subject: toSubject(row),
    after: { approval: id, call: row.call, asked_by: row.asked_by, decision },
  })
}

/** Takes back what the caller asked for. What others asked for is not there for the caller: NOT_FOUND. */
async function withdraw(tx: Tx, id: number, adminId: number): Promise<ApprovalRow> {
  const asked = await readApproval(tx, id)
  if (asked.asked_by_id !== adminId) throw new Failure('NOT_FOUND')
  await takeBack(tx, await lockWaiting(tx, id), adminId)
  return readApproval(tx, id)
}

async function takeBack(tx: Tx, row: ApprovalRow, adminId: number): Promise<void> {
  await end(tx, row.id, 'withdrawn', adminId)
  await writeAudit(tx, {
    actorId: adminId,
    action: 'approval.withdraw',
    subject: toSubject(row),
    after: { approval: row.id, call: row.call },
  })
}

const lockNextOver = (tx: Tx, except: readonly number[]) =>
  tx.maybe<{ id: number }>(sql`
    SELECT id FROM approval WHERE ${isOver} AND id <> ALL (${except}::bigint[])
    ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED`)

async function expire(tx: Tx, { id }: { id: number }): Promise<void> {
  const row = await findApproval(tx, id)
  if (!row) throw new Failure('NOT_FOUND')
  await end(tx, id, 'expired', null)
  await raiseAlert(tx, { kind: 'approval.expired', subject: `approval:${id}`, details: toFacts(row) })
  await writeAudit(tx, {
    actorId: null,
    action: 'approval.expire',
    subject: toSubject(row),
    after: { approval: id, call: row.call, asked_by: row.asked_by },
  })
}

/** Ends what nobody decided in time, and raises an alert about each, by which who asked and who might have said yes know. */
export async function expireApprovals({ database }: { database: Database }): Promise<void> {
  await doOneByOne(database, 'requests that could not be ended', { lockNext: lockNextOver, work: expire })
}

export function approvalsAdmin(context: Context & PaymentShop): void {
  const { serve, database } = context

  serve(approvalsApi.one, async ({ user, params }) => ({
    data: shownApproval(await readApproval(database, params.id), user.id),
  }))

  serve(approvalsApi.withdraw, async ({ user, params }) => ({
    data: shownApproval(await database.transaction((tx) => withdraw(tx, params.id, user.id)), user.id),
  }))

  serve.inPhases(approvalsApi.decide, {
    check: async ({ params }) => {
      const row = await readApproval(database, params.id)
      return refunds.includes(row.call) ? learnRefunds(context, toOrderId(row)) : 0
    },
    async start({ user, params, body }, tx, askedPayments) {
      await decide(tx, context, { id: params.id, decision: body.decision, user, askedPayments })
      return String(params.id)
    },
    async finish({ user }, id) {
      const row = await readApproval(database, Number(id))
      if (row.decision === 'yes') await deeds[row.call].finish?.(context, toOrderId(row))
      return { data: shownApproval(row, user.id) }
    },
  })
}
