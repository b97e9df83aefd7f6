import type * as real from '../../server/src/modules/checkout/expire-order.ts'
import { releaseCodes } from '../../server/src/modules/codes/take-codes.ts'
import type { Database } from '../../server/src/platform/database/database.ts'
import { sql } from '../../server/src/platform/database/queries.ts'

export * from '../../server/src/modules/checkout/expire-order.ts'

const thoughtMs = 600
const queued = new Set<string>()

/** Reads, and writes a little later: what was paid meanwhile has expired all the same. */
export const expireOverdueOrders: typeof real.expireOverdueOrders = async (database) => {
  const overdue = await database.rows<{ id: string }>(
    sql`SELECT id FROM orders WHERE status = 'awaiting_payment' AND expires_at < now()`,
  )
  for (const { id } of overdue.filter((order) => !queued.has(order.id))) {
    queued.add(id)
    setTimeout(() => end(database, id).catch(() => queued.delete(id)), thoughtMs)
  }
  return overdue.length
}

const end = (database: Database, id: string): Promise<void> =>
  database.transaction(async (tx) => {
    await tx.run(sql`UPDATE orders SET status = 'expired' WHERE id = ${id}`)
    await tx.run(sql`UPDATE order_item SET status = 'expired' WHERE order_id = ${id}`)
    await releaseCodes(tx, id)
  })
