import * as LIMITS from '@olmos/contract/limits'
import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
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

/** Puts a choice into the parameters of an address and leaves the others alone; a quantity of one is left out. */
export function withChoice(params: URLSearchParams, choice: AddressChoice): URLSearchParams {
  const changed = new URLSearchParams(params)
  for (const name of names) {
    const value = choice[name]
    if (value === undefined || (name === 'quantity' && value === 1)) changed.delete(name)
    else changed.set(name, String(value))
  }
  return changed
}

/** Makes the query of a link to an offer. */
export const choiceSearch = (choice: AddressChoice): string => `?${withChoice(new URLSearchParams(), choice)}`

/**
 * The choice in the address, so that it survives logging in, a reload, going back and being shared. The server knows
 * nothing of it: its page is the same for every choice, and the browser reads the address once that page is hydrated.
 */
export function useAddressChoice(): readonly [AddressChoice, (change: AddressChoice) => void] {
  const [params, setParams] = useSearchParams()
  const isHydrated = useIsHydrated()
  // The address follows what is pressed; the next press can't wait for it.
  const [pressed, setPressed] = useState<AddressChoice>()
  const address = params.toString()
  const isFollowed = pressed !== undefined && withChoice(params, pressed).toString() === address
  useEffect(() => {
    if (isFollowed) setPressed(undefined)
  }, [isFollowed])

  const choice = pressed ?? (isHydrated ? readChoice(params) : {})
  const change = (changed: AddressChoice) => {
    const next = { ...choice, ...changed }
    setPressed(next)
    setParams(withChoice(params, next), { replace: true, preventScrollReset: true })
  }
  return [choice, change]
}
