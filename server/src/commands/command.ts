import type { Config } from '../config.ts'
import { createSuppliers } from '../modules/topups/suppliers.ts'
import { systemClock } from '../platform/context.ts'
import { Database } from '../platform/database/database.ts'
import { connectEmbeddedPostgres } from '../platform/embedded/embedded-postgres.ts'
import { type Closers, StartupError } from '../platform/process.ts'
import { keepSecretKey, Vault } from '../platform/security/vault.ts'

/** What every command has. */
interface Surroundings {
  /** Run at the end of the process, in reverse. */
  closers: Closers
  print(line: string): void
  /** Replaces the previous line on a terminal. */
  progress(line: string): void
}

/** What a command works on that needs the store's database. */
export interface Terminal extends Surroundings {
  config: Config
  database: Database
  /** The database's own address, for what needs a session. */
  url: string
}

/** What a command works on that opens by itself what it needs. */
interface Alone extends Surroundings {
  environment: NodeJS.ProcessEnv
}

/** The options of all commands, as they are parsed. */
export const knownOptions = {
  before: { type: 'string' },
  day: { type: 'string' },
  into: { type: 'string' },
  json: { type: 'boolean' },
  margin: { type: 'string' },
  show: { type: 'string' },
  to: { type: 'string' },
  verify: { type: 'boolean' },
} as const
type Options = {
  [Name in keyof typeof knownOptions]?:
    | ((typeof knownOptions)[Name]['type'] extends 'boolean' ? boolean : string)
    | undefined
}

interface About {
  /** One line of the list of commands. */
  summary: string
  /** What `COMMAND --help` says beyond that, a line each. */
  details?: readonly string[]
  /** The help's name for its one argument, if it has one. */
  argument?: string
  /** The options it takes, as the help shows them; a command that names none refuses them. */
  options?: string
  /** It never ends by itself, so that a signal ends it with 0. */
  runsUntilEnded?: boolean
}

/** A command; what runs it resolves to the exit code: 0 when all is well, 1 when there is something to mend. */
export type Command = About &
  (
    | { run(terminal: Terminal, argument: string, options: Options): Promise<number> }
    | { runAlone(surroundings: Alone, argument: string, options: Options): Promise<number> }
  )

/** A command was called in a way it does not understand; the exit code is 2. */
export class UsageError extends StartupError {
  override name = 'UsageError'
}

export const openVault = async ({ secretKey, dataDir }: Config, database: Database) =>
  Vault.open(database, secretKey ?? (await keepSecretKey(dataDir)))

/** Makes the suppliers as the store has them, typed accounts included, to be asked and not to be bought from: no rate is known. */
export async function openSuppliers(
  { suppliers: chosen, supplierSettings: given, publicUrl }: Config,
  deps: { database: Database; vault: Vault; log: { error(told: object): void } },
) {
  const rateToBuyBy = async () => undefined
  const log = deps.log as never
  const suppliers = createSuppliers({ chosen, given }, { ...deps, log, publicUrl, clock: systemClock, rateToBuyBy })
  await suppliers.renew()
  return suppliers
}

const connections = 4

/** Opens the database of the store: at DATABASE_URL, or in DATA_DIR, whether the store runs or not. */
export async function openStore(config: Config, closers: Closers): Promise<Pick<Terminal, 'database' | 'url'>> {
  const embedded = config.databaseUrl ? undefined : await connectEmbeddedPostgres(config.dataDir)
  if (embedded) closers.push(() => embedded.stop())
  // A command needs no pooler: it is one process, and some of its work needs a session.
  const url = config.databaseDirectUrl ?? config.databaseUrl ?? (embedded?.url as string)
  const database = new Database({ url, connections, onIdleError: () => {} })
  closers.push(() => database.close())
  return { database, url }
}
