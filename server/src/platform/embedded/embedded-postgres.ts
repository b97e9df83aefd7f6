import { createHmac } from 'node:crypto'
import { access, constants, mkdir, readFile, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { StartupError } from '../closing.ts'
import {
  type Cluster,
  defaultSettings,
  keepPassword,
  makeCluster,
  openDatabaseLog,
  type Settings,
  superuser,
} from './cluster.ts'
import { findBinaries, findPlace } from './place.ts'
import { keepRunning, lockFolder, stopOrphan, superuserClient } from './supervisor.ts'

interface EmbeddedPostgres {
  /** The address for the owner, who may do everything: for migrations, the job queue and commands. */
  url: string
  /** The address for the role of the store's own statements, which reads and writes rows and owns nothing. */
  serverUrl: string
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

function embeddedUrls(password: string, port: number): Pick<EmbeddedPostgres, 'url' | 'serverUrl'> {
  const at = `127.0.0.1:${port}/${database}`
  return {
    url: `postgres://${superuser}:${password}@${at}`,
    serverUrl: `postgres://${server}:${serverPassword(password)}@${at}`,
  }
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
    const running = await keepRunning(cluster, { ...defaultSettings, ...settings }, log)
    const stop = () => running.stop().then(letGo)
    await prepareDatabase(cluster, running.port).catch((error) => stop().then(() => Promise.reject(error)))
    return { ...embeddedUrls(password, running.port), stop }
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
