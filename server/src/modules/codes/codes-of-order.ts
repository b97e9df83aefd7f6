import type { OrderCode } from '@olmos/contract/admin-orders'
import type { Queries } from '../../platform/database.ts'
import type { Vault } from '../../platform/vault.ts'
import { maskedCode } from './show-stock.ts'
import { readOrderStock } from './stock.store.ts'

/** The codes of an order by the id of their item, masked; also those that were taken back. */
export async function codesOfOrder(queries: Queries, vault: Vault, orderId: string): Promise<Map<number, OrderCode[]>> {
  const codes = new Map<number, OrderCode[]>()
  for (const row of await readOrderStock(queries, orderId)) {
    const shown = {
      id: row.id,
      code: await maskedCode(vault, row),
      status: row.status,
      sold_at: row.sold_at.toISOString(),
      revealed_at: row.revealed_at?.toISOString() ?? null,
      returned_at: row.returned_at?.toISOString() ?? null,
    }
    codes.set(row.item_id, [...(codes.get(row.item_id) ?? []), shown])
  }
  return codes
}
