import { Failure } from '@olmos/contract/failure'
import type { GeneratedCode } from '@olmos/contract/generated-codes'
import type { Tx } from '../../platform/database/queries.ts'
import { writeAudit, writeAuditChange } from '../../platform/security/audit.ts'
import type { Vault } from '../../platform/security/vault.ts'
import { changeOffer } from '../catalogue/offers.ts'
import {
  countOfOtherGame,
  findGenerated,
  isPublished,
  lockGenerated,
  setPublished,
  shownGenerated,
} from './generated-codes.ts'

interface Publishing {
  /** Codes by id instead of a whole batch. */
  ids?: number[] | undefined
  batch?: number | undefined
  published: boolean
}

/**
 * Publishes codes, or unpublishes those that nobody has bought or reserved; the others stay as they are. Returns how
 * many it changed. Refuses to publish any when one of them would be sold as something else than it delivers.
 */
export async function publishCodes(tx: Tx, adminId: number, wanted: Publishing): Promise<number> {
  await requireOwnGame(tx, wanted)
  const changed = await setPublished(tx, wanted)
  if (changed.length === 0) return 0
  const after = { published: wanted.published, ids: changed.map(({ id }) => id).sort((a, b) => a - b) }
  const subject = wanted.batch ? `batch:${wanted.batch}` : 'codes'
  await writeAudit(tx, { actorId: adminId, action: 'codes.publish', subject, after })
  for (const productId of new Set(changed.map(({ product_id }) => product_id))) {
    tx.notify('catalogue', `product:${productId}`)
  }
  return changed.length
}

async function requireOwnGame(tx: Tx, wanted: Publishing): Promise<void> {
  if (wanted.published && (await countOfOtherGame(tx, wanted)) > 0)
    throw new Failure('STATE_CONFLICT', { reason: 'codes_of_another_game', codes: 'other_game' })
}

/**
 * Publishes or unpublishes one code; when it is sold or reserved, refuses with STATE_CONFLICT. Popularity applies to
 * its whole package.
 */
export async function changeGenerated(
  tx: Tx,
  vault: Vault,
  adminId: number,
  { id, published, popular }: { id: number; published?: boolean | undefined; popular?: boolean | undefined },
): Promise<GeneratedCode> {
  const before = await lockGenerated(tx, id)
  if (!before) throw new Failure('CODE_NOT_FOUND')
  if (published !== undefined && published !== isPublished(before.status)) {
    await requireOwnGame(tx, { ids: [id], published })
    const moved = await setPublished(tx, { ids: [id], published })
    if (moved.length === 0) throw new Failure('STATE_CONFLICT', { reason: 'code_taken', status: before.status })
    const entry = { actorId: adminId, action: 'code.publish', subject: `code:${id}` } as const
    await writeAuditChange(tx, entry, { published: !published }, { published })
    tx.notify('catalogue', `product:${before.product_id}`)
  }
  if (popular !== undefined) await changeOffer(tx, adminId, before.offer_id, { isPopular: popular })
  const after = await findGenerated(tx, id)
  if (!after) throw new Failure('CODE_NOT_FOUND')
  return shownGenerated(vault, after)
}
