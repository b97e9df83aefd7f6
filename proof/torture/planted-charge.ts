import * as real from '../../server/src/modules/checkout/settlement.rules.ts'

export * from '../../server/src/modules/checkout/settlement.rules.ts'

/** Takes whatever came for what was charged. */
export const decideSettlement: typeof real.decideSettlement = (settlement) => {
  const { payment, told } = settlement
  const { charge_amount: amount, charge_currency: currency } = payment
  return real.decideSettlement({ ...settlement, told: { ...told, amount, currency } })
}
