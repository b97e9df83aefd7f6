import { LIMITS } from '@olmos/contract/limits'
import type { Tx } from '../../platform/database.ts'
import {
  type CodeHold,
  countHeldCodes,
  lockBatchesOfHolds,
  lockHolds,
  quarantineHolds,
  type ReservedCodes,
  reserveCodes,
} from './holds.store.ts'

/** Whoever pays at once, from the balance, finds the rest of the shelf, however many orders wait for their money. */
const capOfUnpaid = { codes: LIMITS.heldCodesPerOffer, sharePercent: LIMITS.heldSharePercent }

/**
 * Reserves codes for the items of an unpaid order, in the order of their offers, and answers how many each got: fewer
 * than wanted when the shelf is empty or unpaid orders have their share of the offer already. The caller refuses then,
 * which gives all of them back. What is paid for at once may leave less on the shelf than is in reserve; that is no
 * more than was allowed when it was reserved.
 */
export const holdCodes = (tx: Tx, holds: readonly CodeHold[]): Promise<ReservedCodes[]> =>
  Promise.all(
    holds.map(async (hold) => {
      const [, reserved] = await Promise.all([lockHolds(tx, hold.offerId), reserveCodes(tx, hold, capOfUnpaid)])
      return reserved
    }),
  )

/**
 * Reserves what a paid order lacks: all of it when its time was over and its codes went back, and another code for each
 * that was recalled since. No cap holds back who has paid. Answers those that still lack codes; what they have stays
 * reserved until it is sold or released.
 */
export async function holdMissingCodes(tx: Tx, holds: readonly CodeHold[]): Promise<CodeHold[]> {
  const [first] = holds
  if (first === undefined) return []
  // Locked first, looked at afterwards: a recall at this moment is over by then, or waits.
  await lockBatchesOfHolds(tx, first.orderId)
  await quarantineHolds(tx, first.orderId)
  for (const hold of holds) await reserveCodes(tx, hold, null)
  const held = await countHeldCodes(tx, first.orderId)
  return holds.filter(({ position, quantity }) => held.find((item) => item.position === position)?.held !== quantity)
}
