import { type ChildProcess, spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import {
  access,
  chmod,
  chown,
  constants,
  mkdir,
  mkdtemp,
  open,
  readFile,
  realpath,
  rm,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { StartupError } from '../process.ts'
import {
  type Cluster,
  defaultSettings,
  findBinaries,
  findPlace,
  keepPassword,
  makeCluster,
  openDatabaseLog,
  type Place,
  runAs,
  type Settings,
  superuser,
} from './cluster.ts'
import { keepRunning, lockFolder, stopOrphan, superuserClient } from './supervisor.ts'

interface EmbeddedPostgres {
  /** The address for the owner, who may do everything: for migrations, the job queue and commands. */
  url: string
  /** The address for the role of the store's own statements, which reads and writes rows and owns nothing. */
  serverUrl: string
  /** It leads a store on this machine to the same by a socket file where there is one, which costs less than TCP. */
  nearUrl: string
  stop(): Promise<void>
}

interface EmbeddedPostgresOptions {
  dataDir: string
  /** Overrides of the default settings; a test may turn fsync off. */
  settings?: Settings
  log?: (line: string) => void
}

const database = 'olmos'

const server = 'olmos_server'

/** It is derived from the owner's, so that there is one secret to keep. */
const serverPassword = (password: string): string =>
  createHmac('sha256', password).update('server role').digest('base64url')

function embeddedUrls(password: string, port: number, socket: string): Omit<EmbeddedPostgres, 'stop'> {
  const at = `127.0.0.1:${port}/${database}`
  const serverUrl = `postgres://${server}:${serverPassword(password)}@${at}`
  return {
    url: `postgres://${superuser}:${password}@${at}`,
    serverUrl,
    nearUrl: socket === '' ? serverUrl : `${serverUrl}?host=${encodeURIComponent(socket)}`,
  }
}

/** What the kernel lets the path of a socket have, without the name that PostgreSQL gives it. */
const longestSocketFolder = 107 - '/.s.PGSQL.65535'.length

/**
 * Makes the folder for PostgreSQL's socket, which nobody but its user and root can enter; returns '' where there can be
 * none: outside Unix, and where the path would be too long.
 */
async function makeSocketFolder({ folder, user }: Place): Promise<string> {
  const socket = join(folder, 'socket')
  if (process.platform === 'win32' || Buffer.byteLength(socket) > longestSocketFolder) return ''
  await mkdir(socket, { recursive: true, mode: 0o700 })
  if (user) await chown(socket, user.uid, user.gid)
  return socket
}

/**
 * Starts the PostgreSQL that comes with Olmos on a free port of 127.0.0.1, with its data in `dataDir`/postgres, its
 * password in `dataDir`/postgres-password and its log in `dataDir`/postgres.log. Resolves once it answers at `url`. It
 * makes the data on the first start, recovers from a killed run, and restarts PostgreSQL if it dies. `stop` waits for
 * an orderly shutdown. What the operator can fix, such as an occupied `dataDir`, is a StartupError.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { settings = {}, log = () => {} } = options
  const dataDir = await makeDataDir(options.dataDir)
  const place = await findPlace(dataDir)
  const lock = await lockFolder(
    place.folder,
    `DATA_DIR ${dataDir} is in use by another run of Olmos; stop that one or set another DATA_DIR.`,
  )
  const databaseLog = await openDatabaseLog(join(dataDir, 'postgres.log'))
  const letGo = async () => {
    await databaseLog.close()
    lock.release()
  }
  try {
    const password = await keepPassword(join(dataDir, 'postgres-password'))
    const cluster = { place, password, log: databaseLog, binaries: await findBinaries(place.user) }
    await stopOrphan(place, log)
    await makeCluster(cluster)
    const socket = await makeSocketFolder(place)
    const chosen = { ...defaultSettings, unix_socket_directories: socket, ...settings }
    const running = await keepRunning(cluster, chosen, log)
    const stop = () => running.stop().then(letGo)
    await prepareDatabase(cluster, running.port).catch((error) => stop().then(() => Promise.reject(error)))
    return { ...embeddedUrls(password, running.port, chosen.unix_socket_directories), stop }
  } catch (error) {
    await letGo()
    throw error
  }
}

async function makeDataDir(path: string): Promise<string> {
  try {
    await mkdir(path, { recursive: true })
    await access(path, constants.W_OK)
    return await realpath(path)
  } catch (error) {
    throw new StartupError(`DATA_DIR ${path} cannot be written: ${error instanceof Error ? error.message : error}.`)
  }
}

async function prepareDatabase(cluster: Cluster, port: number): Promise<void> {
  const client = superuserClient(cluster, port)
  await client.connect()
  try {
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [database])
    if (rowCount === 0) await client.query(`CREATE DATABASE ${database}`)
    const known = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [server])
    const password = client.escapeLiteral(serverPassword(cluster.password))
    await client.query(`${known.rowCount === 0 ? 'CREATE' : 'ALTER'} ROLE ${server} LOGIN PASSWORD ${password}`)
  } finally {
    await client.end()
  }
}

/**
 * Connects a command to the PostgreSQL of the store in `dataDir`: the one that runs there, or one that is started and
 * that `stop` ends again. Refuses a `dataDir` without a store.
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

/** Reads the addresses that a PostgreSQL, running or killed, has written down. */
async function runningUrls(dataDir: string) {
  try {
    const lines = (await readFile(join(dataDir, 'postgres/cluster/postmaster.pid'), 'utf8')).split('\n')
    const [, , , port, socket = ''] = lines
    return embeddedUrls(await readFile(join(dataDir, 'postgres-password'), 'utf8'), Number(port), socket)
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

interface ScratchCluster {
  /** PostgreSQL's files, and whom they belong to. */
  place: Place
  database: string
  role: string
  /** Whether it was written by the PostgreSQL that comes with Olmos. */
  isEmbedded: boolean
  /** Overrides of settings, of those for recovery too. */
  settings?: Settings
  /** Aborted, it ends whatever it does. */
  ending?: AbortSignal | undefined
}

interface Scratch {
  url: string
  /** `shutDown`: what was recovered is written down, because the files are kept. */
  stop(options?: { shutDown: boolean }): Promise<void>
}

/** Replaying the WAL of a busy day takes hours on a slow disk. */
const startsWithinMs = 24 * 3_600_000

/**
 * Starts a restored data folder for a look at it. It listens on a socket in a folder of its own, which only its user can
 * enter, asks for no password, and reads none of the settings that were restored. `stop` leaves the data folder.
 */
export async function startScratch({
  place,
  database,
  role,
  isEmbedded,
  settings: more = {},
  ending,
}: ScratchCluster): Promise<Scratch> {
  ending?.throwIfAborted()
  const { folder } = place
  const release = (await readFile(join(folder, 'PG_VERSION'), 'utf8')).trim()
  const postgres = await findPostgres(release, place, isEmbedded)
  // The path of a socket has 107 characters at most.
  const at = await mkdtemp(join(tmpdir(), 'olmos-scratch-'))
  await chmod(at, 0o711)
  const socket = join(at, 's')
  await mkdir(socket, { mode: 0o700 })
  const [rules, settings, log] = [join(at, 'hba.conf'), join(at, 'settings.conf'), join(at, 'log')]
  await writeFile(rules, 'local all all trust\n')
  await writeFile(settings, '')
  const { user } = place
  if (user) await Promise.all([socket, rules, settings].map((path) => chown(path, user.uid, user.gid)))
  const output = await open(log, 'a+', 0o600)
  const chosen = {
    config_file: settings,
    hba_file: rules,
    ident_file: settings,
    listen_addresses: '',
    unix_socket_directories: socket,
    fsync: 'off',
    shared_buffers: '32MB',
    max_connections: '20',
    autovacuum: 'off',
    jit: 'off',
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    ...more,
  }
  const flags = Object.entries(chosen).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  // In a session of its own, as a Ctrl-C in the terminal would look like a database that can't be restored.
  const postmaster = spawn(postgres, ['-D', folder, ...flags], {
    ...runAs(place),
    detached: true,
    stdio: ['ignore', output.fd, output.fd],
    signal: ending,
    killSignal: 'SIGQUIT',
  })
  // That it was aborted is known; that it does not start is told by what waits for it.
  postmaster.on('error', () => {})
  const endWithThisProcess = () => void postmaster.kill('SIGQUIT')
  process.once('exit', endWithThisProcess)
  postmaster.once('exit', () => process.off('exit', endWithThisProcess))
  const stop: Scratch['stop'] = async ({ shutDown } = { shutDown: false }) => {
    await endPostmaster(postmaster, shutDown ? 'SIGINT' : 'SIGQUIT')
    await output.close()
    await rm(at, { recursive: true, force: true })
  }
  const url = `postgresql://${encodeURIComponent(role)}@/${encodeURIComponent(database)}?host=${encodeURIComponent(socket)}`
  try {
    await once(postmaster, 'spawn')
    await untilAnswers(postmaster, url)
    return { url, stop }
  } catch (error) {
    // Who asked too early is no reason.
    const lines = (await readFile(log, 'utf8')).match(/(?<=(?:FATAL|PANIC): +)(?!the database system is)\S.*/g)
    await stop()
    if (!(error instanceof StartupError)) throw error
    throw new StartupError(`${error.message}: ${lines?.at(-1) ?? 'no reason given'}.`)
  }
}

async function untilAnswers(postmaster: ChildProcess, url: string): Promise<void> {
  for (const deadline = Date.now() + startsWithinMs; Date.now() < deadline; await sleep(50)) {
    if (postmaster.exitCode !== null || postmaster.signalCode !== null) break
    if (await answers(url)) return
  }
  throw new StartupError('The restored database does not start')
}

async function endPostmaster(postmaster: ChildProcess, signal: 'SIGINT' | 'SIGQUIT'): Promise<void> {
  if (postmaster.exitCode !== null || postmaster.signalCode !== null || postmaster.pid === undefined) return
  const gone = once(postmaster, 'exit')
  postmaster.kill(signal)
  await gone
}

/**
 * A database sorts as the system libraries of its own PostgreSQL do, so that one is taken where it is installed. A release
 * brings none along, so there the machine's looks into a backup of an embedded database, too.
 */
export async function findPostgres(
  release: string,
  { user }: Pick<Place, 'user'>,
  isEmbedded: boolean,
  { machine = '/', find = findBinaries } = {},
): Promise<string> {
  const folders = [`usr/lib/postgresql/${release}/bin`, `usr/pgsql-${release}/bin`]
  const installed = folders.map((folder) => join(machine, folder, 'postgres')).find((path) => existsSync(path))
  if (installed && !isEmbedded) return installed
  const brought = await find(user).catch((error: unknown) => {
    if (error instanceof StartupError) return undefined
    throw error
  })
  if (brought?.version.split('.')[0] === release) return brought.postgres
  if (installed) return installed
  throw new StartupError(
    `The backup is of PostgreSQL ${release}: install its server programs to look into it, or to roll it forward (in Debian postgresql-${release}).`,
  )
}
