import { createHash, randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import sql, { type Sql } from 'sql-template-tag'
import { type Result, Sender } from './batch.ts'
import { isAborted, isConflict, toDatabaseFailure } from './database-trouble.ts'
import { type Channel, type Notification, Notifier } from './notify.ts'

/**
 * What can be asked of the database. Rows keep PostgreSQL's column names; bigint is read as number, timestamptz as
 * Date.
 */
export interface Queries {
  rows<Row>(statement: Sql): Promise<Row[]>
  /** Reads the only row there can be, or undefined. */
  maybe<Row>(statement: Sql): Promise<Row | undefined>
  /** Reads the only row, and throws when it is missing. */
  one<Row>(statement: Sql): Promise<Row>
  /** Runs a statement for its effect and returns how many rows it touched. */
  run(statement: Sql): Promise<number>
}

declare const insideTransaction: unique symbol

/** Queries that succeed or fail together. Only `Database.transaction` makes one. */
export interface Tx extends Queries {
  readonly [insideTransaction]: true
  /**
   * Sends a statement together with COMMIT, which saves a round trip. Nobody learns how many rows it touched; its
   * failure undoes the transaction and rejects it.
   */
  atCommit(statement: Sql): void
  /**
   * Notifies every node once the transaction is committed: soon, or never if this process dies in between, so nothing may
   * rely on it alone. NOTIFY itself, in the transaction, would make all commits of the server wait for each other.
   */
  notify(channel: Channel, subject: string): void
  /**
   * Sends several statements in one round trip, and answers their results by name. They run in the order in which the
   * steps are written: a step sends its first statement before it waits for anything, and throws if it does not. The
   * first failure rejects, which undoes the whole transaction.
   */
  pipeline<Steps extends Record<string, (tx: Tx) => unknown>>(
    steps: Steps,
  ): Promise<{ [Name in keyof Steps]: Awaited<ReturnType<Steps[Name]>> }>
}

interface DatabaseOptions {
  url: string
  connections: number
  /** Whether a pooler may run each transaction in another session, so that nothing may be kept in one. */
  isPooled?: boolean
  /** Called when an idle connection breaks. */
  onIdleError: (error: Error) => void
}

const types = new pg.TypeOverrides()
types.setTypeParser(pg.types.builtins.INT8, Number)

const statementTimeoutMs = 8_000
const idleInTransactionMs = statementTimeoutMs * 2
// PostgreSQL cancels what takes too long by itself; a frozen or disconnected server stays silent and is given up after
// this long.
const silenceMs = 9_000
const snapshotSilenceMs = 11 * 60_000
const probeMs = 2_000
const attempts = 3
const pauseAtMostMs = 50
// Writes are planned once per connection. By itself PostgreSQL would plan a `LIMIT $n` again every time.
const beginWriting = ['BEGIN', 'SET LOCAL plan_cache_mode = force_generic_plan']
// Poolers refuse these as parameters of a connection, so each transaction sets them.
const beginPooled = [
  ...beginWriting,
  `SET LOCAL statement_timeout = ${statementTimeoutMs}`,
  `SET LOCAL idle_in_transaction_session_timeout = ${idleInTransactionMs}`,
]
// Parallel workers would take every core from the sales; more memory keeps the sorts off the disk instead.
const beginSnapshot = [
  'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY',
  "SET LOCAL statement_timeout = '10min'",
  'SET LOCAL max_parallel_workers_per_gather = 0',
  "SET LOCAL work_mem = '64MB'",
]

export class Database implements Queries {
  readonly pool: pg.Pool
  readonly isPooled: boolean
  readonly #aside: pg.Pool
  readonly #notifier: Notifier

  constructor({ url, connections, isPooled = false, onIdleError }: DatabaseOptions) {
    this.isPooled = isPooled
    const ofSession = {
      statement_timeout: statementTimeoutMs,
      idle_in_transaction_session_timeout: idleInTransactionMs,
    }
    this.pool = new pg.Pool({
      connectionString: url,
      max: connections,
      types,
      ...(!isPooled && ofSession),
      query_timeout: silenceMs,
      connectionTimeoutMillis: 5_000,
      idleTimeoutMillis: 60_000,
      // Plans of foreign-key checks are cached for the life of a connection, including those made while a table was
      // empty.
      maxLifetimeSeconds: 600,
    } as pg.PoolConfig)
    this.pool.on('error', onIdleError)
    this.#aside = new pg.Pool({
      connectionString: url,
      max: 1,
      query_timeout: probeMs,
      connectionTimeoutMillis: probeMs,
    } as pg.PoolConfig)
    this.#aside.on('error', onIdleError)
    this.#notifier = new Notifier((batch) => this.#sendNotifications(batch), onIdleError)
  }

  rows<Row>(statement: Sql) {
    return this.#alone((queries) => queries.rows<Row>(statement))
  }
  maybe<Row>(statement: Sql) {
    return this.#alone((queries) => queries.maybe<Row>(statement))
  }
  one<Row>(statement: Sql) {
    return this.#alone((queries) => queries.one<Row>(statement))
  }
  run(statement: Sql) {
    return this.#alone((queries) => queries.run(statement))
  }

  /** Runs one statement outside any transaction. */
  async #alone<T>(work: (queries: Queries) => Promise<T>): Promise<T> {
    try {
      return await this.#connected((client) =>
        work(queriesOn(new Sender(client, { types, timeoutMs: silenceMs }), { isPooled: this.isPooled })),
      )
    } catch (error) {
      throw toDatabaseFailure(error)
    }
  }

  /** Lends a connection of the pool, and takes it out of the pool when it broke meanwhile. */
  async #connected<T>(work: (client: pg.PoolClient, onBroken: (reason: Error) => void) => Promise<T>): Promise<T> {
    const client = await this.pool.connect()
    let broken: Error | undefined
    // A connection that breaks also emits an error on its client, and an error without a listener ends the process.
    const onBroken = (reason: Error) => {
      broken = reason
    }
    client.on('error', onBroken)
    try {
      return await work(client, onBroken)
    } finally {
      client.off('error', onBroken)
      client.release(broken)
    }
  }

  /**
   * Resolves when the database of this store answers, and rejects with 503 within a few seconds when it does not. It
   * has a connection beside the pool, so that a rush of buyers does not make a node look dead.
   */
  async prove(): Promise<void> {
    try {
      await this.#aside.query('SELECT FROM schema_migration LIMIT 1')
    } catch (error) {
      throw toDatabaseFailure(error)
    }
  }

  /** Takes the connection beside the pool too: a commit that notifies and writes nothing waits for no disk and no standby. */
  async #sendNotifications(batch: readonly Notification[]): Promise<void> {
    const columns = [batch.map(({ channel }) => channel), batch.map(({ subject }) => subject)]
    await this.#aside.query(
      'SELECT pg_notify(channel, subject) FROM unnest($1::text[], $2::text[]) AS batch (channel, subject)',
      columns,
    )
  }

  /**
   * Runs `work` in one transaction: all of it has happened once this resolves, none of it when it rejects (except when
   * the connection is lost at COMMIT, which answers 503 and is what idempotency keys are for). A deadlock or
   * serialization failure runs it again, three times in all, so `work` has no effects outside the transaction.
   */
  async transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#attempt(work)
      } catch (error) {
        if (!isConflict(error) || attempt === attempts) throw toDatabaseFailure(error)
        // Two transactions that blocked each other would do so again if both retried at once.
        await sleep(randomInt(pauseAtMostMs))
      }
    }
  }

  /**
   * Reads everything as of one moment and blocks nobody. It is for proofs that read whole tables: the statement timeout
   * does not apply, and they use one core at most.
   */
  async snapshot<T>(work: (queries: Queries) => Promise<T>): Promise<T> {
    try {
      return await this.#attempt(work, { begin: beginSnapshot, timeoutMs: snapshotSilenceMs })
    } catch (error) {
      throw toDatabaseFailure(error)
    }
  }

  #attempt<T>(
    work: (tx: Tx) => Promise<T>,
    { begin = this.isPooled ? beginPooled : beginWriting, timeoutMs = silenceMs } = {},
  ): Promise<T> {
    return this.#connected(async (client, onBroken) => {
      const sender = new Sender(client, { types, timeoutMs })
      const command = (text: string) =>
        sender.send({ name: this.isPooled ? undefined : preparedName(text), text, values: [] })
      let first: unknown
      const onFailure = (error: unknown) => {
        first ??= error
      }
      const queries = queriesOn(sender, { isPooled: this.isPooled, onFailure })
      const last: Sql[] = []
      const notifications: Notification[] = []
      try {
        // These travel with the first statements of the work; their own failure shows in theirs.
        const started = Promise.all(begin.map(command))
        started.catch(() => {})
        const result = await work(
          toTx(queries, {
            atCommit: (statement) => last.push(statement),
            notify: (channel, subject) => notifications.push({ channel, subject }),
          }),
        )
        await started
        // Each failure is kept by `onFailure`, and keeps COMMIT from being run.
        for (const statement of last) queries.run(statement).catch(() => {})
        const { command: end } = await command('COMMIT')
        if (end !== 'COMMIT') throw new Error('the transaction was rolled back by the database')
        this.#notifier.add(notifications)
        return result
      } catch (error) {
        await command('ROLLBACK').catch(onBroken)
        // When one statement fails, later ones fail because of it, and theirs may reject first.
        throw first !== undefined && isAborted(error) ? first : error
      }
    })
  }

  async close(): Promise<void> {
    await this.#notifier.close()
    await Promise.all([this.pool.end(), this.#aside.end()])
  }
}

interface QueryOptions {
  isPooled: boolean
  onFailure?: (error: unknown) => void
}

function queriesOn(sender: Sender, { isPooled, onFailure }: QueryOptions): Queries {
  const send = async ({ text, values }: Sql): Promise<Result> => {
    try {
      return await sender.send({ name: isPooled ? undefined : preparedName(text), text, values })
    } catch (error) {
      const trouble = toDatabaseFailure(error)
      onFailure?.(trouble)
      throw trouble
    }
  }
  return {
    rows: async <Row>(statement: Sql) => (await send(statement)).rows as Row[],
    maybe: async <Row>(statement: Sql) => (await send(statement)).rows[0] as Row | undefined,
    one: async <Row>(statement: Sql) => {
      const [row] = (await send(statement)).rows
      if (row === undefined) throw new Error(`no row: ${statement.text}`)
      return row as Row
    },
    run: async (statement) => (await send(statement)).rowCount,
  }
}

const toTx = (queries: Queries, { atCommit, notify }: Pick<Tx, 'atCommit' | 'notify'>): Tx => {
  const tx = { ...queries, atCommit, notify, pipeline: (steps) => runPipeline(tx, steps) } as Tx
  return tx
}

async function runPipeline<Steps extends Record<string, (tx: Tx) => unknown>>(tx: Tx, steps: Steps) {
  const started = Object.entries(steps).map(async ([name, step]) => [name, await startStep(tx, name, step)])
  return Object.fromEntries(await Promise.all(started))
}

/** Runs a step up to where it first waits. From then on it may send more only if it has sent something before. */
async function startStep(tx: Tx, name: string, step: (tx: Tx) => unknown): Promise<unknown> {
  let hasSent = false
  let isLate = false
  const sending = () => {
    if (isLate && !hasSent) throw new Error(`the step ${name} waits before it sends its first statement`)
    hasSent = true
    return tx
  }
  const result = step(
    toTx(
      {
        rows: (statement) => sending().rows(statement),
        maybe: (statement) => sending().maybe(statement),
        one: (statement) => sending().one(statement),
        run: (statement) => sending().run(statement),
      },
      tx,
    ),
  )
  isLate = true
  return result
}

const names = new Map<string, string>()
const namesAtMost = 500

/**
 * PostgreSQL keeps the plan of a statement that has a name. The name is derived from the text, so that no other
 * statement, of this process or of another one sharing its sessions, can run under it. Lists composed of many filters
 * would fill its memory, so only so many are named. A search is planned for each value: one that matches three rows and
 * one that matches all of them are read differently.
 */
function preparedName(text: string): string | undefined {
  const known = names.get(text)
  if (known !== undefined) return known
  if (names.size >= namesAtMost || / I?LIKE /.test(text)) return undefined
  const name = createHash('sha256').update(text).digest('base64url')
  names.set(text, name)
  return name
}

/** A pattern for LIKE that finds `needle` anywhere, with its wildcards escaped. */
export const containing = (needle: string): string => `%${needle.replace(/[\\%_]/g, (char) => `\\${char}`)}%`

export { type Sql, sql }
