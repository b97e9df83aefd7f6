import type { SentBought } from '@olmos/contract/costs'

/** How the shop came by codes, as a form has it; what is blank is unknown. */
export interface BoughtValues extends Record<string, unknown> {
  /** A decimal, or an empty text. */
  cost: number | string
  currency: string
  supplier: string
  invoice: string
  /** A day such as 2026-12-31, or an empty text. */
  expires_on: string
}

export const nothingBought: BoughtValues = { cost: '', currency: 'USD', supplier: '', invoice: '', expires_on: '' }

/** Writes a number without an exponent, which the store does not read. */
export const toDecimal = (cost: number | string): string =>
  typeof cost === 'number' ? cost.toFixed(8).replace(/\.?0+$/, '') : cost.trim()

/** Turns the values of a form into what is sent; a blank cost or day is sent as unknown. */
export function toBought({ cost, currency, supplier, invoice, expires_on }: BoughtValues): Required<SentBought> {
  const isKnown = String(cost).trim() !== ''
  return {
    cost: isKnown ? toDecimal(cost) : null,
    currency: isKnown ? currency : null,
    supplier: supplier.trim(),
    invoice: invoice.trim(),
    expires_on: expires_on || null,
  }
}

/** What an import says of its codes; undefined when nothing was filled in. */
export function sentBought(values: BoughtValues): SentBought | undefined {
  const { cost, currency, supplier, invoice, expires_on } = toBought(values)
  const said = {
    ...(cost !== null && { cost, currency }),
    ...(supplier && { supplier }),
    ...(invoice && { invoice }),
    ...(expires_on && { expires_on }),
  }
  return Object.keys(said).length > 0 ? said : undefined
}
