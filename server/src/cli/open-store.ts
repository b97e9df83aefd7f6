import type { Config } from '../config.ts'
import type { Closers } from '../platform/closing.ts'
import { Database } from '../platform/database.ts'
import { connectEmbeddedPostgres } from '../platform/embedded-connect.ts'

const connections = 4

/** The database of the store: at DATABASE_URL, or in DATA_DIR, whether the store runs or not. */
export async function openStore(config: Config, closers: Closers): Promise<Database> {
  const embedded = config.databaseUrl ? undefined : await connectEmbeddedPostgres(config.dataDir)
  if (embedded) closers.push(() => embedded.stop())
  // A command needs no pooler: it is one process, and some of what it does wants a session.
  const url = config.databaseDirectUrl ?? config.databaseUrl ?? (embedded?.url as string)
  const database = new Database({ url, connections, onIdleError: () => {} })
  closers.push(() => database.close())
  return database
}
