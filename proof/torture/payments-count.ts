import type { Database } from '../../server/src/platform/database/database.ts'
import { type Queries, sql } from '../../server/src/platform/database/queries.ts'

/** The bank's books held against the store's, order by order. Lists name what is wrong. */
export interface PaymentsCount {
  charges: number
  ordersPaid: number
  unitsPaid: number
  unitsDelivered: number
  ordersToWallet: number
  /** Payments at the bank for which the store has no settled payment of the same amount. */
  unknown: string[]
  /** Delivered, though the bank has no money for it. */
  unpaid: string[]
  /** Neither all of the codes, nor all of the money. */
  lost: string[]
  paidAndExpired: string[]
  /** 'USD: bank 100, ledger 200'. */
  booksApart: string[]
  refunds: number
  /** More at the bank and in the wallet than the customer had paid. */
  overpaid: string[]
  /** The store has more or less of them in its books than the bank. */
  refundsApart: string[]
  /** Refunds that nobody has decided. */
  undecided: string[]
}

/** After the run, when nobody is at work any more. */
export const countPayments = (database: Database): Promise<PaymentsCount> =>
  database.snapshot(async (queries) => ({
    ...(await totals(queries)),
    unknown: await list(
      queries,
      sql`SELECT 'charge ' || bank.id AS subject FROM sandbox_payment AS bank
        LEFT JOIN payment ON payment.provider = 'sandbox' AND payment.provider_payment_id = bank.id::text
        WHERE bank.status = 'succeeded'
          AND (payment.status, payment.amount, payment.currency) IS DISTINCT FROM ('succeeded', bank.amount, bank.currency)`,
    ),
    unpaid: await list(
      queries,
      sql`SELECT 'order ' || id AS subject FROM ${stand} AS stand WHERE charges = 0 AND units > 0`,
    ),
    // One charge is for the codes, if they were delivered; all others are the customer's.
    lost: await list(
      queries,
      sql`SELECT 'order ' || id || ': ' || charges || ' charges, ' || units || ' of ' || wanted || ' codes, ' || credited
          AS subject FROM ${stand} AS stand
        WHERE NOT (units = wanted AND credited = (charges - 1) * total OR units = 0 AND credited = charges * total)`,
    ),
    paidAndExpired: await list(
      queries,
      sql`SELECT 'order ' || id AS subject FROM orders WHERE status IN ('expired', 'awaiting_payment')
        AND EXISTS (SELECT FROM payment WHERE order_id = orders.id AND settled_to = 'order')`,
    ),
    booksApart: await list(
      queries,
      sql`SELECT currency || ': bank ' || charged || ', ledger ' || booked AS subject
        FROM (SELECT currency, sum(amount) AS charged FROM sandbox_payment WHERE status = 'succeeded' GROUP BY currency) AS bank
        FULL JOIN (SELECT transfer.currency, sum(amount) AS booked FROM transfer
          JOIN account ON account.id = debit_account AND account.kind = 'card' WHERE transfer.kind = 'card' GROUP BY transfer.currency) AS ledger USING (currency)
        WHERE charged IS DISTINCT FROM booked`,
    ),
    refunds: (await queries.one<{ made: number }>(sql`SELECT count(*)::int AS made FROM sandbox_refund`)).made,
    overpaid: await list(
      queries,
      sql`SELECT 'order ' || id || ': paid ' || charges * total || ', ' || given_back || ' at the bank, ' || in_wallet
          || ' in the wallet' AS subject
        FROM ${stand} AS stand WHERE given_back + in_wallet > charges * total`,
    ),
    refundsApart: await list(
      queries,
      sql`SELECT 'order ' || id || ': bank ' || given_back || ', ledger ' || booked_back AS subject
        FROM ${stand} AS stand WHERE given_back <> booked_back`,
    ),
    undecided: await list(
      queries,
      sql`SELECT 'card refund ' || id AS subject FROM card_refund WHERE status IN ('sending', 'sent')`,
    ),
  }))

/** How each order stands: what the bank took for it, and what its customer has of it. */
const stand = sql`(
  SELECT orders.id, total,
    (SELECT count(*) FROM sandbox_payment WHERE order_id = orders.id AND status = 'succeeded') AS charges,
    (SELECT sum(quantity) FROM order_item WHERE order_id = orders.id) AS wanted,
    (SELECT count(*) FROM code_sale JOIN order_item ON order_item.id = order_item_id
      WHERE order_item.order_id = orders.id) AS units,
    (SELECT coalesce(sum(amount), 0) FROM transfer JOIN account ON account.id = credit_account AND account.kind = 'wallet'
      WHERE transfer.order_id = orders.id AND transfer.kind = 'card') AS credited,
    (SELECT coalesce(sum(sandbox_refund.amount), 0) FROM sandbox_refund JOIN sandbox_payment ON sandbox_payment.id = payment_id
      WHERE sandbox_payment.order_id = orders.id AND sandbox_refund.status <> 'failed') AS given_back,
    (SELECT coalesce(sum(CASE account.id WHEN credit_account THEN amount ELSE -amount END), 0)
      FROM transfer JOIN account ON account.id IN (credit_account, debit_account) AND account.kind = 'wallet'
      WHERE transfer.order_id = orders.id) AS in_wallet,
    (SELECT coalesce(sum(CASE account.id WHEN credit_account THEN amount ELSE -amount END), 0)
      FROM transfer JOIN account ON account.id IN (credit_account, debit_account) AND account.kind = 'card'
      WHERE transfer.order_id = orders.id AND transfer.kind <> 'card') AS booked_back
  FROM orders)`

const totals = (queries: Queries) =>
  queries.one<Pick<PaymentsCount, 'charges' | 'ordersPaid' | 'unitsPaid' | 'unitsDelivered' | 'ordersToWallet'>>(sql`
    SELECT sum(charges)::int AS charges, count(*) FILTER (WHERE units > 0)::int AS "ordersPaid",
      coalesce(sum(wanted) FILTER (WHERE charges > 0 AND credited < charges * total), 0)::int AS "unitsPaid",
      sum(units)::int AS "unitsDelivered", count(*) FILTER (WHERE credited > 0)::int AS "ordersToWallet"
    FROM ${stand} AS stand`)

const list = async (queries: Queries, wrong: ReturnType<typeof sql>): Promise<string[]> =>
  (await queries.rows<{ subject: string }>(wrong)).map((row) => row.subject)
