import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ImportReport } from '@olmos/contract/codes'
import { Failure } from '@olmos/contract/failure'
import { type ImportLine, type InvalidLine, importReader } from '@olmos/contract/import-lines'
import { sql, type Tx } from '../../platform/database/queries.ts'
import { writeAudit } from '../../platform/security/audit.ts'
import type { Vault } from '../../platform/security/vault.ts'
import { comparePrices, priceOffers, requirePlace } from '../catalogue/price-offers.ts'
import type { OfferPlace, OfferPrice } from '../catalogue/product.rules.ts'
import {
  codeRow,
  drawCodeIds,
  insertBatch,
  insertCodes,
  knownFingerprints,
  leaveArchive,
  lockOpenBatch,
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

/** Returns, for each code in the order given, whether it is in stock, or was with a customer once. */
export async function areKnown(tx: Tx, codes: readonly MarkedCode[]): Promise<boolean[]> {
  const known = await knownFingerprints(tx, toFingerprints(codes))
  return codes.map(({ fingerprint }) => known.size > 0 && known.has(fingerprint.toString('hex')))
}

/** Takes codes out of the archive that nobody ever bought or saw, so that they can be shelved again; returns how many. */
export const unarchiveCodes = (tx: Tx, codes: readonly MarkedCode[]): Promise<number> =>
  leaveArchive(tx, toFingerprints(codes))

/**
 * Seals codes and puts them into a batch. Returns their ids in the order given; undefined for a code that another
 * transaction was quicker with.
 */
export async function shelveCodes(
  tx: Tx,
  vault: Vault,
  batch: ShelfBatch,
  codes: readonly (MarkedCode & { offerId: number })[],
): Promise<(number | undefined)[]> {
  const { ids, seal } = await tx.pipeline({
    ids: (tx) => drawCodeIds(tx, codes.length),
    seal: (tx) => vault.sealer(tx),
  })
  const added = new Set<number>()
  let writing: Promise<number[]> = Promise.resolve([])
  for (let start = 0; start < codes.length; start += rowsAtOnce) {
    const sealed = codes.slice(start, start + rowsAtOnce).map(({ offerId, fingerprint, plain }, at) => {
      const id = ids[start + at] as number
      return { id, offerId, fingerprint, ...seal(plain, codeRow(id)) }
    })
    for (const id of await writing) added.add(id)
    writing = insertCodes(tx, batch, sealed)
    // Who awaits it sees its failure; until then it must not end the process.
    writing.catch(() => {})
    await nextTurn()
  }
  for (const id of await writing) added.add(id)
  return ids.map((id) => (added.has(id) ? id : undefined))
}

interface ParsedImport {
  valid: ImportLine[]
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

interface CodeImport extends OfferPlace {
  lines: string | readonly string[]
  /** Reports what would happen and changes nothing. */
  dryRun: boolean
  /** Null when the store itself imports. */
  adminId: number | null
  /** The earlier import that this one continues. */
  batchId?: number | undefined
  purchase?: Purchase | undefined
  /** Whether an operator has seen and confirmed which prices change. */
  isConfirmed?: boolean | undefined
}

/**
 * Adds codes to stock, making their offers if needed: all valid lines or, when one is invalid, none. A code that was
 * imported before is a duplicate and skipped with its price, unless it is archived and nobody bought or saw it: then it
 * moves to this import. When a price differs from the one in force and is not confirmed, nothing is imported:
 * PRICE_CHANGED.
 */
export async function importCodes(tx: Tx, vault: Vault, codes: CodeImport): Promise<ImportReport> {
  await requirePlace(tx, codes)
  await requireBatch(tx, codes)
  const { valid: lines, invalid, repeated } = parseImport(codes.lines)
  const valid = lines.map((line) => ({ ...line, ...markCode(vault, line.code) }))
  const known = await areKnown(tx, valid)
  const fresh = valid.filter((_, index) => !known[index])
  const report: ImportReport = {
    added: invalid.length > 0 ? 0 : fresh.length,
    batch_id: null,
    duplicates: [...repeated, ...valid.filter((_, index) => known[index]).map(({ line }) => line)].sort(
      (a, b) => a - b,
    ),
    invalid,
    price_changes: [],
  }
  if (codes.dryRun) await requirePurchase(tx, codes.purchase)
  if (codes.dryRun || invalid.length > 0) {
    return { ...report, price_changes: await comparePrices(tx, codes, toPrices(fresh)) }
  }
  report.batch_id = codes.batchId ?? null
  if (fresh.length === 0) return report

  await tx.run(sql`SAVEPOINT untouched`)
  const fromArchive = await unarchiveCodes(tx, fresh)
  const { offers, changes } = await priceOffers(tx, codes, toPrices(fresh), codes)
  const batchId = codes.batchId ?? (await insertBatch(tx, { ...codes, importedBy: codes.adminId }))
  const priced = fresh.map((line) => ({ ...line, offerId: offers.get(line.gameAmount) as number }))
  const shelved = await shelveCodes(tx, vault, { id: batchId }, priced)
  const late = fresh.filter((_, index) => shelved[index] === undefined).map(({ line }) => line)
  report.added -= late.length
  report.duplicates = [...report.duplicates, ...late].sort((a, b) => a - b)
  if (report.added === 0) {
    // Other imports were quicker with every code: neither a price nor an empty batch may remain.
    await tx.run(sql`ROLLBACK TO SAVEPOINT untouched`)
    return report
  }
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

function toPrices(lines: readonly ImportLine[]): OfferPrice[] {
  return [
    ...new Map(
      lines.map(({ gameAmount, priceUsd, priceRub }) => [gameAmount, { gameAmount, priceUsd, priceRub }]),
    ).values(),
  ]
}
