import { randomUUID } from 'node:crypto'
import { type Client, firstBuyer, readToken } from './buyers.ts'
import { addCodes, type Seed } from './seed.ts'

const usual = { size: 100_000, messages: 20_000 }
type AdminSize = typeof usual

/** What the pages of the admin area are asked about. */
export interface Filled {
  userId: number
  adminId: number
  approvalId: number
  nickname: string
  orderId: string
  /** A sold-out batch as big as an import can be. */
  batchId: number
  codeId: number
  productId: number
  offerId: number
  denominationId: number
  rateId: number
}

/**
 * Makes what an admin looks at besides codes and orders: messages, and as many each of audit entries, generated codes and
 * codes of the pool as the size says; and out of the past orders every fifth by card and of a top-up, some refunded or stuck.
 */
export async function seedAdmin(
  { client, offerId, refill }: Seed,
  { size, messages }: AdminSize = usual,
): Promise<{ token: string; filled: Filled }> {
  await client.query("UPDATE users SET nickname = 'Gamer_' || substr(md5(id::text), 1, 12) WHERE id >= $1", [
    firstBuyer,
  ])
  await client.query('UPDATE users SET nickname_key = lower(nickname) WHERE id >= $1', [firstBuyer])
  await varyOrders(client)
  const admin = await addAdmin(client)
  await addAuditEntries(client, admin.id, size)
  await addMessages(client, admin.id, messages)
  await addAlerts(client, messages)
  await addOutbox(client, messages)
  await addCoupons(client, messages)
  await addRates(client)
  const pool = await toOffer(client, "product.slug = 'pubg'")
  await addCodes(client, pool, size, 'available')
  await addGenerated(client, size)
  await refill()
  return {
    token: admin.token,
    filled: {
      ...(await lookUp(client, offerId, size)),
      adminId: admin.id,
      approvalId: await addApproval(client, admin.id),
    },
  }
}

/** `order_item.id` counts the orders up. */
async function varyOrders(client: Client): Promise<void> {
  const every = (one: number, of: number) => `order_item.id % ${of} = ${one}`
  await client.query(
    `UPDATE order_item SET status = CASE WHEN ${every(0, 50)} THEN 'refunded' WHEN ${every(1, 500)} THEN 'awaiting_payment'
        WHEN ${every(2, 250)} THEN 'unknown' ELSE status END,
      item_type = CASE WHEN ${every(2, 5)} THEN 'topup' ELSE 'code' END`,
  )
  await client.query(
    `UPDATE orders SET status = CASE order_item.status WHEN 'unknown' THEN 'pending' WHEN 'delivered' THEN 'completed' ELSE order_item.status END,
      expires_at = CASE WHEN order_item.status = 'awaiting_payment' THEN now() + interval '1 day' END,
      payment_method = CASE WHEN ${every(3, 5)} THEN 'card' ELSE 'balance' END
    FROM order_item WHERE order_item.order_id = orders.id`,
  )
  await client.query(
    `INSERT INTO refund (order_id, order_item_id, amount, destination, reason, created_at)
    SELECT orders.id, order_item.id, total, 'wallet', 'did not work', created_at FROM orders JOIN order_item ON order_id = orders.id
    WHERE order_item.status = 'refunded'`,
  )
  await client.query(
    `INSERT INTO status_change (order_id, order_item_id, was, became, created_at)
    SELECT order_id, order_item.id, 'delivered', 'refunded', now() FROM order_item WHERE status = 'refunded'`,
  )
  await client.query(
    `INSERT INTO payment (order_id, provider, amount, currency, status, provider_payment_id, paid_amount, paid_currency,
      settled_to, created_at, settled_at)
    SELECT id, 'sandbox', total, currency, 'succeeded', gen_random_uuid(), total, currency, 'order', created_at, created_at
    FROM orders WHERE payment_method = 'card' ORDER BY created_at`,
  )
  await client.query(
    `INSERT INTO topup_target (order_item_id, service, account, player_name)
    SELECT id, 'pubg', (5000000000 + id)::text, 'Player ' || id FROM order_item WHERE item_type = 'topup'`,
  )
  await client.query(
    `INSERT INTO delivery (order_item_id, unit, state, next_at, operator_since, decided_at, created_at)
    SELECT order_item.id, 1, CASE order_item.status WHEN 'unknown' THEN 'unknown' ELSE 'done' END, NULL,
      CASE order_item.status WHEN 'unknown' THEN created_at END, CASE WHEN order_item.status <> 'unknown' THEN created_at END, created_at
    FROM order_item JOIN orders ON orders.id = order_id WHERE item_type = 'topup' ORDER BY created_at`,
  )
  await client.query(
    `INSERT INTO supplier_order (delivery_id, supplier, state, supplier_order_id)
    SELECT id, 'sandbox', state, gen_random_uuid() FROM delivery`,
  )
}

export async function addAdmin(client: Client): Promise<{ id: number; token: string }> {
  const token = readToken(0) + randomUUID()
  const { rows } = await client.query("SELECT id FROM users WHERE role = 'admin' LIMIT 1")
  await client.query(
    `INSERT INTO session (token_hash, user_id, expires_at) VALUES (sha256($1::text::bytea), $2, now() + interval '1 day')`,
    [token, rows[0].id],
  )
  return { id: rows[0].id, token }
}

async function addAuditEntries(client: Client, adminId: number, size: number): Promise<void> {
  await client.query(
    `INSERT INTO audit_entry (id, actor_id, action, subject, before, after, created_at, hash)
    SELECT n + (SELECT coalesce(max(id), 0) FROM audit_entry), $1, (ARRAY['product.update', 'order.refund', 'code.update', 'user.balance'])[1 + n % 4],
      (ARRAY['product:', 'order:', 'code:', 'user:'])[1 + n % 4] || n, '{"price_usd": 1}', '{"price_usd": 2}',
      now() - (${size} - n) * interval '1 minute', sha256(n::text::bytea)
    FROM generate_series(1, ${size}) AS n`,
    [adminId],
  )
}

async function addMessages(client: Client, adminId: number, messages: number): Promise<void> {
  const state = "CASE WHEN n % 20 = 0 THEN 'open' ELSE 'closed' END"
  const at = `now() - (${messages} - n) * interval '1 minute'`
  await client.query(
    `INSERT INTO conversation (id, kind, state, nickname, claimed_id, contact, language, assignee_id, last_customer_id,
      last_customer_at, closed_at, created_at)
    SELECT n, 'question', ${state}, 'Gamer_' || substr(md5(n::text), 1, 8), n::text, '@gamer' || n, 'ru', $1, n, ${at},
      CASE WHEN n % 20 <> 0 THEN now() END, ${at}
    FROM generate_series(1, ${messages}) AS n`,
    [adminId],
  )
  await client.query(
    `INSERT INTO conversation_message (id, conversation_id, author, text, created_at) OVERRIDING SYSTEM VALUE
    SELECT n, n, 'customer',
      'My code does not work, order ' || upper(substr(md5('order' || n), 1, 10)) || '. ' || repeat(md5(n::text) || ' ', 6), ${at}
    FROM generate_series(1, ${messages}) AS n`,
  )
}

const addAlerts = (client: Client, messages: number) =>
  client.query(
    `INSERT INTO alert (kind, subject, created_at, resolved_at)
    SELECT 'delivery.stuck', 'delivery:' || n, now() - n * interval '1 minute', CASE WHEN n > 50 THEN now() END
    FROM generate_series(1, ${messages}) AS n`,
  )

async function addOutbox(client: Client, messages: number): Promise<void> {
  const { rows } = await client.query(
    `INSERT INTO message_recipient (name, channel, address, language) VALUES ('desk', 'telegram', '1001', 'ru') RETURNING id`,
  )
  await client.query(
    `INSERT INTO message (recipient_id, channel, language, payload, is_urgent, state, sent_at, created_at)
    SELECT $1, 'telegram', 'ru', '{"kind": "test"}', false, CASE WHEN n % 50 = 0 THEN 'failed' ELSE 'sent' END,
      CASE WHEN n % 50 <> 0 THEN now() END, now() - n * interval '1 minute'
    FROM generate_series(1, ${messages}) AS n`,
    [rows[0].id],
  )
}

const addCoupons = (client: Client, coupons: number) =>
  client.query(
    `INSERT INTO coupon (code, percent, max_uses, used, ends_at, created_at)
    SELECT 'SALE-' || n, 1000, 100, n % 100, now() + interval '30 days', now() - n * interval '1 minute'
    FROM generate_series(1, ${coupons}) AS n`,
  )

async function addApproval(client: Client, adminId: number): Promise<number> {
  const { rows } = await client.query(
    `INSERT INTO approval (call, params, body, amount, currency, asked_by)
    SELECT 'setBalanceOfUser', jsonb_build_object('id', $1::int), '{"amount": 1, "currency": "USD"}', 100, 'USD', $1::int RETURNING id`,
    [adminId],
  )
  return Number(rows[0].id)
}

const addRates = (client: Client) =>
  client.query(
    `INSERT INTO currency_rate_history (rate_id, rate, source, created_at)
    SELECT id, rate, 'fixed', now() - n * interval '1 day' FROM currency_rate, generate_series(1, 3000) AS n`,
  )

async function addGenerated(client: Client, size: number): Promise<void> {
  const offerId = await toOffer(client, 'product.supports_code_generation')
  const denominationId = await toOffer(client, "product.slug = 'freefire'")
  const first = await addCodes(client, offerId, size, 'archived')
  await client.query('UPDATE code SET denomination_id = $2 WHERE id BETWEEN $1 AND $1 + $3 - 1', [
    first,
    denominationId,
    size,
  ])
  await client.query(
    "UPDATE code SET status = CASE WHEN id % 3 = 0 THEN 'unpublished' ELSE 'available' END WHERE denomination_id IS NOT NULL",
  )
}

async function toOffer(client: Client, condition: string): Promise<number> {
  const { rows } = await client.query(
    `SELECT offer.id FROM offer JOIN product ON product.id = product_id WHERE ${condition} ORDER BY offer.id LIMIT 1`,
  )
  return rows[0].id
}

async function lookUp(client: Client, offerId: number, size: number): Promise<Omit<Filled, 'adminId' | 'approvalId'>> {
  const { rows } = await client.query(
    `SELECT users.id AS "userId", nickname, orders.id AS "orderId", batch_id AS "batchId", code.id AS "codeId",
      offer.product_id AS "productId", offer.id AS "offerId", (SELECT min(id) FROM currency_rate) AS "rateId",
      (SELECT min(offer.id) FROM offer JOIN product ON product.id = product_id WHERE slug = 'pubg') AS "denominationId"
    FROM code JOIN code_sale ON code_id = code.id JOIN order_item ON order_item.id = order_item_id
    JOIN orders ON orders.id = order_id JOIN users ON users.id = orders.user_id JOIN offer ON offer.id = code.offer_id
    WHERE code.offer_id = $1 ORDER BY code.id OFFSET ${Math.floor(size / 2)} LIMIT 1`,
    [offerId],
  )
  return rows[0]
}
