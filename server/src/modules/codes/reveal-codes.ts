import { setImmediate as nextTurn } from 'node:timers/promises'
import { toCsv } from '@olmos/contract/csv'
import { Failure } from '@olmos/contract/failure'
import { toMajor } from '@olmos/contract/minor-units'
import { SERVER_LIMITS } from '../../limits.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Queries } from '../../platform/database/queries.ts'
import type { Caller } from '../../platform/http/route.ts'
import { raiseAlert } from '../../platform/live/alert.ts'
import { writeAudit } from '../../platform/security/audit.ts'
import type { Vault } from '../../platform/security/vault.ts'
import { readNumbers } from '../shop/shop.ts'
import { codeRow, countKeptBack, insertReveals, type RevealPlace, revealSoldCodes } from './codes.store.ts'
import { type CopiedCode, countCopied, isPublished, readToCopy, shownStatus } from './generated-codes.ts'
import { lockCode, type StockFilter } from './stock.ts'

interface Reader {
  userId: number
  place: RevealPlace
}

export interface RevealedCodes {
  /** In plain text, in the order of sale. */
  codes: string[]
  /** How many more there are, of a recalled batch, which the buyer has not seen and is not shown. */
  withheld: number
  /** How many more there are, which the buyer has not seen and is not shown while frozen. */
  frozen: number
}

/**
 * Reads the codes of an order by the position of their item. The reveal is recorded first. The caller has made sure
 * that the reader may see them.
 */
export async function revealCodes(
  database: Database,
  vault: Vault,
  orderId: string,
  reader: Reader,
): Promise<Map<number, RevealedCodes>> {
  const sold = await revealSoldCodes(database, orderId, reader.userId, reader.place)
  const items = new Map<number, RevealedCodes>()
  for (const code of sold) {
    const item = items.get(code.item_position) ?? { codes: [], withheld: 0, frozen: 0 }
    if (code.is_withheld) item.withheld++
    else if (code.is_frozen) item.frozen++
    else item.codes.push(await vault.unseal(code, codeRow(code.id)))
    items.set(code.item_position, item)
  }
  return items
}

/** Finds by the position of their item how many codes of an order its buyer would not be shown; reads and records none. */
export async function findKeptBack(queries: Queries, orderId: string): Promise<Map<number, RevealedCodes>> {
  const items = await countKeptBack(queries, orderId)
  return new Map(items.map(({ item_position, ...counts }) => [item_position, { codes: [], ...counts }]))
}

/** Reads one plain code for an admin; the reveal is recorded first, also in the audit trail. */
export async function revealCode(database: Database, vault: Vault, codeId: number, adminId: number): Promise<string> {
  const sealed = await database.transaction(async (tx) => {
    const code = await lockCode(tx, codeId)
    if (!code) throw new Failure('CODE_NOT_FOUND')
    await insertReveals(tx, [codeId], adminId, 'admin')
    await writeAudit(tx, { actorId: adminId, action: 'code.reveal', subject: `code:${codeId}` })
    return code
  })
  return vault.unseal(sealed, codeRow(codeId))
}

/** Others get their turn in between. */
const opensAtOnce = 500

interface Copying {
  admin: Caller
  filter: StockFilter
  ids: number[] | undefined
  format: 'text' | 'csv'
  /** The filter as the audit trail keeps it. */
  noted: object
}

/**
 * Returns the plain codes of a filter, oldest first, one per line or as a table. The copy is recorded first, for each
 * code and in the audit trail, and a large one raises an alert for the other admins. Refuses too many at once with
 * VALIDATION_FAILED.
 */
export async function copyCodes(
  database: Database,
  vault: Vault,
  { admin, filter, ids, format, noted }: Copying,
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
    const after = { filter: noted, format, count: found.length }
    await writeAudit(tx, { actorId: admin.id, action: 'codes.copy', subject: 'codes', after })
    // Counts after writing: writes to the trail wait for each other, so two simultaneous copies see each other.
    const { copies_alert_codes: most, copies_alert_hours: hours } = await readNumbers(tx)
    const copied = await countCopied(tx, admin.id, hours)
    if (copied > most) {
      const details = { admin: admin.nickname, codes: copied, hours }
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
