import { Failure } from '@olmos/contract/failure'
import type { InvalidLine } from '@olmos/contract/import-lines'
import * as LIMITS from '@olmos/contract/limits'
import { toMajor } from '@olmos/contract/minor-units'
import type { PoolReport, PubgCode, PubgCodeChange } from '@olmos/contract/pubg-codes'
import { isStorable } from '@olmos/contract/storable'
import { orDuplicate, requireVersion } from '../../platform/database/lists.ts'
import type { Queries, Tx } from '../../platform/database/queries.ts'
import { writeAudit, writeAuditChange } from '../../platform/security/audit.ts'
import type { Vault } from '../../platform/security/vault.ts'
import { type DenominationRow, lockDenominationToChange, toProduct } from '../catalogue/denominations.ts'
import { requirePricing } from '../catalogue/price-offers.ts'
import { lockUnsold, rewrite } from './change-code.ts'
import { insertBatch, uniqueCode } from './codes.store.ts'
import { findKnown, markCode, shelveCodes, unarchiveCodes } from './import-codes.ts'
import { type Purchase, requirePurchase, toAudited } from './purchases.ts'
import { deleteCode, findStock, type LockedCode, maskedCode, moveCode, type StockRow } from './stock.ts'

interface ParsedPool {
  valid: { line: number; code: string }[]
  invalid: InvalidLine[]
  /** Lines whose code also appears in an earlier line. */
  repeated: number[]
}

/** Parses one code per line. Empty lines are skipped; a byte order mark and Windows line ends are accepted. */
export function parsePool(lines: string | readonly string[]): ParsedPool {
  const texts = typeof lines === 'string' ? lines.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/) : lines
  const parsed: ParsedPool = { valid: [], invalid: [], repeated: [] }
  const seen = new Set<string>()
  texts.forEach((text, index) => {
    const code = text.trim()
    const line = index + 1
    if (code === '') return
    if (!isStorable(code) || /[\r\n•]/.test(code)) parsed.invalid.push({ line, reason: 'code_missing' })
    else if (code.length > LIMITS.codeLengthMax) parsed.invalid.push({ line, reason: 'code_too_long' })
    // A code is one word. This is a line of the other import, or says something else: it would be spent, and rejected, as a whole.
    else if (/[,;\s]/.test(code)) parsed.invalid.push({ line, reason: 'wrong_columns' })
    else if (seen.has(code)) parsed.repeated.push(line)
    else {
      seen.add(code)
      parsed.valid.push({ line, code })
    }
  })
  return parsed
}

/** Formats a code of the pool for lists. */
export async function shownPoolCode(vault: Vault, row: StockRow): Promise<PubgCode> {
  const { id, status, batch_id, order_id, user_id, nickname } = row
  return {
    id,
    denomination_id: row.offer_id,
    code: await maskedCode(vault, row),
    uc_amount: row.game_amount,
    price_usd: toMajor(row.price_usd),
    price_rub: toMajor(row.price_rub),
    status,
    batch_id,
    order_id,
    user_id,
    nickname,
    created_at: row.created_at.toISOString(),
    version: row.version,
  }
}

async function readPoolCode(queries: Queries, vault: Vault, codeId: number): Promise<PubgCode> {
  const row = await findStock(queries, codeId)
  if (!row) throw new Failure('CODE_NOT_FOUND')
  return shownPoolCode(vault, row)
}

/**
 * Adds one code to the pool of a denomination. Refuses one that is in stock, or that somebody ever bought or saw, with
 * DUPLICATE.
 */
export async function addPoolCode(
  tx: Tx,
  vault: Vault,
  adminId: number,
  { denomination_id, code, purchase }: { denomination_id: number; code: string; purchase: Purchase | undefined },
): Promise<PubgCode> {
  const denomination = await lockDenominationToChange(tx, 'pubg', denomination_id)
  const shelving = shelve(tx, vault, { denomination, adminId, purchase }, [markCode(vault, code)])
  const [id] = (await orDuplicate(shelving, uniqueCode, 'code')).ids
  const after = await readPoolCode(tx, vault, id as number)
  const entry = { actorId: adminId, action: 'pubg_code.create', subject: `code:${id}` } as const
  await writeAudit(tx, { ...entry, after: { ...audited(after), ...toAudited(purchase) } })
  return after
}

interface PoolImport {
  denominationId: number
  lines: string | readonly string[]
  /** Reports what would happen and changes nothing. */
  dryRun: boolean
  /** Null when the store itself imports. */
  adminId: number | null
  purchase?: Purchase | undefined
}

/**
 * Imports codes into the pool, one per line: all valid lines or, when one is invalid, none; known codes are skipped.
 */
export async function importPool(tx: Tx, vault: Vault, wanted: PoolImport): Promise<PoolReport> {
  const { denominationId, lines, dryRun, adminId, purchase } = wanted
  const denomination = await lockDenominationToChange(tx, 'pubg', denominationId)
  const { valid: parsed, invalid, repeated } = parsePool(lines)
  const valid = parsed.map((line) => ({ ...line, ...markCode(vault, line.code) }))
  const { products: known } = await findKnown(tx, valid)
  const fresh = valid.filter((_, at) => !known[at])
  const report: PoolReport = {
    added: invalid.length > 0 ? 0 : fresh.length,
    duplicates: [...repeated, ...valid.filter((_, at) => known[at]).map(({ line }) => line)].sort((a, b) => a - b),
    invalid,
  }
  if (dryRun) await requirePurchase(tx, purchase)
  if (dryRun || report.added === 0) return report

  const { batchId } = await shelve(tx, vault, { denomination, adminId, purchase }, fresh)
  if (adminId !== null) {
    const after = { denomination_id: denominationId, added: report.added, ...toAudited(purchase) }
    await writeAudit(tx, { actorId: adminId, action: 'pubg_codes.import', subject: `batch:${batchId}`, after })
  }
  return report
}

/** Puts codes into a batch of the pool; one that is in stock fails as in `insertCodes`. */
async function shelve(
  tx: Tx,
  vault: Vault,
  { denomination, adminId, purchase }: Pick<PoolImport, 'adminId' | 'purchase'> & { denomination: DenominationRow },
  codes: readonly ReturnType<typeof markCode>[],
): Promise<{ batchId: number; ids: number[] }> {
  const place = { productId: denomination.product_id, regionId: null }
  const batchId = await insertBatch(tx, { ...place, importedBy: adminId, purchase })
  await unarchiveCodes(tx, codes)
  const pooled = codes.map((code) => ({ ...code, offerId: denomination.id }))
  return { batchId, ids: await shelveCodes(tx, vault, { id: batchId }, pooled) }
}

/**
 * Changes a code of the pool that was never spent: its text, its denomination, or whether it may be spent. Another
 * denomination is refused with FORBIDDEN for who may not set prices.
 */
export async function changePoolCode(
  tx: Tx,
  vault: Vault,
  adminId: number,
  { id, denomination_id, code, status, version, mayPrice }: PubgCodeChange & { id: number; mayPrice: boolean },
): Promise<PubgCode> {
  const row = await lockPoolCode(tx, id)
  const before = await shownPoolCode(vault, row)
  requireVersion(before, version)
  if (denomination_id !== undefined && denomination_id !== row.offer_id) requirePricing({ mayPrice })
  if (denomination_id !== undefined) await lockDenominationToChange(tx, 'pubg', denomination_id)
  await moveCode(tx, id, { offerId: denomination_id ?? row.offer_id, status: status ?? row.status })
  if (code !== undefined) await rewrite(tx, vault, id, code)
  const after = await readPoolCode(tx, vault, id)
  const entry = { actorId: adminId, action: 'pubg_code.update', subject: `code:${id}` } as const
  const rewritten = code === undefined ? {} : { rewritten: true }
  await writeAuditChange(tx, entry, audited(before), { ...audited(after), ...rewritten })
  return after
}

/** Deletes a code of the pool without a trace. One that was spent, tried or seen is refused: it can be archived. */
export async function removePoolCode(tx: Tx, vault: Vault, adminId: number, codeId: number): Promise<void> {
  const row = await lockPoolCode(tx, codeId)
  if (row.was_revealed) throw new Failure('STATE_CONFLICT', { reason: 'code_revealed', code: 'revealed' })
  await deleteCode(tx, codeId)
  const before = audited(await shownPoolCode(vault, row))
  await writeAudit(tx, { actorId: adminId, action: 'pubg_code.delete', subject: `code:${codeId}`, before })
}

/** A code of another product is not in the pool. */
async function lockPoolCode(tx: Tx, codeId: number): Promise<LockedCode> {
  const { row, productId } = await tx.pipeline({
    row: (tx) => findStock(tx, codeId),
    productId: (tx) => toProduct(tx, 'pubg'),
  })
  if (row?.product_id !== productId) throw new Failure('CODE_NOT_FOUND')
  return lockUnsold(tx, codeId)
}

const audited = ({ denomination_id, uc_amount, status, batch_id }: PubgCode) => ({
  denomination_id,
  uc_amount,
  status,
  batch_id,
})
