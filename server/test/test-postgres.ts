import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { migrate } from '../src/platform/database/migrate.ts'
import { startEmbeddedPostgres } from '../src/platform/embedded/embedded-postgres.ts'

export interface TestPostgres {
  /** The superuser's connection. */
  adminUrl: string
  /** A migrated database, to be cloned or only looked at. */
  templateUrl: string
  stop(): Promise<void>
}

// The data is thrown away, so it may skip what only a power cut needs.
const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '200' }

export async function startTestPostgres(): Promise<TestPostgres> {
  const dataDir = await mkdtemp(join(tmpdir(), 'olmos-test-'))
  // As root the database runs as another user, who must be able to enter.
  await chmod(dataDir, 0o711)
  const postgres = await startEmbeddedPostgres({ dataDir, settings })
  const stop = async () => {
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
  try {
    return { adminUrl: postgres.url, templateUrl: await makeTemplate(postgres.url), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function makeTemplate(adminUrl: string): Promise<string> {
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  await client.query('CREATE DATABASE olmos_template')
  await client.end()
  const url = new URL(adminUrl)
  url.pathname = '/olmos_template'
  await migrate(url.href)
  return url.href
}
