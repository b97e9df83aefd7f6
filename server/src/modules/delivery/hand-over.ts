import { LIMITS } from '@olmos/contract/limits'
import { raiseAlert } from '../../platform/alert.ts'
import type { Database } from '../../platform/database.ts'
import { takeOverdue } from './deliveries.store.ts'

/**
 * Puts what was not delivered within the promised time into the operator's queue, whenever a supplier is asked about it
 * next: who waits for the next look waits ten minutes longer. It goes on being looked at as well.
 */
export const handOverOverdue = (database: Database): Promise<void> =>
  database.transaction(async (tx) => {
    for (const { id, order_id, reason } of await takeOverdue(tx)) {
      await raiseAlert(tx, {
        kind: 'delivery.stuck',
        subject: `delivery:${id}`,
        details: { order: order_id, why: reason ?? 'not_done_yet', minutes: LIMITS.deliveryMinutes },
      })
    }
  })
