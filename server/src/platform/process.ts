import { readFileSync } from 'node:fs'
import packageJson from '../../../package.json' with { type: 'json' }

/** A release writes the commit it was made of into this file at its root; a checkout has none. */
const commitFile = new URL('../../../commit.txt', import.meta.url)
const shortCommit = 12

/** Reads the commit from the file of a release: 'unknown' without one, or where it has anything else in it. */
export function readCommit(file: URL = commitFile): string {
  try {
    const text = readFileSync(file, 'utf8').trim()
    return /^[0-9a-f]{7,64}$/.test(text) ? text.slice(0, shortCommit) : 'unknown'
  } catch {
    return 'unknown'
  }
}

/** What this program is: the version of the root package.json, and the commit it was made of. */
export const build = { version: packageJson.version, commit: readCommit() } as const

/** Functions that close what was started, in the order it was started; they run in reverse. */
export type Closers = (() => Promise<unknown> | unknown)[]

const patienceMs = 25_000

/**
 * Closes everything and then ends the process, on SIGINT, SIGTERM, SIGHUP, when its launcher dies, or when called. A
 * second signal does not run it twice; what takes longer than 25 seconds is abandoned for the next start to recover.
 */
export function endOnSignal(closers: Closers): (exitCode: number) => Promise<never> {
  let ending: Promise<never> | undefined
  const end = (exitCode: number) => {
    ending ??= closeAll(closers, exitCode)
    return ending
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end(0))
  // The launcher that started this process has died.
  process.once('disconnect', () => void end(0))
  return end
}

async function closeAll(closers: Closers, exitCode: number): Promise<never> {
  setTimeout(() => process.exit(1), patienceMs).unref()
  let code = exitCode
  for (const close of closers.reverse()) {
    try {
      await close()
    } catch (error) {
      console.error(error)
      code = 1
    }
  }
  process.exit(code)
}

/** A start that cannot continue. The message is one sentence for the operator, shown without a stack. */
export class StartupError extends Error {
  override name = 'StartupError'
}

/** Reads an error's message without its stack; of an AggregateError it takes the first. */
export function toReason(error: unknown): string {
  if (error instanceof AggregateError) return toReason(error.errors[0])
  return error instanceof Error ? error.message : String(error)
}

const sentences: Record<string, string> = {
  '42501':
    'The database role lacks rights: it must own the database, or have CREATE on it and on its schema public (docs/operations.md).',
  '25006': 'The database is read-only: DATABASE_URL must lead to the primary, with default_transaction_read_only off.',
  '53300':
    'The database has no connections left for this process: lower DATABASE_CONNECTIONS, or raise max_connections or the limit of the role.',
}

/**
 * Explains why a start or a command failed: a sentence where the operator can fix it, otherwise the error with its
 * stack. `more` has sentences for further SQLSTATEs.
 */
export function toSentence(error: unknown, more: Record<string, string> = {}): unknown {
  if (error instanceof StartupError) return error.message
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  const sentence = more[code] ?? sentences[code]
  if (sentence !== undefined) return sentence
  const isTrouble = error instanceof Error && 'status' in error && error.status === 503
  return isTrouble ? `The database does not answer: ${toReason(cause)}.` : error
}
