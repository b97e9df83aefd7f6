import { sql, type Tx } from '../../platform/database.ts'
import type { Sealed } from '../../platform/vault.ts'

/** Takes one code of the offer off the shelf for the item, if there is one. */
export const reserveForPlayer = (tx: Tx, { itemId, offerId }: { itemId: number; offerId: number }) =>
  tx.maybe<{ id: number }>(sql`
    WITH taken AS (
      SELECT id FROM code WHERE offer_id = ${offerId} AND status = 'available'
      ORDER BY shelf LIMIT 1 FOR UPDATE SKIP LOCKED),
    reserved AS (UPDATE code SET status = 'reserved' FROM taken WHERE code.id = taken.id)
    INSERT INTO code_hold (code_id, order_item_id) SELECT id, ${itemId} FROM taken RETURNING code_id AS id`)

export const readSealed = (tx: Tx, codeId: number) =>
  tx.one<Sealed>(sql`SELECT key_id AS "keyId", ciphertext FROM code WHERE id = ${codeId}`)

export const lockIfRecalled = (tx: Tx, codeId: number) =>
  tx.one<{ is_recalled: boolean }>(sql`
    SELECT recalled_at IS NOT NULL AS is_recalled FROM code_batch
    WHERE id = (SELECT batch_id FROM code WHERE code.id = ${codeId}) FOR SHARE`)

/** Ends the hold of a code that is spent: it is sold to the item as its unit. */
export const sellToPlayer = (tx: Tx, codeId: number, unit: number) =>
  tx.run(sql`
    WITH released AS (DELETE FROM code_hold WHERE code_id = ${codeId} RETURNING code_id, order_item_id),
    used AS (
      UPDATE code SET status = 'used' FROM released WHERE code.id = released.code_id AND code.status = 'reserved'
      RETURNING code.id, code.sale_number, released.order_item_id)
    INSERT INTO code_sale (code_id, sale_number, order_item_id, position)
    SELECT id, sale_number, order_item_id, ${unit} FROM used`)

/** Ends the hold of a code that was not spent. */
export const endReserve = (tx: Tx, codeId: number, status: 'available' | 'error' | 'quarantined') =>
  tx.run(sql`
    WITH released AS (DELETE FROM code_hold WHERE code_id = ${codeId} RETURNING code_id)
    UPDATE code SET status = ${status} FROM released WHERE code.id = released.code_id AND code.status = 'reserved'`)
