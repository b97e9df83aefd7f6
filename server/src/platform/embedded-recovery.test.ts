import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ask, EmbeddedRuns, isAlive, kill, toUrl } from '../../test/embedded.ts'

let runs: EmbeddedRuns

beforeEach(async () => {
  runs = await EmbeddedRuns.create()
})
afterEach(() => runs.end())

test('after the server was killed the next start takes over from the PostgreSQL it left running', async () => {
  const server = runs.startServer()
  await ask(await toUrl(server), 'CREATE TABLE note AS SELECT 7 AS number')
  const orphan = await runs.postmasterPid()
  await kill(server)
  expect(isAlive(orphan)).toBe(true)

  const { url } = await runs.start()
  expect(await ask(url, 'SELECT number FROM note')).toEqual([7])
  expect(await runs.postmasterPid()).not.toBe(orphan)
})

test('after server and PostgreSQL were killed the next start recovers what was committed', async () => {
  const server = runs.startServer()
  await ask(await toUrl(server), 'CREATE TABLE note AS SELECT 7 AS number')
  const pid = await runs.postmasterPid()
  await kill(server)
  process.kill(pid, 'SIGKILL')

  const { url } = await runs.start()
  expect(await ask(url, 'SELECT number FROM note')).toEqual([7])
})

test('a process that got the number of a killed PostgreSQL is left alone and does not prevent the start', async () => {
  const { stop } = await runs.start()
  const cluster = join(runs.dataDir, 'postgres/cluster')
  const contents = await readFile(join(cluster, 'postmaster.pid'), 'utf8')
  await stop()
  // It runs as the database's own user, because PostgreSQL itself ignores processes of others.
  const bystander = spawn('sleep', ['60'], { uid: (await stat(cluster)).uid })
  try {
    await writeFile(join(cluster, 'postmaster.pid'), contents.replace(/^\d+/, String(bystander.pid)))
    const { url } = await runs.start()
    expect(await ask(url, 'SELECT 1')).toEqual([1])
    expect(bystander.exitCode).toBe(null)
  } finally {
    bystander.kill()
  }
})

test('PostgreSQL is started again, at the same address, when it dies', async () => {
  const { url } = await runs.start()
  await ask(url, 'CREATE TABLE note AS SELECT 7 AS number')
  process.kill(await runs.postmasterPid(), 'SIGKILL')
  await expect.poll(() => ask(url, 'SELECT number FROM note').catch(() => 'away'), { timeout: 15_000 }).toEqual([7])
})

test('a Ctrl-C in the terminal does not reach PostgreSQL before the server has drained', async () => {
  const server = runs.startServer()
  const url = await toUrl(server)
  const before = await runs.postmasterPid()
  process.kill(-(server.pid as number), 'SIGINT')
  await sleep(500)
  expect(await ask(url, 'SELECT 1')).toEqual([1])
  expect(await runs.postmasterPid()).toBe(before)
})

test('PostgreSQL ends with a server that gives up without stopping it', async () => {
  const server = runs.startServer()
  await toUrl(server)
  const pid = await runs.postmasterPid()
  const gone = once(server, 'exit')
  server.stdin?.write('exit')
  await gone
  await expect.poll(() => isAlive(pid), { timeout: 5_000 }).toBe(false)
})

test('a first start that was killed half way does not spoil the next', async () => {
  const folder = join(runs.dataDir, 'postgres')
  const server = runs.startServer()
  const hasBegun = async () => (await readdir(folder).catch(() => [])).some((name) => name.startsWith('new-'))
  await expect.poll(hasBegun, { interval: 5, timeout: 10_000 }).toBe(true)
  process.kill(-(server.pid as number), 'SIGKILL')
  await once(server, 'exit')
  expect(await readdir(folder)).not.toContain('cluster')

  const { url } = await runs.start()
  expect(await ask(url, 'SELECT 1')).toEqual([1])
  expect(await readdir(folder)).toEqual(['cluster', 'socket'])
})
