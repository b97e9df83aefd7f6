import type { Tx } from '../../platform/database.ts'
import { countSwitchedOff } from './topups.store.ts'

/** Whether every top-up of the order could be ordered now: for money that came after the order's time. */
export const isStillSold = async (tx: Tx, orderId: string): Promise<boolean> =>
  (await countSwitchedOff(tx, orderId)) === 0
