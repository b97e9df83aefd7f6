import { access, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { type EmbeddedPostgres, embeddedUrls, startEmbeddedPostgres } from './embedded-postgres.ts'
import { StartupError } from './startup-error.ts'

/**
 * The PostgreSQL of the store in `dataDir`, for a command beside it: the one that runs there, or one that is started
 * and, by `stop`, ended again. Refuses a `dataDir` without a store.
 */
export async function connectEmbeddedPostgres(dataDir: string): Promise<EmbeddedPostgres> {
  await access(join(dataDir, 'postgres')).catch(() => {
    throw new StartupError(
      `There is no store in DATA_DIR ${dataDir}; set DATA_DIR or DATABASE_URL to the one you mean.`,
    )
  })
  const running = await runningUrls(dataDir)
  if (running !== undefined && (await answers(running.url))) return { ...running, stop: async () => {} }
  return startEmbeddedPostgres({ dataDir })
}

/** As the PostgreSQL that runs, or that ran last and was killed, has written down. */
async function runningUrls(dataDir: string) {
  try {
    const [, , , port] = (await readFile(join(dataDir, 'postgres/cluster/postmaster.pid'), 'utf8')).split('\n')
    return embeddedUrls(await readFile(join(dataDir, 'postgres-password'), 'utf8'), Number(port))
  } catch {
    return undefined
  }
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.end()
    return true
  } catch {
    return false
  }
}
