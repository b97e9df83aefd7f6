import { relative, resolve } from 'node:path'
import { type Result, Sender } from '../src/platform/database/batch.ts'
import { appendRecord, type RecordedStatement } from './recorded-statements.ts'

const root = resolve(import.meta.dirname, '../..')
const askers = ['batch', 'database'].map((file) => resolve(root, `server/src/platform/database/${file}.ts`))
const seen = new Map<string, RecordedStatement | undefined>()

/** Every Database of this process is observed where it sends, also those that a test only causes. */
const { send } = Sender.prototype
Sender.prototype.send = function recorded(wanted) {
  const answer = send.call(this, wanted)
  const statement = toStatement(wanted.text, recorded)
  // Who asked sees the failure; here it only means that there are no rows to look at.
  if (statement) answer.then((result) => noteNulls(statement, result)).catch(() => {})
  return answer
}

/** The statement with the call of server/src that sent it, if one did. */
function toStatement(text: string, callee: (...args: never[]) => unknown): RecordedStatement | undefined {
  const { prepareStackTrace, stackTraceLimit } = Error
  const error = new Error()
  let key = ''
  let site = ''
  // Finding the line in the source is slow, the position in what runs is enough to know a call again.
  Error.prepareStackTrace = (_, frames) => {
    const frame = frames.find((frame) => !askers.includes(frame.getFileName() ?? ''))
    key = `${frame?.getFileName()} ${frame?.getPosition()} ${text}`
    if (frame === undefined || seen.has(key)) return ''
    return prepareStackTrace?.(error, [frame])
  }
  try {
    Error.stackTraceLimit = 8
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

function noteNulls(statement: RecordedStatement, { fields, rows }: Result): void {
  const found = fields.filter(({ name }) => !statement.nulls.includes(name) && rows.some((row) => row[name] === null))
  if (found.length === 0) return
  statement.nulls.push(...found.map(({ name }) => name))
  appendRecord(statement)
}
