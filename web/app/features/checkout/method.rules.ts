import type { ChargeCurrency } from '@olmos/contract/money'
import type { OfferedMethod } from '@olmos/contract/payments'

/** Why a method does not take the amount: the bound that it breaks, in the currency of the charge. */
export interface BrokenBound {
  kind: 'least' | 'most'
  amount: number
  currency: ChargeCurrency
}

/** Finds the bound that an amount breaks; none where the method takes it, or nobody knows yet what it charges. */
export function findBrokenBound({ charge, least, most }: OfferedMethod): BrokenBound | undefined {
  const { amount, currency } = charge
  if (amount === null) return undefined
  if (least !== null && amount < least) return { kind: 'least', amount: least, currency }
  if (most !== null && amount > most) return { kind: 'most', amount: most, currency }
  return undefined
}

/**
 * Picks the method that is marked as chosen: the remembered one while it is offered and takes the amount, else the first that
 * charges the first of these currencies, or the next, else the first that is possible. Where none is, the first, whose
 * refusal says why.
 */
export function pickMethod(
  methods: readonly OfferedMethod[],
  { remembered, charged }: { remembered: string | undefined; charged: readonly ChargeCurrency[] },
): OfferedMethod | undefined {
  const possible = methods.filter((method) => !findBrokenBound(method))
  const charging = charged.flatMap((currency) => possible.find(({ charge }) => charge.currency === currency) ?? [])
  return possible.find(({ name }) => name === remembered) ?? charging[0] ?? possible[0] ?? methods[0]
}

interface ShownMethod {
  chosen: OfferedMethod | undefined
  /** Whether it was asked about another amount. */
  isStale: boolean
}

/** The fee that the customer sees; none while nobody knows what the amount costs, so that no other one is agreed to. */
export const seenFee = ({ chosen, isStale }: ShownMethod): number | undefined =>
  isStale ? undefined : (chosen?.fee ?? undefined)

/** What is charged where that is the amount alone; undefined with a fee, which is a line of its own. */
export const chargeWithoutFee = (method: OfferedMethod | undefined): OfferedMethod['charge'] | undefined =>
  method?.fee === null ? method.charge : undefined
