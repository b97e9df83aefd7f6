import type { Database } from '../../server/src/platform/database/database.ts'
import { type Queries, sql } from '../../server/src/platform/database/queries.ts'
import type { AskedTransaction } from './asking.ts'
import type { BankCharge } from './tellers.ts'

type Sql = ReturnType<typeof sql>

/** What the providers have in their own books. */
interface BankBooks {
  charges: readonly BankCharge[]
  transactions: readonly AskedTransaction[]
}

/** The providers' books held against the store's, payment by payment and order by order. Lists name what is wrong. */
export interface PaymentsCount {
  charges: number
  /** 'USD 12, RUB 8, UZS 30': how many charges in which currency. */
  chargeCurrencies: string
  ordersPaid: number
  unitsPaid: number
  unitsDelivered: number
  ordersToWallet: number
  /** Those that the balance paid a part of, and those among them whose money went back both ways. */
  ordersWithPart: number
  refundedBothWays: number
  /** Fillings whose money is in the wallet. */
  filled: number
  /** Payments whose fee is the shop's, and refunds with one. */
  fees: number
  feesRefunded: number
  /** Money of a provider for which the store has no settled payment of this sum, or the other way round. */
  unknown: string[]
  /** Delivered, though no provider has money for it. */
  unpaid: string[]
  /** Delivered, though no provider has the sum that was charged for it. */
  otherSum: string[]
  /** Neither all of the codes, nor all of the money. */
  lost: string[]
  paidAndExpired: string[]
  /** 'USD: providers 100, ledger 200'. */
  booksApart: string[]
  refunds: number
  /** Refunds of only a part of what was charged in another currency than the order's. */
  partsConverted: number
  chargebacks: number
  /** More at the bank and in the wallet than the customer had paid. */
  overpaid: string[]
  /** The store has more or less of them in its books than the provider, or not in proportion. */
  refundsApart: string[]
  /** Transactions that the store has otherwise than the provider that asked. */
  transactionsApart: string[]
  /** Refunds that nobody has decided. */
  undecided: string[]
}

/** After the run, when nobody is at work any more. */
export const countPayments = (database: Database, { charges, transactions }: BankBooks): Promise<PaymentsCount> =>
  database.snapshot(async (queries) => {
    const paid = payments(charges)
    const stand = orders(paid)
    return {
      ...(await totals(queries, paid, stand)),
      unknown: await list(queries, unknownMoney(paid)),
      unpaid: await list(
        queries,
        sql`SELECT 'order ' || id AS subject FROM ${stand} AS stand WHERE charges = 0 AND units > 0`,
      ),
      otherSum: await list(
        queries,
        sql`SELECT 'order ' || id AS subject FROM ${stand} AS stand WHERE charges > 0 AND units > 0 AND exact = 0`,
      ),
      // One exact charge is for the codes, if they were delivered, and its fee for the way; all other money is the customer's.
      lost: await list(
        queries,
        sql`SELECT 'order ' || id || ': ' || charges || ' charges, ' || units || ' of ' || wanted || ' codes, ' || credited
            AS subject FROM ${stand} AS stand
          WHERE NOT (units = wanted AND credited = paid - total - fee
            OR units = 0 AND credited = paid - CASE WHEN purpose = 'balance' AND exact > 0 THEN fee ELSE 0 END)`,
      ),
      paidAndExpired: await list(
        queries,
        sql`SELECT 'order ' || id AS subject FROM orders WHERE status IN ('expired', 'awaiting_payment')
          AND EXISTS (SELECT FROM payment WHERE order_id = orders.id AND settled_to = 'order')`,
      ),
      booksApart: await list(queries, unequalSums(paid)),
      overpaid: await list(
        queries,
        sql`SELECT 'order ' || id || ': paid ' || paid || ', ' || given_back || ' at the bank, ' || in_wallet
            || ' in the wallet' AS subject
          FROM ${stand} AS stand WHERE given_back + in_wallet > paid`,
      ),
      refundsApart: await list(queries, unequalRefunds(paid, stand)),
      transactionsApart: await list(queries, unequalTransactions(transactions)),
      undecided: await list(
        queries,
        sql`SELECT 'card refund ' || card_refund.id || ' at ' || provider || ': ' || card_refund.status || ', ' || card_refund.attempts
            || ' attempts, ' || CASE WHEN card_refund.stuck_since IS NULL THEN 'next one ' || coalesce((card_refund.next_at - now())::text, 'now')
              ELSE 'left to the operator since ' || (now() - card_refund.stuck_since)
                || coalesce((SELECT ', ' || details::text FROM alert WHERE subject = 'card-refund:' || card_refund.id), '')
              END AS subject
          FROM card_refund JOIN payment ON payment.id = payment_id WHERE card_refund.status IN ('sending', 'sent')`,
      ),
    }
  })

/**
 * Each charge of a provider with the store's payment of it: what the charge is to be in the books is the order's amount for
 * exactly what was charged, another sum at the frozen rate, rounded down.
 */
const payments = (charges: readonly BankCharge[]) => sql`(
  SELECT bank.*, payment.id AS payment_id, payment.order_id, payment.status, payment.currency AS books_currency,
    paid_amount, paid_currency, charge_rate, bank.amount = coalesce(charge_amount, payment.amount) AS is_exact,
    CASE WHEN bank.amount = coalesce(charge_amount, payment.amount) THEN payment.amount
      WHEN charge_rate IS NULL THEN bank.amount ELSE div(bank.amount, charge_rate)::bigint END AS expected,
    CASE WHEN bank.currency IN ('UZS', 'KZT') THEN 100 ELSE 1 END AS step
  FROM jsonb_to_recordset(${JSON.stringify(charges)}::text::jsonb)
    AS bank (provider text, id text, amount bigint, currency text, refunded bigint, charged_back bigint)
  LEFT JOIN payment ON payment.provider = bank.provider AND payment.provider_payment_id = bank.id)`

/** How each order stands: what the providers took for it, and what its customer has of it, in the order's currency. */
const orders = (paid: Sql) => sql`(
  WITH paid AS MATERIALIZED (SELECT * FROM ${paid} AS one),
  taken AS (
    SELECT order_id, count(*) AS charges, count(*) FILTER (WHERE is_exact) AS exact, sum(expected) AS paid,
      coalesce(sum(expected) FILTER (WHERE charged_back > 0), 0) AS charged_back
    FROM paid GROUP BY order_id)
  SELECT orders.id, total - wallet_amount AS total, wallet_amount,
    (SELECT coalesce(max(fee_amount), 0) FROM payment WHERE order_id = orders.id) AS fee, coalesce(charges, 0) AS charges, coalesce(exact, 0) AS exact, coalesce(paid, 0) AS paid,
    coalesce(charged_back, 0) AS charged_back,
    (SELECT coalesce(sum(quantity), -1) FROM order_item WHERE order_id = orders.id) AS wanted, orders.purpose, orders.status,
    (SELECT count(*) FROM code_sale JOIN order_item ON order_item.id = order_item_id
      WHERE order_item.order_id = orders.id) AS units,
    (SELECT coalesce(sum(amount), 0) FROM transfer JOIN account ON account.id = credit_account AND account.kind = 'wallet'
      WHERE transfer.order_id = orders.id AND transfer.kind = 'card') AS credited,
    (SELECT coalesce(sum(card_refund.amount), 0) FROM card_refund JOIN payment ON payment.id = payment_id
      WHERE payment.order_id = orders.id AND card_refund.status <> 'failed') AS given_back,
    (SELECT coalesce(sum(CASE account.id WHEN credit_account THEN amount ELSE -amount END), 0)
      FROM transfer JOIN account ON account.id IN (credit_account, debit_account) AND account.kind = 'wallet'
      WHERE transfer.order_id = orders.id) AS in_wallet,
    (SELECT coalesce(sum(CASE account.id WHEN credit_account THEN amount ELSE -amount END), 0)
      FROM transfer JOIN account ON account.id IN (credit_account, debit_account) AND account.kind = 'card'
      WHERE transfer.order_id = orders.id AND transfer.kind <> 'card') AS booked_back
  FROM orders LEFT JOIN taken ON taken.order_id = orders.id)`

const unknownMoney = (paid: Sql) => sql`
  SELECT provider || ' ' || id || ': ' || amount || ' ' || currency || ', the store has ' || coalesce(paid_amount::text, 'nothing')
    AS subject FROM ${paid} AS paid
  WHERE (status, paid_amount, paid_currency) IS DISTINCT FROM ('succeeded', amount, currency)
  UNION ALL
  SELECT 'payment ' || payment.id || ' is at no provider' FROM payment
  LEFT JOIN ${paid} AS paid ON paid.payment_id = payment.id
  WHERE payment.status = 'succeeded' AND paid.payment_id IS NULL`

/** In each currency: what was charged and what went back, and what the books made of it. */
const unequalSums = (paid: Sql) => sql`
  SELECT 'charged in ' || currency || ': providers ' || charged || ' less ' || back || ', store ' || had || ' less ' || gone AS subject
  FROM (SELECT currency, sum(amount) AS charged, sum(refunded) AS back FROM ${paid} AS paid GROUP BY currency) AS bank
  FULL JOIN (
    SELECT paid_currency AS currency, sum(paid_amount) AS had, coalesce(sum(gone), 0) AS gone
    FROM payment LEFT JOIN (
      SELECT payment_id, sum(coalesce(charge_amount, amount)) AS gone FROM card_refund WHERE status <> 'failed'
      GROUP BY payment_id) AS refunds ON payment_id = payment.id
    WHERE status = 'succeeded' GROUP BY paid_currency) AS store USING (currency)
  WHERE (charged, back) IS DISTINCT FROM (had, gone)
  UNION ALL
  SELECT currency || ': providers ' || charged || ', ledger ' || booked
  FROM (SELECT books_currency AS currency, sum(expected) AS charged FROM ${paid} AS paid GROUP BY books_currency) AS bank
  FULL JOIN (SELECT transfer.currency, sum(amount) AS booked FROM transfer
    JOIN account ON account.id = debit_account AND account.kind = 'card' WHERE transfer.kind = 'card'
    GROUP BY transfer.currency) AS ledger USING (currency)
  WHERE charged IS DISTINCT FROM booked`

/** In one proportion, to a unit of the books and a step of the charge, each of which a refund that failed may shift once more. */
const unequalRefunds = (paid: Sql, stand: Sql) => sql`
  SELECT provider || ' ' || id || ': it has ' || refunded || ', the store ' || gone || ', which is ' || booked || ': ' || each
    AS subject
  FROM ${paid} AS paid JOIN LATERAL (
    SELECT coalesce(sum(coalesce(charge_amount, card_refund.amount)), 0) AS gone,
      coalesce(sum(card_refund.amount), 0) AS booked,
      coalesce(string_agg(concat_ws(' ', card_refund.id, origin, card_refund.status, charge_amount), ', '), 'none') AS each
    FROM card_refund WHERE card_refund.payment_id = paid.payment_id AND card_refund.status <> 'failed') AS refunds ON true
  WHERE refunded <> gone OR (gone = amount) <> (booked = expected)
    OR abs(booked * amount - gone * expected) > 2 * (amount + step * expected)
  UNION ALL
  SELECT 'order ' || id || ': back ' || given_back || ' and charged back ' || charged_back || ', ledger ' || booked_back
  FROM ${stand} AS stand WHERE given_back + charged_back <> booked_back`

const unequalTransactions = (transactions: readonly AskedTransaction[]) => sql`
  SELECT coalesce(asked.provider, kept.provider) || ' ' || coalesce(asked.id, external_id) || ': '
    || coalesce(asked.state, 'unknown') || ' there, ' || coalesce(kept.state, 'unknown') || ' here' AS subject
  FROM jsonb_to_recordset(${JSON.stringify(transactions)}::text::jsonb)
    AS asked (provider text, id text, "orderId" text, amount bigint, state text)
  FULL JOIN (
    SELECT provider_transaction.provider, external_id, provider_transaction.amount, order_id, CASE
      WHEN canceled_at IS NULL THEN CASE WHEN performed_at IS NULL THEN 'begun' ELSE 'performed' END
      WHEN performed_at IS NULL THEN 'canceled' ELSE 'reversed' END AS state
    FROM provider_transaction JOIN payment ON payment.id = payment_id) AS kept
    ON kept.provider = asked.provider AND external_id = asked.id
  WHERE (asked.state, asked.amount, "orderId") IS DISTINCT FROM (kept.state, kept.amount, order_id)`

type Totals = Pick<
  PaymentsCount,
  | 'charges'
  | 'chargeCurrencies'
  | 'ordersPaid'
  | 'unitsPaid'
  | 'unitsDelivered'
  | 'ordersToWallet'
  | 'ordersWithPart'
  | 'refundedBothWays'
  | 'filled'
  | 'fees'
  | 'feesRefunded'
  | 'refunds'
  | 'partsConverted'
  | 'chargebacks'
>

const totals = (queries: Queries, paid: Sql, stand: Sql) =>
  queries.one<Totals>(sql`
    SELECT sum(charges)::int AS charges, count(*) FILTER (WHERE units > 0)::int AS "ordersPaid",
      coalesce(sum(wanted) FILTER (WHERE purpose = 'goods' AND charges > 0 AND credited < paid), 0)::int AS "unitsPaid",
      sum(units)::int AS "unitsDelivered", count(*) FILTER (WHERE credited > 0)::int AS "ordersToWallet",
      count(*) FILTER (WHERE wallet_amount > 0 AND units > 0)::int AS "ordersWithPart",
      count(*) FILTER (WHERE wallet_amount > 0 AND given_back > 0 AND EXISTS (
        SELECT FROM refund WHERE refund.order_id = stand.id AND destination = 'wallet'))::int AS "refundedBothWays",
      count(*) FILTER (WHERE purpose = 'balance' AND status = 'completed' AND credited > 0)::int AS filled,
      (SELECT count(*)::int FROM payment WHERE booked_fee > 0) AS fees,
      (SELECT count(*)::int FROM card_refund WHERE fee_amount > 0)
        + (SELECT count(*)::int FROM transfer WHERE key LIKE 'fee-refund:%') AS "feesRefunded",
      (SELECT coalesce(string_agg(currency || ' ' || times, ', ' ORDER BY currency), '') FROM (
        SELECT currency, count(*) AS times FROM ${paid} AS paid GROUP BY currency) AS one) AS "chargeCurrencies",
      (SELECT count(*)::int FROM card_refund WHERE status = 'succeeded') AS refunds,
      (SELECT count(*)::int FROM card_refund JOIN payment ON payment.id = payment_id
        WHERE card_refund.status = 'succeeded' AND charge_rate IS NOT NULL
          AND card_refund.charge_amount < paid_amount) AS "partsConverted",
      (SELECT count(*)::int FROM transfer WHERE kind = 'chargeback') AS chargebacks
    FROM ${stand} AS stand`)

const list = async (queries: Queries, wrong: Sql): Promise<string[]> =>
  (await queries.rows<{ subject: string }>(wrong)).map((row) => row.subject)
