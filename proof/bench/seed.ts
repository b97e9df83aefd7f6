import * as LIMITS from '@olmos/contract/limits'
import type { Database } from '../../server/src/platform/database/database.ts'
import { refillBareShop, seedBareShop } from './bare-shop.ts'
import type { SoldOffer } from './buy.ts'
import { type Client, firstBuyer, pastKeySql, tokenHashSql } from './buyers.ts'

export interface Size {
  buyers: number
  /** On the shelf of the one offer that is sold. */
  codes: number
  pastOrders: number
}

export interface Seed {
  /**
   * Puts so many codes into every buyer's cart (one unless said), fills the shelf up to its size, and tidies up, so that
   * both sides of a comparison start alike. Returns the version of all carts. After a checkpoint, which it ends with unless
   * told otherwise, each page that changes is first written whole to the log.
   */
  refill(inCart?: number, options?: { checkpoint: boolean }): Promise<number>
  countOrders(): Promise<number>
  /** Throws unless every order has exactly the codes it paid for. */
  proveSales(): Promise<void>
  /** What it adds with, for more of other kinds. */
  client: Client
  /** The one that is sold. */
  offerId: number
  /** As the page of its product shows it. */
  offer: SoldOffer
  end(): void
}

/** Fills the store with buyers who have money, with codes, and with orders of the past. */
export async function seed(database: Database, size: Size): Promise<Seed> {
  // A million rows of one statement take longer on a busy machine than a store waits for a silent database.
  database.pool.options.query_timeout = 0
  const client = await database.pool.connect()
  // Who waits for it is told by the rejection.
  client.on('error', () => {})
  // A superuser may leave out triggers and foreign keys; everything else is checked as ever.
  await client.query('SET statement_timeout = 0')
  await client.query('SET session_replication_role = replica')
  const { rows } = await client.query(
    `SELECT offer.id, json_build_object('id', offer.id, 'productId', product_id, 'regionId', coalesce(region_id, 0),
      'gameAmount', game_amount, 'priceUsd', price_usd / 100.0, 'priceRub', price_rub / 100.0) AS shown
    FROM offer JOIN product ON product.id = product_id WHERE kind = 'code' ORDER BY offer.id LIMIT 1`,
  )
  const { id: offerId, shown: offer }: { id: number; shown: SoldOffer } = rows[0]
  let cartVersion = 1

  const refill = async (inCart = 1, { checkpoint } = { checkpoint: true }) => {
    // A cart that is filled by its buyer counts up too, and no version may become an order twice.
    cartVersion += 10
    await fillCarts(client, offerId, { version: cartVersion, inCart })
    await fillShelf(client, offerId, size.codes)
    await refillBareShop(client, size.codes)
    await client.query('VACUUM (ANALYZE)')
    if (checkpoint) await client.query('CHECKPOINT')
    return cartVersion
  }
  const countOrders = async () => (await client.query('SELECT count(*)::int AS count FROM orders')).rows[0].count
  try {
    await addBuyers(client, size.buyers)
    await addPastOrders(client, { offerId, count: size.pastOrders, buyers: size.buyers })
    await seedBareShop(client, size)
    await refill()
  } catch (error) {
    // A caller that closes the database would wait for this client for ever, and nobody would read what went wrong.
    client.release(true)
    throw error
  }
  return {
    refill,
    countOrders,
    proveSales: () => proveSales(client),
    client,
    offerId,
    offer,
    end: () => client.release(true),
  }
}

async function fillCarts(
  client: Client,
  offerId: number,
  { version, inCart }: { version: number; inCart: number },
): Promise<void> {
  await client.query('UPDATE cart SET version = $2 WHERE user_id >= $1', [firstBuyer, version])
  await client.query('DELETE FROM cart_item WHERE user_id >= $1', [firstBuyer])
  if (inCart === 0) return
  await client.query(
    `INSERT INTO cart_item (user_id, offer_id, quantity, seen_usd, seen_rub)
    SELECT user_id, offer.id, $3, price_usd, price_rub FROM cart, offer WHERE user_id >= $1 AND offer.id = $2`,
    [firstBuyer, offerId, inCart],
  )
}

async function fillShelf(client: Client, offerId: number, codes: number): Promise<void> {
  const { rows } = await client.query(
    "SELECT count(*)::int AS present FROM code WHERE offer_id = $1 AND status = 'available'",
    [offerId],
  )
  // In batches as big as an import can be.
  for (let missing = codes - rows[0].present; missing > 0; missing -= LIMITS.importLinesMax)
    await addCodes(client, offerId, Math.min(missing, LIMITS.importLinesMax), 'available')
}

async function proveSales(client: Client): Promise<void> {
  const { rows } = await client.query(
    `SELECT (SELECT count(*)::int FROM orders) AS orders, (SELECT count(*)::int FROM code_sale) AS sales,
      (SELECT sum(quantity)::int FROM order_item) AS codes,
      (SELECT count(*)::int FROM orders JOIN transfer ON order_id = orders.id AND amount = total) AS payments`,
  )
  const { orders, codes, sales, payments } = rows[0]
  if (codes !== sales || orders !== payments) throw new Error(`not a sale a code: ${JSON.stringify(rows[0])}`)
}

async function addBuyers(client: Client, count: number): Promise<void> {
  const ids = [firstBuyer, firstBuyer + count - 1]
  const buyers = 'generate_series($1::int, $2::int) AS buyer'
  await client.query(
    `INSERT INTO users (id, nickname, nickname_key, password_hash) OVERRIDING SYSTEM VALUE
    SELECT buyer, 'buyer_' || buyer, 'buyer_' || buyer, 'none' FROM ${buyers}`,
    ids,
  )
  await client.query(`INSERT INTO cart (user_id) SELECT buyer FROM ${buyers}`, ids)
  await client.query(
    `INSERT INTO session (token_hash, user_id, expires_at)
    SELECT ${tokenHashSql('buyer')}, buyer, now() + interval '30 days' FROM ${buyers}`,
    ids,
  )
  await client.query(
    `WITH wallet AS (
      INSERT INTO account (kind, currency, user_id, balance)
      SELECT 'wallet', currency, buyer, 500000000 FROM ${buyers}, unnest(ARRAY['USD', 'RUB']) AS currency
      RETURNING id, currency, balance)
    INSERT INTO transfer (kind, currency, amount, debit_account, credit_account, credit_balance)
    SELECT 'adjustment', wallet.currency, wallet.balance, shop.id, wallet.id, wallet.balance
    FROM wallet JOIN account AS shop ON shop.kind = 'adjustments' AND shop.currency = wallet.currency`,
    ids,
  )
}

/** As one batch; answers the id of the first, from which on they follow each other. */
export async function addCodes(client: Client, offerId: number, count: number, status: string): Promise<number> {
  // Triggers of a code fill what differs between this store and an older one that is measured beside it.
  await client.query('SET session_replication_role = origin')
  const { rows } = await client.query(
    `WITH batch AS (
      INSERT INTO code_batch (product_id, region_id) SELECT product_id, region_id FROM offer WHERE id = $1 RETURNING id),
    added AS (
      INSERT INTO code (id, offer_id, batch_id, key_id, ciphertext, fingerprint, status)
      SELECT drawn.id, $1, batch.id, vault_key.id, decode(repeat(md5(drawn.id::text), 3), 'hex'), sha256(drawn.id::text::bytea), $3
      FROM (SELECT nextval('code_id') AS id FROM generate_series(1, $2::int)) AS drawn, batch, vault_key
      WHERE purpose = 'encryption' RETURNING id)
    SELECT min(id) AS first FROM added`,
    [offerId, count, status],
  )
  await client.query('SET session_replication_role = replica')
  return rows[0].first
}

interface PastOrders {
  offerId: number
  count: number
  buyers: number
}

/** Each with one item, its code, its sale and its transfer, spread over the buyers. */
async function addPastOrders(client: Client, { offerId, count, buyers }: PastOrders): Promise<void> {
  const firstCode = await addCodes(client, offerId, count, 'used')
  const past = `(
    SELECT n, ${firstBuyer} + n % ${buyers} AS buyer, now() - n * interval '1 second' AS at,
      -- As scattered as real ones, and none twice: an odd factor modulo a power of two.
      lpad(upper(to_hex(n::bigint * 730750818665 % 1099511627776)), 10, '0') AS order_id
    FROM generate_series(0, ${count - 1}) AS n) AS past, offer WHERE offer.id = ${offerId}`
  await client.query(
    `INSERT INTO orders (id, user_id, currency, total, status, payment_method, created_at)
    SELECT order_id, buyer, 'USD', price_usd, 'completed', 'balance', at FROM ${past}`,
  )
  await client.query(
    `INSERT INTO order_item
      (id, order_id, position, item_type, offer_id, price_version, unit_price, quantity, game_currency, status)
    OVERRIDING SYSTEM VALUE
    SELECT ${firstCode} + n, order_id, 1, 'code', offer.id, price_version, price_usd, 1, 'coins', 'delivered' FROM ${past}`,
  )
  await client.query(
    `INSERT INTO code_sale (code_id, order_item_id, position, created_at)
    SELECT ${firstCode} + n, ${firstCode} + n, 1, at FROM ${past}`,
  )
  await client.query("SELECT setval(pg_get_serial_sequence('order_item', 'id'), (SELECT max(id) FROM order_item))")
  await client.query(
    `INSERT INTO transfer (kind, currency, amount, debit_account, credit_account, debit_balance, order_id, key, created_at)
    SELECT 'purchase', 'USD', price_usd, wallet.id, shop.id, 500000000, order_id, 'purchase:' || order_id, at
    FROM account AS wallet, account AS shop, ${past}
      AND wallet.user_id = buyer AND wallet.currency = 'USD' AND shop.kind = 'sales' AND shop.currency = 'USD'`,
  )
  await client.query(
    `INSERT INTO idempotent_call (user_id, key, request_hash, status, answer, created_at)
    SELECT buyer, ${pastKeySql('at', 'order_id')}, sha256(order_id::bytea), 201, '{}', at FROM ${past}`,
  )
}
