import { writeSync } from 'node:fs'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openDatabaseLog } from './cluster.ts'

const tooLarge = 9 * 1024 * 1024
let folder: string
let path: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'olmos-log-'))
  path = join(folder, 'postgres.log')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

test('a log that has grown large is put aside at the start', async () => {
  await writeFile(path, 'x'.repeat(tooLarge))
  const log = await openDatabaseLog(path)
  expect((await stat(path)).size).toBe(0)
  expect((await stat(`${path}.old`)).size).toBe(tooLarge)
  await log.close()
})

test('a log that grows while PostgreSQL writes to it is put aside within a minute', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const log = await openDatabaseLog(path)
  writeSync(log.fd, 'x'.repeat(tooLarge))
  vi.advanceTimersByTime(60_000)
  await expect.poll(async () => (await stat(path)).size).toBe(0)
  writeSync(log.fd, 'next line')
  expect((await stat(path)).size).toBe(9)
  await log.close()
  vi.useRealTimers()
})

test('the last complaint of this start is found among other lines', async () => {
  await writeFile(path, 'FATAL:  an old story\n')
  const log = await openDatabaseLog(path)
  expect(await log.lastComplaint()).toBe('no reason given')
  writeSync(log.fd, 'LOG:  starting\nFATAL:  could not bind\nFATAL:  could not create any TCP/IP sockets\nLOG:  down\n')
  expect(await log.lastComplaint()).toBe('could not create any TCP/IP sockets')
  await log.close()
})
