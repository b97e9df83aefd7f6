import { randomBytes } from 'node:crypto'
import { migrate } from '../server/src/platform/database/migrate.ts'
import { freePort } from '../server/src/platform/embedded/supervisor.ts'
import type { Closers } from '../server/src/platform/process.ts'
import { type DatabaseServer, startDatabaseServer } from './database-server.ts'
import { launchServer, type ServerProcess } from './server-process.ts'

/** A migrated PostgreSQL, and what servers need to open a store on it. */
export interface Ground {
  postgres: DatabaseServer
  /** Where the servers reach it. */
  url: string
  secretKey: Buffer
}

/** Whatever it starts is in `closers` first. */
export async function openGround(
  closers: Closers,
  settings?: Record<string, string>,
  folder?: string,
): Promise<Ground> {
  const postgres = await startDatabaseServer(settings, folder)
  closers.push(() => postgres.stop())
  await migrate(postgres.url)
  return { postgres, url: postgres.serverUrl, secretKey: randomBytes(32) }
}

/** Opens a server on a port of its own, of another checkout at times. Whatever it starts is in `closers` first. */
export async function openServer(
  {
    postgres,
    url,
    secretKey,
  }: Pick<Ground, 'url' | 'secretKey'> & {
    postgres: Pick<DatabaseServer, 'url' | 'folder'>
  },
  closers: Closers,
  settings: Record<string, string>,
  main?: string,
): Promise<ServerProcess> {
  const env = {
    DATABASE_URL: url,
    DATABASE_DIRECT_URL: postgres.url,
    SECRET_KEY: secretKey.toString('hex'),
    DEMO: 'off',
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'warn',
    ...settings,
  }
  const server = launchServer({ port: await freePort(), folder: postgres.folder, env, main })
  closers.push(() => server.stop())
  await server.untilOpen()
  return server
}
