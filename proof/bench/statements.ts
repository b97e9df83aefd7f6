import { createHash, randomInt, randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { createApp, openVendors } from '../../server/src/app.ts'
import { readConfig } from '../../server/src/config.ts'
import { createPasswords } from '../../server/src/modules/accounts/accounts.ts'
import { systemClock } from '../../server/src/platform/context.ts'
import { Sender } from '../../server/src/platform/database/batch.ts'
import { Database } from '../../server/src/platform/database/database.ts'
import { createRateLimiter } from '../../server/src/platform/http/rate-limit.ts'
import { createLiveEvents } from '../../server/src/platform/live/live-events.ts'
import { Vault } from '../../server/src/platform/security/vault.ts'
import { firstBuyer, readToken } from './buyers.ts'
import type { Store } from './store.ts'

export interface Statement {
  text: string
  values: unknown[]
}

/** Runs a call of a store in this process and returns what it sent to the database. */
async function listen<T>(
  { settings }: Store,
  call: (app: Awaited<ReturnType<typeof createApp>>, database: Database) => Promise<T>,
): Promise<{ answer: T; statements: Statement[] }> {
  const config = readConfig(settings)
  const database = new Database({ url: config.databaseUrl as string, connections: 1, onIdleError: () => {} })
  let statements: Statement[] = []
  const { send } = Sender.prototype
  Sender.prototype.send = function listening(statement) {
    statements.push({ text: statement.text, values: [...statement.values] })
    return send.call(this, statement)
  }
  const vault = await Vault.open(database, config.secretKey as Buffer)
  const log = pino({ level: 'silent' })
  const app = await createApp(
    {
      config,
      database,
      vault,
      clock: systemClock,
      log,
      live: createLiveEvents(),
      rateLimiter: (name) => createRateLimiter(database, config, name),
      catalogueVersion: () => undefined,
      isQueueRunning: () => true,
      isDraining: () => false,
      ...openVendors(config, { database, vault, log }),
    },
    createPasswords(),
  )
  await app.ready()
  try {
    statements = []
    const answer = await call(app, database)
    return { answer, statements }
  } finally {
    Sender.prototype.send = send
    await app.close()
    await database.close()
  }
}

export interface Checkout {
  statements: Statement[]
  buyer: number
  tokenHash: Buffer
  key: string
  cartVersion: number
  orderId: string
}

/** The statements of one checkout of one code, and what stands for whom in them. */
export async function checkoutStatements(store: Store, database: Database): Promise<Checkout> {
  const key = randomUUID()
  // So unlike every other number of a checkout that it is known by its value.
  const markedVersion = 900_000_000 + randomInt(99_999_999)
  const client = await database.pool.connect()
  await client.query('UPDATE cart SET version = $2 WHERE user_id = $1', [firstBuyer, markedVersion])
  client.release()
  const { answer, statements } = await listen(store, (app) =>
    app.inject({
      method: 'POST',
      url: '/api/payment/from-balance',
      headers: { authorization: `Bearer ${readToken(firstBuyer)}`, 'idempotency-key': key },
      payload: { currency: 'USD' },
    }),
  )
  if (answer.statusCode !== 201) throw new Error(`the checkout was refused: ${answer.body}`)
  return {
    statements,
    buyer: firstBuyer,
    tokenHash: createHash('sha256').update(readToken(firstBuyer)).digest(),
    key,
    cartVersion: markedVersion,
    orderId: answer.json().order.id,
  }
}

/** The statements of one public read. */
export async function readStatements(store: Store, path: string): Promise<Statement[]> {
  const { answer, statements } = await listen(store, (app) => app.inject({ method: 'GET', url: path }))
  if (answer.statusCode !== 200) throw new Error(`${path} answers ${answer.statusCode}`)
  return statements
}
