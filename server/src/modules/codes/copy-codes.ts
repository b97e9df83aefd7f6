import { setImmediate as nextTurn } from 'node:timers/promises'
import { Failure } from '@olmos/contract/failure'
import { toMajor } from '@olmos/contract/minor-units'
import { SERVER_BUSINESS } from '../../business.ts'
import { SERVER_LIMITS } from '../../limits.ts'
import { toCsv } from '../../platform/csv.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Caller } from '../../platform/http/route.ts'
import { raiseAlert } from '../../platform/live/alert.ts'
import { writeAudit } from '../../platform/security/audit.ts'
import type { Vault } from '../../platform/security/vault.ts'
import { codeRow, insertReveals } from './codes.store.ts'
import { type CopiedCode, countCopied, isPublished, readToCopy, shownStatus } from './generated-codes.ts'
import type { StockFilter } from './stock.ts'

/** Others get their turn in between. */
const opensAtOnce = 500

interface Copying {
  admin: Caller
  filter: StockFilter
  ids: number[] | undefined
  format: 'text' | 'csv'
  /** The filter as it was requested. */
  request: object
}

/**
 * Returns the plain codes of a filter, oldest first, one per line or as a table. The copy is recorded first, for each
 * code and in the audit trail, and a large one raises an alert for the other admins. Refuses too many at once with
 * VALIDATION_FAILED.
 */
export async function copyCodes(
  database: Database,
  vault: Vault,
  { admin, filter, ids, format, request }: Copying,
): Promise<{ count: number; text: string }> {
  const codes = await database.transaction(async (tx) => {
    const found = await readToCopy(tx, filter, ids)
    if (found.length > SERVER_LIMITS.copiedCodesMax) throw new Failure('VALIDATION_FAILED', { filter: 'list_too_long' })
    if (found.length === 0) return found
    await insertReveals(
      tx,
      found.map((code) => code.id),
      admin.id,
      'admin',
    )
    const after = { filter: request, format, count: found.length }
    await writeAudit(tx, { actorId: admin.id, action: 'codes.copy', subject: 'codes', after })
    // Counts after writing: writes to the trail wait for each other, so two simultaneous copies see each other.
    const copied = await countCopied(tx, admin.id, SERVER_BUSINESS.copiesAlert.hours)
    if (copied > SERVER_BUSINESS.copiesAlert.codes) {
      const details = { admin: admin.nickname, codes: copied, hours: SERVER_BUSINESS.copiesAlert.hours }
      await raiseAlert(tx, { kind: 'security.copies', subject: `user:${admin.id}`, details })
    }
    return found
  })
  const plain: string[] = []
  for (const [index, code] of codes.entries()) {
    plain.push(await vault.unseal(code, codeRow(code.id)))
    if (index % opensAtOnce === opensAtOnce - 1) await nextTurn()
  }
  if (format === 'text') return { count: codes.length, text: plain.join('\n') }
  return { count: codes.length, text: toCsv([head, ...codes.map((code, at) => toRow(code, plain[at] as string))]) }
}

const head = [
  'code',
  'product',
  'denomination',
  'game_amount',
  'price_usd',
  'price_rub',
  'status',
  'published',
  'activated_at',
  'player_id',
  'created_at',
]

const toRow = (code: CopiedCode, plain: string) => [
  plain,
  code.product_title,
  code.denomination_name,
  code.game_amount,
  toMajor(code.price_usd),
  toMajor(code.price_rub),
  shownStatus(code.status),
  isPublished(code.status) ? 'yes' : 'no',
  code.activated_at?.toISOString() ?? null,
  code.player_id,
  code.created_at.toISOString(),
]
