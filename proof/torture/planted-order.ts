import * as real from '../../server/src/modules/orders/order-states.ts'

export * from '../../server/src/modules/orders/order-states.ts'

/** Never finds that the cart was bought. */
export const findCartOrders: typeof real.findCartOrders = async (tx, userId) =>
  (await real.findCartOrders(tx, userId)).filter(({ status }) => real.isUnpaid(status))
