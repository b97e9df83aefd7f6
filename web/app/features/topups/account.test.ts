import type { AccountField } from '@olmos/contract/topup-data'
import { expect, test } from 'vitest'
import { ApiError } from '../../api/api-error.ts'
import {
  accountText,
  cleanValue,
  findFaults,
  isPlayerIdOnly,
  refusedFields,
  sentAccount,
  shownAccount,
} from './account.ts'

const field = (key: string, given: Partial<AccountField> = {}): AccountField => ({
  key,
  label: key.toUpperCase(),
  hint: '',
  type: 'digits',
  required: true,
  pattern: '',
  length_min: 1,
  length_max: 12,
  options: [],
  ...given,
})
const server = field('server', { type: 'select', options: [{ value: 'os_asia', label: 'Азия' }] })
const fields = [field('user_id', { length_min: 5 }), field('zone_id'), server]

test.each([
  ['digits', 'ID: 0051-23', '5123'],
  ['digits', '0', '0'],
  ['login', ' gabe_n ', 'gabe_n'],
  ['phone', '+7 (999) 123-45+67', '+79991234567'],
  ['phone', '998 90 123 45 67', '998901234567'],
  ['text', ' Two words ', ' Two words '],
] as const)('of %s typed as %j what fits stays: %j', (type, typed, kept) => {
  expect(cleanValue(field('any', { type }), typed)).toBe(kept)
})

test('an ID that is too long is not cut to another ID', () => {
  const typed = cleanValue(field('user_id'), '1234567890123')
  expect(findFaults([field('user_id')], { user_id: typed })).toEqual({ user_id: 'too_long' })
})

test.each<[string, AccountField, string, string | undefined]>([
  ['nothing', field('x'), ' ', 'required'],
  ['nothing in the only one', field('x', { required: false }), '', 'required'],
  ['too little', field('x', { length_min: 5 }), '1234', 'too_short'],
  ['another pattern', field('x', { pattern: '[1-9]\\d{8}' }), '12345', 'invalid_format'],
  ['its pattern', field('x', { pattern: '[1-9]\\d{8}' }), '812345678', undefined],
  ['a part of its pattern', field('x', { type: 'text', pattern: 'a\\d' }), 'xa1x', 'invalid_format'],
  ['no login', field('x', { type: 'login' }), 'имя', 'invalid_format'],
  ['two alphabets', field('x', { type: 'text' }), 'Plаyer', 'mixed_alphabets'],
  ['an option that is gone', server, 'os_moon', 'invalid_option'],
  ['an option', server, 'os_asia', undefined],
  ['a phone number', field('x', { type: 'phone', length_max: 20 }), '998901234567', undefined],
  ['half a phone number', field('x', { type: 'phone' }), '+99', 'invalid_format'],
])('a field with %s', (_, judged, value, fault) => {
  expect(findFaults([judged], { [judged.key]: value })).toEqual(fault === undefined ? {} : { [judged.key]: fault })
})

test('an optional field may stay empty beside another', () => {
  const optional = field('note', { type: 'text', required: false })
  expect(findFaults([field('user_id'), optional], { user_id: '5' })).toEqual({})
})

test('what is sent has the fields that are asked for, without what surrounds them', () => {
  const account = { user_id: ' 51234 ', zone_id: '', server: 'os_asia', forgotten: '7' }
  expect(sentAccount(fields, account)).toEqual({ user_id: '51234', server: 'os_asia' })
})

test('an account is shown under its labels, an option by its name', () => {
  const account = { user_id: '51234', zone_id: '2001', server: 'os_asia' }
  expect(shownAccount(fields, account).at(-1)).toEqual({ key: 'server', label: 'SERVER', value: 'Азия' })
  expect(accountText(fields, account)).toBe('51234 (2001, Азия)')
  expect(accountText(fields, { user_id: '51234' })).toBe('51234')
  expect(accountText(fields, { user_id: '51234', server: 'os_asia' })).toBe('51234 (–, Азия)')
  expect(accountText(fields, {})).toBe('')
})

test('a refusal says which fields it is about, however deep they stand in what was sent', () => {
  const details = { 'account.zone_id': 'required', 'topupData.account.server': 'invalid_option', amount: 'invalid' }
  expect(refusedFields(new ApiError('VALIDATION_FAILED', '', details, 400))).toEqual({
    zone_id: 'required',
    server: 'invalid_option',
  })
  expect(refusedFields(new ApiError('PLAYER_NOT_FOUND', '', {}, 404))).toEqual({})
})

test.each([
  [[field('player_id')], true],
  [[field('player_id'), field('zone_id')], false],
  [[field('login', { type: 'login' })], false],
  [[], false],
])('of the fields %# a player ID is all', (asked, isAll) => {
  expect(isPlayerIdOnly(asked)).toBe(isAll)
})
