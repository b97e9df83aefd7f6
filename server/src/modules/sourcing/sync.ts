import { setTimeout as sleep } from 'node:timers/promises'
import type { AlertDetails } from '@olmos/contract/alerts'
import type { RejectedRow } from '@olmos/contract/supplier-lists'
import { SERVER_BUSINESS } from '../../business.ts'
import { SERVER_LIMITS } from '../../limits.ts'
import type { Resources } from '../../platform/context.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Leave } from '../../platform/database/jobs.ts'
import type { Tx } from '../../platform/database/queries.ts'
import { raiseAlert, resolveAlert } from '../../platform/live/alert.ts'
import { type Outcome, rejected, unknown } from '../../platform/vendor/vendor.ts'
import { lockPrices, repriceOffers } from '../pricing/reprice.ts'
import type { Supplier, VendorField, VendorPage, VendorProduct } from '../topups/supplier.ts'
import type { Suppliers } from '../topups/suppliers.ts'
import { findOffersToFollow, followSupplierOptions, settleSources } from './follow-supplier.ts'
import {
  addProducts,
  addRejected,
  claimRun,
  countMissing,
  endRun,
  failRun,
  findLeftOut,
  findUnread,
  forgetCosts,
  keepProducts,
  keepServices,
  type ListedService,
  lockRun,
  noteVain,
  type Run,
  readListed,
  restRun,
  type SyncWish,
  setFields,
  setGone,
  setPlace,
  setRead,
  writeProducts,
  writeServices,
} from './sync.store.ts'
import { isField, readProductRow, readServiceRow, sortRows } from './vendor-rows.rules.ts'

/** Everything that reading suppliers' lists depends on. */
export type SourcingShop = Pick<Resources, 'database' | 'log'> & { suppliers: Suppliers }

/** A supplier that tells what it sells. */
export type CatalogueSupplier = Supplier & Required<Pick<Supplier, 'listServices' | 'listProducts'>>

export const hasCatalogue = (supplier: Supplier): supplier is CatalogueSupplier =>
  supplier.listServices !== undefined && supplier.listProducts !== undefined

/**
 * Runs every minute: begins to read the lists that are due, and resumes those that were cut short. It does not wait for
 * them, so that a long list keeps no other from being read.
 */
export async function syncCatalogues(shop: SourcingShop, leave: Leave): Promise<void> {
  const start = async (supplier: CatalogueSupplier) => {
    const run = await claim(shop, supplier)
    if (run) leave(readOn(shop, supplier, run))
  }
  await Promise.all(shop.suppliers.configured.filter(hasCatalogue).map(start))
}

/**
 * Reads what a supplier sells, page by page, and closes or opens the sources of offers and changes what customers choose
 * from by it. One worker reads a supplier at a time, on whichever node; what it has read is kept when it dies, and another
 * one resumes there.
 */
export async function syncSupplier(shop: SourcingShop, supplier: CatalogueSupplier, wish?: SyncWish): Promise<void> {
  const run = await claim(shop, supplier, wish)
  if (run) await readOn(shop, supplier, run)
}

const claim = ({ database }: SourcingShop, { name }: CatalogueSupplier, wish: SyncWish = {}) =>
  database.transaction((tx) => claimRun(tx, name, wish))

const renewLeaseMs = (SERVER_LIMITS.syncLeaseSeconds * 1_000) / 3

/** Reads from where a run stands until it ends, rests, or another worker has it by now. */
async function readOn(shop: SourcingShop, supplier: CatalogueSupplier, begun: Run): Promise<void> {
  // A page of a supplier that is slow and may not be asked often takes longer than a lease.
  const renewal = setInterval(() => {
    shop.database
      .transaction((tx) => lockRun(tx, begun))
      .catch((error) => shop.log.warn({ err: error, supplier: supplier.name }, 'lease not renewed'))
  }, renewLeaseMs)
  try {
    let run: Run | undefined = begun
    while (run) run = await takeStep(shop, supplier, run)
  } finally {
    clearInterval(renewal)
  }
}

/** Starts reading, unless it is being read, and waits a few seconds for the end. It is read to the end all the same. */
export async function startSync(shop: SourcingShop, supplier: CatalogueSupplier, wish: SyncWish): Promise<void> {
  const isOver = new AbortController()
  const reading = syncSupplier(shop, supplier, wish)
    .catch((error) => shop.log.error({ err: error, supplier: supplier.name }, 'a supplier’s list was not read'))
    .finally(() => isOver.abort())
  const patience = sleep(SERVER_LIMITS.syncWaitMs, undefined, { signal: isOver.signal }).catch(() => {})
  await Promise.race([reading, patience])
}

/** Brings the run one page further. Undefined when it has ended, rests, or another worker has it by now. */
function takeStep(shop: SourcingShop, supplier: CatalogueSupplier, run: Run): Promise<Run | undefined> {
  if (run.phase === 'services') return readServices(shop, supplier, run)
  if (run.phase === 'products') return readProducts(shop, supplier, run)
  return settle(shop.database, run)
}

/** Writes what a step has learnt, unless another worker has the run by now. Answers where the run stands then. */
const write = (database: Database, run: Run, work: (tx: Tx) => Promise<'resting' | 'ended' | undefined>) =>
  database.transaction(
    async (tx) => {
      if (!(await lockRun(tx, run))) return undefined
      if ((await work(tx)) !== undefined) return undefined
      return lockRun(tx, run)
    },
    { statementMs: SERVER_LIMITS.repricingMs },
  )

/** What was read has other costs: prices by rule follow them. */
const reprice = (tx: Tx, { supplier }: Run) => repriceOffers(tx, { supplier }, { adminId: null, because: 'costs' })

async function readServices({ database, log }: SourcingShop, supplier: CatalogueSupplier, run: Run) {
  const answer = await ask(log, run, (page) => supplier.listServices(page))
  return write(database, run, async (tx) => {
    if (answer.kind !== 'done') return pauseOrFail(tx, run, answer)
    const { rows, faulty } = sortRows(answer.value.items, readServiceRow)
    await writeServices(tx, run, rows)
    const { sources } = await keepServices(tx, run, toReferences(faulty))
    if (faulty.length > 0) await addRejected(tx, run, faulty, sources)
    const { next } = answer.value
    const phase = next === undefined ? 'products' : 'services'
    await setPlace(tx, run, { phase, serviceId: null, nextPage: next ?? null })
    return undefined
  })
}

async function readProducts({ database, log }: SourcingShop, supplier: CatalogueSupplier, run: Run) {
  const service = await database.transaction((tx) =>
    run.service_id === null ? findUnread(tx, run) : readListed(tx, run.service_id),
  )
  if (!service) {
    return write(database, run, async (tx) => {
      await setPlace(tx, run, { phase: 'sources', serviceId: null, nextPage: null })
      return undefined
    })
  }
  const fields = run.next_page === null ? await readOptions(log, supplier, service) : undefined
  const answer = await ask(log, run, (page) => supplier.listProducts(service.reference, page))
  return write(database, run, async (tx) => {
    // Who takes a game over holds the prices, and then waits for the service that is written here.
    await lockPrices(tx)
    if (fields) await setFields(tx, service.id, fields)
    if (answer.kind !== 'done') return passOver(tx, run, service, answer)
    await keepPage(tx, run, service, answer.value.items)
    const { next } = answer.value
    if (next === undefined) await setRead(tx, service.id)
    const serviceId = next === undefined ? null : service.id
    await setPlace(tx, run, { phase: 'products', serviceId, nextPage: next ?? null })
    return undefined
  })
}

const toReferences = (rows: readonly RejectedRow[]): string[] => rows.map(({ reference }) => reference)
const rowsAtOnce = 1_000

async function keepPage(tx: Tx, run: Run, service: ListedService, items: readonly VendorProduct[]): Promise<void> {
  const { rows, faulty } = sortRows(items, readProductRow)
  for (let from = 0; from < rows.length; from += rowsAtOnce) {
    const some = rows.slice(from, from + rowsAtOnce)
    const { written, added, taken } = await writeProducts(tx, run, service, some)
    await addProducts(tx, run, { written, added })
    for (const { reference, name } of some.filter((row) => taken.includes(row.reference))) {
      faulty.push({ reference, name, reason: 'duplicate' })
    }
  }
  if (faulty.length > 0) {
    const { sources } = await keepProducts(tx, run, toReferences(faulty))
    await addRejected(tx, run, faulty, sources)
  }
  // A price by rule may leave exactly what a code costs: until the end of a long list it would be sold out.
  const references = rows.map(({ reference }) => reference)
  const offerIds = (await findOffersToFollow(tx, run.supplier, references)).map(({ id }) => id)
  if (offerIds.length > 0) await repriceOffers(tx, { offerIds }, { adminId: null, because: 'costs', isPart: true })
}

/** Asks for the page where the run stands. Whatever goes wrong on the way, the answer is unknown. */
async function ask<Item>(
  log: SourcingShop['log'],
  { supplier, next_page, pages }: Run,
  call: (page: string | undefined) => Promise<Outcome<VendorPage<Item>>>,
): Promise<Outcome<VendorPage<Item>>> {
  try {
    const answer = await call(next_page ?? undefined)
    const read = answer.kind === 'done' && isEndless(answer.value, next_page, pages) ? rejected('endless') : answer
    if (read.kind !== 'done') log.warn({ supplier, answer: read }, 'a page of a supplier’s list was not read')
    return read
  } catch (error) {
    log.error({ err: error, supplier }, 'a supplier broke')
    return unknown('broke')
  }
}

/**
 * Whether a list that goes on would go on for ever: it begins again where it stands, or has more pages than any has and than
 * it tells.
 */
function isEndless({ next, pages: told = 0 }: VendorPage<unknown>, page: string | null, pages: number): boolean {
  const pagesMax = Math.max(Math.min(told, SERVER_LIMITS.syncPagesToldMax), SERVER_LIMITS.syncPagesMax)
  return next !== undefined && (next === page || pages >= pagesMax)
}

/** Reads what may be chosen in the fields whose list the supplier tells apart; undefined when there is none, or no answer. */
async function readOptions(
  log: SourcingShop['log'],
  supplier: CatalogueSupplier,
  { reference, fields }: ListedService,
): Promise<VendorField[] | undefined> {
  const isOpen = ({ type, options = [] }: VendorField) => type === 'select' && options.length === 0
  if (!supplier.listOptions || !fields.some(isOpen)) return undefined
  const read: VendorField[] = []
  for (const field of fields) {
    if (!isOpen(field)) {
      read.push(field)
      continue
    }
    const answer = await supplier.listOptions(reference, field.key).catch(() => unknown('broke'))
    const isRead = answer.kind === 'done' && isField({ ...field, options: answer.value })
    if (!isRead) log.warn({ supplier: supplier.name, reference, field: field.key }, 'options were not read')
    read.push(isRead ? { ...field, options: answer.value } : field)
  }
  return read
}

/** Nobody believes that most of a long list is gone at once. */
const isShrunk = ({ known, missing }: { known: number; missing: number }): boolean =>
  known >= SERVER_LIMITS.catalogueShrinkLeast && missing * 100 > known * SERVER_BUSINESS.catalogueShrinkPercent

type Trouble = Exclude<Outcome<unknown>, { kind: 'done' }>

const toReason = (trouble: Trouble): string => (trouble.kind === 'rejected' ? trouble.code : trouble.why)

/** Stops a run that can't read on: it rests and resumes, or ends when it was in vain too often. */
async function pauseOrFail(tx: Tx, run: Run, trouble: Trouble): Promise<'resting' | 'ended'> {
  const reason = toReason(trouble)
  const { retryAfterSeconds } = trouble
  const tries = retryAfterSeconds === undefined ? run.tries + 1 : run.tries
  if (trouble.kind === 'rejected' || run.is_old || tries >= SERVER_LIMITS.syncTries) return fail(tx, run, reason)
  await restRun(tx, run, { reason, tries, seconds: retryAfterSeconds ?? SERVER_LIMITS.syncRetrySeconds })
  return 'resting'
}

/** Puts a game that can't be read behind the others, so that they are read first; it is tried a few times. */
async function passOver(tx: Tx, run: Run, service: ListedService, trouble: Trouble) {
  if (trouble.retryAfterSeconds !== undefined) return pauseOrFail(tx, run, trouble)
  if (trouble.kind === 'rejected' && trouble.code === 'not_allowed') return fail(tx, run, trouble.code)
  await noteVain(tx, service.id, { isFinal: trouble.kind === 'rejected' })
  await setPlace(tx, run, { phase: 'products', serviceId: null, nextPage: null })
  return undefined
}

/** What was read stays; nothing is gone by a run that came to nothing. */
async function fail(tx: Tx, run: Run, reason: string): Promise<'ended'> {
  await reprice(tx, run)
  const { failures } = await failRun(tx, run, reason)
  const isSure = reason === 'not_allowed' || reason === 'shrunk'
  if (isSure || failures >= SERVER_LIMITS.syncFailures) await raiseUnread(tx, run, { why: reason, failures })
  return 'ended'
}

const raiseUnread = (tx: Tx, { supplier }: Run, details: AlertDetails) =>
  raiseAlert(tx, { kind: 'supplier.catalogue', subject: supplier, details, whenChanged: 'refresh' })

/** Draws the conclusions, a part at a time: what is gone, and which sources close or open by what was read. */
const settle = (database: Database, run: Run): Promise<Run | undefined> =>
  write(database, run, async (tx) => {
    // As for a page of products: what is gone is written before the prices follow.
    await lockPrices(tx)
    if (!run.accepts_shrunk && isShrunk(await countMissing(tx, run))) return fail(tx, run, 'shrunk')
    await setGone(tx, run)
    if (await settleSources(tx, run.supplier)) return undefined
    if (await followSupplierOptions(tx, run.supplier)) return undefined
    await forgetCosts(tx)
    await reprice(tx, run)
    const leftOut = (await findLeftOut(tx, run)).map(({ title }) => title)
    const { failures } = await endRun(tx, run, { isWhole: leftOut.length === 0 })
    if (run.rejected_sources > 0) await raiseUnread(tx, run, { why: 'bad_rows', rows: run.rejected_sources })
    else if (failures >= SERVER_LIMITS.syncFailures)
      await raiseUnread(tx, run, { why: 'unread', product: leftOut, failures })
    else if (leftOut.length === 0) await resolveAlert(tx, 'supplier.catalogue', run.supplier)
    return 'ended'
  })
