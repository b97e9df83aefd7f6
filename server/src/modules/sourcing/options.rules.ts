import { LIMITS } from '@olmos/contract/limits'
import type { FieldRow } from '../topups/account.rules.ts'
import type { VendorField } from '../topups/supplier.ts'

type Option = NonNullable<VendorField['options']>[number]
/** What can be chosen, by the shop's keys. */
export type Choices = Readonly<Record<string, readonly Option[]>>
/** The values of choices. */
export type ChoiceValues = Readonly<Record<string, readonly string[]>>

/** A game of a supplier that a product is. */
interface LinkedGame {
  fields: readonly VendorField[]
  /** The supplier's fields as templates over the shop's keys; empty where the names are the same. */
  field_names: Readonly<Record<string, string>>
}

const templateFor = ({ key }: VendorField, { field_names: names }: LinkedGame): string =>
  Object.keys(names).length === 0 ? `{${key}}` : (names[key] ?? '')

const plainKey = (template: string): string | undefined => /^\{(\w+)\}$/.exec(template)?.[1]

/** Finds what a supplier lets be chosen in the fields of the shop: those that go to it as they are. */
export function toChoices(game: LinkedGame): Choices {
  const choices: Record<string, readonly Option[]> = {}
  for (const field of game.fields) {
    const key = plainKey(templateFor(field, game))
    if (key !== undefined && field.type === 'select' && field.options && field.options.length > 0)
      choices[key] = field.options
  }
  return choices
}

/** Whether a supplier takes anything in a field of the shop, or has not told what it takes. */
export const takesAnything = (key: string, game: LinkedGame): boolean =>
  toChoices(game)[key] === undefined && game.fields.some((field) => templateFor(field, game).includes(`{${key}}`))

export const toValues = (choices: Choices): ChoiceValues =>
  Object.fromEntries(Object.entries(choices).map(([key, options]) => [key, options.map(({ value }) => value)]))

/** Whether a supplier tells something else than before; a field that it says nothing of now is as it was. */
export const isOther = (now: ChoiceValues, before: ChoiceValues | null): boolean =>
  Object.entries(now).some(([key, values]) => {
    const known = before?.[key]
    return known === undefined || known.length !== values.length || values.some((value) => !known.includes(value))
  })

interface FollowedOptions {
  /** What can be chosen from now on. */
  options: FieldRow['options']
  /** The labels of what is new, and of what is gone. */
  added: string[]
  gone: string[]
}

/**
 * Brings the choices of a field in line with what suppliers tell now: what was there `before` and is not any more is gone,
 * what is new is added at the end. What an operator has put in or taken out of it stays so. Undefined when nothing changes,
 * or nothing would be left to choose.
 */
export function followOptions(
  own: FieldRow['options'],
  told: readonly Option[],
  before: readonly string[],
): FollowedOptions | undefined {
  const isTold = (value: string) => told.some((option) => option.value === value)
  const isOwn = (value: string) => own.some((option) => option.value === value)
  const gone = own.filter(({ value }) => before.includes(value) && !isTold(value))
  const added = told.filter(({ value }) => !before.includes(value) && !isOwn(value))
  const kept = own.filter((option) => !gone.includes(option))
  const options = [...kept, ...added.map(({ value, label }) => ({ value, label: { ru: label } }))]
  if (gone.length + added.length === 0 || options.length === 0) return undefined
  return {
    options: options.slice(0, LIMITS.accountOptionsMax),
    added: added.map(({ label }) => label),
    gone: gone.map(({ value, label }) => label.ru ?? value),
  }
}
