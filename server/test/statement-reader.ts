import pg from 'pg'
import type { Database } from '../src/platform/database/database.ts'
import { raw, sql } from '../src/platform/database/queries.ts'

/** What a value of a column is once the store has read it. */
export type ColumnKind = 'string' | 'number' | 'boolean' | 'Date' | 'Buffer' | 'json' | 'array' | 'object'

export interface Column {
  name: string
  /** As PostgreSQL calls it. */
  type: string
  kind: ColumnKind
  /** What an array holds. */
  element?: ColumnKind
  /** The column of a table that is read as it is, under whatever name; none: it is computed. Nullable as far as is certain. */
  source?: { name: string; isNullable: boolean }
}

/** Asks PostgreSQL for the columns of statements, without running any of them. */
export class StatementReader {
  readonly #database: Database
  readonly #client: pg.Client
  readonly #types = new Map<number, Promise<Omit<Column, 'name' | 'source'>>>()
  readonly #sources = new Map<string, Promise<Column['source']>>()

  private constructor(database: Database, client: pg.Client) {
    this.#database = database
    this.#client = client
  }

  static async open(database: Database, url: string): Promise<StatementReader> {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    return new StatementReader(database, client)
  }

  /** Rejects with what PostgreSQL has against the statement. */
  async describe(text: string): Promise<Column[]> {
    const fields = await new Promise<pg.FieldDef[]>((resolve, reject) => {
      let described: pg.FieldDef[] = []
      this.#client.query({
        // It is parsed and described, and ends before anything is bound or run.
        submit(connection: pg.Connection) {
          connection.parse({ name: '', text, types: [] }, true)
          connection.describe({ type: 'S', name: '' }, true)
          connection.sync()
        },
        handleRowDescription: (answer: { fields: pg.FieldDef[] }) => {
          described = answer.fields
        },
        handleError: reject,
        handleReadyForQuery: () => resolve(described),
      })
    })
    return Promise.all(
      fields.map(async (field) => ({
        name: field.name,
        ...(await once(this.#types, field.dataTypeID, () => this.#readType(field.dataTypeID))),
        source: await once(this.#sources, `${field.tableID}.${field.columnID}`, () => this.#readSource(field)),
      })),
    )
  }

  close(): Promise<void> {
    return this.#client.end()
  }

  /** Reads a value of the type as the store does: whatever comes out is what its rows hold. */
  async #readType(id: number): Promise<Omit<Column, 'name' | 'source'>> {
    const type = await this.#database.one<TypeRow>(sql`
      SELECT format_type(type.oid, NULL) AS name, type.typcategory::text AS category,
        format_type(element.oid, NULL) AS element, element.typcategory::text AS element_category
      FROM pg_type AS type LEFT JOIN pg_type AS element ON element.oid = type.typelem AND type.typcategory = 'A'
      WHERE type.oid = ${id}`)
    const sample = literals[type.name] ?? literals[type.element_category ?? type.category]
    if (sample === undefined) throw new Error(`no sample literal of ${type.name}`)
    const literal = type.element === null ? `${sample}::${type.name}` : `ARRAY[${sample}::${type.element}]`
    const { value } = await this.#database.one<{ value: unknown }>(raw(`SELECT ${literal} AS value`))
    if (!Array.isArray(value)) return { type: type.name, kind: toKind(value, type.name) }
    return { type: type.name, kind: 'array', element: toKind(value[0], type.element ?? '') }
  }

  async #readSource({ tableID, columnID }: pg.FieldDef): Promise<Column['source']> {
    // Columns of a view are called nullable whatever they are. Which rows have a value a CHECK may say, or the function that it
    // asks, whose parameters are called as the columns.
    const column = await this.#database.maybe<{ name: string; is_nullable: boolean }>(sql`
      SELECT attname AS name, NOT attnotnull AND NOT EXISTS (
        SELECT FROM pg_constraint
        LEFT JOIN pg_depend ON classid = 'pg_constraint'::regclass AND objid = pg_constraint.oid
          AND refclassid = 'pg_proc'::regclass
        LEFT JOIN pg_proc ON pg_proc.oid = refobjid
        WHERE conrelid = attrelid AND contype = 'c' AND attnum = ANY (conkey)
          AND concat_ws(' ', pg_get_constraintdef(pg_constraint.oid), prosrc)
            ~ format('\\m%s IS (NOT )?NULL', attname)) AS is_nullable
      FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid AND relkind IN ('r', 'p')
      WHERE attrelid = ${tableID} AND attnum = ${columnID}`)
    return column && { name: column.name, isNullable: column.is_nullable }
  }
}

interface TypeRow {
  name: string
  category: string
  element: string | null
  element_category: string | null
}

/** A value of each type, or of each category of types where they are written alike. */
const literals: Record<string, string> = {
  bytea: String.raw`'\x00'`,
  json: "'{}'",
  jsonb: "'{}'",
  uuid: "'00000000-0000-0000-0000-000000000000'",
  void: "''",
  B: "'t'",
  D: "'2026-01-01 00:00'",
  N: "'1'",
  S: "'a'",
  T: "'1 day'",
}

function toKind(value: unknown, type: string): ColumnKind {
  if (type === 'json' || type === 'jsonb') return 'json'
  if (value instanceof Date) return 'Date'
  if (Buffer.isBuffer(value)) return 'Buffer'
  const kind = typeof value
  return kind === 'string' || kind === 'number' || kind === 'boolean' ? kind : 'object'
}

function once<Key, Value>(known: Map<Key, Value>, key: Key, make: () => Value): Value {
  const value = known.get(key) ?? make()
  known.set(key, value)
  return value
}
