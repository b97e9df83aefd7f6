import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { requirePrograms } from './patroni-cluster.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'olmos-programs-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function install(...paths: string[]): Promise<void> {
  for (const path of paths) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), '')
  }
}

test('a machine that lacks programs or rights is told in one sentence what to do', async () => {
  expect(() => requirePrograms(folder, 0)).toThrow(
    'A failover needs programs of Debian that are not here: apt-get install patroni etcd-server haproxy postgresql iproute2.',
  )
  await install('usr/bin/patroni', 'usr/bin/etcd', 'usr/sbin/ip', 'usr/lib/postgresql/15/bin/postgres')
  expect(() => requirePrograms(folder, 0)).toThrow(/: apt-get install haproxy\.$/)
  await install('usr/sbin/haproxy', 'usr/lib/postgresql/17/bin/postgres')
  expect(() => requirePrograms(folder, 1_000)).toThrow(/needs root/)
  expect(requirePrograms(folder, 0)).toBe(join(folder, 'usr/lib/postgresql/17/bin'))
})
