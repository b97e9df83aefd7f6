import { fstatSync, readFileSync, write, writeSync } from 'node:fs'
import { constants } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Logger, pino } from 'pino'
import packageJson from '../../../package.json' with { type: 'json' }
import { SERVER_LIMITS } from '../limits.ts'
import { logFields } from './live/tracing.ts'

/** A release writes the commit it was made of into this file at its root; a checkout has none. */
const commitFile = new URL('../../../commit.txt', import.meta.url)
const shortCommit = 12

/** Reads the commit from the file of a release: null without one, or where it has anything else in it. */
export function readCommit(file: URL = commitFile): string | null {
  try {
    const text = readFileSync(file, 'utf8').trim()
    return /^[0-9a-f]{7,64}$/.test(text) ? text.slice(0, shortCommit) : null
  } catch {
    return null
  }
}

/** What this program is: the version of the root package.json, and the commit it was made of. */
export const build = { version: packageJson.version, commit: readCommit() } as const

/** Names a build for who reads of it. */
export const nameBuild = ({ version, commit }: { version: string; commit: string | null }): string =>
  `Olmos ${version}, commit ${commit ?? 'unknown'}`

/** Functions that close what was started, in the order it was started; they run in reverse. */
export type Closers = (() => Promise<unknown> | unknown)[]

interface Ending {
  /** It is meant to run until it is ended: a signal is no failure then. */
  runsUntilEnded?: boolean | undefined
}

/**
 * Closes everything and then ends the process, on SIGINT, SIGTERM, SIGHUP, when its launcher dies, or when called. A
 * second signal does not run it twice; what takes longer than 25 seconds is abandoned for the next start to recover. What a
 * signal cuts short ends with 128 and the signal's number, so that nobody takes it for done.
 */
export function endOnSignal(
  closers: Closers,
  { runsUntilEnded = false }: Ending = {},
): (exitCode: number) => Promise<never> {
  let ending: Promise<never> | undefined
  const end = (exitCode: number) => {
    ending ??= closeAll(closers, exitCode)
    return ending
  }
  const endBy = (signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP') =>
    void end(runsUntilEnded ? 0 : 128 + constants.signals[signal])
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, endBy)
  // The launcher that started this process has died.
  process.once('disconnect', () => endBy('SIGHUP'))
  return end
}

/** Does what leaves something behind where it is cut short: the end of the process aborts it, and waits until it has cleaned up. */
export function untilEnding<T>(closers: Closers, work: (ending: AbortSignal) => Promise<T>): Promise<T> {
  const ending = new AbortController()
  const working = work(ending.signal)
  closers.push(() => {
    ending.abort(new StartupError('It was cut short.'))
    return working.catch(() => {})
  })
  return working
}

async function closeAll(closers: Closers, exitCode: number): Promise<never> {
  setTimeout(() => process.exit(1), SERVER_LIMITS.shutdownMs).unref()
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

/**
 * Closes at once all that waits for vendors and customers, and leaves after ten seconds what has not ended: one that hangs
 * takes no time from the others, nor from what is closed after them. Leases make up for what is left.
 */
export async function closeTogether(closers: Closers): Promise<void> {
  const closing = Promise.allSettled(closers.map(async (close) => close()))
  const ended = await Promise.race([closing, sleep(SERVER_LIMITS.endWithinMs, [], { ref: false })])
  const failed = ended.find(({ status }) => status === 'rejected')
  if (failed?.status === 'rejected') throw failed.reason
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
  if (more[code] !== undefined) return more[code]
  // What it says names the table, the role or the statement.
  if (sentences[code] !== undefined) return `${sentences[code]} PostgreSQL said: ${toReason(cause)}.`
  const isTrouble = error instanceof Error && 'status' in error && error.status === 503
  return isTrouble ? `The database does not answer: ${toReason(cause)}.` : error
}

/** So many bytes wait for a reader that is slow or stuck; lines that come after them are lost. */
const waitingAtMost = 8 * 1024 * 1024
/** Lines that wait leave in pieces of this size, the largest that Docker takes as one. */
const pieceBytes = 16 * 1024
const retryMs = 20
/** Lines are gathered so long: each write by itself is a call of the system, and another thread to wake. */
const gatherMs = 10
/** The end of the process waits so long for the reader. */
const lastWaitMs = 2_000

interface Lost {
  lines: number
  since: string
}

/**
 * Opens the log: lines of JSON on standard output. Those of ten milliseconds leave together, because one write each was a
 * tenth of what a call costs; a process that is killed takes them with it. A reader that is stuck, a pipe without one and a
 * full disk cost lines and no sales; how many is said once lines are taken again. What is left when the process ends is
 * written before it is gone. Pino's own destination waits for such a reader for ever when the process ends.
 */
export function openLog(level: string, closers: Closers): Logger {
  // Asking for standard output makes a pipe one that refuses what it can't take, instead of keeping a thread of Node's.
  const lines = new LineWriter(process.stdout.fd, (lost) =>
    log.error(lost, 'lines of the log were lost: nothing took them'),
  )
  const log = pino({ level, redact: ['req.headers.authorization', 'req.headers.cookie'], mixin: logFields }, lines)
  closers.push(() => lines.close())
  process.once('exit', () => lines.end())
  return log
}

/** Whole lines that leave together. */
interface Piece {
  bytes: Buffer
  used: number
}

/**
 * Writes lines to a file, a pipe or a terminal; `write` never waits, and what can't be written is tried again. A line becomes
 * bytes at once: texts that wait would outlive the young part of the heap, which costs a call more than its line does.
 */
class LineWriter {
  readonly #fd: number
  readonly #onLost: (lost: Lost) => void
  /**
   * A pipe takes what it has room for, maybe half of it, at once. A thread that writes there could not say how much it was to
   * a process that ends meanwhile. Files and terminals may keep a writer waiting.
   */
  readonly #neverBlocks: boolean
  readonly #waiting: Piece[] = []
  #waitingBytes = 0
  /** One that has left, to be filled again. */
  #spare: Buffer | undefined
  /** The piece that is being written, and what is left of it. */
  #leaving: Buffer | undefined
  #rest: Buffer = Buffer.alloc(0)
  #state: 'idle' | 'gathering' | 'writing' | 'refused' = 'idle'
  #lost: Lost | undefined
  #endsAt: number | undefined

  constructor(fd: number, onLost: (lost: Lost) => void) {
    this.#fd = fd
    this.#onLost = onLost
    const output = fstatSync(fd)
    this.#neverBlocks = output.isFIFO() || output.isSocket()
  }

  write(line: string): void {
    const length = Buffer.byteLength(line)
    if (this.#waitingBytes + length > waitingAtMost) {
      this.#lost ??= { lines: 0, since: new Date().toISOString() }
      this.#lost.lines++
      return
    }
    const piece = this.#pieceFor(length)
    piece.used += piece.bytes.write(line, piece.used)
    this.#waitingBytes += length
    if (this.#state !== 'idle') return
    this.#state = 'gathering'
    setTimeout(() => this.#writeNext(), gatherMs)
  }

  /** The last piece that waits, or a new one where it has no room for so many bytes. */
  #pieceFor(length: number): Piece {
    const last = this.#waiting.at(-1)
    if (last && last.bytes.length - last.used >= length) return last
    const spare = length <= pieceBytes ? this.#spare : undefined
    if (spare) this.#spare = undefined
    const piece = { bytes: spare ?? Buffer.allocUnsafeSlow(Math.max(pieceBytes, length)), used: 0 }
    this.#waiting.push(piece)
    return piece
  }

  /** Resolves when everything is written, or the reader has had its time. */
  async close(): Promise<void> {
    const endsAt = this.#beginEnd()
    while (this.#state !== 'idle' && Date.now() < endsAt) await sleep(10)
  }

  /** Writes what is left of a process that has no event loop any more, as far as its reader takes it in time. */
  end(): void {
    const endsAt = this.#beginEnd()
    // A thread is about to write what is being written to a file, and is waited for by Node.
    const begun = this.#state === 'writing' ? [] : [this.#rest]
    let left = Buffer.concat([...begun, ...this.#waiting.map(({ bytes, used }) => bytes.subarray(0, used))])
    const pause = new Int32Array(new SharedArrayBuffer(4))
    while (left.length > 0) {
      try {
        left = left.subarray(writeSync(this.#fd, left))
      } catch {
        if (Date.now() >= endsAt) return
        Atomics.wait(pause, 0, 0, 10)
      }
    }
  }

  #beginEnd(): number {
    this.#endsAt ??= Date.now() + lastWaitMs
    return this.#endsAt
  }

  #writeNext(): void {
    this.#state = 'writing'
    if (this.#rest.length === 0) {
      if (this.#leaving?.length === pieceBytes) this.#spare = this.#leaving
      const piece = this.#waiting.shift()
      this.#leaving = piece?.bytes
      if (piece === undefined) {
        this.#state = 'idle'
        return
      }
      this.#rest = piece.bytes.subarray(0, piece.used)
      this.#waitingBytes -= piece.used
      this.#sayLost()
    }
    if (!this.#neverBlocks) {
      write(this.#fd, this.#rest, (error, written) => this.#resume(error ? undefined : written))
      return
    }
    let written: number | undefined
    try {
      written = writeSync(this.#fd, this.#rest)
    } catch {
      // A full pipe takes nothing now, and a full disk maybe later: it is tried again.
    }
    this.#resume(written)
  }

  /** Resumes after so many bytes were taken; undefined: it was refused. */
  #resume(written: number | undefined): void {
    if (written === undefined) {
      this.#state = 'refused'
      setTimeout(() => this.#writeNext(), retryMs).unref()
      return
    }
    this.#rest = this.#rest.subarray(written)
    this.#writeNext()
  }

  /** Waits until much has been taken, so that a reader that is only slow is not answered with a line for every line. */
  #sayLost(): void {
    const lost = this.#lost
    if (lost === undefined || this.#waitingBytes > waitingAtMost / 2) return
    this.#lost = undefined
    this.#onLost(lost)
  }
}
