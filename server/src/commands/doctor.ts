import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Config, isLoopback, readConfig } from '../config.ts'
import { callerProbe } from '../modules/operations/operations.routes.ts'
import { createProviders } from '../modules/payments/providers.ts'
import { Database } from '../platform/database/database.ts'
import { readPendingMigrations } from '../platform/database/migrate.ts'
import { sql } from '../platform/database/queries.ts'
import { reachDatabase, roleIn } from '../platform/embedded/database-server.ts'
import { connectEmbeddedPostgres } from '../platform/embedded/embedded-postgres.ts'
import { build, type Closers, nameBuild, StartupError, toReason, toSentence } from '../platform/process.ts'
import { Vault } from '../platform/security/vault.ts'
import { type Command, openSuppliers } from './command.ts'
import {
  askMs,
  type Finding,
  fine,
  lookAtBackups,
  lookAtDisks,
  lookAtIndexes,
  lookAtPictures,
  lookAtSalesLog,
  lookAtServer,
  mend,
  note,
  type Reached,
  toCause,
} from './doctor-storage.ts'

export const doctor: Command = {
  summary: 'looks at everything the store depends on and prints what to mend; exit code 1 when something is',
  details: [
    'Each line begins with ✓ (fine), ! (works; you should know it) or ✗ (mend this).',
    'It reads the settings, the database, the secret key and the disk, and asks the store at PUBLIC_URL; it changes nothing,',
    'but for an object that it puts into the bucket of the pictures and removes again.',
    'Run it with the settings the store runs with, on the machine it runs on.',
  ],
  async runAlone({ print, environment, closers }) {
    let toMend = 0
    const report = (findings: readonly Finding[]) => {
      for (const { mark, text } of findings) print(`${mark} ${text}`)
      toMend += findings.filter(({ mark }) => mark === '✗').length
    }
    const look = async (part: () => Promise<Finding[]> | Finding[]) => report(await part())

    await look(lookAtProgram)
    const config = readSettings(environment)
    if (typeof config === 'string') report([mend(config)])
    else {
      await look(() => lookAtSettings(config))
      await look(() => lookAtKey(config))
      await look(() => lookAtDisks(config))
      const store = await openForDoctor(config, closers)
      report(store.findings)
      const vault = store.database && (await lookIntoDatabase(config, { ...store, database: store.database }, report))
      await look(() => lookAtAddress(config, vault))
    }
    print(toMend === 0 ? 'Nothing to mend.' : `${toMend} to mend.`)
    return toMend === 0 ? 0 : 1
  },
}

function readSettings(environment: NodeJS.ProcessEnv): Config | string {
  try {
    return readConfig(environment)
  } catch (error) {
    if (error instanceof StartupError) return error.message
    throw error
  }
}

const oldestNode = 24

function lookAtProgram(): Finding[] {
  const { node } = process.versions
  const line = `${nameBuild(build)}, on Node.js ${node}`
  return [
    Number.parseInt(node, 10) >= oldestNode ? fine(line) : mend(`${line}: it is made for ${oldestNode} or newer.`),
  ]
}

function lookAtSettings(config: Config): Finding[] {
  const { publicUrl, isProduction, openSandbox, metricsToken, supportUrl } = config
  const { protocol, hostname } = new URL(publicUrl)
  const isAtHome = isLoopback(hostname)
  const findings: Finding[] = []
  if (protocol === 'https:') findings.push(fine(`PUBLIC_URL is ${publicUrl}`))
  else if (isAtHome) findings.push(note(`PUBLIC_URL is ${publicUrl}: for this machine only.`))
  else findings.push(mend(`PUBLIC_URL is ${publicUrl}: put a proxy with TLS in front and make it https.`))
  if (!isProduction && !isAtHome)
    findings.push(mend('NODE_ENV is not production: set it, so that admins need a second factor.'))
  if (openSandbox) findings.push(note(`ALLOW_SANDBOX is on: ${openSandbox} are only played, and every page says so.`))
  if (isProduction && metricsToken === undefined)
    findings.push(note('METRICS_TOKEN is not set: nobody can read /metrics.'))
  if (supportUrl === undefined) findings.push(note('SUPPORT_URL is not set: customers can only write in the store.'))
  return findings
}

/** Says where the secret key lies; whether it opens the vault is asked with the database. */
async function lookAtKey({ secretKey, dataDir }: Config): Promise<Finding[]> {
  if (secretKey) return [fine('SECRET_KEY is in the environment; have a copy of it apart from the database.')]
  const path = join(dataDir, 'secret-key')
  const found = await stat(path).catch(() => undefined)
  if (!found) return [note(`There is no secret key yet; the first start makes ${path}.`)]
  if ((found.mode & 0o077) !== 0) return [mend(`Others can read ${path}: chmod 600 it.`)]
  return [note(`The secret key is ${path}, beside what it opens: have a copy of it apart from copies of DATA_DIR.`)]
}

interface Opened extends Omit<Reached, 'database'> {
  findings: Finding[]
  /** Undefined when it can't be asked any further. */
  database: Database | undefined
  directUrl: string
}

/** Opens the database as a start would, with what a start would refuse as a finding. */
async function openForDoctor(config: Config, closers: Closers): Promise<Opened> {
  const findings: Finding[] = []
  const rest = { findings, database: undefined, directUrl: '', servedBy: '', isPooled: false }
  try {
    const embedded = config.databaseUrl ? undefined : await connectEmbeddedPostgres(config.dataDir)
    if (embedded) closers.push(() => embedded.stop())
    const url = config.databaseUrl ?? (embedded?.nearUrl as string)
    const { directUrl, isPooled } = await reachDatabase({
      url,
      directUrl: embedded?.url ?? config.databaseDirectUrl,
      // What such a database may forget is asked below, with the names of the settings.
      allowUnsafe: true,
      log: (line) => findings.push(note(`${line}.`)),
    })
    const database = new Database({ url: directUrl, connections: 1, onIdleError: () => {} })
    closers.push(() => database.close())
    return { findings, database, directUrl, servedBy: roleIn(url), isPooled }
  } catch (error) {
    const sentence = toSentence(error)
    if (typeof sentence !== 'string') throw error
    return { ...rest, findings: [...findings, mend(sentence)] }
  }
}

/** Looks at what is in the database as far as it can be read. Returns the vault, if the key opens it. */
async function lookIntoDatabase(
  config: Config,
  { directUrl, ...reached }: Reached & { directUrl: string },
  report: (findings: readonly Finding[]) => void,
): Promise<Vault | undefined> {
  const { database } = reached
  report(await lookAtServer(config, reached))
  const pending = await readPendingMigrations(directUrl).catch((error) => toReason(error))
  if (typeof pending === 'string') {
    report([mend(pending)])
    return undefined
  }
  if (pending.isEmpty) {
    report([note('The database is empty; `olmos migrate`, or the first start, fills it.')])
    return undefined
  }
  report(await lookAtBackups(config, database))
  if (pending.names.length > 0) {
    report([mend(`${pending.names.length} migrations are not applied, from ${pending.names[0]}: run olmos migrate.`)])
    return undefined
  }
  report([fine('the database has every migration of this version'), ...(await lookAtIndexes(database))])
  report(await lookAtPictures(config, database))
  report(await lookAtSalesLog(config, database))
  const vault = await openVaultUnchanged(config, database)
  if (vault instanceof Vault)
    report([fine('the secret key opens the vault'), ...(await lookAtVendors(config, database, vault))])
  else report([vault])
  return vault instanceof Vault ? vault : undefined
}

/** Opens the vault only where it has keys: opening an empty one would make them. */
async function openVaultUnchanged({ secretKey, dataDir }: Config, database: Database): Promise<Vault | Finding> {
  const { has_keys } = await database.one<{ has_keys: boolean }>(sql`SELECT EXISTS (SELECT FROM vault_key) AS has_keys`)
  if (!has_keys) return note('The vault has no keys yet; the first start makes them.')
  const kept = secretKey ?? (await readFile(join(dataDir, 'secret-key'), 'utf8').catch(() => ''))
  const key = typeof kept === 'string' ? Buffer.from(kept.trim(), 'hex') : kept
  try {
    return await Vault.open(database, key)
  } catch (error) {
    if (!(error instanceof StartupError)) throw error
    return mend(error.message)
  }
}

/** Says by what customers can pay and who delivers, the accounts that were typed in the admin area included. */
async function lookAtVendors(config: Config, database: Database, vault: Vault): Promise<Finding[]> {
  const findings: Finding[] = []
  const log = {
    error: (told: { provider?: string; supplier?: string }) => {
      const name = told.provider ?? told.supplier
      findings.push(mend(`The account at ${name} is not complete; type it in the admin area again.`))
    },
  }
  const deps = { database, vault, log: log as never, publicUrl: config.publicUrl }
  const providers = createProviders({ chosen: config.payments, given: config.paymentSettings }, deps)
  await providers.renew()
  const names = providers.configured.map(({ name }) => name).join(', ')
  findings.push(names === '' ? note('No way to pay is set up but the balance.') : fine(`payment providers: ${names}`))
  const suppliers = await openSuppliers(config, { database, vault, log })
  const sellers = suppliers.configured.map(({ name }) => name).join(', ')
  findings.push(sellers === '' ? note('No supplier is on: no top-up can be sold.') : fine(`suppliers: ${sellers}`))
  return findings
}

/** Asks the store at its public address, as a customer reaches it. */
async function lookAtAddress({ publicUrl }: Config, vault: Vault | undefined): Promise<Finding[]> {
  const ask = (path: string, headers: Record<string, string> = {}) =>
    fetch(publicUrl + path, { headers, redirect: 'manual', signal: AbortSignal.timeout(askMs) })
  try {
    const answer = await ask('/api/health')
    const health = (await answer.json().catch(() => undefined)) as
      | { status?: string; version?: string; build?: string | null }
      | undefined
    if (answer.status !== 200 || health?.status !== 'ok')
      return [
        mend(
          `${publicUrl}/api/health answers ${answer.status} and is no Olmos: see where PUBLIC_URL and the proxy lead.`,
        ),
      ]
    const other = nameBuild({ version: health.version ?? '', commit: health.build ?? null })
    return [
      other === nameBuild(build)
        ? fine(`${publicUrl} answers as this version`)
        : note(`${publicUrl} answers as ${other}; this is ${nameBuild(build)}.`),
      ...(vault ? await lookAtCaller(ask, vault) : []),
    ]
  } catch (error) {
    const isAtHome = isLoopback(new URL(publicUrl).hostname)
    const text = `${publicUrl} does not answer (${toReason(toCause(error))})`
    return [
      isAtHome ? note(`${text}: the store is not running.`) : mend(`${text}: see DNS, certificate, proxy and store.`),
    ]
  }
}

/** An address that is nobody's, kept for documentation: a store that takes it for the caller's can be lied to. */
const madeUp = '203.0.113.77'

/** Sends a made-up X-Forwarded-For and has the store say whom it took the caller for. */
async function lookAtCaller(
  ask: (path: string, headers: Record<string, string>) => Promise<Response>,
  vault: Vault,
): Promise<Finding[]> {
  const signature = callerProbe.sign(vault, Date.now())
  const answer = await ask(callerProbe.path, { [callerProbe.header]: signature, 'x-forwarded-for': madeUp })
  const seen = callerProbe.answer.safeParse(await answer.json().catch(() => undefined))
  if (!seen.success) return [note('It does not say how callers reach it: it has another key, or is another version.')]
  const { address, forwarded_for: forwarded } = seen.data
  if (address === madeUp)
    return [mend('Callers can make their address up: have the proxy replace X-Forwarded-For, or lower TRUST_PROXY.')]
  const isForwarded = forwarded.split(',').some((entry) => entry.trim() === address)
  if (forwarded !== madeUp && !isForwarded)
    return [mend(`A proxy is in front and is not believed: every caller counts as ${address}; set TRUST_PROXY.`)]
  return [fine(`the store takes this caller for ${address}`)]
}
