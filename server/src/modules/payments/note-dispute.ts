import type { AlertKind } from '@olmos/contract/alerts'
import type { DisputeFunds, DisputeKind, DisputeStatus } from '@olmos/contract/disputes'
import { type Currency, currencies } from '@olmos/contract/money'
import { sql, type Tx } from '../../platform/database/queries.ts'
import { raiseAlert, resolveAlert } from '../../platform/live/alert.ts'
import { setCustomerFrozen } from '../accounts/change-user.ts'
import { moveBetween } from '../wallet/wallet.ts'
import { outsideBooked } from './card-refunds.ts'
import { bookedForRefund } from './charge.rules.ts'
import {
  type DisputeRow,
  type DisputeTransfer,
  findDispute,
  findDisputeNamed,
  mergeDispute,
  moneyLeft,
  type PaidOrder,
  readOrderMoney,
  transfersMissing,
} from './disputes.ts'
import type { ProviderName, ReportedDispute } from './provider.ts'

interface NewDispute {
  paymentId: number
  orderId: string
  provider: ProviderName
  providerDisputeId: string
  kind: DisputeKind
  status: DisputeStatus
  funds: DisputeFunds
  amount: number
  currency: string
  reason: string
  dueBy: Date | null
  at: Date
  madeBy: number | null
}

/** The caller has locked the customer's cart, so that nobody else writes a dispute of theirs. */
const insertDispute = (tx: Tx, dispute: NewDispute) =>
  tx.one<{ id: number }>(sql`
    INSERT INTO dispute (payment_id, order_id, provider, provider_dispute_id, kind, status, funds, amount, currency, reason,
      due_by, told_at, made_by)
    VALUES (${dispute.paymentId}, ${dispute.orderId}, ${dispute.provider}, ${dispute.providerDisputeId}, ${dispute.kind},
      ${dispute.status}, ${dispute.funds}, ${dispute.amount}, ${dispute.currency}, ${dispute.reason}, ${dispute.dueBy},
      ${dispute.at}, ${dispute.madeBy})
    RETURNING id`)

const setDisputeState = (
  tx: Tx,
  id: number,
  { status, funds, at, dueBy }: Pick<NewDispute, 'status' | 'funds' | 'at' | 'dueBy'>,
) =>
  tx.run(sql`
    UPDATE dispute SET status = ${status}, funds = ${funds}, told_at = ${at}, due_by = coalesce(${dueBy}, due_by)
    WHERE id = ${id}`)

const insertDisputeChange = (
  tx: Tx,
  id: number,
  { status, funds, madeBy }: Pick<NewDispute, 'status' | 'funds' | 'madeBy'>,
) =>
  tx.run(sql`
    INSERT INTO dispute_change (dispute_id, status, funds, made_by) VALUES (${id}, ${status}, ${funds}, ${madeBy})`)

/** Each time that money goes decides how it is split; what comes back is split alike. */
const countTransfers = (
  tx: Tx,
  id: number,
  transfers: number,
  { covered, excess }: { covered: number; excess: number },
) => tx.run(sql`UPDATE dispute SET transfers = ${transfers}, covered = ${covered}, excess = ${excess} WHERE id = ${id}`)

const setReleased = (tx: Tx, id: number, adminId: number) =>
  tx.run(sql`UPDATE dispute SET released_at = now(), released_by = ${adminId} WHERE id = ${id}`)

/** Whether any open dispute keeps the customer frozen. */
const isFrozenByDispute = (tx: Tx, userId: number) =>
  tx.one<{ is_frozen: boolean }>(sql`
    SELECT EXISTS (
      SELECT FROM orders JOIN dispute ON dispute.order_id = orders.id
      WHERE orders.user_id = ${userId} AND dispute.status IN ('inquiry', 'open', 'lost') AND released_at IS NULL) AS is_frozen`)

/**
 * Stores an event of a dispute or a fraud warning, whatever came before it, books the money that went or came back,
 * once each, freezes or unfreezes the buyer, and raises an alert. The caller has locked the cart and the order, so that
 * nothing is bought or refunded in between.
 */
export async function noteDispute(
  tx: Tx,
  paid: PaidOrder,
  reported: ReportedDispute,
  madeBy: number | null,
): Promise<{ dispute: DisputeRow; isNew: boolean }> {
  const { provider } = paid
  const before = await findDisputeNamed(tx, provider, reported.providerDisputeId)
  const { id } = before ?? (await addDispute(tx, paid, reported, madeBy))
  const known = before && { status: before.status, funds: before.funds, at: before.told_at }
  const state = known ? mergeDispute(known, reported) : reported
  if (before) await setDisputeState(tx, id, { ...state, dueBy: reported.dueBy ?? null })
  const isChanged = before?.status !== state.status || before.funds !== state.funds
  if (isChanged) await insertDisputeChange(tx, id, { ...state, madeBy })
  const dispute = await readBack(tx, id)
  await book(tx, dispute, paid)
  await settleFreeze(tx, dispute.user_id)
  await raiseAlertOn(tx, dispute, before)
  if (isChanged) tx.notify('order', `${dispute.user_id} ${dispute.order_id}`)
  return { dispute: await readBack(tx, id), isNew: before === undefined }
}

const addDispute = (tx: Tx, paid: PaidOrder, reported: ReportedDispute, madeBy: number | null) =>
  insertDispute(tx, {
    paymentId: paid.payment_id,
    orderId: paid.order_id,
    provider: paid.provider,
    providerDisputeId: reported.providerDisputeId,
    kind: reported.kind,
    status: reported.status,
    funds: reported.funds,
    ...toDisputed(paid, reported),
    reason: reported.reason,
    dueBy: reported.dueBy ?? null,
    at: reported.at,
    madeBy,
  })

/**
 * What the dispute is about, in minor units: of the books where the bank names the currency of the payment, in proportion to
 * what was charged, otherwise as the bank says.
 */
function toDisputed(paid: PaidOrder, { amount, currency }: ReportedDispute): { amount: number; currency: string } {
  const { booked_amount: booked, booked_currency, paid_amount: charged, paid_currency } = paid
  if (currency !== undefined && currency !== paid_currency) return { amount: amount ?? charged, currency }
  if (amount === undefined) return { amount: booked, currency: booked_currency }
  const share = bookedForRefund({ booked, charged }, { booked: 0, charged: 0 }, amount)
  return { amount: Math.max(1, share), currency: booked_currency }
}

async function readBack(tx: Tx, id: number): Promise<DisputeRow> {
  const dispute = await findDispute(tx, id)
  if (!dispute) throw new Error(`dispute ${id} is gone`)
  return dispute
}

const isBookable = ({ kind, currency }: DisputeRow, paid: PaidOrder): boolean =>
  kind === 'dispute' && currency === paid.booked_currency && currencies.some((known) => known === currency)

/**
 * Makes the missing transfers. The order covers what was not refunded by then, here or at the provider; the rest, which the
 * customer has twice, is a separate loss until an operator takes it from the wallet. It is split again each time that money
 * goes, because what a bank had returned may have been refunded since.
 */
async function book(tx: Tx, dispute: DisputeRow, paid: PaidOrder): Promise<void> {
  const missing = isBookable(dispute, paid) ? transfersMissing(dispute, dispute.transfers) : []
  if (missing.length === 0) return
  const isTaken = missing[0] === 'chargeback'
  const covered = isTaken ? await toCovered(tx, dispute, paid) : (dispute.covered ?? 0)
  const excess = dispute.amount - covered
  for (const [index, kind] of missing.entries()) {
    const key = `dispute:${dispute.id}:${dispute.transfers + index + 1}`
    await move(tx, dispute, { kind, account: 'disputes', amount: covered, key })
    await move(tx, dispute, { kind, account: 'adjustments', amount: excess, key: `${key}:excess` })
  }
  await countTransfers(tx, dispute.id, dispute.transfers + missing.length, { covered, excess })
  if (excess > 0 && isTaken) {
    const { order_id: order, provider, currency } = dispute
    await raiseAlert(tx, {
      kind: 'payment.charged_back_twice',
      subject: `dispute:${dispute.id}`,
      details: { order, provider, amount: excess, currency },
    })
  }
}

async function toCovered(tx: Tx, dispute: DisputeRow, paid: PaidOrder): Promise<number> {
  if (paid.settled_to !== 'order') return 0
  const left = moneyLeft(await readOrderMoney(tx, dispute.order_id)) - (await outsideBooked(tx, dispute.order_id))
  return Math.max(0, Math.min(dispute.amount, left))
}

interface BalanceMovement {
  kind: DisputeTransfer
  account: 'disputes' | 'adjustments'
  amount: number
  key: string
}

async function move(
  tx: Tx,
  { currency, order_id: orderId }: DisputeRow,
  { kind, account, amount, key }: BalanceMovement,
): Promise<void> {
  if (amount === 0) return
  const [from, to] = kind === 'chargeback' ? ([account, 'card'] as const) : (['card', account] as const)
  await moveBetween(tx, { from, to, kind, amount, currency: currency as Currency, orderId, key })
}

/** Freezes the customer as long as any dispute requires it. */
async function settleFreeze(tx: Tx, userId: number): Promise<void> {
  const { is_frozen } = await isFrozenByDispute(tx, userId)
  await setCustomerFrozen(tx, userId, is_frozen)
}

/** Unfreezes the buyer by an operator's decision, whatever becomes of the dispute; this also clears a fraud warning. */
export async function liftFreeze(tx: Tx, dispute: DisputeRow, adminId: number): Promise<void> {
  await setReleased(tx, dispute.id, adminId)
  if (dispute.kind === 'fraud_warning') {
    const { funds, told_at: at } = dispute
    await setDisputeState(tx, dispute.id, { status: 'closed', funds, at, dueBy: null })
    await insertDisputeChange(tx, dispute.id, { status: 'closed', funds, madeBy: adminId })
    await resolveAlert(tx, alertKinds.fraud_warning, `dispute:${dispute.id}`)
  }
  await settleFreeze(tx, dispute.user_id)
  tx.notify('order', `${dispute.user_id} ${dispute.order_id}`)
}

const alertKinds: Record<DisputeKind, AlertKind> = {
  dispute: 'payment.disputed',
  fraud_warning: 'payment.fraud_warning',
}

async function raiseAlertOn(tx: Tx, dispute: DisputeRow, before: DisputeRow | undefined): Promise<void> {
  const subject = `dispute:${dispute.id}`
  const isOpen = dispute.status === 'open' || dispute.status === 'inquiry'
  const isOver = !isOpen && before !== undefined
  if (isOver) await resolveAlert(tx, alertKinds[dispute.kind], subject)
  // A dispute that was lost before anybody knew of it raises one alert, which an operator closes.
  const isLostUnseen = before === undefined && dispute.status === 'lost' && dispute.made_by === null
  const isNews = isOpen ? before?.status !== dispute.status : isLostUnseen
  if (!isNews) return
  const { order_id: order, provider, amount, currency, reason, due_by } = dispute
  await raiseAlert(tx, {
    kind: alertKinds[dispute.kind],
    subject,
    details: { order, provider, amount, currency, reason, ...(due_by && { due_by: due_by.toISOString() }) },
  })
}
