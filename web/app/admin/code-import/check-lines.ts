import type { LineReason } from '@olmos/contract/codes'
import { importReader } from '@olmos/contract/import-lines'
import { WEB_LIMITS } from '../../limits.ts'
import { toParts } from './read-lines.ts'

export interface Problem {
  /** From 1. */
  line: number
  reason: LineReason | 'repeated' | 'in_stock'
}

/** What can be said of a text without asking the store. */
export interface Checked {
  /** Lines that are not empty. */
  lines: number
  /** Those that can't be imported as they are. */
  invalid: Set<number>
  /** Those whose code stands in an earlier line. */
  repeated: Set<number>
  /** The first of both, for a look. */
  problems: Problem[]
  /** All there are, empty ones too. */
  length: number
}

/** Few enough to be read between two frames. */
const linesAtOnce = 1_000

/** Reads all lines as the store will, and lets the page live meanwhile. */
export async function checkLines(text: Blob, signal: AbortSignal): Promise<Checked> {
  const checked: Checked = { lines: 0, invalid: new Set(), repeated: new Set(), problems: [], length: 0 }
  const read = importReader()
  for await (const part of toParts(text, linesAtOnce)) {
    for (const line of part) take(checked, read(line, ++checked.length))
    await nextTask()
    signal.throwIfAborted()
  }
  return checked
}

function take(checked: Checked, read: ReturnType<ReturnType<typeof importReader>>): void {
  if (read.kind === 'empty') return
  checked.lines++
  if (read.kind === 'invalid') {
    checked.invalid.add(checked.length)
    note(checked.problems, read.line)
  }
  if (read.kind === 'repeated') {
    checked.repeated.add(checked.length)
    note(checked.problems, { line: checked.length, reason: 'repeated' })
  }
}

export function note(problems: Problem[], problem: Problem): void {
  if (problems.length < WEB_LIMITS.importProblemsShown) problems.push(problem)
}

const nextTask = () => new Promise((resolve) => setTimeout(resolve))
