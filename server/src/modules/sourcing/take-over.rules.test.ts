import { one, parseDecimal } from '@olmos/contract/decimal'
import { describe, expect, test } from 'vitest'
import type { VendorField } from '../topups/supplier.ts'
import {
  findLeftEmpty,
  findUnfilled,
  guessFieldNames,
  isUnderCost,
  priceByMargin,
  readAmount,
  readUnit,
  toAskedFields,
} from './take-over.rules.ts'

test.each([
  ['60 UC', 60],
  ['UC 60', 60],
  ['325 + 25 UC', 350],
  ['3000+850 UC', 3_850],
  ['1,000 Diamonds', 1_000],
  ['12 500 Coins', 12_500],
  ['1.000.000 Gold', 1_000_000],
  ['PSN 10 USD', 10],
  ['$9.99', undefined],
  ['9,5 of something', undefined],
  ['Weekly Pass', undefined],
  ['0 UC', undefined],
  ['99999999999 UC', undefined],
  ['1000000001 UC', undefined],
])('%s has %s', (name, amount) => {
  expect(readAmount(name)).toBe(amount)
})

test.each([
  [['60 UC', '325 + 25 UC', 'Weekly Pass'], 'UC'],
  [['60 UC', '60 Diamonds'], ''],
  [['Weekly Pass'], ''],
  [['Buy 60 UC now', 'Buy 120 UC now'], 'Buy UC now'],
  [[`60 ${'x'.repeat(41)}`], ''],
  [[], ''],
])('%j are of %s', (names, unit) => {
  expect(readUnit(names)).toBe(unit)
})

describe('a price by margin', () => {
  const rates = new Map([
    ['USD', one],
    ['RUB', 80n * one],
    ['EUR', parseDecimal('0.8') ?? 0n],
  ])
  test.each([
    ['1', 'USD', 0, { priceUsd: 100, priceRub: 8_000 }],
    ['0.88', 'USD', 10, { priceUsd: 97, priceRub: 7_744 }],
    ['0.8', 'EUR', 0, { priceUsd: 100, priceRub: 8_000 }],
    ['80', 'RUB', 25, { priceUsd: 125, priceRub: 10_000 }],
    ['0.00000001', 'USD', 0, { priceUsd: 1, priceRub: 1 }],
    ['1', 'USD', 12.34, { priceUsd: 113, priceRub: 8_988 }],
    ['1', 'SGD', 10, 'no_rate'],
    ['999999999999', 'USD', 0, 'price'],
  ])('of %s %s and %s %% is %j', (cost, currency, margin, prices) => {
    expect(priceByMargin({ cost, currency }, margin, rates)).toEqual(prices)
  })

  test('is not made without the rate of the rouble', () => {
    expect(priceByMargin({ cost: '1', currency: 'USD' }, 0, new Map([['USD', one]]))).toBe('no_rate')
  })

  test.each([
    [100, 8_000, false],
    [99, 8_000, true],
    [100, 7_999, true],
  ])('%i cents and %i kopecks for what costs a dollar are under its cost: %s', (priceUsd, priceRub, isUnder) => {
    expect(isUnderCost({ priceUsd, priceRub }, { cost: '1', currency: 'USD' }, rates)).toBe(isUnder)
  })
})

const field = (key: string, more: Partial<VendorField> = {}): VendorField => ({
  key,
  label: `The ${key}`,
  type: 'text',
  isRequired: true,
  ...more,
})

describe('the fields of a new product', () => {
  const ask = (fields: VendorField[], said = {}) => {
    const asked = toAskedFields(fields, said)
    return 'refused' in asked
      ? asked
      : {
          names: asked.fieldNames,
          fields: asked.fields.map(({ key, type, labels }) => `${key} ${type} ${labels.en ?? labels.ru}`),
        }
  }

  test.each<[string, VendorField[], object, object]>([
    [
      'are the supplier’s',
      [field('user_id', { type: 'digits' })],
      {},
      { names: {}, fields: ['user_id digits User ID'] },
    ],
    [
      'have the supplier’s labels where nobody knows them',
      [field('riot_id')],
      {},
      { names: {}, fields: ['riot_id text The riot_id'] },
    ],
    [
      'have the shop’s keys',
      [field('userId', { type: 'digits' }), field('Zone ID'), field('2nd-name')],
      {},
      {
        names: { userId: '{user_id}', 'Zone ID': '{zone_id}', '2nd-name': '{nd_name}' },
        fields: ['user_id digits User ID', 'zone_id text Zone ID', 'nd_name text The 2nd-name'],
      },
    ],
    [
      'have a key each',
      [field('uid'), field('userid'), field('ID')],
      {},
      {
        names: { uid: '{user_id}', userid: '{user_id_2}', ID: '{user_id_3}' },
        fields: ['user_id text User ID', 'user_id_2 text The userid', 'user_id_3 text The ID'],
      },
    ],
    [
      'have a key in any alphabet',
      [field('сервер'), field('名前')],
      {},
      { names: { сервер: '{field}', 名前: '{field_2}' }, fields: ['field text The сервер', 'field_2 text The 名前'] },
    ],
    [
      'are what was said that the supplier’s are made of',
      [field('player_id')],
      { player_id: '{user_id}|{zone_id}' },
      { names: { player_id: '{user_id}|{zone_id}' }, fields: ['user_id digits User ID', 'zone_id digits Zone ID'] },
    ],
    ['never are a password', [field('login'), field('password')], {}, { refused: 'asks_secret', fields: ['password'] }],
    [
      'never are a password by another name',
      [field('f1', { label: 'Your PIN' })],
      {},
      { refused: 'asks_secret', fields: ['f1'] },
    ],
    ['may be a spin', [field('spinning_top')], {}, { names: {}, fields: ['spinning_top text The spinning_top'] }],
    [
      'are chosen from a list that is known',
      [field('server', { type: 'select' })],
      {},
      { refused: 'options_unknown', fields: ['server'] },
    ],
    [
      'are not too many',
      Array.from({ length: 9 }, (_, n) => field(`f${'abcdefghi'[n]}`)),
      {},
      { refused: 'too_many_fields' },
    ],
  ])('%s', (_, fields, said, expected) => {
    expect(ask(fields, said)).toMatchObject(expected)
  })

  test('have the options of the supplier', () => {
    const options = [{ value: 'os_asia', label: 'Asia' }]
    const asked = toAskedFields([field('server', { type: 'select', options, isRequired: false })], {})
    expect(asked).toMatchObject({
      fields: [{ key: 'server', isRequired: false, options: [{ value: 'os_asia', labels: { ru: 'Asia' } }] }],
    })
  })
})

test.each<[VendorField[], Record<string, string>, string[], string[]]>([
  [[field('user_id')], {}, ['user_id', 'zone_id'], []],
  [[field('user_id'), field('zone_id')], {}, ['user_id'], ['zone_id']],
  [[field('user_id'), field('note', { isRequired: false })], {}, ['user_id'], []],
  [[field('player_id')], { player_id: '{user_id}|{zone_id}' }, ['user_id', 'zone_id'], []],
  [[field('player_id')], { player_id: '{user_id}|{zone_id}' }, ['user_id'], ['player_id']],
  [[field('player_id')], { other: '{user_id}' }, ['user_id', 'player_id'], ['player_id']],
  [[field('player_id')], { player_id: 'nothing' }, ['player_id'], ['player_id']],
  [[], {}, [], []],
])('of %j with %j and %j nobody fills %j', (fields, names, keys, unfilled) => {
  expect(findUnfilled(fields, names, keys)).toEqual(unfilled)
})

test.each<[VendorField[], Record<string, string>, string[], string[]]>([
  [[field('user_id')], {}, ['player_id'], []],
  [[field('user_id'), field('zone_id')], {}, ['user_id'], ['zone_id']],
  [[field('user_id'), field('zone_id', { isRequired: false })], {}, ['player_id'], []],
  [[field('user_id')], {}, ['user_name', 'zone_id'], ['user_id']],
  [[field('player')], { userid: '{user_id}' }, ['user_id'], []],
  [[field('player')], { player: '{user_id}|{zone_id}' }, ['user_id'], ['player']],
  [[field('player'), field('region')], { player: '{user_id}', region: 'CIS' }, ['user_id'], []],
  [[field('player'), field('region')], { player: '{user_id}', region: '' }, ['user_id'], ['region']],
  [[], {}, ['user_id'], []],
])('of %j with %j and %j an order leaves %j empty', (fields, names, keys, empty) => {
  expect(findLeftEmpty(fields, names, keys)).toEqual(empty)
})

test.each<[string[], string[], Record<string, string> | undefined]>([
  [['user_id'], ['user_id'], {}],
  [['anything'], ['player_id'], { anything: '{player_id}' }],
  [['userid', 'zoneid'], ['zone_id', 'user_id'], { userid: '{user_id}', zoneid: '{zone_id}' }],
  [['uid', 'server_id'], ['player_id', 'zone_id'], { uid: '{player_id}', server_id: '{zone_id}' }],
  [['uid', 'server_id'], ['player_id', 'zone_id', 'server'], undefined],
  [['uid', 'shoe_size'], ['player_id', 'zone_id'], undefined],
])('%j are filled from %j by %j', (fields, keys, names) => {
  expect(
    guessFieldNames(
      fields.map((key) => field(key)),
      keys,
    ),
  ).toEqual(names)
})
