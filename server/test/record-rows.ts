import { relative, resolve } from 'node:path'
import type { QueryResult } from 'pg'
import { expect } from 'vitest'
import { appendRecord, type RecordedStatement } from './recorded-statements.ts'

const root = resolve(import.meta.dirname, '../..')
const asker = resolve(root, 'server/src/platform/database/database.ts')
const seen = new Map<string, RecordedStatement | undefined>()

// What never asks the database need not wait until its client is loaded.
const mayAsk = !/^(web|contract)\//.test(relative(root, expect.getState().testPath ?? ''))
if (mayAsk) await observeClients()

/** Every Database of this process is observed through the client below it, also those that a test only causes. */
async function observeClients(): Promise<void> {
  const { default: pg } = await import('pg')
  for (const { prototype } of [pg.Pool, pg.Client]) observe(prototype)
}

function observe(prototype: { query(...args: unknown[]): unknown }): void {
  const { query } = prototype
  const recorded = function (this: unknown, ...args: unknown[]): unknown {
    const answer = query.apply(this, args)
    const text = (args[0] as { text?: unknown } | undefined)?.text
    const statement = typeof text === 'string' && answer instanceof Promise && toStatement(text, recorded)
    // Who asked sees the failure; here it only means that there are no rows to look at.
    if (statement) answer.then((result: QueryResult) => noteNulls(statement, result)).catch(() => {})
    return answer
  }
  prototype.query = recorded
}

/** The statement with the call of server/src that sent it, if one did. */
function toStatement(text: string, callee: () => unknown): RecordedStatement | undefined {
  const { prepareStackTrace, stackTraceLimit } = Error
  const error = new Error()
  let key = ''
  let site = ''
  // Finding the line in the source is slow, the position in what runs is enough to know a call again.
  Error.prepareStackTrace = (_, frames) => {
    const frame = frames.find((frame) => frame.getFileName() !== asker)
    key = `${frame?.getFileName()} ${frame?.getPosition()} ${text}`
    if (frame === undefined || seen.has(key)) return ''
    return prepareStackTrace?.(error, [frame])
  }
  try {
    Error.stackTraceLimit = 5
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

function noteNulls(statement: RecordedStatement, { fields, rows }: QueryResult): void {
  const found = fields.filter(({ name }) => !statement.nulls.includes(name) && rows.some((row) => row[name] === null))
  if (found.length === 0) return
  statement.nulls.push(...found.map(({ name }) => name))
  appendRecord(statement)
}
