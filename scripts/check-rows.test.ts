import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listRates } from '../server/src/modules/rates/rates.ts'
import { Database } from '../server/src/platform/database/database.ts'
import { cloneDatabase, type TestDatabase } from '../server/test/database.ts'
import { readRecords } from '../server/test/recorded-statements.ts'
import { checkRows, type Problem } from './check-rows.ts'

const root = join(import.meta.dirname, '..')

interface Planted {
  /** The type argument of the call. */
  row?: string
  /** The statement that tests sent from there; none: no test came there. */
  text?: string
  /** The columns that tests saw without a value. */
  nulls?: string[]
  problems: string[]
}

const user = 'SELECT id, nickname, created_at FROM users'
const entry = 'SELECT id, actor_id, after FROM audit_entry'
const whoseLeft = 'SELECT users.nickname FROM session LEFT JOIN users ON users.id = user_id'

const planted: Record<string, Planted> = {
  'the right row': { row: '{ id: number; nickname: string; created_at: Date }', text: user, problems: [] },
  'a union of strings': { row: "{ role: 'customer' | 'admin' }", text: 'SELECT role FROM users', problems: [] },
  'two kinds of rows': {
    row: '{ id: number; actor_id: number; after: string } | { id: number; actor_id: null; after: null }',
    text: entry,
    problems: [],
  },
  'a row of what is named elsewhere': { row: 'Record<string, number>', text: 'SELECT 1 AS a, 2 AS b', problems: [] },
  'a filter that leaves out null': {
    row: '{ actor_id: number }',
    text: 'SELECT actor_id FROM audit_entry WHERE actor_id IS NOT NULL',
    problems: [],
  },
  'a column of which the function of a CHECK says when it has a value': {
    row: '{ expires_at: Date }',
    text: 'SELECT expires_at FROM orders',
    problems: [],
  },
  'a row that is only there': { text: 'SELECT FROM users', problems: [] },
  'arrays as the store reads them': {
    row: '{ a: number[]; b: string[] }',
    text: 'SELECT ARRAY[1] AS a, ARRAY[1::bigint] AS b',
    problems: [],
  },
  'a missing column': {
    row: '{ id: number; nickname: string; created_at: Date; wealth: number }',
    text: user,
    problems: ['wealth: declared, but there is no such column'],
  },
  'a column nobody declared': {
    row: '{ id: number; nickname: string }',
    text: user,
    problems: ['created_at: there is such a column, but nobody declared it'],
  },
  'a wrong type': {
    row: '{ id: string; nickname: string; created_at: string }',
    text: user,
    problems: [
      'id: declared string, but integer is read as number',
      'created_at: declared string, but timestamp with time zone is read as Date',
    ],
  },
  'a wrong type in an array': {
    row: '{ ids: number[] }',
    text: 'SELECT ARRAY[1::bigint] AS ids',
    problems: ['ids: declared number[], but bigint[] is read as string[]'],
  },
  'numeric as a number': {
    row: '{ rate: number }',
    text: 'SELECT rate FROM currency_rate',
    problems: ['rate: declared number, but numeric is read as string'],
  },
  'a date in JSON': {
    row: '{ after: { at: Date } | null }',
    text: 'SELECT after FROM audit_entry',
    problems: ["after: declared { at: Date; } | null, but in JSON at is Date can't be"],
  },
  'no null': {
    row: '{ id: number; actor_id: number; after: object | null }',
    text: entry,
    problems: ['actor_id: declared number, but its column of the table may be null'],
  },
  'no null, where only an outer join makes one': {
    row: '{ nickname: string }',
    text: whoseLeft,
    nulls: ['nickname'],
    problems: ['nickname: declared string, but was null'],
  },
  'what is never undefined': {
    row: '{ id?: number }',
    text: 'SELECT id FROM users',
    problems: ['id: declared number | undefined, but no column is undefined'],
  },
  'two columns of a name': {
    row: '{ id: number }',
    text: 'SELECT id, id FROM users',
    problems: ['id: there are two'],
  },
  'a wrong type of what is named elsewhere': {
    row: 'Record<string, number>',
    text: "SELECT 1 AS a, '2' AS b",
    problems: ['b: declared number, but text is read as string'],
  },
  'columns of a row that is only there': {
    text: 'SELECT id FROM users',
    problems: ['id: there is such a column, but nobody declared it'],
  },
  'a row of anything': { row: 'any', text: 'SELECT id FROM users', problems: ['declares no row that can be checked'] },
  'a row that somebody else declares': {
    row: 'Row',
    text: 'SELECT id FROM users',
    problems: ['declares no row that can be checked'],
  },
  'a statement that PostgreSQL does not know': {
    row: '{ id: number }',
    text: 'SELECT id FROM buyers',
    problems: ['PostgreSQL refuses it: relation "buyers" does not exist'],
  },
  'a call that no test comes to': { row: '{ id: number }', problems: ['no test runs it'] },
}

const lines = Object.values(planted).map(
  ({ row }, index) =>
    `export const call${index} = <Row>(queries: Queries, text: Sql): Promise<Row | unknown> => queries.maybe${row ? `<${row}>` : ''}(text)`,
)

let database: TestDatabase
let folder: string
let problems: Problem[]

beforeAll(async () => {
  database = await cloneDatabase()
  folder = await mkdtemp(join(root, 'test-results/planted-'))
  const file = join(folder, 'planted.ts')
  const tsconfig = join(folder, 'tsconfig.json')
  const imported = "import type { Queries, Sql } from '../../server/src/platform/database/queries.ts'"
  await writeFile(file, [imported, ...lines].join('\n'))
  await writeFile(tsconfig, JSON.stringify({ extends: '../../tsconfig.json', include: ['planted.ts'] }))
  const records = Object.values(planted).flatMap(({ text, nulls = [] }, index) =>
    text === undefined ? [] : [{ site: toSite(file, index + 2, lines[index]?.indexOf('maybe')), text, nulls }],
  )
  ;({ problems } = await checkRows({ url: database.url, records, root, tsconfig, isChecked: (path) => path === file }))
})

afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
  await database.drop()
})

test.each(Object.keys(planted).map((name, index) => [name, index] as const))('%s', (name, index) => {
  const found = problems.filter(({ site }) => site.includes(`planted.ts:${index + 2}:`)).map(({ what }) => what)
  expect(found).toEqual(planted[name]?.problems)
})

test('what a test sends is recorded with the call in the sources', async () => {
  const store = new Database({ url: database.url, connections: 1, onIdleError: () => {} })
  const rates = await listRates(store)
  await store.close()
  const path = join(root, 'server/src/modules/rates/rates.ts')
  const source = (await readFile(path, 'utf8')).split('\n')
  const index = source.findIndex((line) => line.includes('export const listRates'))
  const site = toSite(path, index + 1, source[index]?.indexOf('rows<'))
  const sent = readRecords(process.pid).filter((record) => record.site === site)
  expect(sent.map(({ text }) => text)).toEqual(['SELECT * FROM currency_rate ORDER BY id'])
  expect(sent[0]?.nulls).toEqual(
    Object.entries(rates[0] ?? {}).flatMap(([name, value]) => (value === null ? [name] : [])),
  )
})

const toSite = (path: string, line: number, index = -1) => `${relative(root, path)}:${line}:${index + 1}`
