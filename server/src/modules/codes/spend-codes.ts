import type { CodeStatus } from '@olmos/contract/codes'
import { Failure } from '@olmos/contract/failure'
import { type Queries, sql, type Tx } from '../../platform/database/queries.ts'
import type { Sealed, Vault } from '../../platform/security/vault.ts'
import { isCustomerFrozen } from '../accounts/change-user.ts'
import { codeRow } from './codes.store.ts'
import { toSpelling } from './generated-codes.ts'
import { codeCost, isInTime, settleCosts } from './purchases.ts'
import { isInForce } from './stock.ts'

interface SpendableCode {
  id: number
  status: CodeStatus
  /** The offer it delivers. */
  offer_id: number
  price_version: number
  game_currency: string
}

const generatedCode = sql`
  SELECT code.id, code.status, offer.id AS offer_id, offer.price_version, product.game_currency
  FROM code JOIN code_fingerprint AS known ON known.code_id = code.id AND known.fingerprint = code.fingerprint
  JOIN offer ON offer.id = code.denomination_id JOIN product ON product.id = offer.product_id`

const findSpendable = (queries: Queries, fingerprint: Buffer) =>
  queries.maybe<SpendableCode>(sql`${generatedCode} WHERE known.fingerprint = ${fingerprint}`)

/** Reads a spendable code and locks it: nobody else sells or spends it until the transaction ends. */
const lockSpendableRow = (tx: Tx, fingerprint: Buffer) =>
  tx.maybe<SpendableCode>(sql`${generatedCode} WHERE known.fingerprint = ${fingerprint} FOR UPDATE OF code`)

interface Activation {
  order_id: string
  user_id: number
}

/** Finds the activation of the code that is in force. */
const findActivation = (queries: Queries, codeId: number) =>
  queries.maybe<Activation>(sql`
    SELECT orders.id AS order_id, orders.user_id FROM code_activation
    JOIN order_item ON order_item.id = code_activation.order_item_id
    JOIN orders ON orders.id = order_item.order_id
    WHERE code_activation.code_id = ${codeId} AND ${isInForce}`)

/** Finds who bought the code, if it was sold and not returned. */
const findBuyer = (queries: Queries, codeId: number) =>
  queries.maybe<{ user_id: number }>(sql`
    SELECT orders.user_id FROM code JOIN code_sale ON code_sale.code_id = code.id
      AND code_sale.sale_number = code.sale_number
    JOIN order_item ON order_item.id = code_sale.order_item_id JOIN orders ON orders.id = order_item.order_id
    WHERE code.id = ${codeId} AND code.status = 'used'`)

/** Finds the codes that have an activation in force. */
export const findActivated = (queries: Queries, codeIds: number[]) =>
  queries.rows<{ id: number }>(sql`
    SELECT code_id AS id FROM code_activation WHERE code_id = ANY (${codeIds}::bigint[]) AND ${isInForce} ORDER BY id`)

const toItem = (orderId: string) => sql`SELECT id FROM order_item WHERE order_id = ${orderId}`

/** Activates the code with the only item of the order. */
const insertActivation = (tx: Tx, codeId: number, orderId: string) =>
  tx.run(sql`
    INSERT INTO code_activation (code_id, activation_number, order_item_id)
    SELECT ${codeId}, (SELECT count(*) + 1 FROM code_activation WHERE code_id = ${codeId}), id
    FROM (${toItem(orderId)}) AS item`)

/** Spending a code that the operator handed out unsold sells it: nobody can buy it any more. */
const sellBySpending = (tx: Tx, codeId: number, orderId: string) =>
  tx.rows<{ order_item_id: number }>(sql`
    WITH used AS (
      UPDATE code SET status = 'used' WHERE id = ${codeId} AND status IN ('available', 'unpublished')
      RETURNING id, sale_number, batch_id, cost, cost_currency)
    INSERT INTO code_sale (code_id, sale_number, order_item_id, position, cost)
    SELECT code.id, code.sale_number, item.id, 1, ${codeCost(sql`orders.currency`)}
    FROM used AS code JOIN code_batch ON code_batch.id = code.batch_id, orders, (${toItem(orderId)}) AS item
    WHERE orders.id = ${orderId} RETURNING order_item_id`)

/** Reserves one code of the offer for the item, if there is one. */
const reserveForPlayer = (tx: Tx, { itemId, offerId }: { itemId: number; offerId: number }) =>
  tx.maybe<{ id: number }>(sql`
    WITH taken AS (
      SELECT id FROM code WHERE offer_id = ${offerId} AND status = 'available' AND ${isInTime}
      ORDER BY shelf LIMIT 1 FOR UPDATE SKIP LOCKED),
    reserved AS (UPDATE code SET status = 'reserved' FROM taken WHERE code.id = taken.id)
    INSERT INTO code_hold (code_id, order_item_id) SELECT id, ${itemId} FROM taken RETURNING code_id AS id`)

const readSealed = (tx: Tx, codeId: number) =>
  tx.one<Sealed>(sql`SELECT key_id AS "keyId", ciphertext FROM code WHERE id = ${codeId}`)

const lockIfRecalled = (tx: Tx, codeId: number) =>
  tx.one<{ is_recalled: boolean }>(sql`
    SELECT recalled_at IS NOT NULL AS is_recalled FROM code_batch
    WHERE id = (SELECT batch_id FROM code WHERE code.id = ${codeId}) FOR SHARE`)

/** Whether a recall keeps the sold code from its buyer, who has neither seen nor spent it; if not, none does until the transaction ends. */
const lockIfWithheld = (tx: Tx, codeId: number) =>
  tx.one<{ is_withheld: boolean }>(sql`
    SELECT recalled_at IS NOT NULL
      AND NOT EXISTS (SELECT FROM code_reveal WHERE code_id = ${codeId} AND place <> 'admin')
      AND NOT EXISTS (SELECT FROM code_activation WHERE code_id = ${codeId}) AS is_withheld
    FROM code_batch WHERE id = (SELECT batch_id FROM code WHERE code.id = ${codeId}) FOR SHARE`)

/** Sells a reserved code to the item once it is spent as that unit. */
const sellToPlayer = (tx: Tx, codeId: number, unit: number) =>
  tx.run(sql`
    WITH released AS (DELETE FROM code_hold WHERE code_id = ${codeId} RETURNING code_id, order_item_id),
    used AS (
      UPDATE code SET status = 'used' FROM released WHERE code.id = released.code_id AND code.status = 'reserved'
      RETURNING code.id, code.sale_number, code.batch_id, code.cost, code.cost_currency, released.order_item_id)
    INSERT INTO code_sale (code_id, sale_number, order_item_id, position, cost)
    SELECT code.id, code.sale_number, order_item.id, ${unit}, ${codeCost(sql`orders.currency`)}
    FROM used AS code JOIN code_batch ON code_batch.id = code.batch_id
    JOIN order_item ON order_item.id = code.order_item_id JOIN orders ON orders.id = order_item.order_id`)

/** Releases a reserved code that was not spent; one of a recalled batch is quarantined, bad or not. */
export async function returnPoolCode(
  tx: Tx,
  codeId: number,
  status: 'available' | 'error' | 'quarantined',
): Promise<void> {
  // Locks the batch before the code is released: a recall leaves out what is reserved, and would miss it.
  const { is_recalled } = await lockIfRecalled(tx, codeId)
  await tx.run(sql`
    WITH released AS (DELETE FROM code_hold WHERE code_id = ${codeId} RETURNING code_id)
    UPDATE code SET status = ${is_recalled ? 'quarantined' : status}
    FROM released WHERE code.id = released.code_id AND code.status = 'reserved'`)
}

/** Refuses with STATE_CONFLICT when one of these locked codes was spent, because it can't be returned. */
export async function requireUnspent(tx: Tx, codeIds: number[]): Promise<void> {
  const spent = await findActivated(tx, codeIds)
  if (spent.length > 0)
    throw new Failure('STATE_CONFLICT', { reason: 'code_activated', code: 'activated', ids: spent.map(({ id }) => id) })
}

/** Sold, or handed out by the operator. A reserved code was not shown to anybody yet. */
const spendable: readonly CodeStatus[] = ['used', 'available', 'unpublished']

async function requireSpendable(
  queries: Queries,
  code: SpendableCode | undefined,
  userId: number,
): Promise<SpendableCode> {
  if (!code || !spendable.includes(code.status)) throw new Failure('CODE_NOT_FOUND')
  const activation = await findActivation(queries, code.id)
  if (!activation) return code
  throw new Failure('CODE_ALREADY_USED', activation.user_id === userId ? { order_id: activation.order_id } : undefined)
}

/** Fingerprints what somebody typed, to find its code. */
const fingerprintCode = (vault: Vault, typed: string) => vault.fingerprint(toSpelling(typed))

/**
 * Refuses a text that is no spendable code with CODE_NOT_FOUND, and a spent one with CODE_ALREADY_USED, which tells its
 * owner the order. It locks nothing, so the answer may change.
 */
export async function lookAtCode(queries: Queries, vault: Vault, typed: string, userId: number): Promise<void> {
  await requireSpendable(queries, await findSpendable(queries, fingerprintCode(vault, typed)), userId)
}

/**
 * Finds a spendable code and locks it, so that nobody else spends or buys it until the transaction ends. Refuses one
 * whose buyer is frozen, no matter who has it by now, with CODE_ON_HOLD, and with CODE_NOT_FOUND one that a recall keeps
 * from its buyer: who knows it did not get it from the shop.
 */
export async function lockSpendable(tx: Tx, vault: Vault, typed: string, userId: number): Promise<SpendableCode> {
  // Locks before it reads: a caller who waited here sees what the other one did.
  const code = await requireSpendable(tx, await lockSpendableRow(tx, fingerprintCode(vault, typed)), userId)
  const buyer = await findBuyer(tx, code.id)
  if (buyer && (await isCustomerFrozen(tx, buyer.user_id))) throw new Failure('CODE_ON_HOLD')
  // One in stock waits for its lock: a recall either took it out before, or comes after it is spent.
  if (code.status === 'used' && (await lockIfWithheld(tx, code.id)).is_withheld) throw new Failure('CODE_NOT_FOUND')
  return code
}

/** Spends the locked code on the only item of the order. It may be spent again if that comes to nothing. */
export async function spendCode(tx: Tx, code: SpendableCode, orderId: string): Promise<void> {
  if (code.status !== 'used') {
    const sold = await sellBySpending(tx, code.id, orderId)
    await settleCosts(
      tx,
      sold.map(({ order_item_id }) => order_item_id),
    )
  }
  await insertActivation(tx, code.id, orderId)
}

/**
 * Reserves one code of the offer's pool to be spent on the item's player; undefined when the pool is empty. Returns its
 * id.
 */
export async function takePoolCode(tx: Tx, wanted: { itemId: number; offerId: number }): Promise<number | undefined> {
  return (await reserveForPlayer(tx, wanted))?.id
}

/** Decrypts the code for the supplier that spends it, and for nobody else. */
export async function openPoolCode(tx: Tx, vault: Vault, codeId: number): Promise<string> {
  return vault.unseal(await readSealed(tx, codeId), codeRow(codeId))
}

/** Whether the code's batch was recalled; if not, it is not until the transaction ends. */
export const isRecalled = async (tx: Tx, codeId: number): Promise<boolean> =>
  (await lockIfRecalled(tx, codeId)).is_recalled

/** Marks the code as spent, as this unit of its item. */
export async function spendPoolCode(tx: Tx, codeId: number, unit: number): Promise<void> {
  if ((await sellToPlayer(tx, codeId, unit)) !== 1) throw new Error(`code ${codeId} was not in reserve`)
}
