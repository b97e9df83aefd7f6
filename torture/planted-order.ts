import type * as real from '../server/src/modules/orders/orders.ts'

export * from '../server/src/modules/orders/orders.ts'

/** Never finds that the cart was bought. */
export const orderOfCart: typeof real.orderOfCart = async () => undefined
