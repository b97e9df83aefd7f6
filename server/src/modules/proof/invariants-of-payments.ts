import { sql } from '../../platform/database/queries.ts'
import { bookedAmount, bookedCurrency } from '../payments/payments.ts'
import type { Invariant } from './closed-days.ts'

/** What each order brought into the shop's sales: by card, from the buyer's wallet, or a part from either. */
const takings = sql`(
  SELECT transfer.order_id, count(*) AS times, min(transfer.currency) AS currency, max(transfer.currency) AS other_currency,
    coalesce(sum(amount) FILTER (WHERE transfer.kind = 'card'), 0) AS by_card,
    coalesce(sum(amount) FILTER (WHERE transfer.kind = 'purchase'), 0) AS from_wallet,
    min(payer.user_id) AS payer
  FROM checked_transfer AS transfer
  JOIN account AS sales ON sales.id = credit_account AND sales.kind = 'sales'
  JOIN account AS payer ON payer.id = debit_account
  WHERE transfer.order_id IS NOT NULL AND transfer.kind <> 'payout' GROUP BY transfer.order_id)`

const movedUnder = (key: string) =>
  sql`coalesce((SELECT amount FROM transfer WHERE key = ${`${key}:`}::text || card_refund.id), 0)`

/** What the ledger moved of the goods and of the fee. */
const movedInAll = (key: string) =>
  sql`${movedUnder(key)} + ${movedUnder(key.replace('card-refund', 'card-refund-fee'))}`

/**
 * What the ledger has about each card refund: what went to the card, out of the sales or a wallet or by the shop's
 * loss; what came back to the wallet, to the sales or to make good the loss; and what items were charged with.
 */
const cardRefunds = sql`(
  SELECT card_refund.id, payment_id, card_refund.amount, card_refund.fee_amount AS fee, card_refund.status, origin, settled_to,
    (SELECT min(kind) FROM transfer
      WHERE key IN ('card-refund:' || card_refund.id, 'card-refund-fee:' || card_refund.id)) AS sent_kind,
    ${movedInAll('card-refund')} AS sent, ${movedUnder('card-refund-lost')} AS lost,
    ${movedUnder('card-refund-failed')} AS back, ${movedInAll('card-refund-covered')} AS covered,
    ${movedUnder('card-refund-found')} AS found, ${movedUnder('card-refund-made-good')} AS made_good,
    (SELECT coalesce(sum(refund.amount), 0) FROM refund WHERE card_refund_id = card_refund.id) AS charged
  FROM checked_card_refund AS card_refund JOIN payment ON payment.id = payment_id)`

/** What moved of the fee of each order: to the account of fees, and back from there by refunds of any kind. */
const fees = sql`(
  SELECT order_id, sum(amount) AS amount FROM (
    SELECT transfer.order_id, CASE credited.kind WHEN 'fees' THEN amount ELSE -amount END AS amount FROM checked_transfer AS transfer
    JOIN account AS debited ON debited.id = debit_account JOIN account AS credited ON credited.id = credit_account
    WHERE 'fees' IN (debited.kind, credited.kind)) AS moved
  GROUP BY order_id)`

/** What the payments of each order have brought of fees, less what their refunds say went back of them. */
const feesLeft = sql`(
  SELECT order_id, sum(amount) AS amount FROM (
    SELECT order_id, booked_fee AS amount FROM checked_payment
    UNION ALL
    SELECT order_id, -card_refund.fee_amount FROM checked_card_refund AS card_refund JOIN payment ON payment.id = payment_id
    WHERE NOT (origin = 'provider' AND card_refund.status = 'sent')
    UNION ALL
    SELECT payment.order_id, -transfer.amount FROM checked_payment AS payment JOIN transfer ON transfer.key = 'fee-refund:' || payment.id
  ) AS kept GROUP BY order_id)`

/** What was reserved of the buyer's wallet for each order, and where it went. */
const reserved = sql`(
  SELECT transfer.order_id, min(transfer.currency) AS currency,
    count(*) FILTER (WHERE credited.kind = 'reserved') AS times,
    sum(amount) FILTER (WHERE credited.kind = 'reserved') AS amount,
    min(debited.user_id) AS payer,
    count(*) FILTER (WHERE debited.kind = 'reserved') AS passed_on,
    sum(amount) FILTER (WHERE debited.kind = 'reserved') AS amount_passed_on,
    min(credited.kind) FILTER (WHERE debited.kind = 'reserved') AS passed_to,
    min(credited.user_id) AS receiver
  FROM checked_transfer AS transfer
  JOIN account AS debited ON debited.id = debit_account JOIN account AS credited ON credited.id = credit_account
  WHERE 'reserved' IN (debited.kind, credited.kind) GROUP BY transfer.order_id)`

export const paymentInvariants: readonly Invariant[] = [
  {
    number: 12,
    name: 'paid-once-exactly',
    sentence:
      'A paid order was paid once, exactly, by its own method and by its buyer: with money, or with one code that was spent on nothing else',
    offenders: sql`
      SELECT 'order ' || orders.id AS subject FROM checked_order AS orders LEFT JOIN ${takings} AS taken ON taken.order_id = orders.id
      LEFT JOIN (
        SELECT order_id, count(*) AS codes_spent FROM checked_activation JOIN order_item ON order_item.id = order_item_id
        GROUP BY order_id) AS spent ON spent.order_id = orders.id
      WHERE purpose = 'goods' AND status NOT IN ('awaiting_payment', 'expired') AND payment_method <> 'code'
        AND (times, by_card, from_wallet, taken.currency, other_currency, coalesce(payer, user_id)) IS DISTINCT FROM
          (1 + (wallet_amount > 0)::int, CASE payment_method WHEN 'card' THEN total - wallet_amount ELSE 0 END,
            CASE payment_method WHEN 'card' THEN wallet_amount ELSE total END, orders.currency, orders.currency, user_id)
        OR (payment_method = 'code')::int <> coalesce(codes_spent, 0)
        OR payment_method = 'code' AND times > 0
      UNION ALL
      SELECT 'code ' || code_id FROM checked_activation JOIN order_item ON order_item.id = order_item_id
      WHERE status <> 'refunded' GROUP BY code_id HAVING count(*) > 1`,
  },
  {
    number: 13,
    name: 'unpaid-holds-nothing',
    sentence:
      'An unpaid order has taken no money and sent nothing on its way; while it waits it holds its codes, but for those that are to be bought, and nothing else holds any but what is just being spent on a player',
    offenders: sql`
      SELECT 'order ' || orders.id AS subject FROM checked_order AS orders
      JOIN checked_transfer AS transfer ON transfer.order_id = orders.id
      JOIN account AS sales ON sales.id = credit_account AND sales.kind IN ('sales', 'fees')
      WHERE status IN ('awaiting_payment', 'expired')
      UNION ALL
      SELECT 'order ' || order_id FROM checked_item AS order_item
      WHERE status = 'awaiting_payment' AND item_type = 'code'
        AND quantity - (SELECT count(*) FROM code_hold WHERE order_item_id = order_item.id)
          NOT BETWEEN 0 AND CASE WHEN is_on_demand THEN quantity ELSE 0 END
      UNION ALL
      SELECT 'order ' || order_id FROM code_hold JOIN order_item ON order_item.id = order_item_id
      WHERE status <> 'awaiting_payment' AND NOT EXISTS (
        SELECT FROM supplier_order
        WHERE supplier_order.code_id = code_hold.code_id AND state IN ('sent', 'unknown'))
      UNION ALL
      SELECT 'order ' || order_id FROM checked_delivery JOIN order_item ON order_item.id = order_item_id
      WHERE status IN ('awaiting_payment', 'expired')`,
  },
  {
    number: 14,
    name: 'payment-has-its-transfer',
    sentence:
      'A card payment that succeeded has one equal transfer, and a transfer by card has its payment; an order was paid with exactly what was charged, which follows from the frozen rate; the fee of a method follows from its frozen terms, and is in the account of fees once where the payment did what it was for; each dispute moved what its state says and holds its buyer, and nothing else does',
    // Money in a currency that no wallet has is not in the ledger: it waits for the operator.
    offenders: sql`
      SELECT 'payment ' || coalesce(payment.id::text, transfer.key, 'of transfer ' || transfer.id) AS subject
      FROM (SELECT * FROM checked_payment WHERE status = 'succeeded' AND settled_to <> 'operator') AS payment
      FULL JOIN (SELECT * FROM checked_transfer WHERE kind = 'card' AND coalesce(key, '') NOT LIKE 'payment-fee:%') AS transfer
        ON transfer.key = 'payment:' || payment.id
      LEFT JOIN account AS source ON source.id = transfer.debit_account
      LEFT JOIN account AS target ON target.id = transfer.credit_account
      WHERE (transfer.amount, transfer.currency, transfer.order_id, source.kind, target.kind) IS DISTINCT FROM
        (${bookedAmount} - booked_fee, ${bookedCurrency}, payment.order_id, 'card',
          CASE payment.settled_to WHEN 'order' THEN 'sales' ELSE 'wallet' END)
      UNION ALL
      SELECT 'payment ' || coalesce(payment.id::text, transfer.key) FROM (SELECT * FROM checked_payment WHERE booked_fee > 0) AS payment
      FULL JOIN (SELECT * FROM checked_transfer WHERE kind = 'card' AND key LIKE 'payment-fee:%') AS transfer
        ON transfer.key = 'payment-fee:' || payment.id
      LEFT JOIN account AS source ON source.id = transfer.debit_account
      LEFT JOIN account AS target ON target.id = transfer.credit_account
      WHERE (transfer.amount, transfer.currency, transfer.order_id, source.kind, target.kind) IS DISTINCT FROM
        (booked_fee, payment.currency, payment.order_id, 'card', 'fees')
      UNION ALL
      SELECT 'payment ' || payment.id FROM checked_payment AS payment JOIN orders ON orders.id = payment.order_id
      WHERE fee_amount <> ceil((amount - fee_amount) * fee_percent / 10000.0) + fee_fixed
        OR settled_to = 'order' AND booked_fee <> fee_amount
        OR fee_amount > 0 AND settled_to = 'wallet' AND (booked_fee > 0) <> (
          purpose = 'balance' AND paid_amount = coalesce(charge_amount, amount)
          AND paid_currency = coalesce(charge_currency, payment.currency)
          AND NOT EXISTS (SELECT FROM payment AS earlier
            -- Drawn while the order is locked, unlike the moments, of which the first may be of what was booked last.
            JOIN transfer AS earlier_transfer ON earlier_transfer.key = 'payment:' || earlier.id
            JOIN transfer AS own_transfer ON own_transfer.key = 'payment:' || payment.id
            WHERE earlier.order_id = orders.id AND earlier.settled_to = 'wallet' AND earlier_transfer.id < own_transfer.id))
      UNION ALL
      SELECT 'payment ' || id FROM (
        SELECT payment.*, coalesce(charge_amount, amount) AS charged, coalesce(charge_currency, currency) AS charged_in,
          CASE WHEN charge_currency IN ('UZS', 'KZT') THEN 100 ELSE 1 END AS step
        FROM checked_payment AS payment) AS payment
      WHERE charge_amount <> ceil(amount * charge_rate / step) * step
        OR settled_to = 'order' AND (paid_amount, paid_currency, ${bookedAmount}, ${bookedCurrency})
          IS DISTINCT FROM (charged, charged_in, amount, currency)
        OR settled_to = 'wallet' AND charge_rate IS NOT NULL AND paid_currency = charged_in
          AND (booked_amount, booked_currency) IS DISTINCT FROM (
            CASE paid_amount WHEN charged THEN amount ELSE floor(paid_amount / charge_rate) END, currency)
      UNION ALL
      SELECT 'dispute ' || dispute.id FROM checked_dispute AS dispute JOIN payment ON payment.id = payment_id
      WHERE kind = 'dispute' AND dispute.currency = ${bookedCurrency} AND CASE dispute.status
        WHEN 'lost' THEN transfers % 2 = 0 WHEN 'won' THEN transfers % 2 = 1 WHEN 'closed' THEN transfers % 2 = 1
        ELSE false END
        OR covered + excess <> dispute.amount
        OR EXISTS (
          SELECT FROM (
            SELECT turn, in_all, of_order, lag(of_order) OVER (ORDER BY turn) AS before
            FROM generate_series(1, transfers) AS turn CROSS JOIN LATERAL (
              SELECT coalesce(sum(transfer.amount), 0) AS in_all,
                coalesce(sum(transfer.amount) FILTER (WHERE key NOT LIKE '%:excess'), 0) AS of_order
              FROM transfer WHERE transfer.order_id = dispute.order_id AND transfer.currency = dispute.currency
                AND key IN ('dispute:' || dispute.id || ':' || turn, 'dispute:' || dispute.id || ':' || turn || ':excess')
                AND transfer.kind = CASE WHEN turn % 2 = 1 THEN 'chargeback' ELSE 'chargeback_reversal' END) AS moved) AS turns
          WHERE in_all <> dispute.amount OR turn % 2 = 0 AND of_order <> before OR turn = transfers AND of_order <> covered)
      UNION ALL
      SELECT 'transfer ' || transfer.id FROM checked_transfer AS transfer
      WHERE kind IN ('chargeback', 'chargeback_reversal') AND NOT EXISTS (
        SELECT FROM dispute WHERE dispute.id::text = split_part(key, ':', 2)
          AND split_part(key, ':', 3)::int <= transfers)
      UNION ALL
      SELECT 'user ' || id FROM checked_user AS users WHERE (held_since IS NOT NULL) <> EXISTS (
        SELECT FROM orders JOIN dispute ON dispute.order_id = orders.id
        WHERE orders.user_id = users.id AND dispute.status IN ('inquiry', 'open', 'lost') AND released_at IS NULL)`,
  },
  {
    number: 15,
    name: 'refunds-are-covered',
    sentence:
      'Refunds give back the price of their item, or of the unit that was not delivered, once, and parts of it never more; all that was charged goes back when all of the price does, and not before; each has its transfer, none is charged with more than went back to the card, and refunds and what banks took back are together never more than was paid; what went back of a fee left the account of fees, and is never more than the fee',
    offenders: sql`
      SELECT 'refund ' || refund.id AS subject FROM checked_refund AS refund
      JOIN order_item ON order_item.id = order_item_id
      LEFT JOIN transfer ON transfer.key = CASE WHEN part_id IS NOT NULL THEN 'refund-part:' || part_id
        WHEN delivery_id IS NULL THEN 'refund:' || order_item_id ELSE 'refund-unit:' || delivery_id END
      WHERE refund.order_id <> order_item.order_id
        OR delivery_id IS NULL AND part_id IS NULL AND order_item.status <> 'refunded'
        OR by_chargeback AND NOT EXISTS (
          SELECT FROM dispute WHERE dispute.order_id = refund.order_id AND transfers > 0)
        OR card_refund_id IS NULL AND NOT by_chargeback AND (transfer.kind, transfer.amount) IS DISTINCT FROM ('refund', refund.amount)
      UNION ALL
      SELECT 'delivery ' || delivery_id FROM checked_refund JOIN order_item ON order_item.id = order_item_id
      WHERE delivery_id IS NOT NULL GROUP BY delivery_id, unit_price HAVING sum(amount) <> unit_price
      UNION ALL
      SELECT 'refund part ' || part.id FROM checked_part AS part JOIN order_item ON order_item.id = order_item_id
      WHERE part.order_id <> order_item.order_id OR status NOT IN ('delivered', 'refunded')
        OR part.amount <> coalesce(part.quantity * unit_price, part.amount)
        OR part.amount IS DISTINCT FROM (
          SELECT sum(amount) FROM refund WHERE part_id = part.id AND refund.order_item_id = part.order_item_id)
      UNION ALL
      SELECT 'order ' || order_id FROM checked_item AS order_item
      JOIN LATERAL (
        SELECT coalesce(sum(amount), 0) AS given_back, coalesce(sum(amount) FILTER (WHERE part_id IS NULL), 0) AS of_units
        FROM refund WHERE order_item_id = order_item.id) AS refunds ON true
      WHERE CASE status WHEN 'refunded' THEN given_back <> unit_price * quantity
        ELSE of_units > unit_price * (quantity - 1) OR given_back > unit_price * quantity END
      UNION ALL
      SELECT 'card refund ' || id FROM ${cardRefunds} AS refund
      WHERE CASE origin WHEN 'store' THEN
          sent <> amount OR sent_kind IS DISTINCT FROM 'payout'
            OR back + covered + made_good <> CASE status WHEN 'failed' THEN amount ELSE 0 END
            OR charged + covered <> CASE settled_to WHEN 'wallet' THEN 0 ELSE amount - fee END
        ELSE
          sent + lost <> CASE WHEN settled_to = 'operator' OR status = 'sent' THEN 0 WHEN status = 'failed' THEN back + found ELSE amount END
            OR charged + fee > amount OR status = 'failed' AND charged + fee > back
            OR status <> 'failed' AND back + found > 0 OR covered + made_good > 0
            OR settled_to <> 'order' AND charged > 0
        END
      UNION ALL
      SELECT 'payment ' || payment_id FROM ${cardRefunds} AS refund
      GROUP BY payment_id HAVING sum(made_good) > sum(lost - found)
      UNION ALL
      SELECT 'payment ' || payment.id FROM checked_card_refund AS card_refund JOIN payment ON payment_id = payment.id
      WHERE card_refund.status <> 'failed' GROUP BY payment.id
      HAVING (sum(card_refund.amount) >= ${bookedAmount})
        <> (sum(coalesce(card_refund.charge_amount, card_refund.amount)) >= paid_amount)
      UNION ALL
      SELECT 'order ' || coalesce(fees.order_id, kept.order_id) FROM ${fees} AS fees
      FULL JOIN ${feesLeft} AS kept ON kept.order_id = fees.order_id
      WHERE coalesce(fees.amount, 0) <> coalesce(kept.amount, 0)
      UNION ALL
      SELECT 'payment ' || payment.id FROM checked_payment AS payment LEFT JOIN card_refund ON payment_id = payment.id
      WHERE payment.fee_amount > 0 OR card_refund.fee_amount > 0
      GROUP BY payment.id, booked_fee HAVING booked_fee < coalesce(sum(card_refund.fee_amount), 0)
        + coalesce((SELECT amount FROM transfer WHERE key = 'fee-refund:' || payment.id), 0)
      UNION ALL
      SELECT 'order ' || order_id FROM (SELECT DISTINCT order_id FROM checked_dispute) AS disputed
      WHERE (SELECT coalesce(sum(amount), 0) FROM refund
          WHERE refund.order_id = disputed.order_id AND NOT by_chargeback)
        + (SELECT coalesce(sum(booked_fee), 0) FROM payment WHERE order_id = disputed.order_id AND settled_to = 'order')
        - (SELECT coalesce(sum(amount), 0) FROM ${fees} AS fees WHERE fees.order_id = disputed.order_id)
        + (SELECT coalesce(sum(CASE debit.kind WHEN 'disputes' THEN amount ELSE -amount END), 0) FROM transfer
          JOIN account AS debit ON debit.id = debit_account JOIN account AS credit ON credit.id = credit_account
          WHERE transfer.order_id = disputed.order_id AND 'disputes' IN (debit.kind, credit.kind))
        > (SELECT coalesce(sum(amount), 0) FROM transfer
          JOIN account AS credit ON credit.id = credit_account
          WHERE transfer.order_id = disputed.order_id AND transfer.kind IN ('card', 'purchase') AND credit.kind IN ('sales', 'fees'))`,
  },
  {
    number: 27,
    name: 'parts-are-reserved',
    sentence:
      'What an order takes from the balance beside a card is reserved once, from its buyer, for as long as the order waits: then it went into the sales, or back, once, and a payment is about the rest, and its fee',
    offenders: sql`
      SELECT 'order ' || coalesce(orders.id, reserved.order_id) AS subject
      FROM (SELECT * FROM checked_order WHERE wallet_amount > 0) AS orders
      FULL JOIN ${reserved} AS reserved ON reserved.order_id = orders.id
      WHERE (times, amount, reserved.currency, payer, passed_on) IS DISTINCT FROM
          (1, wallet_amount, orders.currency, user_id, (status <> 'awaiting_payment')::int)
        OR passed_on > 0 AND (amount_passed_on <> wallet_amount OR passed_to NOT IN ('sales', 'wallet')
          OR passed_to = 'wallet' AND receiver <> user_id OR status = 'expired' AND passed_to <> 'wallet')
      UNION ALL
      SELECT 'payment ' || payment.id FROM checked_payment AS payment JOIN orders ON orders.id = payment.order_id
      WHERE (wallet_amount > 0 OR fee_amount > 0)
        AND (payment.amount - fee_amount, payment.currency) <> (total - wallet_amount, orders.currency)`,
  },
  {
    number: 31,
    name: 'fillings-fill-wallets',
    sentence:
      'A filling of a balance has no items and sells nothing: it is completed when its money is in its buyer’s wallet, and not before; what is refunded of it leaves that wallet',
    offenders: sql`
      SELECT 'order ' || orders.id AS subject FROM checked_order AS orders WHERE purpose = 'balance' AND (
        (status = 'completed') <> EXISTS (SELECT FROM payment WHERE order_id = orders.id AND settled_to = 'wallet')
        OR EXISTS (SELECT FROM payment WHERE order_id = orders.id AND settled_to = 'order')
        OR EXISTS (SELECT FROM order_item WHERE order_id = orders.id))
      UNION ALL
      SELECT 'transfer ' || transfer.id FROM checked_order AS orders
      JOIN checked_transfer AS transfer ON transfer.order_id = orders.id
      JOIN account AS debited ON debited.id = debit_account JOIN account AS credited ON credited.id = credit_account
      WHERE orders.purpose = 'balance' AND (coalesce(debited.user_id, orders.user_id) <> orders.user_id
        OR coalesce(credited.user_id, orders.user_id) <> orders.user_id OR 'sales' IN (debited.kind, credited.kind))
      UNION ALL
      SELECT 'card refund ' || card_refund.id FROM checked_order AS orders
      JOIN payment ON payment.order_id = orders.id JOIN card_refund ON payment_id = payment.id AND origin = 'store'
      LEFT JOIN transfer ON transfer.key = 'card-refund:' || card_refund.id
      LEFT JOIN account AS debited ON debited.id = debit_account
      WHERE orders.purpose = 'balance' AND debited.user_id IS DISTINCT FROM orders.user_id`,
  },
]
