import type { CodeChange, CodeStatus, ListedCode, NewCode } from '@olmos/contract/codes'
import { Failure } from '@olmos/contract/failure'
import { toMinor } from '@olmos/contract/minor-units'
import { orDuplicate, requireVersion } from '../../platform/database/lists.ts'
import { sql, type Tx } from '../../platform/database/queries.ts'
import { writeAudit, writeAuditChange } from '../../platform/security/audit.ts'
import type { Vault } from '../../platform/security/vault.ts'
import { lockPrice, priceOffers, requirePlace, requirePricing } from '../catalogue/price-offers.ts'
import { codeRow, insertBatch, orderCurrency, uniqueCode } from './codes.store.ts'
import { markCode, shelveCodes, unarchiveCodes } from './import-codes.ts'
import { codeCost, isInTime, type Purchase, settleCosts, toAudited } from './purchases.ts'
import { findActivated, requireUnspent } from './spend-codes.ts'
import { deleteCode, findStock, type LockedCode, lockCode, moveCode, rewriteCode, shownStock } from './stock.ts'

interface SoldUnit {
  code_id: number
  sale_number: number
  order_item_id: number
}

/**
 * Locks the codes sold by these items, except those spent on a player. Nobody is shown one of them until the
 * transaction ends.
 */
const lockSoldCodes = (tx: Tx, itemIds: number[]) =>
  tx.rows<SoldUnit>(sql`
    SELECT code.id AS code_id, code.sale_number, code_sale.order_item_id FROM code_sale
    JOIN code ON code.id = code_sale.code_id AND code.sale_number = code_sale.sale_number
    JOIN order_item ON order_item.id = code_sale.order_item_id AND item_type = 'code'
    WHERE code_sale.order_item_id = ANY (${itemIds}) AND code.status = 'used'
    ORDER BY code.id FOR UPDATE OF code`)

/** Finds the codes that somebody has seen, which does not change while they are locked. */
const findSeen = (tx: Tx, codeIds: number[]) =>
  tx.rows<{ code_id: number }>(
    sql`SELECT DISTINCT code_id FROM code_reveal WHERE code_id = ANY (${codeIds}::bigint[]) ORDER BY code_id`,
  )

/**
 * A code that somebody has seen, or of a recalled batch, is never sold again, which a trigger enforces; the others may
 * be, by a sale with the next number.
 */
const returnSales = (tx: Tx, codeIds: number[]) =>
  tx.run(sql`
    WITH returned AS (
      UPDATE code SET sale_number = sale_number + 1,
        status = CASE WHEN EXISTS (SELECT FROM code_reveal WHERE code_id = code.id) THEN 'quarantined' ELSE 'available' END
      WHERE id = ANY (${codeIds}) RETURNING id, sale_number, status)
    INSERT INTO code_return (code_id, sale_number, is_quarantined)
    SELECT id, sale_number - 1, status = 'quarantined' FROM returned`)

/** Quarantines a code that does not work: seen or not, it is never sold again. */
const quarantineSale = (tx: Tx, codeId: number) =>
  tx.run(sql`
    WITH returned AS (
      INSERT INTO code_return (code_id, sale_number, is_quarantined)
      SELECT id, sale_number, true FROM code WHERE id = ${codeId})
    UPDATE code SET status = 'quarantined', sale_number = sale_number + 1 WHERE id = ${codeId}`)

/**
 * Takes one more code out of stock for an item, at a position after all it ever had. What it costs adds to what the
 * item cost.
 */
const sellReplacement = (tx: Tx, itemId: number, offerId: number) =>
  tx.maybe<{ code_id: number }>(sql`
    WITH taken AS (
      SELECT id, sale_number, batch_id, cost, cost_currency FROM code
      WHERE offer_id = ${offerId} AND status = 'available' AND ${isInTime}
      ORDER BY shelf LIMIT 1 FOR UPDATE SKIP LOCKED),
    used AS (UPDATE code SET status = 'used' FROM taken WHERE code.id = taken.id)
    INSERT INTO code_sale (code_id, sale_number, order_item_id, position, cost)
    SELECT code.id, code.sale_number, ${itemId},
      (SELECT max(position) + 1 FROM code_sale WHERE order_item_id = ${itemId}), ${codeCost(orderCurrency(itemId))}
    FROM taken AS code JOIN code_batch ON code_batch.id = code.batch_id RETURNING code_id`)

/**
 * Returns the codes of these items: those nobody has seen go back to stock, the others into quarantine. Refuses with
 * STATE_CONFLICT when one was activated.
 */
export async function returnCodes(tx: Tx, itemIds: number[]): Promise<void> {
  // Locks before it reads reveals: a receipt that is just being shown has its reveals written by then.
  const sold = await lockSoldCodes(tx, itemIds)
  const ids = sold.map((code) => code.code_id)
  await requireUnspent(tx, ids)
  await returnSales(tx, ids)
  await settleCosts(tx, itemIds)
}

interface WantedCodes {
  itemId: number
  quantity: number
  /** Which ones; by default unseen codes come first, and activated ones are left out. */
  codeIds?: readonly number[] | undefined
}

/**
 * Returns some codes of an item, and answers their ids. Refuses with CODE_NOT_FOUND those that are not the item's, and
 * with STATE_CONFLICT those that were activated, or when too few are left that were not.
 */
export async function returnSomeCodes(tx: Tx, { itemId, quantity, codeIds }: WantedCodes): Promise<number[]> {
  const sold = (await lockSoldCodes(tx, [itemId])).map((code) => code.code_id)
  const chosen = codeIds ? [...codeIds] : (await findUnspent(tx, sold)).slice(0, quantity)
  const unknown = chosen.filter((id) => !sold.includes(id))
  if (unknown.length > 0) throw new Failure('CODE_NOT_FOUND', { ids: unknown })
  await requireUnspent(tx, chosen.length < quantity ? sold : chosen)
  if (chosen.length < quantity) throw new Error(`item ${itemId} has fewer codes than units`)
  await returnSales(tx, chosen)
  await settleCosts(tx, [itemId])
  return chosen
}

/** Finds the locked codes that were not activated, unseen ones first. */
async function findUnspent(tx: Tx, codeIds: number[]): Promise<number[]> {
  const spent = new Set((await findActivated(tx, codeIds)).map(({ id }) => id))
  const seen = new Set((await findSeen(tx, codeIds)).map(({ code_id }) => code_id))
  const unspent = codeIds.filter((id) => !spent.has(id))
  return [...unspent.filter((id) => !seen.has(id)), ...unspent.filter((id) => seen.has(id))]
}

/** Whether these items still have this many sold codes, none of them seen; nobody sees one until the transaction ends. */
export async function areCodesUnseen(tx: Tx, itemIds: number[], quantity: number): Promise<boolean> {
  const sold = await lockSoldCodes(tx, itemIds)
  const seen = await findSeen(
    tx,
    sold.map((code) => code.code_id),
  )
  return sold.length === quantity && seen.length === 0
}

/** Finds the items none of whose codes was activated; nobody activates one until the transaction ends. */
export async function returnableItems(tx: Tx, itemIds: number[]): Promise<number[]> {
  const sold = await lockSoldCodes(tx, itemIds)
  const activated = await findActivated(
    tx,
    sold.map((code) => code.code_id),
  )
  const spent = new Set(
    sold.filter(({ code_id }) => activated.some(({ id }) => id === code_id)).map((code) => code.order_item_id),
  )
  return itemIds.filter((id) => !spent.has(id))
}

const free: readonly CodeStatus[] = ['available', 'archived', 'error', 'unpublished']

/** Locks a code that was never sold and is not reserved; nobody gets it until the transaction ends. */
export async function lockUnsold(tx: Tx, codeId: number): Promise<LockedCode> {
  const code = await lockCode(tx, codeId)
  if (!code) throw new Failure('CODE_NOT_FOUND')
  if (code.was_sold || !free.includes(code.status)) {
    throw new Failure('STATE_CONFLICT', { reason: 'code_not_in_stock', status: code.status, was_sold: code.was_sold })
  }
  return code
}

/** Changes the text of a locked code. Refuses one that is in stock with DUPLICATE. */
export async function rewrite(tx: Tx, vault: Vault, codeId: number, plain: string): Promise<void> {
  const seal = await vault.sealer(tx)
  const sealed = { ...seal(plain, codeRow(codeId)), fingerprint: vault.fingerprint(plain) }
  await orDuplicate(rewriteCode(tx, codeId, sealed), uniqueCode, 'code')
}

/**
 * Adds one code to stock, making its package if needed. A price other than the one in force becomes that of the whole
 * package once it is confirmed; until then it refuses with PRICE_CHANGED. Making a package is refused with FORBIDDEN for
 * who may not set prices.
 */
export async function addCode(
  tx: Tx,
  vault: Vault,
  adminId: number,
  wanted: Omit<NewCode, 'bought'> & { purchase: Purchase | undefined; mayPrice: boolean },
): Promise<ListedCode> {
  const { code, gameAmount, productId, confirmPrices: isConfirmed, purchase, mayPrice } = wanted
  const place = { productId, regionId: wanted.regionId || null }
  await requirePlace(tx, place)
  const marked = markCode(vault, code)
  await unarchiveCodes(tx, [marked])
  const price = { gameAmount, priceUsd: toMinor(wanted.priceUsd), priceRub: toMinor(wanted.priceRub) }
  const { offers } = await priceOffers(tx, place, [price], { isConfirmed, adminId, mayPrice })
  const batchId = await insertBatch(tx, { ...place, importedBy: adminId, purchase })
  const offerId = offers.get(gameAmount) as number
  const shelving = shelveCodes(tx, vault, { id: batchId }, [{ ...marked, offerId }])
  const [id] = await orDuplicate(shelving, uniqueCode, 'code')
  const after = await readCode(tx, vault, id as number)
  await writeAudit(tx, {
    actorId: adminId,
    action: 'code.create',
    subject: `code:${id}`,
    after: { ...audited(after), ...toAudited(purchase) },
  })
  return after
}

/**
 * Changes a code that is in stock or archived and was never sold: its text, its package, or whether it is for sale.
 * Prices given with it become those of its package once confirmed; until then it refuses with PRICE_CHANGED. Another
 * package is refused with FORBIDDEN for who may not set prices.
 */
export async function changeCode(
  tx: Tx,
  vault: Vault,
  adminId: number,
  { id, version, ...change }: CodeChange & { id: number; mayPrice: boolean },
): Promise<ListedCode> {
  const code = await lockUnsold(tx, id)
  // What a generated code delivers is fixed when it is made.
  const isElsewhere = change.code ?? change.productId ?? change.regionId ?? change.gameAmount
  if (code.is_generated && isElsewhere !== undefined)
    throw new Failure('STATE_CONFLICT', { reason: 'code_generated', code: 'generated' })
  const before = await shownStock(vault, code)
  requireVersion(before, version)
  const offerId = await offerFor(tx, adminId, code, change)
  await moveCode(tx, id, { offerId, status: change.status ?? code.status })
  if (change.code !== undefined) await rewrite(tx, vault, id, change.code)
  const after = await readCode(tx, vault, id)
  const entry = { actorId: adminId, action: 'code.update', subject: `code:${id}` } as const
  const rewritten = change.code === undefined ? {} : { rewritten: true }
  await writeAuditChange(tx, entry, audited(before), { ...audited(after), ...rewritten })
  return after
}

/** Deletes a code without a trace. One that was sold, tried or seen by somebody is refused: it can be archived. */
export async function removeCode(tx: Tx, vault: Vault, adminId: number, codeId: number): Promise<void> {
  const code = await lockUnsold(tx, codeId)
  if (code.was_revealed) throw new Failure('STATE_CONFLICT', { reason: 'code_revealed', code: 'revealed' })
  await deleteCode(tx, codeId)
  const before = audited(await shownStock(vault, code))
  await writeAudit(tx, { actorId: adminId, action: 'code.delete', subject: `code:${codeId}`, before })
}

async function readCode(tx: Tx, vault: Vault, codeId: number): Promise<ListedCode> {
  const row = await findStock(tx, codeId)
  if (!row) throw new Failure('CODE_NOT_FOUND')
  return shownStock(vault, row)
}

/** Finds or makes the package the code shall belong to, with the requested prices, else those it has. */
async function offerFor(
  tx: Tx,
  adminId: number,
  code: LockedCode,
  { mayPrice, ...change }: CodeChange & { mayPrice: boolean },
): Promise<number> {
  const regionId = change.regionId === undefined ? code.region_id : change.regionId
  const place = { productId: change.productId ?? code.product_id, regionId: regionId || null }
  const gameAmount = change.gameAmount ?? code.game_amount
  const isMoved =
    place.productId !== code.product_id || (place.regionId ?? 0) !== code.region_id || gameAmount !== code.game_amount
  if (isMoved) requirePricing({ mayPrice })
  await requirePlace(tx, place)
  const inForce = await lockPrice(tx, place, gameAmount)
  const priceUsd = change.priceUsd === undefined ? (inForce?.priceUsd ?? code.price_usd) : toMinor(change.priceUsd)
  const priceRub = change.priceRub === undefined ? (inForce?.priceRub ?? code.price_rub) : toMinor(change.priceRub)
  const pricing = { isConfirmed: change.confirmPrices, adminId, mayPrice }
  const { offers } = await priceOffers(tx, place, [{ gameAmount, priceUsd, priceRub }], pricing)
  return offers.get(gameAmount) as number
}

const audited = ({ product_id, region_id, game_amount, price_usd, price_rub, status, batch_id }: ListedCode) => ({
  product_id,
  region_id,
  game_amount,
  price_usd,
  price_rub,
  status,
  batch_id,
})

/** An item of a locked order that has its codes. */
interface CodeItem {
  id: number
  offer_id: number
}

/**
 * Replaces a bad code of one of the items by another of its package; the bad one is never sold again, seen or not.
 * Returns the item and the new code. Refuses with CODE_NOT_FOUND when none of them has the code, with OUT_OF_STOCK when
 * there is no other, with STATE_CONFLICT when the code was activated, and so did work.
 */
export async function replaceSoldCode(
  tx: Tx,
  items: readonly CodeItem[],
  codeId: number,
): Promise<{ itemId: number; newCodeId: number }> {
  const sold = await lockSoldCodes(
    tx,
    items.map((item) => item.id),
  )
  const unit = sold.find(({ code_id }) => code_id === codeId)
  const item = items.find(({ id }) => id === unit?.order_item_id)
  if (!item) throw new Failure('CODE_NOT_FOUND')
  await requireUnspent(tx, [codeId])
  const replacement = await sellReplacement(tx, item.id, item.offer_id)
  if (!replacement) throw new Failure('OUT_OF_STOCK', { available_count: 0 })
  await quarantineSale(tx, codeId)
  await settleCosts(tx, [item.id])
  return { itemId: item.id, newCodeId: replacement.code_id }
}
