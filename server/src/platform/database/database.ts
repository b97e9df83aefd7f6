import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Failure } from '@olmos/contract/failure'
import pg from 'pg'
import { createMeters, type Meters } from '../live/metrics.ts'
import { inSpan } from '../live/tracing.ts'
import { Sender } from './batch.ts'
import {
  isAborted,
  isConflict,
  isReadOnly,
  isRepetition,
  isSilence,
  type Lack,
  SaleLacks,
  toConflictFailure,
  toDatabaseFailure,
  toSaleLacks,
} from './failures.ts'
import { type Handlers, type Notification, Notifier } from './notify.ts'
import { PrimaryClient } from './primary-client.ts'
import { preparedName, type Queries, SentQueries, SentTx, type Sql, sendOver, type Tx } from './queries.ts'

interface DatabaseOptions {
  /** It may name several hosts: the one that takes writes is found for each connection. */
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
/** How tools know a span for one of the database. */
const asCall = { kind: 'client', attributes: { 'db.system.name': 'postgresql' } } as const
const pauseAtMostMs = 50
// Writes are planned once per connection. By itself PostgreSQL would plan a `LIMIT $n` again every time.
const beginWriting = ['BEGIN', 'SET LOCAL plan_cache_mode = force_generic_plan']
// Poolers refuse these as parameters of a connection, so each transaction sets them.
const beginPooled = [
  ...beginWriting,
  `SET LOCAL statement_timeout = ${statementTimeoutMs}`,
  `SET LOCAL idle_in_transaction_session_timeout = ${idleInTransactionMs}`,
]
const longMemory = "SET LOCAL work_mem = '64MB'"
// Parallel workers would take every core from the sales; more memory keeps the sorts off the disk instead.
const beginSnapshot = [
  'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY',
  "SET LOCAL statement_timeout = '10min'",
  'SET LOCAL max_parallel_workers_per_gather = 0',
  longMemory,
]

/** A node tries so often whether it can write, while it is asked. */
const writeEveryMs = 5_000
/** One that failed is tried again sooner, so that a node is back soon after its database. */
const writeAgainMs = 1_000
/** A probe waits no longer for the write: proxies give one up that takes seconds. */
const writeWaitMs = 250
/** So long another node's write may be under way before nobody's is believed to end. */
const writesWaitMs = 10_000
// A row that replaces another one may find room on a full disk; a sort that is larger than its memory needs new room. Who
// finds the row locked leaves it: a commit that no standby confirms keeps its lock, and each more would hang a connection.
const tryWrite = `
  SET LOCAL work_mem = '64kB';
  SELECT count(*) FROM (SELECT n FROM generate_series(1, 5000) AS n ORDER BY n DESC) AS sorted;
  WITH free AS (SELECT is_only_row FROM write_try FOR UPDATE SKIP LOCKED)
  UPDATE write_try SET tried_at = now() FROM free WHERE write_try.is_only_row = free.is_only_row`

/** What a try to write came to: done, or under way for longer than it may take. */
type WriteState = 'ok' | 'waiting'

/** Knows whether the database takes writes, by trying one now and then while it is asked. */
class WriteProbe {
  /** Writes, and says whether it found the row free. */
  readonly #write: () => Promise<boolean>
  #trying: Promise<void> | undefined
  #nextAt = 0
  #lockedSince: number | undefined
  #outcome: WriteState | Error = 'ok'

  constructor(write: () => Promise<boolean>) {
    this.#write = write
  }

  async look(): Promise<WriteState> {
    if (!this.#trying && Date.now() >= this.#nextAt) this.#trying = this.#try()
    if (this.#trying) await Promise.race([this.#trying, sleep(writeWaitMs, undefined, { ref: false })])
    if (this.#outcome instanceof Error) throw this.#outcome
    return this.#outcome
  }

  async #try(): Promise<void> {
    this.#nextAt = Date.now() + writeEveryMs
    try {
      this.#lockedSince = (await this.#write()) ? undefined : (this.#lockedSince ?? Date.now())
      const isWaiting = this.#lockedSince !== undefined && Date.now() - this.#lockedSince >= writesWaitMs
      this.#outcome = isWaiting ? 'waiting' : 'ok'
    } catch (error) {
      this.#nextAt = Date.now() + writeAgainMs
      const isWaiting = isSilence(error)
      // What hangs now keeps the row locked for all who try after it.
      if (isWaiting) this.#lockedSince ??= Date.now() - writesWaitMs
      this.#outcome = isWaiting ? 'waiting' : (error as Error)
    } finally {
      this.#trying = undefined
    }
  }
}

interface AttemptOptions {
  begin?: string[]
  /** How long to wait for a silent database. */
  timeoutMs?: number
  isOptimistic?: boolean
}

export class Database implements Queries {
  readonly pool: pg.Pool
  readonly isPooled: boolean
  /** What this process counts; `tx.count` adds to it. */
  readonly meters: Meters = createMeters()
  readonly #aside: pg.Pool
  readonly #notifier: Notifier
  readonly #writes = new WriteProbe(() => this.#tryWrite())
  #answering: Promise<unknown> | undefined
  #handlers: Handlers = {}
  #onCommit = () => {}

  constructor({ url, connections, isPooled = false, onIdleError }: DatabaseOptions) {
    this.isPooled = isPooled
    const ofSession = {
      statement_timeout: statementTimeoutMs,
      idle_in_transaction_session_timeout: idleInTransactionMs,
    }
    this.pool = new pg.Pool({
      Client: PrimaryClient,
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
    } as unknown as pg.PoolConfig)
    this.pool.on('error', onIdleError)
    this.#aside = new pg.Pool({
      Client: PrimaryClient,
      connectionString: url,
      // One, and another while a write is waited for.
      max: 2,
      query_timeout: probeMs,
      connectionTimeoutMillis: probeMs,
    } as unknown as pg.PoolConfig)
    this.#aside.on('error', onIdleError)
    this.#notifier = new Notifier((batch) => this.#sendNotifications(batch), onIdleError)
  }

  /** Whether more callers wait for a connection than the pool has. */
  get isCrowded(): boolean {
    return this.pool.waitingCount > this.pool.options.max
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
        work(
          new SentQueries(sendOver(new Sender(client, { types, timeoutMs: silenceMs }), { isPooled: this.isPooled })),
        ),
      )
    } catch (error) {
      throw toDatabaseFailure(error)
    }
  }

  /** Lends a connection of the pool, and takes it out of the pool when it broke meanwhile. */
  async #connected<T>(work: (client: pg.PoolClient, onBroken: (reason: Error) => void) => Promise<T>): Promise<T> {
    const isWaiting = this.pool.idleCount === 0
    const client = await (isWaiting ? inSpan('connect', () => this.pool.connect(), asCall) : this.pool.connect())
    let broken: Error | undefined
    // A connection that breaks also emits an error on its client, and an error without a listener ends the process.
    const onBroken = (reason: Error) => {
      broken = reason
    }
    client.on('error', onBroken)
    try {
      return await work(client, onBroken)
    } catch (error) {
      // The host is a primary no more; a new connection leads to the one that is.
      if (isReadOnly(error)) onBroken(error as Error)
      throw error
    } finally {
      client.off('error', onBroken)
      client.release(broken)
    }
  }

  /**
   * Resolves when the database of this store answers, and rejects with 503 within a few seconds when it does not. It
   * has a connection beside the pool, so that a rush of buyers does not make a node look dead. Rejects too when nothing
   * can be written, as on a full disk; `waiting`: it answers, and what is written is not confirmed.
   */
  async prove(): Promise<WriteState> {
    try {
      await this.#answer()
      return await this.#writes.look()
    } catch (error) {
      throw toDatabaseFailure(error)
    }
  }

  /** One question answers all who ask meanwhile: strangers who ask for it without end must not make a node look dead. */
  #answer(): Promise<unknown> {
    this.#answering ??= this.#aside.query('SELECT FROM schema_migration LIMIT 1').finally(() => {
      this.#answering = undefined
    })
    return this.#answering
  }

  async #tryWrite(): Promise<boolean> {
    // Several statements in one text are one transaction, and answer with a list.
    const results = (await this.#aside.query(tryWrite)) as unknown as pg.QueryResult[]
    return results.at(-1)?.rowCount === 1
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
   * the connection is lost at COMMIT, which answers 503 and is what idempotency keys are for). A deadlock, a
   * serialization failure, or another transaction that was quicker with what is written once runs it again, three times in
   * all, and once more where it took too much for granted (`tx.isOptimistic`), so `work` has no effects outside the
   * transaction. A statement may take 8 seconds, unless `statementMs` says otherwise.
   * In a trace it is a span, and its COMMIT is one in it.
   */
  transaction<T>(work: (tx: Tx) => Promise<T>, { statementMs }: { statementMs?: number } = {}): Promise<T> {
    const options = statementMs === undefined ? {} : this.#withStatementTimeout(statementMs)
    return inSpan('transaction', () => this.#untilDone(work, options), asCall)
  }

  async #untilDone<T>(work: (tx: Tx) => Promise<T>, options: AttemptOptions): Promise<T> {
    let isOptimistic = true
    let conflicts = 0
    while (true) {
      try {
        return await this.#attempt(work, { ...options, isOptimistic })
      } catch (error) {
        if (isOptimistic && (error instanceof SaleLacks || isRepetition(error))) {
          isOptimistic = false
          continue
        }
        if (!isConflict(error)) throw toDatabaseFailure(error)
        if (++conflicts === attempts) throw toConflictFailure(error)
        // Two transactions that blocked each other would do so again if both retried at once.
        await sleep(randomInt(pauseAtMostMs))
      }
    }
  }

  /**
   * Reads everything as of one moment and blocks nobody. It is for what reads whole tables: the statement timeout does not
   * apply, and it uses one core at most. `idleMs` is how long the work may do something else between two statements.
   */
  async snapshot<T>(work: (queries: Queries) => Promise<T>, { idleMs = idleInTransactionMs } = {}): Promise<T> {
    try {
      const begin = [...beginSnapshot, `SET LOCAL idle_in_transaction_session_timeout = ${idleMs}`]
      return await this.#attempt(work, { begin, timeoutMs: snapshotSilenceMs })
    } catch (error) {
      // A write in here is a bug of ours, and says nothing about the host.
      if (isReadOnly(error)) throw error instanceof Failure ? error.cause : error
      throw toDatabaseFailure(error)
    }
  }

  #withStatementTimeout(statementMs: number) {
    const begin = this.isPooled ? beginPooled : beginWriting
    return {
      begin: [...begin, `SET LOCAL statement_timeout = ${statementMs}`, longMemory],
      timeoutMs: statementMs + silenceMs - statementTimeoutMs,
    }
  }

  #attempt<T>(
    work: (tx: Tx) => Promise<T>,
    { begin = this.isPooled ? beginPooled : beginWriting, timeoutMs = silenceMs, isOptimistic = false }: AttemptOptions,
  ): Promise<T> {
    return this.#connected(async (client, onBroken) => {
      const sender = new Sender(client, { types, timeoutMs })
      const command = (text: string) =>
        sender.send({ name: this.isPooled ? undefined : preparedName(text), text, values: [] })
      const commit = () =>
        command('COMMIT').catch((error: unknown) => {
          throw toSaleLacks(error)
        })
      let first: unknown
      let latest: unknown
      const onFailure = (error: unknown) => {
        first ??= error
        latest = error
      }
      const send = sendOver(sender, { isPooled: this.isPooled, onFailure })
      const last: Sql[] = []
      const notifications: Notification[] = []
      const counts: ((meters: Meters) => void)[] = []
      let refuse: ((lack: Lack) => Failure | undefined) | undefined
      try {
        // These travel with the first statements of the work; their own failure shows in theirs.
        const started = Promise.all(begin.map(command))
        started.catch(() => {})
        const result = await work(
          new SentTx(send, {
            isOptimistic,
            whenLacking(named) {
              refuse = named
            },
            atCommit: (statement) => last.push(statement),
            firstAtCommit: (statement) => last.unshift(statement),
            notify: (channel, subject) => notifications.push({ channel, subject }),
            count: (count) => counts.push(count),
          }),
        )
        await started
        // Each failure is kept by `onFailure`, and keeps COMMIT from being run.
        const before = latest
        for (const statement of last) send(statement).catch(() => {})
        // One that could not even be sent has failed already: it is in no packet, and COMMIT would go without it.
        if (latest !== before) throw latest
        const { command: end } = await inSpan('COMMIT', commit, asCall)
        if (end !== 'COMMIT') throw new Error('the transaction was rolled back by the database')
        for (const { channel, subject } of notifications) this.#handlers[channel]?.(subject)
        this.#notifier.add(notifications)
        for (const count of counts) count(this.meters)
        this.#onCommit()
        return result
      } catch (error) {
        await command('ROLLBACK').catch(onBroken)
        // When one statement fails, later ones fail because of it, and theirs may reject first.
        const reason = first !== undefined && isAborted(error) ? first : error
        throw (reason instanceof SaleLacks && refuse?.(reason.lack)) || reason
      }
    })
  }

  /**
   * Calls these handlers with what this node itself notifies, before `transaction` resolves: whoever changed something
   * finds it changed, although the other nodes hear of it a moment later.
   */
  onOwnNotification(handlers: Handlers): void {
    this.#handlers = handlers
  }

  /** Calls `listener` after each transaction that this node commits. It must return at once: a sale waits for it. */
  onCommit(listener: () => void): void {
    this.#onCommit = listener
  }

  async close(): Promise<void> {
    await this.#notifier.close()
    await Promise.all([this.pool.end(), this.#aside.end()])
  }
}
