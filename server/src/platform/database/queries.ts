import { createHash } from 'node:crypto'
import type { Failure } from '@olmos/contract/failure'
import type { Meters } from '../live/metrics.ts'
import type { Result, Sender } from './batch.ts'
import { type Lack, toDatabaseFailure, toSaleLacks } from './failures.ts'
import type { Channel } from './notify.ts'

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
  /** As `atCommit`, before all that others send so: what decides whether there is anything to commit. */
  firstAtCommit(statement: Sql): void
  /**
   * Whether the work may take for granted that what it writes finds what it needs, and its key is new, and send all of it
   * with COMMIT: by statements that fail where that is not so (`refuse_sale`). What `whenLacking` can't name is named by
   * another run of the work, with false, which looks at each answer.
   */
  readonly isOptimistic: boolean
  /** Names the refusal that stands for what was missing, or undefined if it has to be looked for. */
  whenLacking(refuse: (lack: Lack) => Failure | undefined): void
  /**
   * Notifies every node once the transaction is committed: soon, or never if this process dies in between, so nothing may
   * rely on it alone. NOTIFY itself, in the transaction, would make all commits of the server wait for each other.
   */
  notify(channel: Channel, subject: string): void
  /** Counts for the metrics what the transaction does, once it is committed. */
  count(count: (meters: Meters) => void): void
  /**
   * Sends what it is asked at once, but answers nothing before `first` has resolved; if that rejects, so does all of it.
   * So the work's first statements need not wait a round trip for what decides whether there is any work.
   */
  behind(first: Promise<unknown>): Tx
  /**
   * Sends several statements in one round trip, and answers their results by name. They run in the order in which the
   * steps are written: a step sends its first statement before it waits for anything, and throws if it does not. The
   * first failure rejects, which undoes the whole transaction.
   */
  pipeline<Steps extends Record<string, (tx: Tx) => unknown>>(
    steps: Steps,
  ): Promise<{ [Name in keyof Steps]: Awaited<ReturnType<Steps[Name]>> }>
}

/** Sends one statement, and resolves to what it gave. */
export type Send = (statement: Sql) => Promise<Result>

interface SendOptions {
  isPooled: boolean
  onFailure?: (error: unknown) => void
}

/** Makes what sends statements over one connection. */
export const sendOver = (sender: Sender, { isPooled, onFailure }: SendOptions): Send =>
  async function send(statement) {
    try {
      const { text, values } = statement
      return await sender.send({ name: isPooled ? undefined : preparedName(text), text, values })
    } catch (error) {
      const trouble = toDatabaseFailure(toSaleLacks(error))
      onFailure?.(trouble)
      throw trouble
    }
  }

/**
 * Queries that leave by `send`. A class: a sale makes two dozen of these, and an object of functions each was a third of
 * what it left to the collector.
 */
export class SentQueries implements Queries {
  protected readonly send: Send

  constructor(send: Send) {
    this.send = send
  }

  async rows<Row>(statement: Sql): Promise<Row[]> {
    return (await this.send(statement)).rows as Row[]
  }

  async maybe<Row>(statement: Sql): Promise<Row | undefined> {
    return (await this.send(statement)).rows[0] as Row | undefined
  }

  async one<Row>(statement: Sql): Promise<Row> {
    const [row] = (await this.send(statement)).rows
    if (row === undefined) throw new Error(`no row: ${statement.text}`)
    return row as Row
  }

  async run(statement: Sql): Promise<number> {
    return (await this.send(statement)).rowCount
  }
}

/** What shall happen at the end of a transaction, and whether it may be hoped for. */
type AtEnd = Pick<Tx, 'atCommit' | 'firstAtCommit' | 'isOptimistic' | 'whenLacking' | 'notify' | 'count'>

/** A transaction whose statements leave by `send`. */
export class SentTx extends SentQueries implements Tx {
  declare readonly [insideTransaction]: true
  readonly #end: AtEnd

  constructor(send: Send, end: AtEnd) {
    super(send)
    this.#end = end
  }

  atCommit(statement: Sql): void {
    this.#end.atCommit(statement)
  }

  firstAtCommit(statement: Sql): void {
    this.#end.firstAtCommit(statement)
  }

  get isOptimistic(): boolean {
    return this.#end.isOptimistic
  }

  whenLacking(refuse: (lack: Lack) => Failure | undefined): void {
    this.#end.whenLacking(refuse)
  }

  notify(channel: Channel, subject: string): void {
    this.#end.notify(channel, subject)
  }

  count(count: (meters: Meters) => void): void {
    this.#end.count(count)
  }

  behind(first: Promise<unknown>): Tx {
    const sendBehind: Send = async (statement) => {
      const answer = this.send(statement)
      // What failed because of `first` is told by `first`.
      answer.catch(() => {})
      await first
      return answer
    }
    return new SentTx(sendBehind, this.#end)
  }

  async pipeline<Steps extends Record<string, (tx: Tx) => unknown>>(steps: Steps) {
    const names = Object.keys(steps)
    const results = await Promise.all(names.map((name) => this.#startStep(name, steps[name])))
    return Object.fromEntries(names.map((name, index) => [name, results[index]])) as {
      [Name in keyof Steps]: Awaited<ReturnType<Steps[Name]>>
    }
  }

  /** Runs a step up to where it first waits. From then on it may send more only if it has sent something before. */
  async #startStep(name: string, step: ((tx: Tx) => unknown) | undefined): Promise<unknown> {
    let hasSent = false
    let isLate = false
    const send: Send = (statement) => {
      if (isLate && !hasSent) throw new Error(`the step ${name} waits before it sends its first statement`)
      hasSent = true
      return this.send(statement)
    }
    const result = step?.(new SentTx(send, this.#end))
    isLate = true
    return result
  }
}

/** A pattern for LIKE that finds `needle` anywhere, with its wildcards escaped. */
export const containing = (needle: string): string => `%${needle.replace(/[\\%_]/g, (char) => `\\${char}`)}%`

const namedAtMost = 500
const names = new Map<string, string>()

/**
 * PostgreSQL keeps the plan of a statement that has a name. The name is derived from the text, so that no other
 * statement, of this process or of another one sharing its sessions, can run under it. Lists composed of many filters
 * would fill its memory, so only so many are named. A search is planned for each value, and so are days: one that matches
 * three rows and one that matches all of them are read differently.
 */
export function preparedName(text: string): string | undefined {
  const known = names.get(text)
  if (known !== undefined) return known
  if (names.size >= namedAtMost || / I?LIKE |::timestamp (\+ interval '1 day'\) )?AT TIME ZONE /.test(text))
    return undefined
  // Sent with every run of it: 96 bits tell any two texts apart.
  const name = createHash('sha256').update(text).digest('base64url').slice(0, 16)
  names.set(text, name)
  return name
}

const textsAtMost = 1_000
const shapesAtMost = 50_000
let texts = 0
let knownShapes = 0

/**
 * What all statements have in common that are made of one template with the same templates nested in it: their text. It is
 * found by the template's array of strings, which JavaScript makes once for each place in the source, so that a text is put
 * together once and not each time it is sent. There are as many as filters can be combined, so only so many are kept.
 */
class Shape {
  readonly #strings: readonly string[]
  /** The shape before its last place was filled, and what is nested there; undefined where a value stands. */
  readonly #before: Shape | undefined
  readonly #nested: Shape | undefined
  #withValue: Shape | undefined
  #withNested: WeakMap<Shape, Shape> | undefined
  #text: string | undefined

  constructor(strings: readonly string[], before?: Shape, nested?: Shape) {
    this.#strings = strings
    this.#before = before
    this.#nested = nested
  }

  /** The shape with one more place filled: by a value, or by a statement of the shape `nested`. */
  filled(nested: Shape | undefined): Shape {
    const known = nested ? this.#withNested?.get(nested) : this.#withValue
    if (known) return known
    const made = new Shape(this.#strings, this, nested)
    if (knownShapes >= shapesAtMost) return made
    knownShapes++
    if (!nested) this.#withValue = made
    else {
      this.#withNested ??= new WeakMap()
      this.#withNested.set(nested, made)
    }
    return made
  }

  /** With $1, $2 and so on for the values. */
  get text(): string {
    if (this.#text !== undefined) return this.#text
    const text = this.#pieces().reduce((before, piece, index) => `${before}$${index}${piece}`)
    if (texts < textsAtMost) {
      texts++
      this.#text = text
    }
    return text
  }

  /** The text between the values. */
  #pieces(): string[] {
    const filling: (Shape | undefined)[] = []
    for (let shape: Shape = this; shape.#before; shape = shape.#before) filling.push(shape.#nested)
    const [first = '', ...others] = this.#strings
    const pieces = [first]
    for (const after of others) {
      const nested = filling.pop()
      const [head = '', ...rest] = nested ? nested.#pieces() : ['', '']
      pieces[pieces.length - 1] += head
      pieces.push(...rest)
      pieces[pieces.length - 1] += after
    }
    return pieces
  }
}

const shapes = new WeakMap<readonly string[], Shape>()

function findShape(strings: readonly string[]): Shape {
  const known = shapes.get(strings)
  if (known) return known
  const shape = new Shape(strings)
  shapes.set(strings, shape)
  return shape
}

/** A statement, or a part of one: a text with places for its values, which never become part of the text. */
export class Sql {
  readonly shape: Shape
  readonly values: readonly unknown[]

  /** `strings` stand around what fills the places between them, one more than those, and are never changed. */
  constructor(strings: readonly string[], filling: readonly unknown[]) {
    let shape = findShape(strings)
    const values: unknown[] = []
    for (const value of filling) {
      const nested = value instanceof Sql ? value : undefined
      shape = shape.filled(nested?.shape)
      if (nested) values.push(...nested.values)
      else values.push(value)
    }
    this.shape = shape
    this.values = values
  }

  get text(): string {
    return this.shape.text
  }
}

/** Makes a statement of a template: what is no statement itself becomes a value of it. */
export const sql = (strings: TemplateStringsArray, ...values: unknown[]): Sql => new Sql(strings, values)

const partsAtMost = 200
/** By what stands between the parts, and how many they are. */
const joints = new Map<string, (readonly string[])[]>()

/** Finds the strings around so many parts: made each time they would give each statement a shape of its own. */
function findJoints(separator: string, parts: number): readonly string[] {
  const made = () => ['', ...Array<string>(parts - 1).fill(separator), '']
  if (parts > partsAtMost) return made()
  const ofSeparator = joints.get(separator) ?? []
  joints.set(separator, ofSeparator)
  ofSeparator[parts] ??= made()
  return ofSeparator[parts]
}

/** Joins statements, or values, by a text between them, of which a program has a few. Throws without any. */
export function join(parts: readonly unknown[], separator = ','): Sql {
  if (parts.length === 0) throw new TypeError('nothing to join')
  return new Sql(findJoints(separator, parts.length), parts)
}

const rawAtMost = 500
const rawStrings = new Map<string, readonly string[]>()

/** A text that becomes part of a statement as it is: never anything that came from outside. */
export function raw(text: string): Sql {
  const strings = rawStrings.get(text) ?? [text]
  if (rawStrings.size < rawAtMost) rawStrings.set(text, strings)
  return new Sql(strings, [])
}
