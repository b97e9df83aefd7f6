import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { migrate } from '../src/platform/database/migrate.ts'
import { startEmbeddedPostgres } from '../src/platform/embedded/embedded-postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The superuser's connection to the PostgreSQL of this run. */
    adminUrl: string
  }
}

// The data is thrown away, so it may skip what only a power cut needs.
const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '200' }

/** Starts one PostgreSQL for the whole run, with the migrated database that each test file clones. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'olmos-test-'))
  // Under root the database runs as another user, who must be able to enter.
  await chmod(dataDir, 0o711)
  const postgres = await startEmbeddedPostgres({ dataDir, settings })
  const end = async () => {
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
  try {
    await makeTemplate(postgres.url)
  } catch (error) {
    await end()
    throw error
  }
  project.provide('adminUrl', postgres.url)
  return end
}

async function makeTemplate(adminUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  await client.query('CREATE DATABASE olmos_template')
  await client.end()
  const url = new URL(adminUrl)
  url.pathname = '/olmos_template'
  await migrate(url.href)
}
