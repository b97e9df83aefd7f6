import { appendFileSync, globSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'

const folder = resolve(import.meta.dirname, '../../test-results/rows')

/** A statement that a suite sent from a call in the sources. */
export interface RecordedStatement {
  /** Where the call is, as `server/src/file.ts:line:column`. */
  site: string
  text: string
  /** The columns that were null in some row. */
  nulls: string[]
}

export function forgetRecords(): void {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
}

/** Each process has a file of its own, so that none waits for another. */
export function appendRecord(statement: RecordedStatement): void {
  appendFileSync(resolve(folder, `${process.pid}.jsonl`), `${JSON.stringify(statement)}\n`)
}

/** Everything that the last run of the suites recorded, or one process of it, a statement of a call once. */
export function readRecords(process: number | '*' = '*'): RecordedStatement[] {
  const records = new Map<string, RecordedStatement>()
  for (const file of globSync(`${folder}/${process}.jsonl`)) {
    for (const line of readFileSync(file, 'utf8').trimEnd().split('\n')) {
      const { site, text, nulls }: RecordedStatement = JSON.parse(line)
      const known = records.get(`${site} ${text}`)
      records.set(`${site} ${text}`, { site, text, nulls: [...new Set([...(known?.nulls ?? []), ...nulls])] })
    }
  }
  return [...records.values()]
}
