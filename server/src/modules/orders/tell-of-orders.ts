import type { Resources } from '../../platform/context.ts'
import { readStatus } from './order-states.store.ts'

/** Tells those who listen at this node of an order that changed, as the database tells of it: '<user> <order>'. */
export const tellOfOrders =
  ({ database, live, log }: Pick<Resources, 'database' | 'live' | 'log'>) =>
  (told?: string): void => {
    // What was told while nobody listened is gone.
    if (told === undefined) {
      live.endAll()
      return
    }
    const [user = '', orderId = ''] = told.split(' ')
    const reader = Number(user)
    if (!live.isOpen(reader)) return
    readStatus(database, orderId).then(
      (order) => order && live.send(reader, { id: orderId, status: order.status }),
      (error) => log.error({ err: error }, 'order not told of'),
    )
  }
