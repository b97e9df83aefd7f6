import type { QueryParams, RequestBody } from '@olmos/contract/endpoint'
import { Failure } from '@olmos/contract/failure'
import { toMajor, toMinor } from '@olmos/contract/minor-units'
import { type Currency, currencies, lowerCurrency } from '@olmos/contract/money'
import { type HistoryEntry, type TransferKind, walletApi } from '@olmos/contract/wallet'
import type { Context } from '../../platform/context.ts'
import { countAll, direction, toPage, withTotal } from '../../platform/database/lists.ts'
import { containing, type Queries, type Sql, sql, type Tx } from '../../platform/database/queries.ts'
import { writeAudit } from '../../platform/security/audit.ts'
import { readFrozenSince } from '../accounts/change-user.ts'
import { type Spender, spendLimit } from '../accounts/staff.ts'
import { isCurrencyOffered } from '../shop/shop.ts'

/**
 * The shop's own accounts: sales, changes by admins, income by card, chargebacks, what is reserved for orders that wait, and
 * what customers pay for the ways to pay.
 */
type ShopAccount = 'sales' | 'adjustments' | 'card' | 'disputes' | 'reserved' | 'fees'

/** What a customer does with the balance, and can't while a dispute is open; an admin may still take money. */
const stoppedByFreeze: readonly TransferKind[] = ['purchase', 'reservation']

/** One entry between a user's wallet and an account of the shop. */
interface LedgerEntry {
  userId: number
  currency: Currency
  /** In minor units, above zero. */
  amount: number
  kind: TransferKind
  shopAccount: ShopAccount
  orderId?: string
  /** Lets the entry be written at most once, such as 'purchase:<order>'. */
  key?: string
  reason?: string
  madeBy?: number
}

/** Moves money out of the wallet, if there is enough and it may be spent; `isDemanded`: fails where there is not. */
function moveOutIf(entry: LedgerEntry, { isDemanded }: { isDemanded: boolean }): Sql {
  const { userId, currency, amount, kind, shopAccount, orderId, key, reason, madeBy } = entry
  return sql`
    WITH wallet AS (
      UPDATE account SET balance = balance - ${amount}
      WHERE user_id = ${userId} AND currency = ${currency} AND kind = 'wallet' AND balance >= ${amount}
        AND (NOT ${stoppedByFreeze.includes(kind)} OR NOT EXISTS (
          SELECT FROM users WHERE users.id = ${userId} AND held_since IS NOT NULL))
      RETURNING id, balance)
    INSERT INTO transfer (kind, currency, amount, debit_account, credit_account, debit_balance, order_id, key, reason, made_by)
    SELECT ${kind}, ${currency}, ${amount}, ${isDemanded ? sql`coalesce(wallet.id, refuse_sale('balance'))` : sql`wallet.id`},
      shop.id, wallet.balance, ${orderId}, ${key}, ${reason}, ${madeBy}
    FROM ${isDemanded ? sql`(SELECT) AS demanded LEFT JOIN wallet ON true LEFT JOIN` : sql`wallet JOIN`} account AS shop
      ON shop.user_id IS NULL AND shop.currency = ${currency} AND shop.kind = ${shopAccount}`
}

/**
 * Moves money out of the wallet if the balance suffices and the customer is not frozen (which stops purchases, while an
 * admin may still take money). Returns whether it did. One statement decides.
 */
export async function moveOut(tx: Tx, entry: LedgerEntry): Promise<boolean> {
  const moved = await tx.run(moveOutIf(entry, { isDemanded: false }))
  if (moved === 1) countMoney(tx, entry, entry.shopAccount)
  return moved === 1
}

/** Counts for the metrics what customers paid from the balance, and what goes back to it or to a card. */
function countMoney(
  tx: Tx,
  { kind, currency, amount }: Pick<LedgerEntry, 'kind' | 'currency' | 'amount'>,
  to: ShopAccount | 'wallet',
): void {
  if (kind === 'purchase') tx.count(({ taken }) => taken.inc({ method: 'balance', currency }, amount))
  if (kind === 'refund') tx.count(({ refunded }) => refunded.inc({ method: 'balance', currency }, amount))
  if (kind === 'payout' && to === 'card') tx.count(({ refunded }) => refunded.inc({ method: 'card', currency }, amount))
}

/** Moves money into the wallet. */
export async function credit(tx: Tx, entry: LedgerEntry): Promise<void> {
  const { userId, currency, amount, kind, shopAccount, orderId, key, reason, madeBy } = entry
  const moved = await tx.run(sql`
    WITH wallet AS (
      UPDATE account SET balance = balance + ${amount}
      WHERE user_id = ${userId} AND currency = ${currency} AND kind = 'wallet'
      RETURNING id, balance)
    INSERT INTO transfer (kind, currency, amount, debit_account, credit_account, credit_balance, order_id, key, reason, made_by)
    SELECT ${kind}, ${currency}, ${amount}, shop.id, wallet.id, wallet.balance, ${orderId}, ${key}, ${reason}, ${madeBy}
    FROM wallet, account AS shop
    WHERE shop.user_id IS NULL AND shop.currency = ${currency} AND shop.kind = ${shopAccount}`)
  if (moved !== 1) throw new Error(`user ${userId} has no ${currency} wallet`)
  countMoney(tx, entry, 'wallet')
}

/** An entry between two accounts of the shop. */
interface InnerEntry extends Omit<LedgerEntry, 'userId' | 'shopAccount'> {
  from: ShopAccount
  to: ShopAccount
}

/** Moves money between two accounts of the shop: card income that paid for a sale, or is refunded to a card. */
export async function moveBetween(tx: Tx, entry: InnerEntry): Promise<void> {
  const { from, to, currency, amount, kind, orderId, key, reason, madeBy } = entry
  countMoney(tx, entry, to)
  await tx.run(sql`
    INSERT INTO transfer (kind, currency, amount, debit_account, credit_account, order_id, key, reason, made_by)
    SELECT ${kind}, ${currency}, ${amount}, debited.id, credited.id, ${orderId}, ${key}, ${reason}, ${madeBy}
    FROM account AS debited, account AS credited
    WHERE debited.user_id IS NULL AND debited.currency = ${currency} AND debited.kind = ${from}
      AND credited.user_id IS NULL AND credited.currency = ${currency} AND credited.kind = ${to}`)
}

export interface WalletBalance {
  currency: Currency
  balance: number
}

export const readBalances = (queries: Queries, userId: number) =>
  queries.rows<WalletBalance>(sql`
    SELECT currency, balance FROM account WHERE user_id = ${userId} AND kind = 'wallet' ORDER BY currency DESC`)

/** Reads the balances, each with what is reserved besides for the customer's orders that wait for the rest of their payment. */
const readBalancesReserved = (queries: Queries, userId: number) =>
  queries.rows<WalletBalance & { reserved: number }>(sql`
    SELECT currency, balance, (
        SELECT coalesce(sum(wallet_amount), 0)::bigint FROM orders
        WHERE orders.user_id = account.user_id AND orders.currency = account.currency
          AND wallet_amount > 0 AND status = 'awaiting_payment') AS reserved
    FROM account WHERE user_id = ${userId} AND kind = 'wallet' ORDER BY currency DESC`)

/** Locks a user's wallets until the transaction ends. */
export const lockBalances = (tx: Tx, userId: number) =>
  tx.rows<WalletBalance>(sql`
    SELECT currency, balance FROM account WHERE user_id = ${userId} AND kind = 'wallet'
    ORDER BY currency DESC FOR UPDATE`)

/**
 * Refuses to begin a payment in a currency that the shop does not offer (STATE_CONFLICT), unless the customer has some of it
 * left: that must not get stuck because it is too little for anything.
 */
export async function requireOpenCurrency(tx: Tx, userId: number, currency: Currency): Promise<void> {
  const { is_open } = await tx.one<{ is_open: boolean }>(sql`
    SELECT ${isCurrencyOffered(currency)} OR EXISTS (
      SELECT FROM account WHERE user_id = ${userId} AND currency = ${currency} AND kind = 'wallet' AND balance > 0) AS is_open`)
  if (!is_open) throw new Failure('STATE_CONFLICT', { reason: 'currency_off', currency })
}

/** Amounts are in minor units. */
export interface HistoryRow extends Omit<HistoryEntry, 'created_at' | 'currency'> {
  created_at: Date
  currency: Currency
}

interface HistoryPage {
  currency?: Currency | undefined
  page: number
  pageSize: number
}

const listEntries = (userId: number, currency: Currency | undefined) => sql`
  SELECT transfer.id, transfer.created_at, transfer.kind, transfer.currency, -transfer.amount AS amount,
    transfer.debit_balance AS balance_after, transfer.order_id, transfer.reason, transfer.made_by
  FROM account JOIN transfer ON transfer.debit_account = account.id AND transfer.debit_balance IS NOT NULL
  WHERE account.user_id = ${userId} AND (${currency ?? null}::text IS NULL OR account.currency = ${currency ?? null})
  UNION ALL
  SELECT transfer.id, transfer.created_at, transfer.kind, transfer.currency, transfer.amount,
    transfer.credit_balance, transfer.order_id, transfer.reason, transfer.made_by
  FROM account JOIN transfer ON transfer.credit_account = account.id AND transfer.credit_balance IS NOT NULL
  WHERE account.user_id = ${userId} AND (${currency ?? null}::text IS NULL OR account.currency = ${currency ?? null})`

const orderPurpose = sql`(SELECT orders.purpose FROM orders WHERE orders.id = movement.order_id) AS order_purpose`

export const readHistory = (queries: Queries, userId: number, { currency, ...page }: HistoryPage) =>
  queries.rows<HistoryRow>(sql`
    SELECT id, created_at, kind, currency, amount, balance_after, order_id, ${orderPurpose}
    FROM (${listEntries(userId, currency)}) AS movement
    ORDER BY id DESC ${toPage(page)}`)

interface LedgerRow extends HistoryRow {
  reason: string | null
  /** The admin's nickname. */
  made_by: string | null
}

/** A search is for a part of the reason, or for an order id. */
type LedgerPage = QueryParams<typeof walletApi.ledger>

const isListed = ({ search }: LedgerPage) =>
  search ? sql`(reason ILIKE ${containing(search)} OR order_id = ${search.toUpperCase()})` : sql`true`

const readLedger = (queries: Queries, userId: number, list: LedgerPage) =>
  queries.rows<LedgerRow>(sql`
    SELECT id, created_at, kind, currency, amount, balance_after, order_id, reason, ${orderPurpose},
      (SELECT nickname FROM users WHERE users.id = made_by) AS made_by
    FROM (${listEntries(userId, list.currency)}) AS movement WHERE ${isListed(list)}
    ORDER BY id ${direction(list.order)} ${toPage(list)}`)

const countLedger = (queries: Queries, userId: number, list: LedgerPage) =>
  countAll(queries, sql`SELECT FROM (${listEntries(userId, list.currency)}) AS movement WHERE ${isListed(list)}`)

/**
 * Takes money from a user's wallet into an account of the shop. Refuses with INSUFFICIENT_BALANCE, naming both amounts,
 * when the balance is too low, or with BALANCE_ON_HOLD while a dispute about the user's payments is open. It may be
 * sent together with other statements of the transaction.
 */
export async function debit(tx: Tx, entry: LedgerEntry): Promise<void> {
  if (await moveOut(tx, entry)) return
  if (stoppedByFreeze.includes(entry.kind) && (await readFrozenSince(tx, entry.userId)).held_since) {
    throw new Failure('BALANCE_ON_HOLD')
  }
  const wallets = await readBalances(tx, entry.userId)
  const available = wallets.find((wallet) => wallet.currency === entry.currency)?.balance ?? 0
  throw new Failure('INSUFFICIENT_BALANCE', {
    required: toMajor(entry.amount),
    available: toMajor(available),
    currency: entry.currency,
  })
}

/** Takes the money with COMMIT, where the transaction is optimistic; fails there if `debit` would refuse. */
export function debitAtCommit(tx: Tx, entry: LedgerEntry): void {
  countMoney(tx, entry, entry.shopAccount)
  tx.atCommit(moveOutIf(entry, { isDemanded: true }))
}

/** Takes an amount from a user's wallet, or as much as there is. Returns how much that was. */
export async function debitAtMost(tx: Tx, entry: LedgerEntry): Promise<number> {
  const wallets = await lockBalances(tx, entry.userId)
  const balance = wallets.find(({ currency }) => currency === entry.currency)?.balance ?? 0
  const amount = Math.min(entry.amount, balance)
  if (amount > 0 && !(await moveOut(tx, { ...entry, amount })))
    throw new Error('the wallet changed although it was locked')
  return amount
}

const parseMinor = ({
  balanceUsd,
  balanceRub,
}: {
  balanceUsd?: number | undefined
  balanceRub?: number | undefined
} = {}) => ({
  ...(balanceUsd !== undefined && { USD: toMinor(balanceUsd) }),
  ...(balanceRub !== undefined && { RUB: toMinor(balanceRub) }),
})

/** Reads a change of balances as it is sent. */
export const toWantedBalance = ({ reason, seen, ...wanted }: RequestBody<typeof walletApi.setBalance>) => ({
  wanted: parseMinor(wanted),
  seen: parseMinor(seen),
  reason,
})

interface BalanceChange extends Spender {
  userId: number
  /** In minor units; a currency that is left out stays as it is. */
  wanted: Partial<Record<Currency, number>>
  /** What the admin saw; a currency that is left out is not compared. */
  seen: Partial<Record<Currency, number>>
  reason: string
}

/**
 * Sets a user's balances to the wanted amounts by adjustments, and returns them in minor units. When an admin or a
 * purchase has changed them since they were seen, refuses with STATE_CONFLICT and the present balances.
 */
export async function setBalance(tx: Tx, change: BalanceChange): Promise<Balances> {
  const wallets = await lockBalances(tx, change.userId)
  if (wallets.length === 0) throw new Failure('USER_NOT_FOUND')
  const before = Object.fromEntries(wallets.map((wallet) => [wallet.currency, wallet.balance])) as Balances
  if (currencies.some((currency) => (change.seen[currency] ?? before[currency]) !== before[currency])) {
    throw new Failure('STATE_CONFLICT', {
      reason: 'changed_meanwhile',
      current: { id: change.userId, ...toShown(before) },
    })
  }
  const after = { ...before, ...change.wanted }

  for (const currency of currencies) {
    const difference = after[currency] - before[currency]
    if (difference === 0) continue
    const move = difference > 0 ? credit : moveOut
    await move(tx, {
      userId: change.userId,
      currency,
      amount: Math.abs(difference),
      kind: 'adjustment',
      shopAccount: 'adjustments',
      reason: change.reason,
      madeBy: change.adminId,
    })
  }
  await spendLimits(tx, change, before, after)
  await writeAudit(tx, {
    actorId: change.adminId,
    action: 'user.balance',
    subject: `user:${change.userId}`,
    before,
    after: { ...after, reason: change.reason },
  })
  return after
}

type Balances = Record<Currency, number>

const toShown = ({ USD, RUB }: Balances) => ({ balanceUsd: toMajor(USD), balanceRub: toMajor(RUB) })

/**
 * A yes is about one sum, so a colleague is asked about nothing that changes two balances: STATE_CONFLICT. It is about that
 * balance as it is, too: of another the same wish could take what it was to give.
 */
async function spendLimits(tx: Tx, admin: Spender, before: Balances, after: Balances) {
  const changed = currencies
    .map((currency) => ({ amount: Math.abs(after[currency] - before[currency]), currency }))
    .filter(({ amount }) => amount > 0)
  for (const sum of changed)
    await spendLimit(tx, admin, sum).catch((refused) => {
      const details = refused instanceof Failure && refused.is('STATE_CONFLICT') ? refused.details : undefined
      if (details?.reason !== 'above_limit') throw refused
      if (changed.length > 1) throw new Failure('STATE_CONFLICT', { reason: 'one_balance_at_a_time' })
      const { balanceUsd, balanceRub } = toShown(before)
      throw new Failure('STATE_CONFLICT', {
        ...details,
        seen: sum.currency === 'USD' ? { balanceUsd } : { balanceRub },
      })
    })
}

/** Whose limit it counts against is whose call it is. */
interface BalanceTopUp extends Spender {
  userId: number
  currency: Currency
  /** Minor units. */
  amount: number
}

/** Adds money to the balance of one of the staff. Refuses with STATE_CONFLICT what is above the admin's limit. */
export async function topUpBalance(tx: Tx, { userId, currency, amount, ...admin }: BalanceTopUp): Promise<void> {
  const { adminId } = admin
  await credit(tx, { userId, currency, amount, kind: 'topup', shopAccount: 'adjustments', madeBy: adminId })
  await spendLimit(tx, admin, { amount, currency })
  await writeAudit(tx, {
    actorId: adminId,
    action: 'user.topup',
    subject: `user:${userId}`,
    after: { currency, amount },
  })
}

const shownBalances = async (queries: Queries, userId: number) =>
  (await readBalancesReserved(queries, userId)).map(({ currency, balance, reserved }) => ({
    currency: lowerCurrency(currency),
    amount: toMajor(balance),
    reserved: toMajor(reserved),
  }))

const shownEntry = (row: HistoryRow) => ({
  id: row.id,
  created_at: row.created_at.toISOString(),
  kind: row.kind,
  currency: lowerCurrency(row.currency),
  amount: toMajor(row.amount),
  balance_after: toMajor(row.balance_after),
  order_id: row.order_id,
  order_purpose: row.order_purpose,
})

export function walletRoutes({ serve, database }: Context): void {
  serve(walletApi.balance, ({ user }) => shownBalances(database, user.id))

  serve(walletApi.history, async ({ user, query }) => {
    const count = () => countAll(database, listEntries(user.id, query.currency))
    const { rows, total } = await withTotal(query, readHistory(database, user.id, query), count)
    return { data: rows.map(shownEntry), total }
  })
}

export function walletAdmin({ serve, database }: Context): void {
  serve(walletApi.ledger, async ({ params, query }) => {
    const count = () => countLedger(database, params.id, query)
    const [{ rows, total }, wallets] = await Promise.all([
      withTotal(query, readLedger(database, params.id, query), count),
      readBalances(database, params.id),
    ])
    if (wallets.length === 0) throw new Failure('USER_NOT_FOUND')
    return { data: rows.map((row) => ({ ...shownEntry(row), reason: row.reason, made_by: row.made_by })), total }
  })

  serve.once(walletApi.setBalance, async ({ user, params, body }, tx) => {
    const after = await setBalance(tx, { userId: params.id, ...toWantedBalance(body), adminId: user.id })
    return { data: { id: params.id, balanceUsd: toMajor(after.USD), balanceRub: toMajor(after.RUB) } }
  })

  serve.once(walletApi.topUp, async ({ user, body }, tx) => {
    const amount = toMinor(body.amount)
    await topUpBalance(tx, { userId: user.id, currency: body.currency, amount, adminId: user.id })
    return { success: true as const, balances: await shownBalances(tx, user.id) }
  })
}
