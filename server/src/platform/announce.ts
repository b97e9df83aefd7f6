import { sql, type Tx } from './database.ts'

/** Tells every node, once the transaction is committed, that something on the channel changed: ('catalogue', 'product:7'). */
export async function announce(tx: Tx, channel: string, subject: string): Promise<void> {
  await tx.run(sql`SELECT pg_notify(${channel}, ${subject})`)
}
