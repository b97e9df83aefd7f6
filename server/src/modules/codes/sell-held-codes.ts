import type { Tx } from '../../platform/database.ts'
import { sellHolds } from './holds.store.ts'

/** Sells the codes that an order has in reserve; answers how many there were. */
export const sellHeldCodes = (tx: Tx, orderId: string): Promise<number> => sellHolds(tx, orderId)
