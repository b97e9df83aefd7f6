import type { Tx } from '../../platform/database.ts'
import { releaseHolds } from './holds.store.ts'

/** Puts the codes that an order has in reserve back on the shelf. */
export const releaseCodes = (tx: Tx, orderId: string): Promise<number> => releaseHolds(tx, orderId)
