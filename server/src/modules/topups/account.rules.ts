import { findValueFault, normaliseValue } from '@olmos/contract/account-rules'
import { Failure } from '@olmos/contract/failure'
import type { Language } from '@olmos/contract/fields'
import type { AccountFieldType, AccountValues } from '@olmos/contract/topup-data'

/** Texts by language; `ru` is always there. */
export type Labels = Readonly<Partial<Record<Language, string>>>

/** What a product asks about the account, one of its fields. */
export interface FieldRow {
  key: string
  type: AccountFieldType
  label: Labels
  hint: Labels
  /** A regular expression for the whole value; blank for none. */
  pattern: string
  length_min: number
  length_max: number
  options: readonly { value: string; label: Labels }[]
  is_required: boolean
}

/** An account as it is stored: what was filled in, and the text by which two accounts are the same. */
export interface ReadAccount {
  values: AccountValues
  text: string
}

/**
 * Reads what a customer filled in as an account of the product: digits lose their leading zeros, a phone number its spaces.
 * Refuses fields that are missing, wrong or not asked for with VALIDATION_FAILED: `{ 'account.zone_id': 'required' }`.
 */
export function readAccount(fields: readonly FieldRow[], given: AccountValues): ReadAccount {
  const faults: Record<string, string> = {}
  const values: Record<string, string> = {}
  for (const key of Object.keys(given)) {
    if (!fields.some((field) => field.key === key)) faults[`account.${key}`] = 'unknown_field'
  }
  for (const field of fields) {
    const typed = given[field.key] ?? ''
    if (typed === '') {
      if (field.is_required) faults[`account.${field.key}`] = 'required'
      continue
    }
    const value = normaliseValue(field.type, typed)
    const fault = findValueFault(field, value)
    if (fault) faults[`account.${field.key}`] = fault
    values[field.key] = value
  }
  if (Object.keys(faults).length > 0) throw new Failure('VALIDATION_FAILED', faults)
  if (Object.keys(values).length === 0) throw new Failure('VALIDATION_FAILED', { account: 'required' })
  return { values, text: toAccountText(Object.values(values)) }
}

/** Formats an account as one text: `51234`, `51234 (2001)`. */
function toAccountText([first = '', ...others]: readonly string[]): string {
  return others.length > 0 ? `${first} (${others.join(', ')})` : first
}

/**
 * Puts an account into a supplier's words: each of its fields is a template over the shop's, such as
 * `{"player_id": "{user_id}|{zone_id}"}`. Without any, the names are the same.
 */
export function toVendorAccount(values: AccountValues, fieldNames: Readonly<Record<string, string>>): AccountValues {
  const templates = Object.entries(fieldNames)
  if (templates.length === 0) return values
  return Object.fromEntries(
    templates.map(([name, template]) => [name, template.replace(/\{(\w+)\}/g, (_, key) => values[key] ?? '')]),
  )
}
