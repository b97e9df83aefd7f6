import { write, writeSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Logger, pino } from 'pino'
import type { Closers } from '../process.ts'
import { logFields } from './tracing.ts'

/** So many characters wait for a reader that is slow or stuck; lines that come after them are lost. */
const waitingAtMost = 8 * 1024 * 1024
/** Lines that wait leave in pieces of this size, the largest that Docker takes as one. */
const pieceChars = 16 * 1024
const retryMs = 20
/** The end of the process waits so long for the reader. */
const lastWaitMs = 2_000

interface Lost {
  lines: number
  since: string
}

/**
 * Opens the log: lines of JSON on standard output. Lines that come while others are being written leave together, because
 * one write each was a tenth of what a call costs. A reader that is stuck, a pipe without one and a full disk cost lines and
 * no sales; how many is said once lines are taken again. What is left when the process ends is written before it is gone.
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

/** Writes lines to a file, a pipe or a terminal; `write` never waits, and what can't be written is tried again. */
class LineWriter {
  readonly #fd: number
  readonly #onLost: (lost: Lost) => void
  /** Whole lines, put together to pieces, and how many characters they have. */
  readonly #waiting: string[] = []
  #waitingChars = 0
  /** What is left of the piece that is being written. */
  #rest: Buffer = Buffer.alloc(0)
  #state: 'idle' | 'writing' | 'refused' = 'idle'
  #lost: Lost | undefined
  #endsAt: number | undefined

  constructor(fd: number, onLost: (lost: Lost) => void) {
    this.#fd = fd
    this.#onLost = onLost
  }

  write(line: string): void {
    if (this.#waitingChars + line.length > waitingAtMost) {
      this.#lost ??= { lines: 0, since: new Date().toISOString() }
      this.#lost.lines++
      return
    }
    const last = this.#waiting.length - 1
    const begun = this.#waiting[last]
    if (begun === undefined || begun.length + line.length > pieceChars) this.#waiting.push(line)
    else this.#waiting[last] = begun + line
    this.#waitingChars += line.length
    if (this.#state === 'idle') this.#writeNext()
  }

  /** Resolves when everything is written, or the reader has had its time. */
  async close(): Promise<void> {
    const endsAt = this.#beginEnd()
    while (this.#state !== 'idle' && Date.now() < endsAt) await sleep(10)
  }

  /** Writes what is left of a process that has no event loop any more, as far as its reader takes it in time. */
  end(): void {
    const endsAt = this.#beginEnd()
    // A thread is about to write what is being written, and is waited for by Node.
    const begun = this.#state === 'writing' ? [] : [this.#rest]
    let left = Buffer.concat([...begun, ...this.#waiting.map((piece) => Buffer.from(piece))])
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
      const piece = this.#waiting.shift()
      if (piece === undefined) {
        this.#state = 'idle'
        return
      }
      this.#rest = Buffer.from(piece)
      this.#waitingChars -= piece.length
      this.#sayLost()
    }
    write(this.#fd, this.#rest, (error, written) => {
      if (error) {
        this.#state = 'refused'
        setTimeout(() => this.#writeNext(), retryMs).unref()
        return
      }
      this.#rest = this.#rest.subarray(written)
      this.#writeNext()
    })
  }

  /** Waits until much has been taken, so that a reader that is only slow is not answered with a line for every line. */
  #sayLost(): void {
    const lost = this.#lost
    if (lost === undefined || this.#waitingChars > waitingAtMost / 2) return
    this.#lost = undefined
    this.#onLost(lost)
  }
}
