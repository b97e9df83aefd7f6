import { execFileSync } from 'node:child_process'
import { chmod, cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { StartupError } from '../process.ts'
import { findBinaries, installedFolder } from './cluster.ts'
import { findPostgres } from './embedded-postgres.ts'

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

describe('who looks into a backup of release 18', () => {
  const installed = () => join(folder, 'usr/lib/postgresql/18/bin/postgres')
  const none = () => Promise.reject(new StartupError('a release brings no PostgreSQL'))
  const brought = (version: string) => () => Promise.resolve({ postgres: '/ours', initdb: '', version })
  const look = (isEmbedded: boolean, find: () => Promise<{ postgres: string; initdb: string; version: string }>) =>
    findPostgres('18', { user: undefined }, isEmbedded, { machine: folder, find })
  const install = async () => {
    await mkdir(dirname(installed()), { recursive: true })
    await writeFile(installed(), '')
  }

  test("the machine's, where it is installed, unless the database was the embedded one", async () => {
    await install()
    expect(await look(false, brought('18.4'))).toBe(installed())
    expect(await look(true, brought('18.4'))).toBe('/ours')
  })

  test("the machine's for an embedded database, too, where none comes along or one of another release", async () => {
    await install()
    expect(await look(true, none)).toBe(installed())
    expect(await look(true, brought('19.0'))).toBe(installed())
  })

  test.each([true, false])('a sentence says what to install where there is none (embedded: %s)', async (isEmbedded) => {
    await expect(look(isEmbedded, none)).rejects.toThrow('in Debian postgresql-18')
    await expect(look(isEmbedded, brought('19.0'))).rejects.toThrow('in Debian postgresql-18')
  })
})
