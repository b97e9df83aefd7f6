import * as LIMITS from '@olmos/contract/limits'
import { type Params, useAddress, withParams } from './address.ts'
import { useIsHydrated } from './hydration.ts'

/** What somebody has chosen of a product so far. */
export interface AddressChoice {
  /** 0 for none. */
  region?: number | undefined
  /** Identifies the offer. */
  amount?: number | undefined
  quantity?: number | undefined
}

const names = ['region', 'amount', 'quantity'] as const
const lowest = { region: 0, amount: 1, quantity: 1 }

/** Reads the choice from an address. Anything that is no number counts as not chosen. */
export function readChoice(params: URLSearchParams): AddressChoice {
  const choice: AddressChoice = {}
  for (const name of names) {
    const text = params.get(name) ?? ''
    if (/^\d{1,10}$/.test(text) && Number(text) >= lowest[name]) choice[name] = Number(text)
  }
  if (choice.quantity) choice.quantity = Math.min(choice.quantity, LIMITS.quantityMax)
  return choice
}

/** One piece goes without saying. */
const toParams = (choice: AddressChoice): Params => ({
  ...choice,
  ...(choice.quantity === 1 && { quantity: undefined }),
})

/** Makes the query of a link to an offer. */
export const choiceSearch = (choice: AddressChoice): string => `?${withParams(new URLSearchParams(), toParams(choice))}`

/**
 * The choice in the address, so that it survives logging in, a reload, going back and being shared. The server knows
 * nothing of it: its page is the same for every choice, and the browser reads the address once that page is hydrated.
 */
export function useAddressChoice(): readonly [AddressChoice, (change: AddressChoice) => void] {
  const [params, change] = useAddress()
  const isHydrated = useIsHydrated()
  return [isHydrated ? readChoice(params) : {}, (choice) => change(toParams(choice))]
}
