import { mkdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ask, EmbeddedRuns, isAlive } from '../../../test/embedded.ts'
import { StartupError } from '../process.ts'

let runs: EmbeddedRuns

beforeEach(async () => {
  runs = await EmbeddedRuns.create()
})
afterEach(() => runs.end())

test('the second start finds the data of the first', async () => {
  const dataDir = join(runs.dataDir, 'made/by/the/start')
  const first = await runs.start(dataDir)
  await ask(first.url, 'CREATE TABLE note AS SELECT 7 AS number')
  await first.stop()
  const second = await runs.start(dataDir)
  expect(await ask(second.url, 'SELECT number FROM note')).toEqual([7])
})

test('it keeps what it has promised to keep, on this machine only', async () => {
  const { url } = await runs.start()
  const names = ['fsync', 'synchronous_commit', 'full_page_writes', 'data_checksums', 'listen_addresses']
  const asked = await Promise.all(names.map((name) => ask(url, `SHOW ${name}`)))
  expect(asked.flat()).toEqual(['on', 'on', 'on', 'on', '127.0.0.1'])
  expect((await stat(join(runs.dataDir, 'postgres-password'))).mode & 0o777).toBe(0o600)
  await expect(ask(url.replace(/:[^:@]+@/, ':guess@'), 'SELECT 1')).rejects.toThrow('password authentication failed')
})

test.runIf(process.platform !== 'win32')('a store comes by a socket file that strangers cannot enter', async () => {
  const { nearUrl } = await runs.start()
  expect(await ask(nearUrl, 'SELECT inet_client_addr(), current_user')).toEqual([null, 'olmos_server'])
  expect((await stat(join(runs.dataDir, 'postgres/socket'))).mode & 0o777).toBe(0o700)
  await expect(ask(nearUrl.replace(/:[^:@]+@/, ':guess@'), 'SELECT 1')).rejects.toThrow(
    'password authentication failed',
  )
})

test('and by TCP where the path is too long for one', async () => {
  const { nearUrl, serverUrl } = await runs.start(join(runs.dataDir, 'x'.repeat(100)))
  expect(nearUrl).toBe(serverUrl)
  expect(await ask(nearUrl, 'SELECT current_user')).toEqual(['olmos_server'])
})

test('letters know their case in every language of the store', async () => {
  const { url } = await runs.start()
  expect(await ask(url, `SELECT lower('ЁЖИК'), upper('oʻzbek')`)).toEqual(['ёжик', 'OʻZBEK'])
})

test('stop ends PostgreSQL', async () => {
  const { stop } = await runs.start()
  const pid = await runs.postmasterPid()
  await stop()
  expect(isAlive(pid)).toBe(false)
})

test('a DATA_DIR in use by another run is refused', async () => {
  const { url } = await runs.start()
  await expect(runs.start()).rejects.toThrow(
    new StartupError(
      `DATA_DIR ${runs.dataDir} is in use by another run of Olmos; stop that one or set another DATA_DIR.`,
    ),
  )
  expect(await ask(url, 'SELECT 1')).toEqual([1])
})

test('data of another PostgreSQL release is refused', async () => {
  await mkdir(join(runs.dataDir, 'postgres/cluster'), { recursive: true })
  await writeFile(join(runs.dataDir, 'postgres/cluster/PG_VERSION'), '17\n')
  await expect(runs.start()).rejects.toThrow(
    /written by PostgreSQL 17, and this Olmos brings 18\.\d+; restore a backup/,
  )
})

test('a DATA_DIR that cannot be made is refused', async () => {
  await writeFile(join(runs.dataDir, 'file'), '')
  await expect(runs.start(join(runs.dataDir, 'file/inside'))).rejects.toThrow(StartupError)
})
