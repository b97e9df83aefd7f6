import type { PoolClient } from 'pg'
import type { Database } from '../server/src/platform/database/database.ts'
import { sql } from '../server/src/platform/database/queries.ts'
import { Vault } from '../server/src/platform/security/vault.ts'
import { anOffer } from '../server/test/factories.ts'
import { pastKeySql } from './bench/buyers.ts'

/** What a store sold in the past, written with few statements as its own would have left it: every invariant holds. */
export interface Past {
  /** Sells so many orders, spread over the hours from a moment on. */
  sell(orders: number, from: Date, hours?: number): Promise<void>
  end(): void
}

export interface PastWish {
  secretKey: Buffer
  buyers: number
  /** When the buyers came and got their money. */
  since: Date
}

const funding = 100_000_000
const priceUsd = 100

/** Ten orders are seven codes from the balance, two top-ups, and one code by card. */
const kindSql = "CASE n % 10 WHEN 0 THEN 'card' WHEN 1 THEN 'topup' WHEN 2 THEN 'topup' ELSE 'code' END"

/** Makes two products and buyers with money. The database is migrated, and this connection may leave triggers out. */
export async function beginPast(database: Database, wish: PastWish): Promise<Past> {
  const offers = await addOffers(database, await Vault.open(database, wish.secretKey), wish.since)
  const client = await database.pool.connect()
  // Who waits for it is told by the rejection.
  client.on('error', () => {})
  await client.query('SET statement_timeout = 0')
  await client.query('SET session_replication_role = replica')
  const buyers = await addBuyers(client, wish)
  const batch = await client.query(
    'INSERT INTO code_batch (product_id, created_at) SELECT product_id, $2 FROM offer WHERE id = $1 RETURNING id',
    [offers.code, wish.since],
  )
  let sold = 0
  return {
    async sell(orders, from, hours = 24) {
      await client.query('BEGIN')
      await drawOrders(client, { sold, orders, from, hours, firstBuyer: buyers, buyers: wish.buyers, offers })
      await client.query(
        `INSERT INTO code (id, shelf, offer_id, batch_id, key_id, ciphertext, fingerprint, status, created_at)
        SELECT code_id, code_id, offer_id, $1, vault_key.id, decode(repeat(md5(code_id::text), 3), 'hex'),
          sha256(code_id::text::bytea), 'used', at - interval '1 day'
        FROM past, vault_key WHERE code_id IS NOT NULL AND purpose = 'encryption'`,
        [batch.rows[0].id],
      )
      await client.query(
        `INSERT INTO code_fingerprint (fingerprint, code_id)
        SELECT sha256(code_id::text::bytea), code_id FROM past WHERE code_id IS NOT NULL`,
      )
      for (const statement of saleStatements) await client.query(statement)
      await client.query('COMMIT')
      sold += orders
    },
    end: () => client.release(true),
  }
}

async function addOffers(database: Database, vault: Vault, since: Date): Promise<{ code: number; topup: number }> {
  const [code, topup] = [
    await anOffer({ database, vault }, { priceUsd }),
    await anOffer({ database, vault }, { priceUsd }),
  ]
  await database.transaction(async (tx) => {
    await tx.run(sql`SET LOCAL session_replication_role = replica`)
    await tx.run(sql`UPDATE product SET kind = 'topup' WHERE id = ${topup.productId}`)
    await tx.run(sql`UPDATE offer_price SET valid_from = ${since} WHERE offer_id IN (${code.id}, ${topup.id})`)
  })
  return { code: code.id, topup: topup.id }
}

/** Returns the id of the first; the others follow it. */
async function addBuyers(client: PoolClient, { buyers, since }: PastWish): Promise<number> {
  const { rows } = await client.query('SELECT coalesce(max(id), 0) + 1 AS first FROM users')
  const first = Number(rows[0].first)
  const ids = [first, first + buyers - 1]
  const series = 'generate_series($1::int, $2::int) AS buyer'
  await client.query(
    `INSERT INTO users (id, nickname, nickname_key, password_hash, created_at) OVERRIDING SYSTEM VALUE
    SELECT buyer, 'past_' || buyer, 'past_' || buyer, 'none', $3 FROM ${series}`,
    [...ids, since],
  )
  await client.query("SELECT setval(pg_get_serial_sequence('users', 'id'), $1)", [ids[1]])
  await client.query(`INSERT INTO cart (user_id) SELECT buyer FROM ${series}`, ids)
  await client.query(
    `WITH wallet AS (
      INSERT INTO account (kind, currency, user_id, balance)
      SELECT 'wallet', currency, buyer, CASE currency WHEN 'USD' THEN ${funding} ELSE 0 END
      FROM ${series}, unnest(ARRAY['USD', 'RUB']) AS currency RETURNING id, currency, balance)
    INSERT INTO transfer (kind, currency, amount, debit_account, credit_account, credit_balance, reason, created_at)
    SELECT 'adjustment', wallet.currency, wallet.balance, shop.id, wallet.id, wallet.balance, 'past', $3
    FROM wallet JOIN account AS shop ON shop.kind = 'adjustments' AND shop.currency = wallet.currency
    WHERE wallet.balance > 0`,
    [...ids, since],
  )
  return first
}

interface Drawn {
  sold: number
  orders: number
  from: Date
  hours: number
  firstBuyer: number
  buyers: number
  offers: { code: number; topup: number }
}

/** Puts the orders to be into a table of this transaction, with every id they need. */
async function drawOrders(client: PoolClient, drawn: Drawn): Promise<void> {
  const { sold, orders, from, hours, firstBuyer, buyers, offers } = drawn
  const next = (table: string) => `nextval(pg_get_serial_sequence('${table}', 'id'))`
  await client.query(
    `CREATE TEMP TABLE past ON COMMIT DROP AS
    SELECT drawn.*, wallet.id AS wallet_id, sales.id AS sales_id, card.id AS card_id, offer.price_usd, price_version,
      offer.item_id AS supplier_item, offer.name AS offer_name,
      ${next('order_item')} AS item_id, CASE WHEN drawn.kind = 'topup' THEN NULL ELSE nextval('code_id') END AS code_id,
      CASE WHEN drawn.kind = 'topup' THEN ${next('delivery')} END AS delivery_id,
      CASE WHEN drawn.kind = 'topup' THEN ${next('supplier_order')} END AS supplier_order_id,
      CASE WHEN drawn.kind = 'card' THEN ${next('payment')} END AS payment_id
    FROM (
      SELECT n, ${kindSql} AS kind, $5::int + n % $6::int AS user_id,
        CASE ${kindSql} WHEN 'topup' THEN $8::int ELSE $7::int END AS offer_id,
        $3::timestamptz + (n - $1) * make_interval(secs => $4::float8 * 3600 / $2) AS at,
        -- As scattered as real ones, and none twice: an odd factor modulo a power of two.
        lpad(upper(to_hex((n + 1)::bigint * 730750818665 % 1099511627776)), 10, '0') AS order_id
      FROM generate_series($1::int, $1::int + $2::int - 1) AS n) AS drawn
    JOIN offer ON offer.id = offer_id
    JOIN account AS wallet ON wallet.user_id = drawn.user_id AND wallet.currency = 'USD' AND wallet.kind = 'wallet'
    JOIN account AS sales ON sales.kind = 'sales' AND sales.currency = 'USD'
    JOIN account AS card ON card.kind = 'card' AND card.currency = 'USD'
    ORDER BY n`,
    [sold, orders, from, hours, firstBuyer, buyers, offers.code, offers.topup],
  )
  await client.query('ANALYZE past')
}

/** What a sale leaves in each table, in the order in which a store writes it. */
const saleStatements = [
  `INSERT INTO orders (id, user_id, currency, total, status, payment_method, created_at, expires_at)
  SELECT order_id, user_id, 'USD', price_usd, 'completed', CASE kind WHEN 'card' THEN 'card' ELSE 'balance' END, at,
    CASE kind WHEN 'card' THEN at + interval '30 minutes' END FROM past ORDER BY n`,
  `INSERT INTO order_item (id, order_id, position, item_type, offer_id, price_version, unit_price, quantity,
    game_currency, status, supplier_item, offer_name)
  OVERRIDING SYSTEM VALUE
  SELECT item_id, order_id, 1, CASE kind WHEN 'topup' THEN 'topup' ELSE 'code' END, offer_id, price_version, price_usd, 1,
    'coins', 'delivered', supplier_item, offer_name FROM past ORDER BY n`,
  `INSERT INTO code_sale (code_id, order_item_id, position, created_at)
  SELECT code_id, item_id, 1, at FROM past WHERE code_id IS NOT NULL ORDER BY n`,
  `INSERT INTO code_reveal (code_id, user_id, place, sale_number, hour, created_at)
  SELECT code_id, user_id, 'receipt', 1, date_trunc('hour', at AT TIME ZONE 'UTC'), at FROM past
  WHERE code_id IS NOT NULL ORDER BY n`,
  `INSERT INTO topup_target (order_item_id, service, account, player_name)
  SELECT item_id, 'pubg', (5000000000 + n)::text, 'Player ' || n FROM past WHERE kind = 'topup'`,
  `INSERT INTO delivery (id, order_item_id, unit, state, attempt, next_at, decided_at, created_at, tried_since)
  OVERRIDING SYSTEM VALUE
  SELECT delivery_id, item_id, 1, 'done', 2, NULL, at + interval '1 minute', at, at FROM past
  WHERE kind = 'topup' ORDER BY n`,
  `INSERT INTO supplier_order (id, delivery_id, supplier, state, supplier_order_id, sent_at, created_at)
  OVERRIDING SYSTEM VALUE
  SELECT supplier_order_id, delivery_id, 'sandbox', 'done', gen_random_uuid(), at, at FROM past
  WHERE kind = 'topup' ORDER BY n`,
  `INSERT INTO supplier_call (supplier_order_id, kind, outcome, created_at, ended_at)
  SELECT supplier_order_id, call.kind, call.outcome, at + call.place * interval '20 seconds',
    at + call.place * interval '20 seconds' + interval '1 second'
  FROM past, (VALUES (0, 'submit', 'pending'), (1, 'look_up', 'pending'), (2, 'look_up', 'done')) AS call (place, kind, outcome)
  WHERE past.kind = 'topup' ORDER BY n, place`,
  `INSERT INTO supplier_event (supplier, event_key, created_at)
  SELECT 'sandbox', gen_random_uuid(), at FROM past WHERE kind = 'topup'`,
  `INSERT INTO payment (id, order_id, provider, amount, currency, status, provider_payment_id, paid_amount, paid_currency,
    settled_to, pay_url, created_at, settled_at)
  OVERRIDING SYSTEM VALUE
  SELECT payment_id, order_id, 'sandbox', price_usd, 'USD', 'succeeded', gen_random_uuid(), price_usd, 'USD', 'order',
    'https://pay.example/' || md5(order_id), at, at + interval '1 minute' FROM past WHERE kind = 'card' ORDER BY n`,
  `INSERT INTO payment_event (provider, event_key, payment_id, status, created_at)
  SELECT 'sandbox', gen_random_uuid(), payment_id, 'succeeded', at FROM past WHERE kind = 'card'`,
  `INSERT INTO status_change (order_id, order_item_id, was, became, created_at)
  SELECT order_id, CASE change.of WHEN 'item' THEN item_id END, change.was, change.became, at + interval '1 minute'
  FROM past JOIN (VALUES ('card', 'order', 'awaiting_payment', 'completed'), ('card', 'item', 'awaiting_payment', 'delivered'),
    ('topup', 'order', 'pending', 'completed'), ('topup', 'item', 'pending', 'delivered')) AS change (kind, of, was, became)
    ON change.kind = past.kind ORDER BY n`,
  `INSERT INTO transfer (kind, currency, amount, debit_account, credit_account, debit_balance, order_id, key, created_at)
  SELECT CASE past.kind WHEN 'card' THEN 'card' ELSE 'purchase' END, 'USD', price_usd,
    CASE past.kind WHEN 'card' THEN card_id ELSE wallet_id END, sales_id,
    CASE WHEN past.kind <> 'card' THEN account.balance
      - sum(price_usd) FILTER (WHERE past.kind <> 'card') OVER (PARTITION BY wallet_id ORDER BY n) END,
    order_id, CASE past.kind WHEN 'card' THEN 'payment:' || payment_id ELSE 'purchase:' || order_id END, at
  FROM past JOIN account ON account.id = wallet_id ORDER BY n`,
  `UPDATE account SET balance = balance - spent.amount
  FROM (SELECT wallet_id, sum(price_usd) AS amount FROM past WHERE kind <> 'card' GROUP BY wallet_id) AS spent
  WHERE account.id = wallet_id`,
  `INSERT INTO idempotent_call (user_id, key, request_hash, status, answer, created_at)
  SELECT user_id, ${pastKeySql('at', 'order_id')}, sha256(order_id::bytea), 201,
    '{"order":{"id":"' || order_id || '","status":"completed","items":["' || md5(order_id) || md5(item_id::text) || '"]}}', at
  FROM past`,
  `INSERT INTO session (token_hash, user_id, created_at, renewed_at, expires_at)
  SELECT sha256(('past' || order_id)::bytea), user_id, at, at, at + interval '30 days' FROM past WHERE n % 5 = 0`,
  `INSERT INTO rate_limit (key, points, expire)
  SELECT md5('past' || order_id), 1, extract(epoch FROM at + interval '1 hour') * 1000 FROM past WHERE n % 5 = 0`,
]
