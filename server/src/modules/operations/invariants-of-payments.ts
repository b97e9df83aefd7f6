import { sql } from '../../platform/database.ts'
import type { Invariant } from './invariant.ts'

/** What each order brought into the shop's sales: once, from the buyer's wallet or by card. */
const takings = sql`(
  SELECT transfer.order_id, count(*) AS times, sum(amount) AS amount, min(transfer.kind) AS kind,
    min(transfer.currency) AS currency, min(payer.user_id) AS payer
  FROM transfer
  JOIN account AS sales ON sales.id = credit_account AND sales.kind = 'sales'
  JOIN account AS payer ON payer.id = debit_account
  WHERE transfer.order_id IS NOT NULL AND transfer.kind <> 'payout' GROUP BY transfer.order_id)`

const movedUnder = (key: string) =>
  sql`coalesce((SELECT amount FROM transfer WHERE key = ${`${key}:`}::text || card_refund.id), 0)`

/**
 * What the ledger has of each refund to a card: what went to the card, out of the sales or a wallet or by the shop's
 * loss; what came back to the wallet, to the sales or to make good the loss; and what items were charged with.
 */
const cardRefunds = sql`(
  SELECT card_refund.id, card_refund.amount, card_refund.status, origin, settled_to,
    (SELECT kind FROM transfer WHERE key = 'card-refund:' || card_refund.id) AS sent_kind,
    ${movedUnder('card-refund')} AS sent, ${movedUnder('card-refund-lost')} AS lost,
    ${movedUnder('card-refund-failed')} AS back, ${movedUnder('card-refund-covered')} AS covered,
    ${movedUnder('card-refund-found')} AS found,
    (SELECT coalesce(sum(refund.amount), 0) FROM refund WHERE card_refund_id = card_refund.id) AS charged
  FROM card_refund JOIN payment ON payment.id = payment_id)`

export const invariantsOfPayments: readonly Invariant[] = [
  {
    number: 12,
    name: 'paid-once-exactly',
    sentence:
      'A paid order was paid once, exactly, by its own method and by its buyer: with money, or with one code that was spent on nothing else',
    offenders: sql`
      SELECT 'order ' || orders.id AS subject FROM orders LEFT JOIN ${takings} AS taken ON taken.order_id = orders.id
      WHERE status NOT IN ('awaiting_payment', 'expired') AND payment_method <> 'code'
        AND (times, amount, taken.currency, taken.kind, coalesce(payer, user_id)) IS DISTINCT FROM
          (1, total, orders.currency, CASE payment_method WHEN 'balance' THEN 'purchase' ELSE 'card' END, user_id)
      UNION ALL
      SELECT 'order ' || orders.id FROM orders LEFT JOIN ${takings} AS taken ON taken.order_id = orders.id
      WHERE (payment_method = 'code')::int <> (
          SELECT count(*) FROM code_activation JOIN order_item ON order_item.id = order_item_id
          WHERE order_item.order_id = orders.id)
        OR payment_method = 'code' AND times > 0
      UNION ALL
      SELECT 'code ' || code_id FROM code_activation JOIN order_item ON order_item.id = order_item_id
      WHERE status <> 'refunded' GROUP BY code_id HAVING count(*) > 1`,
  },
  {
    number: 13,
    name: 'unpaid-holds-nothing',
    sentence:
      'An unpaid order has taken no money and sent nothing on its way; while it waits it holds its codes, but for those that are to be bought, and nothing else holds any but what is just being spent on a player',
    offenders: sql`
      SELECT 'order ' || orders.id AS subject FROM orders
      JOIN transfer ON transfer.order_id = orders.id
      JOIN account AS sales ON sales.id = credit_account AND sales.kind = 'sales'
      WHERE status IN ('awaiting_payment', 'expired')
      UNION ALL
      SELECT 'order ' || order_id FROM order_item
      WHERE status = 'awaiting_payment' AND item_type = 'code'
        AND quantity - (SELECT count(*) FROM code_hold WHERE order_item_id = order_item.id)
          NOT BETWEEN 0 AND CASE WHEN is_on_demand THEN quantity ELSE 0 END
      UNION ALL
      SELECT 'order ' || order_id FROM code_hold JOIN order_item ON order_item.id = order_item_id
      WHERE status <> 'awaiting_payment' AND NOT EXISTS (
        SELECT FROM supplier_order
        WHERE supplier_order.code_id = code_hold.code_id AND state IN ('sent', 'unknown'))
      UNION ALL
      SELECT 'order ' || order_id FROM delivery JOIN order_item ON order_item.id = order_item_id
      WHERE status IN ('awaiting_payment', 'expired')`,
  },
  {
    number: 14,
    name: 'payment-has-its-transfer',
    sentence: 'A card payment that succeeded has one equal transfer, and a transfer by card has its payment',
    // What came in a currency that no wallet holds is not in the ledger: it waits for the operator.
    offenders: sql`
      SELECT 'payment ' || coalesce(payment.id::text, transfer.key) AS subject
      FROM (SELECT * FROM payment WHERE status = 'succeeded' AND settled_to <> 'operator') AS payment
      FULL JOIN (SELECT * FROM transfer WHERE kind = 'card') AS transfer ON transfer.key = 'payment:' || payment.id
      LEFT JOIN account AS source ON source.id = transfer.debit_account
      LEFT JOIN account AS target ON target.id = transfer.credit_account
      WHERE (transfer.amount, transfer.currency, transfer.order_id, source.kind, target.kind) IS DISTINCT FROM
        (payment.paid_amount, payment.paid_currency, payment.order_id, 'card',
          CASE payment.settled_to WHEN 'order' THEN 'sales' ELSE 'wallet' END)`,
  },
  {
    number: 15,
    name: 'refunds-are-covered',
    sentence:
      'Refunds give back the price of their item, or of the unit that was not delivered, once; each has its transfer, and none is charged with more than went back to the card',
    offenders: sql`
      SELECT 'refund ' || refund.id AS subject FROM refund
      JOIN order_item ON order_item.id = order_item_id
      LEFT JOIN transfer ON transfer.key = CASE WHEN delivery_id IS NULL
        THEN 'refund:' || order_item_id ELSE 'refund-unit:' || delivery_id END
      WHERE refund.order_id <> order_item.order_id OR delivery_id IS NULL AND order_item.status <> 'refunded'
        OR card_refund_id IS NULL AND (transfer.kind, transfer.amount) IS DISTINCT FROM ('refund', refund.amount)
      UNION ALL
      SELECT 'delivery ' || delivery_id FROM refund JOIN order_item ON order_item.id = order_item_id
      WHERE delivery_id IS NOT NULL GROUP BY delivery_id, unit_price HAVING sum(amount) <> unit_price
      UNION ALL
      SELECT 'order ' || order_id FROM order_item
      JOIN LATERAL (
        SELECT coalesce(sum(amount), 0) AS given_back FROM refund WHERE order_item_id = order_item.id) AS refunds ON true
      WHERE CASE status WHEN 'refunded' THEN given_back <> unit_price * quantity
        ELSE given_back > unit_price * (quantity - 1) END
      UNION ALL
      SELECT 'card refund ' || id FROM ${cardRefunds} AS refund
      WHERE CASE origin WHEN 'store' THEN
          sent <> amount OR sent_kind IS DISTINCT FROM 'payout'
            OR back + covered <> CASE status WHEN 'failed' THEN amount ELSE 0 END OR charged + covered <> amount
        ELSE
          sent + lost <> CASE WHEN settled_to = 'operator' OR status = 'sent' THEN 0 WHEN status = 'failed' THEN back + found ELSE amount END
            OR charged > amount OR status = 'failed' AND charged > back
            OR status <> 'failed' AND back + found > 0 OR covered > 0
            OR settled_to <> 'order' AND charged > 0
        END`,
  },
]
