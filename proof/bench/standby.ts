import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chown, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Database } from '../../server/src/platform/database/database.ts'
import { sql } from '../../server/src/platform/database/queries.ts'
import { findBinaries, findPlace, runAs, superuser } from '../../server/src/platform/embedded/cluster.ts'
import { startEmbeddedPostgres } from '../../server/src/platform/embedded/embedded-postgres.ts'
import { freePort } from '../../server/src/platform/embedded/supervisor.ts'
import { endProcess, makeDataFolder } from '../process.ts'
import { type Store, storeOn } from './store.ts'

const followsWithinMs = 30_000

export interface ReplicatedStore extends Store {
  /** From now on every commit waits until the standby has applied it, which it does 5 ms late. */
  waitForStandby(): Promise<void>
}

/** A store whose PostgreSQL has a standby of its own on this machine. Its commits don't wait for it until they are told to. */
export async function makeReplicatedStore(): Promise<ReplicatedStore> {
  const dataDir = await makeDataFolder('bench-nodes')
  // There is no pg_basebackup: the standby is a copy of what a stopped PostgreSQL left.
  const empty = await startEmbeddedPostgres({ dataDir })
  await empty.stop()
  const place = await findPlace(dataDir)
  const folder = join(place.folder, 'standby')
  execFileSync('cp', ['-a', join(place.folder, 'cluster'), folder])
  const signal = join(folder, 'standby.signal')
  await writeFile(signal, '')
  if (place.user) await chown(signal, place.user.uid, place.user.gid)

  const primary = await startEmbeddedPostgres({ dataDir, settings: { synchronous_commit: 'remote_apply' } })
  const password = await readFile(join(dataDir, 'postgres-password'), 'utf8')
  const { postgres } = await findBinaries(place.user)
  const options = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    primary_conninfo: `host=127.0.0.1 port=${new URL(primary.url).port} user=${superuser} password=${password}`,
    recovery_min_apply_delay: '5ms',
    wal_receiver_status_interval: '1',
  }
  const settings = Object.entries(options).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const standby = spawn(postgres, ['-D', folder, '-p', String(await freePort()), ...settings], {
    ...runAs(place),
    stdio: 'ignore',
  })
  const store = storeOn(dataDir, primary)
  return {
    ...store,
    waitForStandby: () => requireStandby(primary.url, standby),
    async remove() {
      await endProcess(standby)
      await store.remove()
    },
  }
}

async function requireStandby(url: string, standby: ChildProcess): Promise<void> {
  const database = new Database({ url, connections: 1, onIdleError: () => {} })
  try {
    const deadline = performance.now() + followsWithinMs
    while (!(await database.maybe(sql`SELECT FROM pg_stat_replication WHERE state = 'streaming'`))) {
      if (performance.now() > deadline || standby.exitCode !== null) throw new Error('the standby does not follow')
      await sleep(100)
    }
    await database.run(sql`ALTER SYSTEM SET synchronous_standby_names = '*'`)
    await database.run(sql`SELECT pg_reload_conf()`)
  } finally {
    await database.close()
  }
}
