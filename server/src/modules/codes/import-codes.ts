import type { ImportReport } from '@olmos/contract/codes'
import { Failure } from '@olmos/contract/failure'
import { type ImportLine, type InvalidLine, importReader } from '@olmos/contract/import-lines'
import { sql, type Tx } from '../../platform/database/database.ts'
import { writeAudit } from '../../platform/security/audit.ts'
import type { Vault } from '../../platform/security/vault.ts'
import { comparePrices, priceOffers, requirePlace } from '../catalogue/price-offers.ts'
import type { OfferPlace, OfferPrice } from '../catalogue/prices.rules.ts'
import {
  codeRow,
  drawCodeIds,
  insertBatch,
  insertCodes,
  knownFingerprints,
  leaveArchive,
  lockOpenBatch,
  type SealedCode,
} from './codes.store.ts'

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

const rowsAtOnce = 5_000

interface CodeImport extends OfferPlace {
  lines: string | readonly string[]
  /** Reports what would happen and changes nothing. */
  dryRun: boolean
  /** Null when the store itself imports. */
  adminId: number | null
  /** The earlier import that this one continues. */
  batchId?: number | undefined
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
  const { valid, invalid, repeated } = parseImport(codes.lines)
  const known = await findKnown(tx, vault, valid)
  const fresh = valid.filter((line) => !known.has(line.line))
  const report: ImportReport = {
    added: invalid.length > 0 ? 0 : fresh.length,
    batch_id: null,
    duplicates: [...repeated, ...known].sort((a, b) => a - b),
    invalid,
    price_changes: [],
  }
  if (codes.dryRun || invalid.length > 0) {
    return { ...report, price_changes: await comparePrices(tx, codes, toPrices(fresh)) }
  }
  report.batch_id = codes.batchId ?? null
  if (fresh.length === 0) return report

  await tx.run(sql`SAVEPOINT untouched`)
  const fromArchive = await leaveArchive(
    tx,
    fresh.map((line) => vault.fingerprint(line.code)),
  )
  const { offers, changes } = await priceOffers(tx, codes, toPrices(fresh), codes)
  const batchId = codes.batchId ?? (await insertBatch(tx, { ...codes, importedBy: codes.adminId }))
  const late = await shelve(tx, vault, { batchId, offers }, fresh)
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

/** Finds the lines whose code is in stock, or was with somebody. */
async function findKnown(tx: Tx, vault: Vault, lines: readonly ImportLine[]): Promise<Set<number>> {
  const fingerprints = lines.map((line) => vault.fingerprint(line.code))
  const known = await knownFingerprints(tx, fingerprints)
  return new Set(
    lines.filter((_, index) => known.has(fingerprints[index]?.toString('hex') ?? '')).map(({ line }) => line),
  )
}

function toPrices(lines: readonly ImportLine[]): OfferPrice[] {
  return [
    ...new Map(
      lines.map(({ gameAmount, priceUsd, priceRub }) => [gameAmount, { gameAmount, priceUsd, priceRub }]),
    ).values(),
  ]
}

/** Returns the lines whose code a simultaneous import was quicker with. */
async function shelve(
  tx: Tx,
  vault: Vault,
  shelf: { batchId: number; offers: ReadonlyMap<number, number> },
  lines: readonly ImportLine[],
): Promise<number[]> {
  const late: number[] = []
  for (let start = 0; start < lines.length; start += rowsAtOnce) {
    const part = lines.slice(start, start + rowsAtOnce)
    const codes = await sealed(tx, vault, part, shelf.offers)
    const added = new Set(await insertCodes(tx, { id: shelf.batchId }, codes))
    part.forEach((line, index) => {
      if (!added.has(codes[index]?.id as number)) late.push(line.line)
    })
  }
  return late
}

async function sealed(
  tx: Tx,
  vault: Vault,
  lines: readonly ImportLine[],
  offers: ReadonlyMap<number, number>,
): Promise<SealedCode[]> {
  const { ids, seal } = await tx.pipeline({
    ids: (tx) => drawCodeIds(tx, lines.length),
    seal: (tx) => vault.sealer(tx),
  })
  return lines.map((line, index) => {
    const id = ids[index] as number
    const offerId = offers.get(line.gameAmount) as number
    return { id, offerId, fingerprint: vault.fingerprint(line.code), ...seal(line.code, codeRow(id)) }
  })
}
