import { toMajor, toMinor } from '@olmos/contract/minor-units'
import type { Currency } from '@olmos/contract/money'

/** The most of an order that the balance can pay beside another way, which has to get something: in major units. */
export const mostFromBalance = (total: number, available: number): number =>
  toMajor(Math.max(0, Math.min(toMinor(available), toMinor(total) - 1)))

/** The part that is offered: all that the balance has, or half of the total where it has enough for all of it. */
export const offeredPart = (total: number, available: number): number =>
  toMinor(available) < toMinor(total) ? available : toMajor(Math.floor(toMinor(total) / 2))

/** Reads the part that was typed, in major units; undefined for one that can't be. */
export function readPart(typed: string, most: number): number | undefined {
  const part = typed.trim() === '' ? 0 : Number(typed)
  return Number.isFinite(part) && part > 0 && part <= most ? toMajor(toMinor(part)) : undefined
}

/** What is left of a total for the other way, in major units. */
export const restAfter = (total: number, part: number): number => toMajor(toMinor(total) - toMinor(part))

/** The name of the field in the page, by which it gets the focus. */
export const partFieldName = 'part'

export interface PartState {
  /** The most it can be, in major units; 0 where the balance has nothing. */
  most: number
  /** The part that is offered first. */
  offered: number
  isOn: boolean
  /** As it was typed. */
  typed: string
  /** The part that is meant; 0 for none, undefined for what can't be. */
  amount: number | undefined
  /** What is left for the other way. */
  rest: number
  switch(isOn: boolean): void
  type(typed: string): void
  reset(): void
}

export interface PartFieldProps {
  part: PartState
  currency: Currency
  isDisabled: boolean
}
