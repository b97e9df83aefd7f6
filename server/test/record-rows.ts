import { relative, resolve } from 'node:path'
import { Sender } from '../src/platform/database/batch.ts'
import { Database } from '../src/platform/database/database.ts'
import type { Sql } from '../src/platform/database/queries.ts'
import { appendRecord, type RecordedStatement } from './recorded-statements.ts'

const root = resolve(import.meta.dirname, '../..')
const askers = ['batch', 'database', 'queries'].map((file) => resolve(root, `server/src/platform/database/${file}.ts`))
const seen = new Map<string, RecordedStatement | undefined>()

type Recorded = (...args: never[]) => unknown

/** What is sent in a transaction is observed where it is sent; there the caller is still on the stack. */
const { send } = Sender.prototype
Sender.prototype.send = function recorded(wanted) {
  const answer = send.call(this, wanted)
  noteAnswer(toStatement(wanted.text, recorded), answer, ({ rows }) => rows)
  return answer
}

/** A statement of its own is sent once there is a connection, so it is observed where it is asked for. */
for (const name of ['rows', 'maybe', 'one', 'run'] as const) {
  const ask = Database.prototype[name] as (statement: Sql) => Promise<unknown>
  const recorded = function (this: Database, wanted: Sql) {
    const answer = ask.call(this, wanted)
    noteAnswer(toStatement(wanted.text, recorded), answer, (value) => [value].flat().filter(isRow))
    return answer
  }
  Object.assign(Database.prototype, { [name]: recorded })
}

const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null
type Row = Record<string, unknown>

/** The statement with the call of server/src that sent it, if one did. */
function toStatement(text: string, callee: Recorded): RecordedStatement | undefined {
  const { prepareStackTrace, stackTraceLimit } = Error
  const error = new Error()
  let key = ''
  let site = ''
  // Finding the line in the source is slow, the position in what runs is enough to know a call again.
  Error.prepareStackTrace = (_, frames) => {
    const caller = frames.find((frame) => !askers.includes(frame.getFileName() ?? ''))
    // Beyond an await it is nobody's call any more.
    const frame = (caller as { isAsync?(): boolean } | undefined)?.isAsync?.() ? undefined : caller
    key = `${frame?.getFileName()} ${frame?.getPosition()} ${text}`
    if (frame === undefined || seen.has(key)) return ''
    return prepareStackTrace?.(error, [frame])
  }
  try {
    Error.stackTraceLimit = 12
    Error.captureStackTrace(error, callee)
    site = /\(?([^\s(]+:\d+:\d+)\)?$/.exec(String(error.stack))?.[1] ?? ''
  } finally {
    Object.assign(Error, { prepareStackTrace, stackTraceLimit })
  }
  if (seen.has(key)) return seen.get(key)
  const statement = { site: relative(root, site), text, nulls: [] }
  const isOurs = /^server\/src\/(?!.*\.test\.ts)/.test(statement.site)
  seen.set(key, isOurs ? statement : undefined)
  if (isOurs) appendRecord(statement)
  return seen.get(key)
}

function noteAnswer<Answer>(
  statement: RecordedStatement | undefined,
  answer: Promise<Answer>,
  toRows: (answer: Answer) => Row[],
): void {
  // Who asked sees the failure; here it only means that there are no rows to look at.
  if (statement) answer.then((value) => noteNulls(statement, toRows(value))).catch(() => {})
}

function noteNulls(statement: RecordedStatement, rows: readonly Row[]): void {
  const empty = rows.flatMap((row) => Object.keys(row).filter((name) => row[name] === null))
  const found = [...new Set(empty)].filter((name) => !statement.nulls.includes(name))
  if (found.length === 0) return
  statement.nulls.push(...found)
  appendRecord(statement)
}
