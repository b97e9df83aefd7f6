import { execFileSync } from 'node:child_process'
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'

type LogLine = Record<string, unknown>

const noBytes = Buffer.alloc(0)
/** More than a pipe has room for. */
const room = Buffer.alloc(1024 * 1024)
/** What the store prints beside its log when it opens. */
const printed = /^(?:Olmos is open at|Log in as) /

/** A pipe for the log of a process that is read only when a test asks for it, as by a reader that is stuck. */
export class UnreadPipe {
  /** The end to write into. */
  readonly input: number
  readonly #output: number
  #rest = noBytes
  /** Every line that was read; one that is not whole can't be parsed, and fails the test. */
  readonly lines: LogLine[] = []

  constructor() {
    const folder = mkdtempSync(join(tmpdir(), 'olmos-pipe-'))
    const path = join(folder, 'pipe')
    // Node makes sockets where it says pipe, and a shell would have a reader at once.
    execFileSync('mkfifo', [path])
    this.#output = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
    this.input = openSync(path, constants.O_WRONLY)
    rmSync(folder, { recursive: true })
  }

  /** Takes what lies in it at this moment. Returns the number of bytes. */
  read(): number {
    const taken = this.#take()
    const text = Buffer.concat([this.#rest, taken])
    const end = text.lastIndexOf('\n') + 1
    this.#rest = text.subarray(end)
    for (const line of text.toString('utf8', 0, end).split('\n').slice(0, -1))
      if (!printed.test(line)) this.lines.push(JSON.parse(line))
    return taken.length
  }

  /** Reads until the lines are as wanted. */
  async readUntil(isEnough: (lines: readonly LogLine[]) => boolean, withinMs = 30_000): Promise<void> {
    const until = performance.now() + withinMs
    while (!isEnough(this.lines)) {
      if (performance.now() > until) throw new Error(`There are only ${this.lines.length} lines.`)
      this.read()
      await setImmediate()
    }
  }

  close(): void {
    closeSync(this.#output)
    closeSync(this.input)
  }

  #take(): Buffer {
    try {
      return Buffer.from(room.subarray(0, readSync(this.#output, room)))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return noBytes
      throw error
    }
  }
}
