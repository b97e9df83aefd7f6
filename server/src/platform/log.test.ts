import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { UnreadPipe } from '../../test/unread-pipe.ts'

/**
 * A process that logs what it is asked to, in lines of a kilobyte and numbered from 0, and says how much memory it has then. It
 * ends as the store does, or at once.
 */
const program = `
  const { openLog } = await import(${JSON.stringify(import.meta.resolve('./process.ts'))})
  const closers = []
  const log = openLog('info', closers)
  const filler = 'x'.repeat(900)
  let n = 0
  process.on('message', async ({ lines = 0, end }) => {
    for (let written = 0; written < lines; written++) log.info({ n: n++, filler }, 'a line')
    if (end === 'at once') process.exit(0)
    if (end === 'in order') {
      for (const close of closers.reverse()) await close()
      process.exit(0)
    }
    gc()
    const { heapUsed, external } = process.memoryUsage()
    process.send({ bytes: heapUsed + external })
  })
  process.send('open')`

async function startLogging(output: number) {
  const logging = spawn(process.execPath, ['--expose-gc', '--input-type=module', '-e', program], {
    stdio: ['ignore', output, 'inherit', 'ipc'],
  })
  onTestFinished(() => void logging.kill('SIGKILL'))
  await once(logging, 'message')
  return {
    /** Lets it write, and waits for nothing. */
    begin: (lines: number) => void logging.send({ lines }),
    /** Returns how much memory it has afterwards. */
    async write(lines: number): Promise<number> {
      logging.send({ lines })
      const [{ bytes }] = await once(logging, 'message')
      return bytes
    },
    /** Returns the exit code, and how long it took. */
    async end(end: 'at once' | 'in order', { lines = 0, whileEnding = () => {} } = {}) {
      const began = performance.now()
      logging.send({ lines, end })
      while (logging.exitCode === null && logging.signalCode === null) {
        whileEnding()
        await setImmediate()
      }
      return { code: logging.exitCode, ms: performance.now() - began }
    },
  }
}

let pipe: UnreadPipe
beforeEach(() => {
  pipe = new UnreadPipe()
})
afterEach(() => pipe.close())

const numbers = () => pipe.lines.flatMap(({ n }) => (typeof n === 'number' ? [n] : []))
const upTo = (count: number, from = 0) => Array.from({ length: count }, (_, index) => from + index)
const ends = ['at once', 'in order'] as const

test('a reader that is stuck costs lines, which are counted once it reads again, and no memory', async () => {
  const { write } = await startLogging(pipe.input)
  const total = 60_000
  const before = await write(1)
  const after = await write(total - 1)
  expect(after - before).toBeLessThan(24 * 1024 * 1024)

  await pipe.readUntil((lines) => lines.at(-1)?.lines !== undefined || lines.length === total)
  const { lines: lost, since, ...said } = pipe.lines.find(({ n }) => n === undefined) ?? {}
  expect(said).toMatchObject({ level: 50, msg: 'lines of the log were lost: nothing took them' })
  expect(Number.isNaN(Date.parse(String(since)))).toBe(false)
  expect(lost).toBeGreaterThan(total / 2)
  // What waited comes first, without a gap, and lines are taken again after it.
  await write(10)
  await pipe.readUntil((lines) => lines.at(-1)?.n === total + 9)
  expect(numbers()).toEqual([...upTo(total - Number(lost)), ...upTo(10, total)])
  expect(pipe.lines).toHaveLength(total - Number(lost) + 1 + 10)
})

test('nothing is lost while less waits than may', async () => {
  const { write } = await startLogging(pipe.input)
  await write(3_000)
  await pipe.readUntil((lines) => lines.length >= 3_000)
  expect(pipe.lines.map(({ n }) => n)).toEqual(upTo(3_000))
})

test.each(ends)('what is left is written before the process is gone, %s', async (how) => {
  const { end } = await startLogging(pipe.input)
  expect((await end(how, { lines: 500, whileEnding: () => pipe.read() })).code).toBe(0)
  pipe.read()
  // One that ends at once leaves its first line to a thread.
  expect(numbers().toSorted((one, other) => one - other)).toEqual(upTo(500))
})

test('lines that come while others leave stay whole and in order', async () => {
  const { write } = await startLogging(pipe.input)
  const [rounds, perRound] = [40, 250]
  for (let round = 1; round <= rounds; round++) {
    await write(perRound)
    // Some of what waits is taken, never all of it, so that what is filled again lies beside what is not written yet.
    await pipe.readUntil((lines) => lines.length > (round - 1) * perRound)
  }
  await pipe.readUntil((lines) => lines.length >= rounds * perRound)
  expect(pipe.lines.map(({ n }) => n)).toEqual(upTo(rounds * perRound))
})

test('a process that ends at once while it writes leaves each line whole, and once', async () => {
  for (let round = 0; round < 5; round++) {
    const own = new UnreadPipe()
    const { begin, end } = await startLogging(own.input)
    begin(2_000)
    await own.readUntil((lines) => lines.length > round * 200)
    expect((await end('at once', { whileEnding: () => own.read() })).code).toBe(0)
    own.read()
    expect(own.lines.map(({ n }) => Number(n)).toSorted((one, other) => one - other)).toEqual(upTo(2_000))
    own.close()
  }
})

test('what a stuck reader has taken half of is written on when the process ends at once', async () => {
  const { write, end } = await startLogging(pipe.input)
  await write(500)
  expect((await end('at once', { lines: 1, whileEnding: () => pipe.read() })).code).toBe(0)
  pipe.read()
  expect(numbers()).toEqual(upTo(501))
})

test.each(ends)('a reader that stays stuck keeps no process, %s', async (how) => {
  const { end } = await startLogging(pipe.input)
  const { code, ms } = await end(how, { lines: 500 })
  expect(code).toBe(0)
  expect(ms).toBeLessThan(15_000)
})

test('a full disk, and a pipe whose reader has gone, end no process', async () => {
  const gone = new UnreadPipe()
  const full = openSync('/dev/full', 'w')
  const logging = await Promise.all([gone.input, full].map(startLogging))
  gone.close()
  closeSync(full)
  for (const { write, end } of logging) {
    await write(100)
    await write(100)
    expect((await end('in order')).code).toBe(0)
  }
})
