import type { Config } from '../config.ts'
import type { Closers } from '../platform/closing.ts'
import { Database } from '../platform/database/database.ts'
import { connectEmbeddedPostgres } from '../platform/embedded/embedded-postgres.ts'

/** What a command works on and prints to. */
interface Terminal {
  config: Config
  database: Database
  print(line: string): void
  /** Replaces the previous line on a terminal. */
  progress(line: string): void
}

export interface Command {
  /** One line of the help. */
  summary: string
  /** The help's name for its one argument, if it has one. */
  argument?: string
  /** Resolves to the exit code. */
  run(terminal: Terminal, argument: string): Promise<number>
}

const connections = 4

/** Opens the database of the store: at DATABASE_URL, or in DATA_DIR, whether the store runs or not. */
export async function openStore(config: Config, closers: Closers): Promise<Database> {
  const embedded = config.databaseUrl ? undefined : await connectEmbeddedPostgres(config.dataDir)
  if (embedded) closers.push(() => embedded.stop())
  // A command needs no pooler: it is one process, and some of its work needs a session.
  const url = config.databaseDirectUrl ?? config.databaseUrl ?? (embedded?.url as string)
  const database = new Database({ url, connections, onIdleError: () => {} })
  closers.push(() => database.close())
  return database
}
