import type * as real from '../../server/src/modules/orders/orders.ts'

export * from '../../server/src/modules/orders/orders.ts'

/** Never finds that the cart was bought. */
export const findCartOrder: typeof real.findCartOrder = async () => undefined
