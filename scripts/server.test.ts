import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

/** Says who it is and what it was told, and takes a moment to end, as the server does. */
const server = `
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => { console.log(signal); setTimeout(() => process.exit(7), 200) })
  process.once('disconnect', () => process.exit(8))
  setInterval(() => {}, 1000)
  console.log('server ' + process.pid)`

let folder: string
let launcher: ChildProcess
let output: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'olmos-launcher-'))
  const entry = join(folder, 'server.mjs')
  await writeFile(entry, server)
  const launch = `
    const { runServer } = await import(${JSON.stringify(import.meta.resolve('./server.mjs'))})
    process.exitCode = await runServer({ entry: process.argv[1] })`
  launcher = spawn(process.execPath, ['--input-type=module', '-e', launch, entry], {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  output = ''
  launcher.stdout?.on('data', (text) => {
    output += text
  })
  await expect.poll(() => output, { timeout: 5_000 }).toContain('server')
})

afterEach(async () => {
  launcher.kill('SIGKILL')
  if (isAlive(serverPid())) process.kill(serverPid(), 'SIGKILL')
  await rm(folder, { recursive: true, force: true })
})

const serverPid = () => Number(output.match(/server (\d+)/)?.[1])

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test.each(['SIGINT', 'SIGTERM'] as const)(
  'the server is told of a %s, and its exit code is passed on',
  async (signal) => {
    const gone = once(launcher, 'close')
    launcher.kill(signal)
    expect(await gone).toEqual([7, null])
    expect(output).toContain(signal)
  },
)

test('a Ctrl-C in the terminal, which reaches both, ends both', async () => {
  const gone = once(launcher, 'close')
  process.kill(-(launcher.pid as number), 'SIGINT')
  expect(await gone).toEqual([7, null])
})

test('the server ends when its launcher is killed', async () => {
  const pid = serverPid()
  launcher.kill('SIGKILL')
  await expect.poll(() => isAlive(pid), { timeout: 5_000 }).toBe(false)
})

test('a server killed by a signal is not taken for a good end', async () => {
  const gone = once(launcher, 'close')
  process.kill(serverPid(), 'SIGKILL')
  expect(await gone).toEqual([137, null])
})
