import { SERVER_BUSINESS } from '../../business.ts'
import { type Sql, sql } from '../../platform/database/queries.ts'
import type { Invariant } from './closed-days.ts'

/** Both sides of each transfer: what it did to each account, and a wallet's balance afterwards. */
const sidesIn = (transfers: Sql): Sql => sql`(
  SELECT id, debit_account AS account_id, -amount AS change, debit_balance AS balance_after FROM ${transfers} AS transfer
  UNION ALL SELECT id, credit_account, amount, credit_balance FROM ${transfers} AS transfer)`
const movement = sidesIn(sql`transfer`)
const openMovement = sidesIn(sql`open_transfer`)

/**
 * Every movement of a wallet in order, with the balance it recorded and the one that follows from the previous record.
 */
export const walletHistory = sql`
  SELECT movement.id, balance_after,
    coalesce(lag(balance_after) OVER (PARTITION BY account_id ORDER BY movement.id), 0) + change AS expected
  FROM ${movement} AS movement JOIN account ON account.id = account_id AND account.kind = 'wallet'`

/**
 * Each movement of a wallet that is in no closed day, in order, with the balance it recorded and the one that follows from
 * the previous record, which the last closed day has for the first of them.
 */
export const openWalletHistory = sql`
  SELECT movement.id, balance_after, change + coalesce(
    lag(balance_after) OVER (PARTITION BY account_id ORDER BY movement.id), (
      SELECT recorded.balance_after FROM (
        (SELECT id, debit_balance AS balance_after FROM transfer
          WHERE debit_account = account_id AND debit_balance IS NOT NULL AND id <= (SELECT last_transfer FROM closed)
          ORDER BY id DESC LIMIT 1)
        UNION ALL (SELECT id, credit_balance FROM transfer
          WHERE credit_account = account_id AND credit_balance IS NOT NULL AND id <= (SELECT last_transfer FROM closed)
          ORDER BY id DESC LIMIT 1)) AS recorded
      ORDER BY recorded.id DESC LIMIT 1), 0) AS expected
  FROM ${openMovement} AS movement JOIN account ON account.id = account_id AND account.kind = 'wallet'`

/** Each account with its balance: what the closed days left in it and what moved since (`counted`), for wallets what they have. */
export const countedBalance = sql`(
  SELECT account.id, account.kind, account.currency, counted,
    CASE account.kind WHEN 'wallet' THEN account.balance ELSE counted END AS balance
  FROM account
  LEFT JOIN closed_balance ON closed_balance.account_id = account.id
  LEFT JOIN (SELECT account_id, sum(change) AS moved FROM ${openMovement} AS movement GROUP BY account_id) AS opened
    ON opened.account_id = account.id
  CROSS JOIN LATERAL (SELECT (coalesce(closed_balance.balance, 0) + coalesce(moved, 0))::bigint AS counted) AS sum)`

/**
 * A price is in force from the commit of its change on, but `valid_from` is when the change began: an order in between
 * still has the previous price. An import of 100,000 codes takes less than this.
 */
export const priceChangeTakes = sql`interval '1 minute'`

const toRate = (currency: Sql): Sql => sql`(rates ->> ${currency})::numeric`

/** Steam has no price list: what arrives follows from the amount and its rate, the price from what arrives. */
const steamRate = sql`coalesce(
  (SELECT rate FROM steam_rate WHERE id = steam_rate_id), ${toRate(sql`upper(steam_currency)`)})`
const paidRate = sql`CASE orders.currency WHEN 'USD' THEN 1 ELSE ${toRate(sql`orders.currency`)} END`
/** What was sold before its commission was a rule was sold at three percent. */
const percentPaid = sql`(100 + coalesce(rule.margin_percent, 3))`
const leastPaid = sql`coalesce(CASE orders.currency WHEN 'USD' THEN rule.least_usd ELSE rule.least_rub END, 0)`
/** What was wanted with its commission, which is a percentage or the least amount, in hundredths and multiplied by the rate. */
const amountPaid = sql`greatest(steam_amount * ${percentPaid} * ${paidRate},
  (steam_amount * ${paidRate} + ${leastPaid} * ${steamRate}) * 100.0)`
/** The price of one before a coupon took something off. */
const fullPrice = sql`(unit_price + unit_discount)`
/** Multiplied out, because a division would be rounded. What is not exact was rounded up to whole cents first. */
const followsFromRates = sql`(
  (steam_usd - 1) * ${steamRate} < steam_amount AND steam_amount <= steam_usd * ${steamRate}
  AND CASE WHEN is_exact
    THEN (${fullPrice} - 1) * 100.0 * ${steamRate} < ${amountPaid} AND ${amountPaid} <= ${fullPrice} * 100.0 * ${steamRate}
    ELSE ${fullPrice} = ceil(steam_usd * ${percentPaid} / 100.0 * ${paidRate}) END)`

const ratesWereInForce = sql`(steam_rate_id IS NULL OR EXISTS (
  SELECT FROM steam_rate WHERE id = steam_rate_id AND currency = upper(steam_currency)
    AND created_at <= orders.created_at + ${priceChangeTakes}
    AND seen_at > orders.created_at - ${priceChangeTakes} - make_interval(mins => ${SERVER_BUSINESS.steamRateMinutes})
    AND NOT EXISTS (
      SELECT FROM steam_rate AS later WHERE later.currency = steam_rate.currency AND later.id > steam_rate.id
        AND later.created_at < orders.created_at - ${priceChangeTakes}))) AND NOT EXISTS (
  SELECT FROM jsonb_each_text(rates) AS used (currency, rate) WHERE used.currency <> 'USD' AND NOT EXISTS (
    SELECT FROM currency_rate JOIN currency_rate_history AS past ON past.rate_id = currency_rate.id
    WHERE from_currency = 'USD' AND to_currency = used.currency AND past.rate = used.rate::numeric
      AND past.created_at <= orders.created_at + ${priceChangeTakes}
      AND NOT EXISTS (
        SELECT FROM currency_rate_history AS later
        WHERE later.rate_id = past.rate_id AND later.id > past.id
          AND later.created_at < orders.created_at - ${priceChangeTakes})))`

const ruleWasInForce = sql`(topup_target.rule_id IS NULL OR rule.changed_at <= orders.created_at + ${priceChangeTakes}
  AND NOT EXISTS (
    SELECT FROM price_rule_version AS later WHERE later.rule_id = rule.rule_id AND later.version > rule.version
      AND later.changed_at < orders.created_at - ${priceChangeTakes}))`

export const moneyInvariants: readonly Invariant[] = [
  {
    number: 1,
    name: 'two-ends',
    sentence: 'Every transfer has two ends of one currency and a positive amount',
    offenders: sql`
      SELECT 'transfer ' || transfer.id AS subject FROM checked_transfer AS transfer
      LEFT JOIN account AS debited ON debited.id = debit_account
      LEFT JOIN account AS credited ON credited.id = credit_account
      WHERE amount <= 0 OR debit_account = credit_account OR debited.currency IS DISTINCT FROM transfer.currency
        OR credited.currency IS DISTINCT FROM transfer.currency`,
  },
  {
    number: 2,
    name: 'zero-sum',
    sentence: 'The balances of all accounts sum to zero in each currency',
    offenders: sql`
      SELECT currency AS subject FROM account_balance GROUP BY currency HAVING sum(balance) <> 0`,
    lately: sql`
      SELECT currency AS subject FROM ${countedBalance} AS account GROUP BY currency HAVING sum(balance) <> 0`,
  },
  {
    number: 3,
    name: 'balance-is-its-transfers',
    sentence: 'The balance of a wallet equals the sum of its transfers',
    offenders: sql`
      SELECT 'account ' || account.id AS subject FROM account
      LEFT JOIN (SELECT account_id, sum(change) AS moved FROM ${movement} AS movement GROUP BY account_id) AS total
        ON total.account_id = account.id
      WHERE account.kind = 'wallet' AND account.balance IS DISTINCT FROM coalesce(moved, 0)`,
    lately: sql`
      SELECT 'account ' || id AS subject FROM ${countedBalance} AS account
      WHERE kind = 'wallet' AND balance IS DISTINCT FROM counted`,
  },
  {
    number: 4,
    name: 'never-negative',
    sentence: 'No wallet was ever below zero, and each movement noted the balance it left',
    offenders: sql`
      SELECT 'transfer ' || id AS subject FROM (${walletHistory}) AS history
      WHERE expected < 0 OR expected IS DISTINCT FROM balance_after`,
    lately: sql`
      SELECT 'transfer ' || id AS subject FROM (${openWalletHistory}) AS history
      WHERE expected < 0 OR expected IS DISTINCT FROM balance_after`,
  },
  {
    number: 9,
    name: 'one-order-a-cart',
    sentence: 'A version of a cart became at most one order',
    offenders: sql`
      SELECT 'order ' || min(id) AS subject FROM orders
      WHERE cart_version IS NOT NULL GROUP BY user_id, cart_version HAVING count(*) > 1`,
    lately: sql`
      SELECT 'order ' || orders.id AS subject FROM checked_order AS orders WHERE EXISTS (
        SELECT FROM orders AS other WHERE other.user_id = orders.user_id AND other.cart_version = orders.cart_version
          AND other.id <> orders.id)`,
  },
  {
    number: 10,
    name: 'total-is-its-items',
    sentence: 'The total of an order of goods is the sum of its items',
    offenders: sql`
      SELECT 'order ' || orders.id AS subject FROM checked_order AS orders
      LEFT JOIN (SELECT order_id, sum(unit_price * quantity) AS total FROM checked_item GROUP BY order_id) AS items
        ON items.order_id = orders.id
      WHERE purpose = 'goods' AND items.total IS DISTINCT FROM orders.total`,
  },
  {
    number: 11,
    name: 'price-in-force',
    sentence:
      'An item was charged at the price in force when it was ordered, less its coupon; what is delivered for a code costs nothing',
    offenders: sql`
      SELECT 'order ' || orders.id AS subject FROM checked_item AS order_item
      JOIN orders ON orders.id = order_item.order_id
      LEFT JOIN offer_price AS price ON price.offer_id = order_item.offer_id AND price.version = price_version
      LEFT JOIN offer_price AS later ON later.offer_id = order_item.offer_id AND later.version = price_version + 1
      WHERE order_item.offer_id IS NOT NULL AND (
        ${fullPrice} IS DISTINCT FROM CASE
          WHEN payment_method = 'code' THEN 0 WHEN currency = 'USD' THEN price.price_usd ELSE price.price_rub END
        OR price.valid_from > orders.created_at + ${priceChangeTakes}
        OR later.valid_from < orders.created_at - ${priceChangeTakes})
      UNION ALL
      SELECT 'order ' || orders.id FROM checked_item AS order_item
      JOIN orders ON orders.id = order_item.order_id
      LEFT JOIN topup_target ON order_item_id = order_item.id
      LEFT JOIN price_rule_version AS rule ON rule.rule_id = topup_target.rule_id AND rule.version = topup_target.rule_version
      WHERE order_item.offer_id IS NULL
        AND NOT coalesce(${followsFromRates} AND ${ratesWereInForce} AND ${ruleWasInForce}, false)`,
  },
  {
    number: 24,
    name: 'not-under-cost',
    sentence: 'No offer is on sale under its cost, unless an admin agreed to that in the audit log',
    offenders: sql`
      SELECT 'offer ' || offer.id AS subject FROM offer
      WHERE is_active AND deleted_at IS NULL AND (price_usd < floor_usd OR price_rub < floor_rub) AND (
        is_under_floor(price_usd, floor_usd, agreed_usd) OR is_under_floor(price_rub, floor_rub, agreed_rub)
        OR NOT EXISTS (
          SELECT FROM audit_entry WHERE subject = 'offer:' || offer.id AND action = 'offer.under_floor'
            AND after ->> 'reason' <> ''))`,
  },
  {
    number: 33,
    name: 'coupons-are-counted',
    sentence:
      'A coupon was used by as many orders as it counts, those that expired left out; what it took off an order is what it took off its items, none of which cost less than its floor',
    offenders: sql`
      SELECT 'coupon ' || id AS subject FROM coupon
      WHERE used <> (SELECT count(*) FROM orders WHERE coupon_id = coupon.id AND status <> 'expired')
      UNION ALL
      SELECT 'order ' || orders.id FROM checked_order AS orders
      LEFT JOIN (
        SELECT order_id, sum(unit_discount * quantity) AS discount FROM checked_item WHERE unit_discount <> 0
        GROUP BY order_id) AS items ON items.order_id = orders.id
      WHERE (coupon_id IS NULL) <> (orders.discount = 0) OR orders.discount <> coalesce(items.discount, 0)
      UNION ALL
      SELECT 'order ' || order_id FROM checked_item
      WHERE unit_discount < 0 OR unit_discount > 0 AND (unit_price < 1 OR unit_price < unit_floor)`,
  },
]
