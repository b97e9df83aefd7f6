import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, lstat, readlink, stat, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ask, EmbeddedRuns, nobody, toUrl } from '../../../test/embedded.ts'

const isRoot = process.getuid?.() === 0
const nobodyReachesThisClone =
  isRoot && spawnSync(process.execPath, ['--version'], { ...nobody, cwd: '/' }).status === 0

let runs: EmbeddedRuns

beforeEach(async () => {
  runs = await EmbeddedRuns.create()
})
afterEach(() => runs.end())

test.runIf(isRoot)('as root, under a folder others can enter, the data stays in DATA_DIR', async () => {
  await runs.start()
  const made = await lstat(join(runs.dataDir, 'postgres'))
  expect(made.isDirectory()).toBe(true)
  expect(made.uid).not.toBe(0)
})

test.runIf(isRoot)('as root, under a folder others cannot enter, the data lives where they can', async () => {
  await chmod(runs.folder, 0o700)
  const first = await runs.start()
  await ask(first.url, 'CREATE TABLE note AS SELECT 7 AS number')
  await first.stop()
  const elsewhere = await readlink(join(runs.dataDir, 'postgres'))
  expect(elsewhere.startsWith('/var/lib/olmos/')).toBe(true)
  expect((await stat(join(elsewhere, 'cluster'))).mode & 0o777).toBe(0o700)

  const second = await runs.start()
  expect(await ask(second.url, 'SELECT number FROM note')).toEqual([7])
})

test.runIf(isRoot)('root runs the data of an ordinary user as that user', async () => {
  const { uid, gid } = nobody
  await chmod(runs.dataDir, 0o777)
  spawnSync('mkdir', ['-m', '700', join(runs.dataDir, 'postgres')], { uid, gid })
  const { url } = await runs.start()
  expect(await ask(url, 'SELECT 1')).toEqual([1])
  expect((await stat(join(runs.dataDir, 'postgres/cluster'))).uid).toBe(uid)
})

test.runIf(nobodyReachesThisClone)('an ordinary user runs it himself', async () => {
  await chmod(runs.dataDir, 0o777)
  const server = runs.startServer(nobody)
  expect(await ask(await toUrl(server), 'SELECT 1')).toEqual([1])
  expect((await stat(join(runs.dataDir, 'postgres/cluster'))).uid).toBe(nobody.uid)
  const gone = once(server, 'exit')
  server.stdin?.write('stop')
  expect(await gone).toEqual([0, null])
})

test('a link to data that is gone is refused rather than taken for a new store', async () => {
  await symlink(join(runs.folder, 'unmounted'), join(runs.dataDir, 'postgres'))
  await expect(runs.start()).rejects.toThrow(/leads to a folder that is gone/)
})
