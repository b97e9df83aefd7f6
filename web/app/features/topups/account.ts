import { type AccountFault, findValueFault, normaliseValue, withoutZeros } from '@olmos/contract/account-rules'
import * as LIMITS from '@olmos/contract/limits'
import type { AccountField, ShownTopup } from '@olmos/contract/topup-data'
import type { TFunction } from 'i18next'
import { toFieldErrors } from '../../api/field-texts.ts'

/** What was filled in of an account, by the keys of its fields. */
export type Account = Readonly<Record<string, string>>

/** Drops what a field of its type can't have, as it is typed or pasted. */
const cleaners: Record<AccountField['type'], (typed: string) => string> = {
  digits: (typed) => withoutZeros(typed.replace(/\D/g, '')),
  login: (typed) => typed.replace(/\s/g, ''),
  phone: (typed) => typed.replace(/[^\d+]|(?!^)\+/g, ''),
  select: (typed) => typed,
  text: (typed) => typed,
}

/** Cleans what was typed or pasted. One that is too long is not cut to size: it would be another account. */
export const cleanValue = ({ type }: AccountField, typed: string): string =>
  cleaners[type](typed).slice(0, LIMITS.accountValueMax)

/** Says what is wrong with the value of a field, by the keys that the store answers with; undefined when it may be sent. */
function findFault(field: AccountField, value: string): AccountFault | undefined {
  const text = value.trim()
  if (text === '') return field.required ? 'required' : undefined
  return findValueFault(field, normaliseValue(field.type, text))
}

/** Lists what is wrong with an account, by the keys of its fields. Something has to be filled in, even where nothing is required. */
export function findFaults(fields: readonly AccountField[], account: Account): Record<string, string> {
  const faults = fields.flatMap((field) => {
    const fault = findFault(field, account[field.key] ?? '')
    return fault === undefined ? [] : [[field.key, fault] as const]
  })
  const isEmpty = Object.keys(sentAccount(fields, account)).length === 0
  if (isEmpty && faults.length === 0) return { [fields[0]?.key ?? '']: 'required' }
  return Object.fromEntries(faults)
}

/** Reads from a refusal which fields it is about: `account.zone_id` -> `zone_id`. */
export const refusedFields = (error: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(toFieldErrors(error)).flatMap(([path, fault]) => {
      const key = /(?:^|\.)account\.([a-z0-9_]+)$/.exec(path)?.[1]
      return key === undefined ? [] : [[key, fault]]
    }),
  )

/** Tells a customer what is wrong with a field. */
export function faultText(t: TFunction, field: AccountField, fault: string): string {
  if (fault === 'no_player') return t(field.key === 'player_id' ? 'topups.invalidId' : 'topups.unknownAccount')
  if (fault === 'invalid_option') return t('topups.optionGone')
  if (field.type === 'select') return t('topups.chooseOption')
  if (fault === 'too_short') return t('topups.tooShort', { count: field.length_min })
  if (fault === 'too_long') return t('topups.tooLong', { count: field.length_max })
  if (fault === 'mixed_alphabets') return t('topups.mixedAlphabets')
  if (fault === 'invalid_format' && field.type === 'login' && field.pattern === '') return t('topups.steam.badLogin')
  return t(fault === 'required' ? 'field.required' : 'field.invalid')
}

/** What is sent of an account: the fields that are filled in. */
export const sentAccount = (fields: readonly AccountField[], account: Account): Account =>
  Object.fromEntries(
    fields.flatMap(({ key }) => {
      const value = account[key]?.trim() ?? ''
      return value === '' ? [] : [[key, value]]
    }),
  )

/** Shows an account as carts and receipts do: under its labels, with an option by its own name. */
export const shownAccount = (fields: readonly AccountField[], account: Account): ShownTopup['account'] =>
  Object.entries(sentAccount(fields, account)).map(([key, value]) => {
    const field = fields.find((one) => one.key === key)
    const option = field?.options.find((one) => one.value === value)
    return { key, label: field?.label ?? key, value: option?.label ?? value }
  })

/** Names an account in one line, as the store does: `51234567 (2001)`, `51234567 (–, 2001)`. */
export function accountText(fields: readonly AccountField[], account: Account): string {
  const shown = shownAccount(fields, account)
  const last = fields.findIndex(({ key }) => key === shown.at(-1)?.key)
  const [first = '', ...others] = fields
    .slice(0, last + 1)
    .map((field) => shown.find(({ key }) => key === field.key)?.value ?? '–')
  return others.length > 0 ? `${first} (${others.join(', ')})` : first
}

/** Whether a game asks for nothing but the ID of a player, which texts then name. */
export const isPlayerIdOnly = (fields: readonly AccountField[]): boolean =>
  fields.length === 1 && fields[0]?.key === 'player_id'
