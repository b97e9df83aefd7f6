import { Failure } from '@olmos/contract/failure'
import { SERVER_LIMITS } from '../../limits.ts'
import type { Database } from '../../platform/database/database.ts'
import { createRateLimiter } from '../../platform/http/rate-limit.ts'
import type { Caller } from '../../platform/http/route.ts'
import { raiseAlert } from '../../platform/live/alert.ts'
import { writeAudit } from '../../platform/security/audit.ts'
import type { Vault } from '../../platform/security/vault.ts'
import { codeRow, insertReveals, type RevealPlace, revealSoldCodes } from './codes.store.ts'
import { lockCode } from './stock.ts'

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

/**
 * Makes a function that counts each code an admin wants to see. It refuses with RATE_LIMITED once there are too many,
 * and raises an alert then: somebody who opens one code after the other may have stolen a session.
 */
export function revealsLimit(database: Database, isOn: boolean): (admin: Caller) => Promise<void> {
  const limit = SERVER_LIMITS.rates.codeRevealsPerAdmin
  const reveals = createRateLimiter(database, { name: 'codeRevealsPerAdmin', ...limit }, isOn)
  return async ({ id, nickname }) => {
    try {
      await reveals.count(String(id))
    } catch (error) {
      if (!(error instanceof Failure && error.is('RATE_LIMITED') && error.details)) throw error
      const { retryAfterSeconds } = error.details
      const began = Date.now() - (limit.seconds - retryAfterSeconds) * 1_000
      // Rounded to the minute, so that all refusals of one stretch share an alert and the next stretch raises a new
      // one.
      const since = new Date(Math.round(began / 60_000) * 60_000).toISOString()
      const details = { admin: nickname, codes: limit.points, minutes: limit.seconds / 60, since }
      await raiseAlert(database, { kind: 'security.reveals', subject: `user:${id}`, details })
      throw new Failure('RATE_LIMITED', { code: 'many_reveals', most: limit.points, retryAfterSeconds })
    }
  }
}
