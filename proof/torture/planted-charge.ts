import * as real from '../../server/src/modules/payments/charge.rules.ts'

export * from '../../server/src/modules/payments/charge.rules.ts'

/** Takes whatever came for what was charged. */
export const decideSettlement: typeof real.decideSettlement = (settlement) => {
  const { payment, told } = settlement
  const { charge_amount: amount, charge_currency: currency } = payment
  return real.decideSettlement({ ...settlement, told: { ...told, amount, currency } })
}
