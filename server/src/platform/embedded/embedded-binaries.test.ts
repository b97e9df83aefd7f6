import { execFileSync } from 'node:child_process'
import { chmod, cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findBinaries, installedFolder } from './cluster.ts'

const isRoot = process.getuid?.() === 0
const nobody = { uid: 65534, gid: 65534 }
let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'olmos-binaries-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

test('an ordinary user runs what npm installed', async () => {
  const { postgres, version } = await findBinaries(undefined)
  expect(postgres).toBe(join(installedFolder(), 'bin/postgres'))
  expect(version).toMatch(/^\d+\.\d+$/)
})

test.runIf(isRoot)('what the database user cannot reach is copied, whole, to where he can', async () => {
  await chmod(folder, 0o755)
  const closed = join(folder, 'closed')
  await cp(installedFolder(), join(closed, 'native'), { recursive: true, verbatimSymlinks: true })
  await chmod(closed, 0o700)
  const reachable = join(folder, 'reachable')

  const { postgres, initdb, version } = await findBinaries(nobody, join(closed, 'native'), reachable)
  expect(await readdir(reachable)).toEqual([`postgresql-${version}`])
  for (const program of [postgres, initdb]) {
    expect(execFileSync(program, ['--version'], { ...nobody, cwd: '/', encoding: 'utf8' })).toContain(version)
  }
  const share = join(reachable, `postgresql-${version}`, 'share/postgresql')
  expect(execFileSync('ls', [share], { ...nobody, cwd: '/', encoding: 'utf8' })).toContain('postgres.bki')
})

test('a PostgreSQL that does not run here is refused', async () => {
  await expect(findBinaries(undefined, folder)).rejects.toThrow('does not run on this machine')
})
