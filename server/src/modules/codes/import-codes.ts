import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ImportReport, ImportRow } from '@olmos/contract/codes'
import { Failure } from '@olmos/contract/failure'
import { type ImportLine, type InvalidLine, importReader } from '@olmos/contract/import-lines'
import { toMinor } from '@olmos/contract/minor-units'
import type { Tx } from '../../platform/database/queries.ts'
import { writeAudit } from '../../platform/security/audit.ts'
import type { Vault } from '../../platform/security/vault.ts'
import { comparePrices, findPackages, priceOffers, requirePlace } from '../catalogue/price-offers.ts'
import type { OfferPlace, OfferPrice } from '../catalogue/product.rules.ts'
import {
  codeRow,
  drawCodeIds,
  insertBatch,
  insertCodes,
  leaveArchive,
  lockOpenBatch,
  readKnown,
  type ShelfBatch,
} from './codes.store.ts'
import { type Purchase, requirePurchase, toAudited } from './purchases.ts'

interface MarkedCode {
  plain: string
  fingerprint: Buffer
}

/** Few enough that PostgreSQL writes some while the next are sealed, and that purchases get their turn in between. */
const rowsAtOnce = 1_000

/** Computes a code's fingerprint, which every step of an import needs, once. */
export const markCode = (vault: Vault, plain: string): MarkedCode => ({ plain, fingerprint: vault.fingerprint(plain) })

const toFingerprints = (codes: readonly MarkedCode[]) => codes.map(({ fingerprint }) => fingerprint)

interface FoundCodes {
  /**
   * For each code in the order given, the product as which it is in stock, or was with a customer once; undefined for a new
   * one.
   */
  products: (number | undefined)[]
  /** Whether new ones have to leave the archive first. */
  areArchived: boolean
}

/** Looks which codes the shop has or had. */
export async function findKnown(tx: Tx, codes: readonly MarkedCode[]): Promise<FoundCodes> {
  const { known, hasImportable } = await readKnown(tx, toFingerprints(codes))
  const products = codes.map(({ fingerprint }) => (known.size > 0 ? known.get(fingerprint.toString('hex')) : undefined))
  return { products, areArchived: hasImportable }
}

/** Takes codes out of the archive that nobody ever bought or saw, so that they can be shelved again; returns how many. */
export const unarchiveCodes = (tx: Tx, codes: readonly MarkedCode[]): Promise<number> =>
  leaveArchive(tx, toFingerprints(codes))

/** Seals codes and puts them into a batch; one that is in stock fails as in `insertCodes`. Returns their ids in the order given. */
export async function shelveCodes(
  tx: Tx,
  vault: Vault,
  batch: ShelfBatch,
  codes: readonly (MarkedCode & { offerId: number })[],
): Promise<number[]> {
  const { ids, seal } = await tx.pipeline({
    ids: (tx) => drawCodeIds(tx, codes.length),
    seal: (tx) => vault.sealer(tx),
  })
  let writing: Promise<void> | undefined
  for (let start = 0; start < codes.length; start += rowsAtOnce) {
    const sealed = codes.slice(start, start + rowsAtOnce).map(({ offerId, fingerprint, plain }, at) => {
      const id = ids[start + at] as number
      return { id, offerId, fingerprint, ...seal(plain, codeRow(id)) }
    })
    await writing
    writing = insertCodes(tx, batch, sealed)
    // Who awaits it sees its failure; until then it must not end the process.
    writing.catch(() => {})
    await nextTurn()
  }
  await writing
  return ids
}

/** Without prices where the package keeps its own. */
type ReadLine = Omit<ImportLine, 'priceUsd' | 'priceRub'> & { price: OfferPrice | undefined }

interface ParsedImport<Line = ImportLine> {
  valid: Line[]
  invalid: InvalidLine[]
  /** Lines whose code also appears in an earlier line. */
  repeated: number[]
}

/** Parses a whole import. Empty lines are skipped; a byte order mark and Windows line ends are accepted. */
export function parseImport(lines: string | readonly string[]): ParsedImport {
  const texts = typeof lines === 'string' ? lines.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/) : lines
  const parsed: ParsedImport = { valid: [], invalid: [], repeated: [] }
  const read = importReader()
  texts.forEach((text, index) => {
    const result = read(text, index + 1)
    if (result.kind === 'valid') parsed.valid.push(result.line)
    if (result.kind === 'invalid') parsed.invalid.push(result.line)
    if (result.kind === 'repeated') parsed.repeated.push(index + 1)
  })
  return parsed
}

/** Reads rows of a file. An amount has one price within an import; one without a price keeps that of its package. */
function readRows(rows: readonly ImportRow[]): ParsedImport<ReadLine> {
  const read: ParsedImport<ReadLine> = { valid: [], invalid: [], repeated: [] }
  const seen = new Set<string>()
  const prices = new Map<number, OfferPrice>()
  for (const { line, code, gameAmount, priceUsd, priceRub } of rows) {
    const price =
      priceUsd === undefined || priceRub === undefined
        ? undefined
        : { gameAmount, priceUsd: toMinor(priceUsd), priceRub: toMinor(priceRub) }
    const first = prices.get(gameAmount) ?? price
    if (seen.has(code)) read.repeated.push(line)
    else if (price && (first?.priceUsd !== price.priceUsd || first.priceRub !== price.priceRub))
      read.invalid.push({ line, reason: 'price_differs_within_import' })
    else {
      if (price) prices.set(gameAmount, price)
      seen.add(code)
      read.valid.push({ line, code, gameAmount, price })
    }
  }
  return read
}

/** Finds rows without a price whose package neither exists nor is made by another row. */
async function withoutPackage(tx: Tx, place: OfferPlace, lines: readonly ReadLine[]): Promise<ReadLine[]> {
  const priced = new Set(lines.flatMap(({ price, gameAmount }) => (price ? [gameAmount] : [])))
  const unpriced = lines.filter(({ gameAmount }) => !priced.has(gameAmount))
  if (unpriced.length === 0) return []
  const packages = await findPackages(tx, place, [...new Set(unpriced.map(({ gameAmount }) => gameAmount))])
  return unpriced.filter(({ gameAmount }) => !packages.has(gameAmount))
}

async function readImport(tx: Tx, { lines, rows, ...place }: CodeImport): Promise<ParsedImport<ReadLine>> {
  if (lines !== undefined) {
    const { valid, ...rest } = parseImport(lines)
    return {
      ...rest,
      valid: valid.map(({ line, code, ...price }) => ({ line, code, gameAmount: price.gameAmount, price })),
    }
  }
  const { valid, invalid, repeated } = readRows(rows ?? [])
  const missing = new Set((await withoutPackage(tx, place, valid)).map(({ line }) => line))
  return {
    valid: valid.filter(({ line }) => !missing.has(line)),
    invalid: [...invalid, ...[...missing].map((line) => ({ line, reason: 'price_missing' as const }))],
    repeated,
  }
}

interface CodeImport extends OfferPlace {
  /** One of both. With an invalid line nothing is imported; of rows, only the invalid ones are not. */
  lines?: string | readonly string[] | undefined
  rows?: readonly ImportRow[] | undefined
  /** Reports what would happen and changes nothing. */
  dryRun: boolean
  /** Null when the store itself imports. */
  adminId: number | null
  /** The earlier import that this one continues. */
  batchId?: number | undefined
  purchase?: Purchase | undefined
  /** Whether an operator has seen and confirmed which prices change. */
  isConfirmed?: boolean | undefined
  /** Without it an import that would make a package is refused with FORBIDDEN. */
  mayPrice: boolean
}

/**
 * Adds codes to stock, making their offers if needed: all valid lines or, when one is invalid, none; of rows those that
 * are valid. A code that was
 * imported before is a duplicate and skipped with its price, unless it is archived and nobody bought or saw it: then it
 * moves to this import. When a price differs from the one in force and is not confirmed, nothing is imported:
 * PRICE_CHANGED.
 */
export async function importCodes(tx: Tx, vault: Vault, codes: CodeImport): Promise<ImportReport> {
  await requirePlace(tx, codes)
  await requireBatch(tx, codes)
  const { valid: lines, invalid, repeated } = await readImport(tx, codes)
  const valid = lines.map((line) => ({ ...line, ...markCode(vault, line.code) }))
  const { products, areArchived } = await findKnown(tx, valid)
  const known = valid.flatMap(({ line }, index) => {
    const productId = products[index]
    return productId === undefined ? [] : [{ line, productId }]
  })
  const fresh = valid.filter((_, index) => products[index] === undefined)
  const isRefused = codes.lines !== undefined && invalid.length > 0
  const report: ImportReport = {
    added: isRefused ? 0 : fresh.length,
    batch_id: null,
    duplicates: [...repeated, ...known.map(({ line }) => line)].sort((a, b) => a - b),
    elsewhere: known.filter(({ productId }) => productId !== codes.productId).map(({ line }) => line),
    invalid,
    price_changes: [],
  }
  if (codes.dryRun) await requirePurchase(tx, codes.purchase)
  if (codes.dryRun || isRefused)
    return { ...report, price_changes: await comparePrices(tx, codes, toPrices(fresh), codes) }
  report.batch_id = codes.batchId ?? null
  if (fresh.length === 0) return report

  const fromArchive = areArchived ? await unarchiveCodes(tx, fresh) : 0
  const kept = [...new Set(fresh.flatMap(({ price, gameAmount }) => (price ? [] : [gameAmount])))]
  const { offers, changes } = await priceOffers(tx, codes, toPrices(fresh), { ...codes, kept })
  const batchId = codes.batchId ?? (await insertBatch(tx, { ...codes, importedBy: codes.adminId }))
  const priced = fresh.map((line) => ({
    plain: line.plain,
    fingerprint: line.fingerprint,
    offerId: requirePackage(offers, line),
  }))
  await shelveCodes(tx, vault, { id: batchId }, priced)
  report.batch_id = batchId
  report.price_changes = changes
  if (codes.adminId !== null) {
    await writeAudit(tx, {
      actorId: codes.adminId,
      action: 'codes.import',
      subject: `batch:${batchId}`,
      after: {
        productId: codes.productId,
        regionId: codes.regionId,
        added: report.added,
        ...toAudited(codes.purchase),
        ...(fromArchive > 0 && { from_archive: fromArchive }),
        prices: report.price_changes,
      },
    })
  }
  return report
}

/** Refuses to continue an import that was for another place, is somebody else's, or was recalled. */
async function requireBatch(tx: Tx, { batchId, productId, regionId, adminId }: CodeImport): Promise<void> {
  if (batchId === undefined) return
  const batch = await lockOpenBatch(tx, batchId)
  const isTheirs = batch?.imported_by === adminId && batch.product_id === productId && batch.region_id === regionId
  if (!isTheirs) throw new Failure('NOT_FOUND', { batchId: 'not_found' })
}

/** Refuses when somebody deleted the package since it was found. */
function requirePackage(offers: ReadonlyMap<number, number>, { gameAmount }: ReadLine): number {
  const offerId = offers.get(gameAmount)
  if (offerId === undefined) throw new Failure('OFFER_NOT_FOUND')
  return offerId
}

function toPrices(lines: readonly ReadLine[]): OfferPrice[] {
  return [...new Map(lines.flatMap(({ gameAmount, price }) => (price ? [[gameAmount, price] as const] : []))).values()]
}
