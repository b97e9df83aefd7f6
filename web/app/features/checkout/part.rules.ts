import { toMajor, toMinor } from '@olmos/contract/minor-units'

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
