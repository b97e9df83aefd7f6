import type { AccountFieldType } from '@olmos/contract/topup-data'
import { expect, test } from 'vitest'
import { type FieldRow, readAccount, toVendorAccount } from './topups.ts'

const field = (key: string, type: AccountFieldType, more: Partial<FieldRow> = {}): FieldRow => ({
  key,
  type,
  label: { ru: key },
  hint: {},
  pattern: '',
  length_min: 1,
  length_max: 20,
  options: [],
  is_required: true,
  ...more,
})
const legends = [field('user_id', 'digits'), field('zone_id', 'digits', { length_max: 5 })]
const asia = { value: 'os_asia', label: { ru: 'Азия' } }
const impact = [field('user_id', 'digits'), field('server', 'select', { options: [asia] })]
const stars = [field('username', 'text', { pattern: '@?[a-z0-9_]{5,32}' })]
const nick = [field('nick', 'text')]
const wallet = [field('login', 'login')]
const phone = [field('phone', 'phone'), field('note', 'text', { is_required: false })]
const blank = { is_required: false }
const partly = [field('user_id', 'digits'), field('zone_id', 'digits', blank), field('note', 'text', blank)]

test.each([
  [legends, { user_id: '0051234', zone_id: '2001' }, { user_id: '51234', zone_id: '2001' }, '51234 (2001)'],
  [
    impact,
    { user_id: '800123456', server: 'os_asia' },
    { user_id: '800123456', server: 'os_asia' },
    '800123456 (os_asia)',
  ],
  [stars, { username: '@durov' }, { username: '@durov' }, '@durov'],
  [nick, { nick: 'Тимур#RUS' }, { nick: 'Тимур#RUS' }, 'Тимур#RUS'],
  [wallet, { login: 'ga.be-n_1' }, { login: 'ga.be-n_1' }, 'ga.be-n_1'],
  [phone, { phone: '+998 (90) 123-45-67', note: '' }, { phone: '+998901234567' }, '+998901234567'],
  [phone, { phone: '998901234567' }, { phone: '+998901234567' }, '+998901234567'],
  [partly, { user_id: '5', zone_id: '7' }, { user_id: '5', zone_id: '7' }, '5 (7)'],
  [partly, { user_id: '5', note: '7' }, { user_id: '5', note: '7' }, '5 (–, 7)'],
])('of %#, %j is read as %j, in one text %s', (fields, given, values, text) => {
  expect(readAccount(fields, given)).toEqual({ values, text })
})

test.each([
  ['a field that is missing', legends, { user_id: '51234' }, { 'account.zone_id': 'required' }],
  ['a field that nobody asked for', wallet, { login: 'gabe', password: 'x' }, { 'account.password': 'unknown_field' }],
  ['what is too long', legends, { user_id: '51234', zone_id: '123456' }, { 'account.zone_id': 'too_long' }],
  ['letters for digits', legends, { user_id: '5l234', zone_id: '1' }, { 'account.user_id': 'invalid_format' }],
  ['digits of another script', legends, { user_id: '٥١٢٣', zone_id: '1' }, { 'account.user_id': 'invalid_format' }],
  ['an option that is not there', impact, { user_id: '1', server: 'os_mars' }, { 'account.server': 'invalid_option' }],
  ['what the pattern does not allow', stars, { username: 'x' }, { 'account.username': 'invalid_format' }],
  ['what only begins as the pattern wants', stars, { username: 'durov!' }, { 'account.username': 'invalid_format' }],
  ['control characters', nick, { nick: 'ab\u0007c' }, { 'account.nick': 'invalid_format' }],
  ['invisible characters', nick, { nick: 'ab\u200bc' }, { 'account.nick': 'invalid_format' }],
  ['letters that only look alike', nick, { nick: 'раypal' }, { 'account.nick': 'mixed_alphabets' }],
  ['a Cyrillic letter in a login', wallet, { login: 'gаbe' }, { 'account.login': 'invalid_format' }],
  ['too few digits of a phone', phone, { phone: '12' }, { 'account.phone': 'invalid_format' }],
  ['an account of nothing', [field('note', 'text', { is_required: false })], {}, { account: 'required' }],
])('%s is refused', (_, fields, given, details) => {
  expect(() => readAccount(fields, given)).toThrow(expect.objectContaining({ code: 'VALIDATION_FAILED', details }))
})

test.each([
  [{}, { user_id: '1', zone_id: '2' }],
  [
    { userid: '{user_id}', serverid: '{zone_id}' },
    { userid: '1', serverid: '2' },
  ],
  [{ player_id: '{user_id}|{zone_id}' }, { player_id: '1|2' }],
  [{ player_id: '{user_id}{nothing}' }, { player_id: '1' }],
])('a supplier whose names are %j is told %j', (names, told) => {
  expect(toVendorAccount({ user_id: '1', zone_id: '2' }, names)).toEqual(told)
})
