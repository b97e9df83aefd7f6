import { describe, expect, test } from 'vitest'
import {
  guessMapping,
  isRejected,
  type Mapping,
  missingColumn,
  rowReader,
  toCode,
  toDay,
  toShape,
  withRole,
} from './mapping.ts'
import type { TableRow } from './read-text.ts'

const rows = (...cells: string[][]): TableRow[] => cells.map((row, index) => ({ line: index + 1, cells: row }))
const guess = (...cells: string[][]) => guessMapping(rows(...cells), cells[0]?.length ?? 0, false)

describe('a guess', () => {
  test.each([
    [
      'four columns, as ever',
      [
        ['A-1', '4.99', '399', '400'],
        ['B-2', '4.99', '399', '400'],
      ],
      false,
      ['code', 'priceUsd', 'priceRub', 'amount'],
    ],
    ['one column', [['A-1'], ['B-2']], false, ['code']],
    [
      'a day beside a code',
      [
        ['A-1', '31.12.2027'],
        ['B-2', '01.01.2028'],
      ],
      false,
      ['code', 'expires'],
    ],
    [
      'English titles',
      [
        ['Card number', 'Code', 'Valid thru', 'Unit cost', 'Currency'],
        ['7', 'A-1', '2027-12-31', '3.8', 'USD'],
      ],
      true,
      ['skip', 'code', 'expires', 'cost', 'currency'],
    ],
    [
      'Russian titles',
      [
        ['Логин', 'Пароль', 'Номинал', 'Цена, USD', 'Цена, RUB', 'Себестоимость'],
        ['a', 'b', '60', '1', '80', '0.9'],
      ],
      true,
      ['code', 'code', 'amount', 'priceUsd', 'priceRub', 'cost'],
    ],
    [
      'Uzbek titles',
      [
        ['Kod', 'Nominal', 'Amal qilish muddati'],
        ['a', '60', '12/2027'],
      ],
      true,
      ['code', 'amount', 'expires'],
    ],
    [
      'titles nobody knows, over numbers',
      [
        ['Foo', 'Bar'],
        ['ABC', '12'],
      ],
      true,
      ['skip', 'skip'],
    ],
    [
      'the last of two columns of one kind is left out',
      [
        ['Code', 'Expires', 'Valid until'],
        ['a', '', ''],
      ],
      true,
      ['code', 'expires', 'skip'],
    ],
  ] as const)('of %s', (_name, cells, hasHeader, columns) => {
    expect(guess(...cells.map((row) => [...row]))).toMatchObject({ hasHeader, columns })
  })

  test('labels the lines of a code as the file does', () => {
    expect(guess(['Login', 'Password'], ['a', 'b']).parts).toEqual([
      { column: 0, label: 'Login' },
      { column: 1, label: 'Password' },
    ])
  })

  test('leaves out what the store has added to a file of rejected rows, and knows the file by the rest', () => {
    const titles = { line: 'Line of the file', reason: 'Why it was left out' }
    const own = rows(['Code', 'Amount', titles.line, titles.reason], ['A', '60', '7', 'because'])
    expect(isRejected(own, titles)).toBe(true)
    const mapping = guessMapping(own, 4, true)
    expect(mapping.columns).toEqual(['code', 'amount', 'skip', 'skip'])
    const before = rows(['Code', 'Amount'], ['A', '60'])
    expect(toShape(own, mapping, true)).toBe(toShape(before, guessMapping(before, 2, false), false))
  })
})

test('a role belongs to one column, and a code to several', () => {
  const mapping = guess(['A', '1', '2', '3'])
  expect(withRole(mapping, 0, 'amount').columns).toEqual(['amount', 'priceUsd', 'priceRub', 'skip'])
  const two = withRole(mapping, 3, 'code')
  expect([two.columns, two.parts.map(({ column }) => column)]).toEqual([
    ['code', 'priceUsd', 'priceRub', 'code'],
    [0, 3],
  ])
  expect(withRole(two, 0, 'skip').parts.map(({ column }) => column)).toEqual([3])
  expect(missingColumn(withRole(mapping, 0, 'skip'), true)).toBe('needCode')
  expect(missingColumn(withRole(mapping, 3, 'skip'), false)).toBe('needAmount')
  expect(missingColumn(withRole(mapping, 3, 'skip'), true)).toBeUndefined()
  expect(missingColumn(withRole(mapping, 1, 'skip'), true)).toBe('needPrices')
})

test.each([
  ['31.12.2027', '2027-12-31'],
  ['1.2.2028', '2028-02-01'],
  ['2027-12-31', '2027-12-31'],
  ['2027-12-31T10:00:00Z', '2027-12-31'],
  ['2027-12-31 23:59', '2027-12-31'],
  ['02/2028', '2028-02-29'],
  ['2/2027', '2027-02-28'],
  ['12.2027', '2027-12-31'],
  ['31.04.2027', undefined],
  ['2027-13-01', undefined],
  ['13/2027', undefined],
  ['12/31/2027', undefined],
  ['31.12.27', undefined],
  ['soon', undefined],
])('the day %s is %s', (text, day) => {
  expect(toDay(text)).toBe(day)
})

test('a code of several cells is several lines, in the order that was chosen; empty ones are left out', () => {
  const cells = ['lola', 'x9', '']
  const cell = (column: number) => cells[column] ?? ''
  const parts = [
    { column: 1, label: 'Пароль' },
    { column: 2, label: 'PIN' },
    { column: 0, label: '' },
  ]
  expect(toCode(parts, cell)).toBe('Пароль: x9\nlola')
  expect(toCode([{ column: 0, label: 'Login' }], cell)).toBe('lola')
})

describe('a row', () => {
  const columns = ['code', 'amount', 'priceUsd', 'priceRub', 'expires', 'cost', 'currency'] as const
  const mapping: Mapping = { hasHeader: true, columns, parts: [{ column: 0, label: '' }], costCurrency: 'EUR' }
  const reading = {
    mapping,
    gameAmount: undefined,
    amounts: new Map([['100 алмазов', 100]]),
    currencies: ['USD', 'EUR'],
    today: '2026-11-26',
    isOwn: false,
  }
  const read = (cells: string[], more: Partial<TableRow> = {}, change: object = {}) =>
    rowReader({ ...reading, ...change })({ line: 5, cells, ...more })

  test.each([
    [
      'with all of it',
      ['A-1', '60', '1,05', '84', '31.12.2027', '0,9', 'usd'],
      {
        gameAmount: 60,
        priceUsd: 1.05,
        priceRub: 84,
        bought: { expires_on: '2027-12-31', cost: '0.9', currency: 'USD' },
      },
    ],
    ['with a code and an amount', ['A-1', '1 000'], { gameAmount: 1_000, bought: {} }],
    ['with the name of a package', ['A-1', '100  Алмазов'], { gameAmount: 100, bought: {} }],
    [
      'that expires today',
      ['A-1', '60', '', '', '2026-11-26'],
      { gameAmount: 60, bought: { expires_on: '2026-11-26' } },
    ],
    [
      'with a cost in the currency of all',
      ['A-1', '60', '', '', '', '0'],
      { gameAmount: 60, bought: { cost: '0', currency: 'EUR' } },
    ],
  ])('%s', (_name, cells, expected) => {
    expect(read(cells)).toEqual({ line: 5, code: 'A-1', ...expected })
  })

  test.each([
    ['code_missing', ['', '60']],
    ['code_missing', ['A\u0000', '60']],
    ['code_masked', ['••••-QWE', '60']],
    ['code_too_long', ['x'.repeat(4_001), '60']],
    ['amount_unknown', ['A', '']],
    ['amount_unknown', ['A', '0']],
    ['amount_unknown', ['A', '60.5']],
    ['amount_unknown', ['A', '60+6']],
    ['price_usd_invalid', ['A', '60', '1,500', '80']],
    ['price_usd_invalid', ['A', '60', '1,500.00', '80']],
    ['price_usd_invalid', ['A', '60', '', '80']],
    ['price_rub_invalid', ['A', '60', '1', '']],
    ['price_rub_invalid', ['A', '60', '1', '0']],
    ['expires_invalid', ['A', '60', '', '', '31.02.2027']],
    ['expired', ['A', '60', '', '', '25.11.2026']],
    ['cost_invalid', ['A', '60', '', '', '', '-1']],
    ['currency_unknown', ['A', '60', '', '', '', '1', 'XXX']],
  ])('is refused: %s', (reason, cells) => {
    expect(read(cells)).toBe(reason)
  })

  test('is refused when Excel cut its code, or a quote tore it', () => {
    expect(read(['1234567890123456000', '60'], { cut: [0] })).toBe('code_cut')
    expect(read(['A', '60'], { cut: [1] })).toMatchObject({ code: 'A' })
    expect(read(['A', '60'], { isTorn: true })).toBe('torn')
  })

  test('of a file of rejected rows has no apostrophes before what a spreadsheet would run', () => {
    expect(read(["'=1+1\n'-2", '60'], {}, { isOwn: true })).toMatchObject({ code: '=1+1\n-2' })
    expect(read(["'=1+1", '60'])).toMatchObject({ code: "'=1+1" })
  })
})
