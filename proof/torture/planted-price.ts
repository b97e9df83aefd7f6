import * as real from '../../server/src/modules/checkout/order-terms.ts'

export * from '../../server/src/modules/checkout/order-terms.ts'

/** Nothing ever costs more than when it was ordered. */
export const termsNow: typeof real.termsNow = async (tx, order) =>
  (await real.termsNow(tx, order)).map((terms) => ({ ...terms, price_now: terms.unit_price }))
