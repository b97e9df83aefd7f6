import { join } from 'node:path'
import { Database } from '../server/src/platform/database/database.ts'
import { type RecordedStatement, readRecords } from '../server/test/recorded-statements.ts'
import { type Column, type ColumnKind, StatementReader } from '../server/test/statement-reader.ts'
import { startTestPostgres } from '../server/test/test-postgres.ts'
import { type DeclaredCall, type DeclaredKind, type DeclaredType, withDeclaredCalls } from './declared-rows.ts'

interface Checked {
  /** A migrated database. */
  url: string
  records: RecordedStatement[]
  root: string
  tsconfig: string
  isChecked(file: string): boolean
}

export interface Problem {
  site: string
  what: string
}

/**
 * Holds the row that each call of `rows`, `one` and `maybe` declares against the columns of every statement that the
 * suites sent from there, as PostgreSQL describes them.
 */
export async function checkRows({ url, records, ...sources }: Checked) {
  const database = new Database({ url, connections: 1, onIdleError: () => {} })
  const reader = await StatementReader.open(database, url)
  const declaredIn = ['database', 'queries'].map((file) =>
    join(import.meta.dirname, `../server/src/platform/database/${file}.ts`),
  )
  const recorded = Map.groupBy(records, ({ site }) => site)
  try {
    return await withDeclaredCalls({ ...sources, declaredIn }, async (calls) => {
      const problems: Problem[] = []
      for (const call of calls) {
        const complaints = await findComplaints(call, recorded.get(call.site) ?? [], reader)
        problems.push(...[...new Set(complaints)].map((what) => ({ site: call.site, what })))
      }
      return { calls: calls.length, problems }
    })
  } finally {
    await reader.close()
    await database.close()
  }
}

async function findComplaints(
  call: DeclaredCall,
  sent: RecordedStatement[],
  reader: StatementReader,
): Promise<string[]> {
  if (call.row.kind === 'unchecked') return ['declares no row that can be checked']
  if (sent.length === 0) return ['no test runs it']
  const complaints: string[] = []
  for (const statement of sent) {
    try {
      complaints.push(...compare(call, await reader.describe(statement.text), statement))
    } catch (error) {
      complaints.push(`PostgreSQL refuses it: ${error instanceof Error ? error.message : error}`)
    }
  }
  return complaints
}

function compare({ row }: DeclaredCall, columns: Column[], statement: RecordedStatement): string[] {
  const names = columns.map(({ name }) => name)
  const complaints = names.filter((name, index) => names.indexOf(name) < index).map((name) => `${name}: there are two`)
  const declared = (name: string) => (row.kind === 'row' ? row.columns.get(name) : row.kind === 'record' && row.value)
  if (row.kind === 'row') {
    const missing = [...row.columns.keys()].filter((name) => !names.includes(name))
    complaints.push(...missing.map((name) => `${name}: declared, but there is no such column`))
  }
  for (const column of columns) {
    const type = declared(column.name)
    if (type) complaints.push(...compareTypes(column, type, statement).map((what) => `${column.name}: ${what}`))
    else complaints.push(`${column.name}: there is such a column, but nobody declared it`)
  }
  return complaints
}

function compareTypes(column: Column, declared: DeclaredType, { text, nulls }: RecordedStatement): string[] {
  const complaints: string[] = []
  if (!fits(column, declared)) {
    const kind = column.element ? `${column.element}[]` : column.kind
    complaints.push(`declared ${declared.text}, but ${column.type} is read as ${kind}`)
  }
  const beyond = column.kind === 'json' ? declared.findBeyondJson() : undefined
  if (beyond !== undefined) complaints.push(`declared ${declared.text}, but in JSON ${beyond} can't be`)
  if (declared.kinds.has('undefined')) complaints.push(`declared ${declared.text}, but no column is undefined`)
  if (declared.kinds.has('null') || declared.kinds.has('anything')) return complaints
  if (nulls.includes(column.name)) complaints.push(`declared ${declared.text}, but was null`)
  else if (column.source?.isNullable && !isFiltered(column.source.name, text)) {
    complaints.push(`declared ${declared.text}, but its column of the table may be null`)
  }
  return complaints
}

/** Says whether the statement may leave out the rows in which a column is null. */
const isFiltered = (column: string, text: string): boolean =>
  new RegExp(String.raw`\b${column}\s*(=|IS NOT NULL)|=\s*(\w+\.)?${column}\b`).test(text)

const otherwise = new Set<DeclaredKind>(['null', 'undefined'])

function fits({ kind, element }: Column, { kinds, elements }: DeclaredType): boolean {
  const fitting = (column: ColumnKind, declared: DeclaredKind) =>
    declared === 'anything' ||
    declared === column ||
    (column === 'json' && declared !== 'Date' && declared !== 'Buffer')
  const isFitting = [...kinds].every((declared) => otherwise.has(declared) || fitting(kind, declared))
  if (element === undefined || !isFitting) return isFitting
  return elements.every(({ kinds }) =>
    [...kinds].every((declared) => declared === 'null' || fitting(element, declared)),
  )
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '..')
  const records = readRecords()
  if (records.length === 0) console.error('The unit tests recorded no statement: run them first.')
  const postgres = await startTestPostgres()
  try {
    const { calls, problems } = await checkRows({
      url: postgres.templateUrl,
      records,
      root,
      tsconfig: join(root, 'tsconfig.json'),
      isChecked: (file) => file.startsWith(join(root, 'server/src/')) && !file.endsWith('.test.ts'),
    })
    for (const { site, what } of problems) console.error(`${site} ${what}`)
    console.log(`${calls} declared rows, ${records.length} statements, ${problems.length} problems`)
    process.exitCode = problems.length === 0 ? 0 : 1
  } finally {
    await postgres.stop()
  }
}
