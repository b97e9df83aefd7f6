import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import { type Client, firstBuyer } from './buyers.ts'
import type { Script } from './pgbench-script.ts'

/**
 * The least a shop can do to sell one code: nine plain statements on tables of their own, without sessions, checks of
 * the request, idempotency, encryption, prices that may have changed, or anything that an operator would ask for later.
 */
const steps = {
  begin: 'BEGIN',
  price: 'SELECT price FROM bare.offer WHERE id = 1',
  take: "SELECT id FROM bare.code WHERE offer_id = 1 AND status = 'available' ORDER BY shelf LIMIT 1 FOR UPDATE SKIP LOCKED",
  sell: "UPDATE bare.code SET status = 'sold' WHERE id = $1",
  debit: 'UPDATE bare.wallet SET balance = balance - $1 WHERE user_id = $2 AND balance >= $1',
  order: 'INSERT INTO bare.orders (user_id, total) VALUES ($1, $2) RETURNING id',
  item: 'INSERT INTO bare.order_item (order_id, offer_id, code_id, price) VALUES ($1, 1, $2, $3)',
  entry: 'INSERT INTO bare.entry (user_id, order_id, amount) VALUES ($1, $2, $3)',
  commit: 'COMMIT',
} as const

const tables = `
  CREATE SCHEMA bare;
  CREATE TABLE bare.offer (id int PRIMARY KEY, price bigint NOT NULL);
  CREATE TABLE bare.wallet (user_id int PRIMARY KEY, balance bigint NOT NULL);
  CREATE TABLE bare.code (id bigint PRIMARY KEY, offer_id int NOT NULL REFERENCES bare.offer, status text NOT NULL,
    text text NOT NULL, shelf bigint NOT NULL);
  CREATE INDEX ON bare.code (offer_id, shelf) WHERE status = 'available';
  CREATE TABLE bare.orders (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, user_id int NOT NULL REFERENCES bare.wallet,
    total bigint NOT NULL, created_at timestamptz NOT NULL DEFAULT now());
  CREATE TABLE bare.order_item (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    order_id bigint NOT NULL REFERENCES bare.orders, offer_id int NOT NULL REFERENCES bare.offer,
    code_id bigint NOT NULL UNIQUE REFERENCES bare.code, price bigint NOT NULL);
  CREATE TABLE bare.entry (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, user_id int NOT NULL REFERENCES bare.wallet,
    order_id bigint NOT NULL REFERENCES bare.orders, amount bigint NOT NULL);
  INSERT INTO bare.offer VALUES (1, 499)`

/** Makes the bare shop's tables, with as many wallets, codes and past orders as the store beside it has. */
export async function seedBareShop(client: Client, size: { buyers: number; codes: number }): Promise<void> {
  await client.query(tables)
  await client.query(
    'INSERT INTO bare.wallet SELECT $1::int + n, 500000000 FROM generate_series(0, $2::int - 1) AS n',
    [firstBuyer, size.buyers],
  )
  await client.query(
    `INSERT INTO bare.code SELECT n, 1, 'sold', md5(n::text), n FROM generate_series(1, ${size.codes}) AS n`,
  )
  await client.query(`
    WITH placed AS (
      INSERT INTO bare.orders (user_id, total)
      SELECT ${firstBuyer} + n % ${size.buyers}, 499 FROM generate_series(1, ${size.codes}) AS n RETURNING id, user_id),
    items AS (INSERT INTO bare.order_item (order_id, offer_id, code_id, price) SELECT id, 1, id, 499 FROM placed)
    INSERT INTO bare.entry (user_id, order_id, amount) SELECT user_id, id, 499 FROM placed`)
}

/** Fills the bare shop's shelf up to so many codes. */
export async function refillBareShop(client: Client, codes: number): Promise<void> {
  await client.query(
    `INSERT INTO bare.code
    SELECT last.id + n, 1, 'available', md5(n::text), last.id + n
    FROM (SELECT max(id) AS id FROM bare.code) AS last, generate_series(1, $1::int - (
      SELECT count(*)::int FROM bare.code WHERE status = 'available')) AS n`,
    [codes],
  )
}

/** Sells one code to a buyer in one call, as ten round trips of the nine statements, or throws. */
export function serveBareShop(app: FastifyInstance, pool: pg.Pool): void {
  app.post<{ Body: { buyer: number } }>('/order', async (request, reply) => {
    const { buyer } = request.body
    const client = await pool.connect()
    const send = (name: keyof typeof steps, values: unknown[] = []) =>
      client.query({ name, text: steps[name], values }).then(({ rows }) => rows[0])
    try {
      await client.query(steps.begin)
      const { price } = await send('price')
      const code = await send('take')
      await send('sell', [code.id])
      await send('debit', [price, buyer])
      const order = await send('order', [buyer, price])
      await send('item', [order.id, code.id, price])
      await send('entry', [buyer, order.id, price])
      await client.query(steps.commit)
      return reply.code(201).send({ success: true, order: { id: order.id, status: 'completed' } })
    } finally {
      client.release()
    }
  })
}

/** Writes the nine statements as a script for pgbench, each of whose clients buys for buyers of its own. */
export function bareScript(clients: number): Script {
  const at = (text: string, ...values: string[]) => text.replace(/\$(\d)/g, (_, place) => values[place - 1] ?? '')
  const text = [
    '\\set turn :turn + 1',
    `\\set buyer :first + :turn * ${clients} + :client_id`,
    `${steps.begin};`,
    `${steps.price} \\gset`,
    `${steps.take} \\gset code_`,
    `${at(steps.sell, ':code_id')};`,
    `${at(steps.debit, ':price', ':buyer')};`,
    `${at(steps.order, ':buyer', ':price')} \\gset order_`,
    `${at(steps.item, ':order_id', ':code_id', ':price')};`,
    `${at(steps.entry, ':buyer', ':order_id', ':price')};`,
    `${steps.commit};`,
  ]
  return { text: `${text.join('\n')}\n`, variables: {}, connectionOptions: '' }
}
