import { Failure } from '@olmos/contract/failure'
import type { GeneratedCode } from '@olmos/contract/generated-codes'
import type { Belongings } from '@olmos/contract/products'
import { sql, type Tx } from '../../platform/database/queries.ts'
import { writeAudit, writeAuditChange } from '../../platform/security/audit.ts'
import type { Vault } from '../../platform/security/vault.ts'
import { type Game, lockDenominationToDelete } from '../catalogue/denominations.ts'
import { changeOffer, lockOfferToDelete, retireOffer } from '../catalogue/offers.ts'
import { deleteProductRow, lockProductToDelete } from '../catalogue/products.ts'
import { isUntouched } from './codes.store.ts'
import {
  countOfOtherGame,
  findGenerated,
  isPublished,
  lockGenerated,
  setPublished,
  shownGenerated,
} from './generated-codes.ts'
import { offSale } from './purchases.ts'

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

const isUnsold = sql`status IN ('available', 'unpublished', 'archived')`

/** Codes that are sold as an offer, and codes that deliver it when they are spent. */
const isOfOffer = (offerId: number) => sql`${offerId} IN (offer_id, denomination_id)`

/** Locks the unsold codes and counts them: nobody buys one, or is shown one, until the transaction ends. */
const lockUnsold = (tx: Tx, offerId: number) =>
  tx.run(sql`SELECT FROM code WHERE ${isOfOffer(offerId)} AND ${isUnsold} ORDER BY id FOR UPDATE`)

/** Deletes those that were never sold, shown, or given to a supplier; returns how many. The caller has locked them. */
const deleteUntouched = (tx: Tx, offerId: number) =>
  tx.run(sql`
    DELETE FROM code WHERE ${isOfOffer(offerId)} AND ${isUnsold} AND ${isUntouched}`)

/** Unpublishes the rest; the owner of a generated one may still spend it. */
const shelveTouched = (tx: Tx, offerId: number) =>
  tx.run(sql`UPDATE code SET status = ${offSale} WHERE ${isOfOffer(offerId)} AND status = 'available'`)

/** Archives the rest of a deleted product's stock: it may be imported elsewhere. */
const archiveStock = (tx: Tx, productId: number) =>
  tx.run(sql`
    UPDATE code SET status = ${offSale}
    FROM offer WHERE offer.id = code.offer_id AND offer.product_id = ${productId} AND code.status = 'available'`)

async function countLeft(tx: Tx, offerId: number): Promise<number> {
  const { count } = await tx.one<{ count: number }>(
    sql`SELECT count(*)::int AS count FROM code WHERE ${isOfOffer(offerId)}`,
  )
  return count
}

interface Removal {
  id: number
  /** How many unsold codes the admin saw. */
  seenCodes?: number | undefined
}

interface Removed {
  id: number
  deleted_codes: number
  kept_codes: number
}

/**
 * Takes an offer that the caller has locked off sale for good. Deletes its codes that nobody has bought or seen, and
 * unpublishes those that somebody has seen. Sold codes stay: receipts do not change, and they can be spent. Refuses with
 * STATE_CONFLICT when it has more unsold codes than the admin saw.
 */
async function removeWithCodes(
  tx: Tx,
  offer: { id: number; product_id: number },
  { seenCodes = Number.POSITIVE_INFINITY }: Removal,
): Promise<Removed> {
  // Locks before it reads reveals: a code that is just being shown has its reveal written by then.
  const unsold_codes = await lockUnsold(tx, offer.id)
  if (unsold_codes > seenCodes) throw new Failure('STATE_CONFLICT', { reason: 'more_codes', unsold_codes })
  const deleted_codes = await deleteUntouched(tx, offer.id)
  await shelveTouched(tx, offer.id)
  await retireOffer(tx, offer)
  return { id: offer.id, deleted_codes, kept_codes: await countLeft(tx, offer.id) }
}

/** Deletes a denomination of a game, with its codes. */
export async function removeDenomination(tx: Tx, adminId: number, game: Game, removal: Removal): Promise<Removed> {
  const denomination = await lockDenominationToDelete(tx, game, removal.id)
  const { id, ...counts } = await removeWithCodes(tx, denomination, removal)
  const { name, item_id, game_amount, price_usd, price_rub, is_active } = denomination
  await writeAudit(tx, {
    actorId: adminId,
    action: 'denomination.delete',
    subject: `offer:${id}`,
    before: { name, item_id, game_amount, price_usd, price_rub, is_active, ...counts },
  })
  return { id, ...counts }
}

/** Deletes a package of any product, with its codes. */
export async function removeOffer(tx: Tx, adminId: number, removal: Removal): Promise<Removed> {
  const offer = await lockOfferToDelete(tx, removal.id)
  const { id, ...counts } = await removeWithCodes(tx, offer, removal)
  const { product_id, region_id, name, item_id, game_amount, price_usd, price_rub, is_active } = offer
  await writeAudit(tx, {
    actorId: adminId,
    action: 'offer.delete',
    subject: `offer:${id}`,
    before: { product_id, region_id, name, item_id, game_amount, price_usd, price_rub, is_active, ...counts },
  })
  return { id, ...counts }
}

/**
 * Takes a product off sale for good and archives its codes; sold codes and their receipts stay. Returns what was
 * removed with it.
 */
export async function removeProduct(tx: Tx, adminId: number, productId: number): Promise<Belongings> {
  const { product, belongings } = await lockProductToDelete(tx, productId)
  await deleteProductRow(tx, productId)
  await archiveStock(tx, productId)
  const subject = `product:${productId}`
  await writeAudit(tx, { actorId: adminId, action: 'product.delete', subject, before: { ...product, belongings } })
  tx.notify('catalogue', subject)
  return belongings
}
