import { setTimeout as sleep } from 'node:timers/promises'
import { type AppResources, createApp, createJobs, openVendors } from './app.ts'
import { openBuiltWeb } from './built-web.ts'
import { readConfig } from './config.ts'
import { SERVER_LIMITS } from './limits.ts'
import { createPasswords, makeFirstAdmin, noteSkeletons } from './modules/accounts/accounts.ts'
import { cacheSlugs } from './modules/catalogue/availability.ts'
import { runDeliveries } from './modules/delivery/run-deliveries.ts'
import { renewSuppliers } from './modules/delivery/supplier-setup.ts'
import { runMessages } from './modules/messages/send-messages.ts'
import { Copies, copyWal, keepReporting } from './modules/operations/backup-copies.ts'
import { fillDemo } from './modules/operations/fill-demo.ts'
import { keepWal } from './modules/operations/keep-wal.ts'
import { followSales } from './modules/operations/sales-log.ts'
import { noteMinutes } from './modules/operations/service-report.ts'
import { announceOrders } from './modules/orders/orders.ts'
import { listMarks } from './modules/payments/methods.ts'
import { cacheRates } from './modules/rates/rates.routes.ts'
import { cacheShop } from './modules/shop/shop.ts'
import { announceConversations } from './modules/support/conversations.ts'
import { systemClock } from './platform/context.ts'
import { Database } from './platform/database/database.ts'
import { startJobs } from './platform/database/jobs.ts'
import { migrate } from './platform/database/migrate.ts'
import { createListener } from './platform/database/notify.ts'
import { reachDatabase, roleIn } from './platform/embedded/database-server.ts'
import { startEmbeddedPostgres } from './platform/embedded/embedded-postgres.ts'
import { listen } from './platform/http/http.ts'
import { createRateLimiter } from './platform/http/rate-limit.ts'
import { createLiveEvents } from './platform/live/live-events.ts'
import { startTelemetry } from './platform/live/telemetry.ts'
import { build, type Closers, closeTogether, endOnSignal, openLog, toSentence } from './platform/process.ts'
import { keepSecretKey, Vault } from './platform/security/vault.ts'
import { keepVendors } from './platform/vendor/adapters.ts'
import { serveStorefront } from './storefront.ts'

interface StartOptions {
  /** How long to wait for a database at DATABASE_URL that is not there yet. */
  databaseWaitMs?: number
}

/** Starts the store, until `closers` are run; what an operator has to mend is a StartupError. */
export async function startStore(closers: Closers, { databaseWaitMs = 0 }: StartOptions = {}): Promise<void> {
  const config = readConfig()
  const log = openLog(config.logLevel, closers)
  log.info({ ...build, node: process.versions.node }, 'Olmos starts')
  // Its thread takes as long to load as all that follows here, on another core.
  const opening = openBuiltWeb({
    onDeath: (err) => log.error({ err }, 'the thread that renders pages died and is replaced'),
  })
  // What it fails with is thrown where it is waited for.
  const opened = opening.catch(() => undefined)
  closers.push(async () => (await opened)?.close())

  const embedded = config.databaseUrl
    ? undefined
    : await startEmbeddedPostgres({ dataDir: config.dataDir, log: (line) => log.info(line) })
  if (embedded) closers.push(() => embedded.stop())
  const url = config.databaseUrl ?? (embedded?.nearUrl as string)
  const { directUrl, isPooled } = await reachDatabase({
    url,
    directUrl: embedded?.url ?? config.databaseDirectUrl,
    allowUnsafe: config.allowUnsafeDatabase,
    databaseWaitMs,
    log: (line) => log.warn(line),
  })
  await migrate(directUrl, { servedBy: roleIn(url), log: (line) => log.warn(line) })

  const database = new Database({
    url,
    isPooled,
    connections: config.databaseConnections,
    onIdleError: (error) => log.warn({ reason: error.message }, 'a database connection broke'),
  })
  closers.push(() => database.close())
  const telemetry = config.telemetry && (await startTelemetry(config.telemetry, { log, meters: database.meters }))
  closers.push(() => telemetry?.close())
  const vault = await Vault.open(database, config.secretKey ?? (await keepSecretKey(config.dataDir)))
  const passwords = createPasswords()
  await noteSkeletons(database)
  const firstPassword = await makeFirstAdmin(database, passwords, config)
  if (config.demo) await fillDemo(database, vault)

  const { salesLogDir: dir, backupKey: key } = config
  const sales = dir && key ? await followSales(database, { dir, key, log }) : undefined
  closers.push(() => sales?.stop())
  const { backupDir, backupWal, backupDatabaseUrl, backupBucket } = config
  const wal =
    backupWal && backupDir && key ? keepWal({ url: backupDatabaseUrl ?? directUrl, backupDir, key, log }) : undefined
  closers.push(() => wal?.stop())
  const copies = backupBucket && new Copies(backupBucket)
  const copying = wal && backupDir && copies ? copyWal({ copies, backupDir }, log) : undefined
  closers.push(() => void copying?.stop())
  const watched = { database, keepsWal: wal !== undefined, copiesWal: copies !== undefined }
  const reporting = backupDir === undefined ? undefined : keepReporting({ ...watched, backupDir }, log)
  closers.push(() => reporting?.stop())

  let jobs: ReturnType<typeof startJobs> | undefined
  let [isDraining, isDroppingReads] = [false, false]
  let changes = 0
  let listener: ReturnType<typeof createListener> | undefined
  const resources: AppResources = {
    config,
    database,
    vault,
    clock: systemClock,
    log,
    live: createLiveEvents(),
    rateLimiter: (name) => createRateLimiter(database, config, name),
    telemetry,
    catalogueVersion: () => (listener?.isListening() ? changes : undefined),
    isQueueRunning: () => jobs?.isRunning() ?? false,
    isDraining: () => isDraining,
    isDroppingReads: () => isDroppingReads,
    ...openVendors(config, { database, vault, log }),
  }
  const app = await createApp(resources, passwords)
  const minutes = noteMinutes(app, resources)
  closers.push(() => minutes.stop())
  const web = await opening
  const caches = { products: cacheSlugs(database), rates: cacheRates(database), shop: cacheShop(database) }
  const paymentMarks = () => listMarks(resources.providers)
  const onPageRead = (result: 'hit' | 'stale' | 'miss') => void database.meters.cacheReads.pages[result]++
  const isDatabaseCrowded = () => database.isCrowded
  const pages = await serveStorefront(app, { ...config, ...caches, paymentMarks, onPageRead, isDatabaseCrowded }, web)
  const atWork: Closers = [() => app.close()]
  closers.push(() => closeTogether(atWork))
  const onStockChange = () => void changes++
  const onCatalogueChange = () => {
    onStockChange()
    pages.clear()
  }
  database.onOwnNotification({ catalogue: onCatalogueChange, order: onStockChange })
  const deliveries = runDeliveries(resources)
  atWork.push(() => deliveries.stop())
  const messages = runMessages(resources)
  atWork.push(() => messages.stop())
  const providers = keepVendors(resources.providers.renew, log)
  closers.push(async () => providers.stop())
  const suppliers = keepVendors(() => renewSuppliers(resources), log)
  closers.push(async () => suppliers.stop())
  const announce = announceOrders(resources)
  listener = createListener(
    directUrl,
    {
      catalogue: onCatalogueChange,
      conversation: announceConversations(resources),
      delivery: deliveries.wake,
      order: (subject) => {
        onStockChange()
        announce(subject)
      },
      payment: providers.wake,
      session: resources.live.endStreams,
      supplier: suppliers.wake,
    },
    log,
  )
  closers.push(() => listener?.stop())
  jobs = startJobs(database, createJobs(resources), log)
  atWork.push(jobs.stop)

  // Starting leaves half as much garbage as lives, which Node would keep until the heap is full.
  globalThis.gc?.({ type: 'major', execution: 'sync' })
  await listen(app, config)
  closers.push(async () => {
    isDraining = true
    await sleep(config.shutdownGraceSeconds * 1_000)
    if (config.shutdownGraceSeconds === 0) return
    isDroppingReads = true
    await sleep(SERVER_LIMITS.dropReadsMs)
  })
  console.log(`Olmos is open at ${config.publicUrl}`)
  if (firstPassword)
    console.log(`Log in as ${config.adminNickname} with the password ${firstPassword} (shown this once)`)
}

// `olmos serve` imports this file, and has closers of its own.
if (import.meta.main) {
  const closers: Closers = []
  const end = endOnSignal(closers, { runsUntilEnded: true })
  try {
    await startStore(closers)
  } catch (error) {
    console.error(toSentence(error))
    await end(1)
  }
}
