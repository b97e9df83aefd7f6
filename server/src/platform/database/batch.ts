import { setImmediate as nextTurn } from 'node:timers/promises'
import type pg from 'pg'
import { prepareValue } from 'pg/lib/utils.js'
import { serialize } from 'pg-protocol'

/** What one statement gave. */
export interface Result {
  rows: Record<string, unknown>[]
  /** How many rows it read or wrote. */
  rowCount: number
  /** The first word of what PostgreSQL did: SELECT, INSERT, COMMIT, and so on. */
  command: string
}

interface Statement {
  /** Under which PostgreSQL keeps its plan on this connection. The same name never stands for two texts. */
  name: string | undefined
  text: string
  values: readonly unknown[]
}

interface Field {
  name: string
  dataTypeID: number
}

type Parse = (text: string) => unknown

interface Column {
  name: string
  parse: Parse
}

interface Step extends Statement {
  columns: readonly Column[] | undefined
  rows: Record<string, unknown>[]
  result: Result | undefined
  settle: PromiseWithResolvers<Result>
}

/** The part of pg's connection that is used here. */
interface Connection {
  stream: { write(packet: Buffer): void; destroy(): void }
  on(event: 'parseComplete', listener: () => void): void
}

/** What a connection has prepared already, and the columns of each, so that neither is asked for again. */
interface Prepared {
  columns: Map<string, readonly Column[] | undefined>
  /** What is being prepared, in the order in which PostgreSQL will confirm it. */
  underWay: string[]
}

const preparedOn = new WeakMap<Connection, Prepared>()

function readPrepared(connection: Connection): Prepared {
  const known = preparedOn.get(connection)
  if (known) return known
  const prepared: Prepared = { columns: new Map(), underWay: [] }
  preparedOn.set(connection, prepared)
  connection.on('parseComplete', () => {
    const name = prepared.underWay.shift()
    if (name && !prepared.columns.has(name)) prepared.columns.set(name, undefined)
  })
  return prepared
}

/**
 * Statements that pg sends as one query, in one packet with one Sync: PostgreSQL runs them in order and answers all of
 * them at once. When one fails it skips the others. Follows "Extended Query" of PostgreSQL's frontend/backend protocol.
 */
class Batch {
  /** pg sets a timer that calls this, and clears it once we do. */
  callback: () => void = () => {}
  readonly query_timeout: number
  readonly #steps: Step[]
  readonly #types: pg.TypeOverrides
  readonly #done: () => void
  #connection: Connection | undefined
  #at = 0
  #isSettled = false

  constructor(steps: Step[], { timeoutMs, types, done }: { timeoutMs: number; types: pg.TypeOverrides; done(): void }) {
    this.#steps = steps
    this.#types = types
    this.#done = done
    this.query_timeout = timeoutMs
  }

  submit(connection: Connection): void {
    this.#connection = connection
    const { columns, underWay } = readPrepared(connection)
    const parsed = new Set<string>()
    const messages: Buffer[] = []
    for (const step of this.#steps) {
      const { name = '', text, values } = step
      const isPrepared = name !== '' && (columns.has(name) || parsed.has(name))
      step.columns = isPrepared ? columns.get(name) : undefined
      if (!isPrepared) {
        messages.push(serialize.parse({ name, text }))
        underWay.push(name)
        parsed.add(name)
      }
      messages.push(serialize.bind({ statement: name, values: values as unknown[] }))
      if (!step.columns) messages.push(serialize.describe({ type: 'P' }))
      messages.push(serialize.execute())
    }
    messages.push(serialize.sync())
    // As one piece: a socket makes an object of every buffer that it is given.
    connection.stream.write(Buffer.concat(messages))
  }

  handleRowDescription({ fields }: { fields: Field[] }): void {
    const step = this.#steps[this.#at]
    if (step) step.columns = fields.map(({ name, dataTypeID }) => ({ name, parse: this.#parserFor(dataTypeID) }))
  }

  // The types of pg say that a parser reads a number.
  #parserFor(type: number): Parse {
    return this.#types.getTypeParser(type, 'text') as unknown as Parse
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    const step = this.#steps[this.#at]
    const row: Record<string, unknown> = {}
    step?.columns?.forEach(({ name, parse }, index) => {
      const text = fields[index]
      row[name] = text === null || text === undefined ? null : parse(text)
    })
    step?.rows.push(row)
  }

  handleCommandComplete({ text }: { text: string }): void {
    const step = this.#steps[this.#at++]
    if (!step) return
    const words = text.split(' ')
    const columns = step.columns ?? []
    if (step.name && this.#connection) readPrepared(this.#connection).columns.set(step.name, columns)
    const rowCount = Number(words.at(-1)) || 0
    step.result = { rows: step.rows, rowCount, command: words[0] ?? '' }
  }

  handleEmptyQuery(): void {
    this.handleCommandComplete({ text: '' })
  }

  handleReadyForQuery(): void {
    this.#settle()
  }

  /**
   * Fails every statement: outside a transaction those before are undone with the one that failed, and it may be at the
   * end, after the last of them, that a deferred trigger objects. Also called by pg when the time is up or the
   * connection broke.
   */
  handleError(error: Error): void {
    if (this.#isSettled) return
    const { stream } = this.#connection ?? {}
    if (this.#connection) readPrepared(this.#connection).underWay.length = 0
    // Answers that still come would be taken for those of the next statements.
    if (error.message === 'Query read timeout') stream?.destroy()
    this.#settle(error)
  }

  #settle(error?: Error): void {
    if (this.#isSettled) return
    this.#isSettled = true
    this.callback()
    this.#done()
    for (const { result, settle } of this.#steps) {
      if (result && !error) settle.resolve(result)
      else settle.reject(error ?? new Error('PostgreSQL did not answer every statement'))
    }
  }
}

interface SenderOptions {
  types: pg.TypeOverrides
  /** How long to wait for a silent database. */
  timeoutMs: number
}

/** Sends statements over one connection. What is sent before a turn of the event loop ends travels together. */
export class Sender {
  readonly #client: pg.ClientBase
  readonly #options: SenderOptions
  #waiting: Step[] = []
  #isBusy = false

  constructor(client: pg.ClientBase, options: SenderOptions) {
    this.#client = client
    this.#options = options
  }

  /** Resolves when PostgreSQL has run the statement; rejects with its error, or that of one sent together with it. */
  send({ name, text, values }: Statement): Promise<Result> {
    const settle = Promise.withResolvers<Result>()
    const sendable = values.map((value) => prepareValue(value))
    this.#waiting.push({ name, text, values: sendable, columns: undefined, rows: [], result: undefined, settle })
    if (this.#waiting.length === 1 && !this.#isBusy) process.nextTick(() => this.#flush())
    return settle.promise
  }

  #flush(): void {
    const steps = this.#waiting
    if (steps.length === 0 || this.#isBusy) return
    this.#waiting = []
    this.#isBusy = true
    const done = () => {
      this.#isBusy = false
      // What waited for this batch is joined by what its answers lead to, which runs before the tick ends.
      queueMicrotask(() => process.nextTick(() => this.#flush()))
    }
    this.#client.query(new Batch(steps, { ...this.#options, done }) as unknown as pg.Submittable)
  }
}

/**
 * Makes a look-up that sends all that is asked for in one turn of the event loop in one statement: `read` gets each key
 * once, and returns what it found by key. Nothing is kept: each is read after it was asked for. A statement that fails
 * rejects all who asked in its turn.
 */
export function readInOneTurn<Key, Found>(
  read: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Found>>,
): (key: Key) => Promise<Found | undefined> {
  let asked: { keys: Set<Key>; found: Promise<ReadonlyMap<Key, Found>> } | undefined
  const ask = async (keys: ReadonlySet<Key>) => {
    await nextTurn()
    asked = undefined
    return read([...keys])
  }
  return async (key) => {
    if (!asked) {
      const keys = new Set<Key>()
      asked = { keys, found: ask(keys) }
    }
    asked.keys.add(key)
    return (await asked.found).get(key)
  }
}
