import type * as real from '../server/src/modules/orders/place-order.ts'

export * from '../server/src/modules/orders/place-order.ts'

/** Never finds that the cart was bought. */
export const orderOfCart: typeof real.orderOfCart = async () => undefined
