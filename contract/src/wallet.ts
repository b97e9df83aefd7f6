import { z } from 'zod'
import { BUSINESS } from './business.ts'
import { adminEndpoint, endpoint, endpointsFor } from './endpoint.ts'
import { bigId, byId, customerPage, id, listQuery, orderId, reason, time, toList } from './fields.ts'
import { toMajor } from './minor-units.ts'
import { amountSchema, currencySchema, lowerCurrencySchema, shownAmountSchema } from './money.ts'
import { orderPurposes } from './orders.ts'

const transferKinds = [
  'purchase',
  'refund',
  'topup',
  'adjustment',
  'card',
  'payout',
  'chargeback',
  'chargeback_reversal',
  /** A part of an order that waits for the rest of its payment, and its return when the order ended unpaid. */
  'reservation',
  'release',
] as const
export type TransferKind = (typeof transferKinds)[number]

export const balanceEntry = z.object({
  currency: lowerCurrencySchema,
  amount: shownAmountSchema,
  /** What is reserved besides, for orders that wait for the rest of their payment. */
  reserved: shownAmountSchema,
})

export const historyEntry = z.object({
  id: bigId,
  created_at: time,
  kind: z.enum(transferKinds),
  currency: lowerCurrencySchema,
  /** Negative when money left the balance. */
  amount: shownAmountSchema,
  balance_after: shownAmountSchema,
  order_id: orderId.nullable(),
  /** What the order is; null without one. */
  order_purpose: z.enum(orderPurposes).nullable(),
})
export type HistoryEntry = z.infer<typeof historyEntry>

/** An entry for admins, with its reason and the nickname of the admin who made it. */
export const ledgerEntry = historyEntry.extend({ reason: z.string().nullable(), made_by: z.string().nullable() })

const topupAmount = amountSchema.min(toMajor(BUSINESS.balanceTopupMin), 'invalid_amount')

const balanceChange = z
  .strictObject({
    balanceUsd: amountSchema.optional(),
    balanceRub: amountSchema.optional(),
    /** The balances that the admin saw. Without them, whatever is there is changed. */
    seen: z.strictObject({ balanceUsd: shownAmountSchema, balanceRub: shownAmountSchema }).partial().optional(),
    reason,
  })
  .refine((body) => body.balanceUsd !== undefined || body.balanceRub !== undefined, {
    path: ['balanceUsd'],
    error: 'required',
  })

const balanceEndpoint = endpointsFor({ access: 'customer', tag: 'wallet' })

export const walletApi = {
  balance: balanceEndpoint('GET /balance', {
    operationId: 'readBalance',
    summary: 'Own balances',
    answer: z.array(balanceEntry),
  }),
  history: balanceEndpoint('GET /balance/history', {
    operationId: 'listBalanceHistory',
    summary: 'What moved the balance, newest first, with the balance after each movement',
    query: z.strictObject({ ...customerPage, currency: currencySchema.optional() }),
    answer: z.object({ data: z.array(historyEntry), total: z.int() }),
  }),
  topUp: endpoint('POST /balance/topup', {
    operationId: 'topUpOwnBalance',
    refusals: ['STATE_CONFLICT'],
    permission: 'customers.balance',
    access: 'admin',
    confirmed: true,
    tag: 'wallet',
    summary: "Adds money to the admin's own balance",
    body: z.strictObject({ currency: currencySchema, amount: topupAmount }),
    answer: z.object({ success: z.literal(true), balances: z.array(balanceEntry) }),
    idempotent: true,
  }),
  ledger: adminEndpoint('GET /admin/users/:id/ledger', {
    operationId: 'listLedgerOfUser',
    permission: 'customers.read',
    refusals: ['USER_NOT_FOUND'],
    summary: "What moved a user's balances, with reasons and admins",
    params: byId,
    query: listQuery(['id']).extend({ currency: currencySchema.optional() }),
    answer: toList(ledgerEntry),
  }),
  setBalance: adminEndpoint('PUT /admin/users/:id/balance', {
    operationId: 'setBalanceOfUser',
    permission: 'customers.balance',
    refusals: ['USER_NOT_FOUND', 'STATE_CONFLICT'],
    confirmed: true,
    summary: "Sets a user's balances by an adjustment with a reason",
    params: byId,
    body: balanceChange,
    answer: z.object({ data: z.object({ id, balanceUsd: shownAmountSchema, balanceRub: shownAmountSchema }) }),
    idempotent: true,
  }),
}
