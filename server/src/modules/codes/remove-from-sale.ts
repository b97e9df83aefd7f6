import type { Belongings } from '@olmos/contract/products'
import { sql, type Tx } from '../../platform/database/database.ts'
import { writeAudit } from '../../platform/security/audit.ts'
import { type Game, lockDenominationToDelete, retire } from '../catalogue/denominations.ts'
import { lockOfferToDelete, retireOffer } from '../catalogue/offers.ts'
import { deleteProductRow, lockProductToDelete } from '../catalogue/products.ts'

/** Codes that are sold as it, or codes that deliver it when they are spent. */
const column = { package: sql`offer_id`, denomination: sql`denomination_id` }
type Side = keyof typeof column

const isUnsold = sql`status IN ('available', 'unpublished', 'archived')`

/** Locks the unsold codes: nobody buys one, or is shown one, until the transaction ends. */
const lockUnsold = (tx: Tx, side: Side, id: number) =>
  tx.run(sql`SELECT FROM code WHERE ${column[side]} = ${id} AND ${isUnsold} ORDER BY id FOR UPDATE`)

/** Deletes those that were never sold, shown, or given to a supplier; returns how many. The caller has locked them. */
const deleteUntouched = (tx: Tx, side: Side, id: number) =>
  tx.run(sql`
    DELETE FROM code WHERE ${column[side]} = ${id} AND ${isUnsold}
      AND NOT EXISTS (SELECT FROM code_sale WHERE code_id = code.id)
      AND NOT EXISTS (SELECT FROM code_reveal WHERE code_id = code.id)
      AND NOT EXISTS (SELECT FROM supplier_order WHERE code_id = code.id)`)

/** Unpublishes the rest; the owner of a generated one may still spend it. */
const shelveTouched = (tx: Tx, side: Side, id: number) =>
  tx.run(sql`
    UPDATE code SET status = CASE WHEN denomination_id IS NULL THEN 'archived' ELSE 'unpublished' END
    WHERE ${column[side]} = ${id} AND status = 'available'`)

/** Archives the rest of a deleted product's stock: it may be imported elsewhere. */
const archiveStock = (tx: Tx, productId: number) =>
  tx.run(sql`
    UPDATE code SET status = CASE WHEN denomination_id IS NULL THEN 'archived' ELSE 'unpublished' END
    FROM offer WHERE offer.id = code.offer_id AND offer.product_id = ${productId} AND code.status = 'available'`)

async function countLeft(tx: Tx, side: Side, id: number): Promise<number> {
  const { count } = await tx.one<{ count: number }>(
    sql`SELECT count(*)::int AS count FROM code WHERE ${column[side]} = ${id}`,
  )
  return count
}

/**
 * Deletes the codes of an offer that nobody has bought or seen, and unpublishes those that somebody has seen. Sold
 * codes stay: receipts do not change. The caller has locked the offer. Returns how many were deleted and kept.
 */
async function removeCodes(tx: Tx, side: Side, id: number): Promise<{ deleted: number; kept: number }> {
  // Locks before it reads reveals: a code that is just being shown has its reveal written by then.
  await lockUnsold(tx, side, id)
  const deleted = await deleteUntouched(tx, side, id)
  await shelveTouched(tx, side, id)
  return { deleted, kept: await countLeft(tx, side, id) }
}

/** Codes of its pool, or codes that deliver it when they are spent. */
const gameCodes = { pubg: 'package', freefire: 'denomination' } as const

/**
 * Deletes a denomination and all its codes that nobody has bought or seen. The rest keeps working: receipts do not
 * change, and codes that were sold or handed out can be spent. Returns how many were deleted and kept.
 */
export async function removeDenomination(
  tx: Tx,
  adminId: number,
  game: Game,
  id: number,
): Promise<{ id: number; deleted_codes: number; kept_codes: number }> {
  const denomination = await lockDenominationToDelete(tx, game, id)
  const { deleted, kept } = await removeCodes(tx, gameCodes[game], id)
  await retire(tx, denomination)
  const { name, item_id, game_amount, price_usd, price_rub, is_active } = denomination
  await writeAudit(tx, {
    actorId: adminId,
    action: 'denomination.delete',
    subject: `offer:${id}`,
    before: { name, item_id, game_amount, price_usd, price_rub, is_active, deleted_codes: deleted, kept_codes: kept },
  })
  return { id, deleted_codes: deleted, kept_codes: kept }
}

/**
 * Deletes a package of a product of codes, with all its codes that nobody has bought or seen; receipts keep working.
 */
export async function removeOffer(
  tx: Tx,
  adminId: number,
  id: number,
): Promise<{ id: number; deleted_codes: number; kept_codes: number }> {
  const offer = await lockOfferToDelete(tx, id)
  const { deleted, kept } = await removeCodes(tx, 'package', id)
  await retireOffer(tx, offer)
  const { product_id, region_id, game_amount, price_usd, price_rub, is_active } = offer
  await writeAudit(tx, {
    actorId: adminId,
    action: 'offer.delete',
    subject: `offer:${id}`,
    before: {
      product_id,
      region_id,
      game_amount,
      price_usd,
      price_rub,
      is_active,
      deleted_codes: deleted,
      kept_codes: kept,
    },
  })
  return { id, deleted_codes: deleted, kept_codes: kept }
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
