import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  makeCodedLines,
  makeReceipt,
  makeRefundReceipt,
  type ReceiptDefaults,
  toAdvanceTax,
  toUnitLines,
} from './fiscal-receipt.rules.ts'

const defaults: ReceiptDefaults = { taxSystem: 'usn_income', tax: 'none', subject: 'payment', mode: 'full_payment' }
const contact = { email: 'buyer@example.com' }

const sum = (all: readonly { amount: number }[]) => all.reduce((total, { amount }) => total + amount, 0)

const item = fc.record({
  name: fc.string({ maxLength: 200 }),
  quantity: fc.integer({ min: 1, max: 99 }),
  amount: fc.integer({ min: 1, max: 100_000_000 }),
})
const order = fc.record({
  items: fc.array(item, { minLength: 1, maxLength: 30 }),
  charged: fc.integer({ min: 1, max: 999_999_999_999 }),
})

test('the lines of any order add up to any charge, to the minor unit', () => {
  fc.assert(
    fc.property(order, ({ items, charged }) => {
      const { lines } = makeReceipt({ contact, items, charged, defaults })
      expect(sum(lines)).toBe(charged)
      for (const line of lines) {
        expect(line.amount).toBeGreaterThan(0)
        expect(line.unitPrice * line.quantity).toBeLessThanOrEqual(line.amount)
        expect([...line.name].length).toBeLessThanOrEqual(128)
      }
    }),
  )
})

test('lines of one price each add up to what they were split from, and are their quantity times their price', () => {
  fc.assert(
    fc.property(order, ({ items, charged }) => {
      const { lines } = makeReceipt({ contact, items, charged, defaults })
      const split = toUnitLines(lines, 100)
      expect(sum(split)).toBe(charged)
      for (const line of split) {
        expect(line.quantity).toBeGreaterThan(0)
        expect(line.unitPrice).toBeGreaterThan(0)
        expect(line.quantity * line.unitPrice).toBe(line.amount)
      }
      const units = (all: typeof lines, least: number) =>
        all.filter((line) => line.amount >= least).reduce((total, { quantity }) => total + quantity, 0)
      const isWhole = lines.every(({ amount, quantity }) => amount >= quantity)
      if (isWhole) expect(units(split, 0)).toBe(units(lines, 0))
    }),
  )
})

test('more lines than a receipt may have are merged with what is sold alike, to the minor unit', () => {
  const kinds = fc.constantFrom('none', 'vat20', 'vat22')
  const taxed = fc.tuple(item, kinds).map(([one, tax]) => ({ ...one, tax }))
  fc.assert(
    fc.property(
      fc.array(taxed, { minLength: 1, maxLength: 60 }),
      fc.integer({ min: 1, max: 999_999_999_999 }),
      fc.integer({ min: 3, max: 80 }),
      (items, charged, most) => {
        const { lines } = makeReceipt({ contact, items, charged, defaults })
        const merged = toUnitLines(lines, most)
        expect(merged.length).toBeLessThanOrEqual(most)
        const sumByTax = (all: typeof lines) => Map.groupBy(all, ({ tax }) => tax)
        for (const [tax, same] of sumByTax(lines)) expect(sum(sumByTax(merged).get(tax) ?? [])).toBe(sum(same))
        for (const line of merged) {
          expect(line.unitPrice * line.quantity).toBe(line.amount)
          expect([...line.name].length).toBeLessThanOrEqual(128)
        }
      },
    ),
  )
})

test('the last lines are merged first, with their names as far as they fit', () => {
  const items = ['60 UC', '325 UC', '660 UC', 'x'.repeat(120), '60 UC'].map((name, index) => ({
    name,
    quantity: index === 0 ? 2 : 1,
    amount: 100 * (index + 1),
  }))
  const { lines } = makeReceipt({ contact, items, charged: 1_500, defaults })
  expect(toUnitLines(lines, 5)).toEqual(lines)
  expect(toUnitLines(lines, 2).map(({ name, quantity, amount }) => [name, quantity, amount])).toEqual([
    ['60 UC', 2, 100],
    ['325 UC; 660 UC', 1, 1_400],
  ])
})

test('a charge in the currency of the order has the very prices of the order', () => {
  fc.assert(
    fc.property(fc.array(item, { minLength: 1, maxLength: 30 }), (items) => {
      const { lines } = makeReceipt({ contact, items, charged: sum(items), defaults })
      expect(lines.map(({ amount }) => amount)).toEqual(items.map(({ amount }) => amount))
    }),
  )
})

test('partial refunds add up to what each refunds, whatever they take of which item', () => {
  const refunds = order.chain(({ items }) =>
    fc.record({
      items: fc.constant(items),
      parts: fc.array(
        fc.record({
          item: fc.integer({ min: 0, max: items.length - 1 }),
          quantity: fc.option(fc.integer({ min: 1, max: 99 }), { nil: undefined }),
          amount: fc.integer({ min: 1, max: 1_000_000 }),
        }),
        { minLength: 1, maxLength: 10 },
      ),
      charged: fc.integer({ min: 1, max: 999_999_999 }),
    }),
  )
  fc.assert(
    fc.property(refunds, ({ items, parts, charged }) => {
      const { lines } = makeRefundReceipt({ contact, items, parts, charged, defaults })
      expect(sum(lines)).toBe(charged)
      expect(sum(toUnitLines(lines, 100))).toBe(charged)
    }),
  )
})

test('a product may have its own tax, subject and mode', () => {
  const items = [
    { name: ' 60 UC ', quantity: 3, amount: 1_000, tax: 'vat22', subject: 'service', mode: 'full_prepayment' },
    { name: 'Code', quantity: 1, amount: 500 },
  ] as const
  const { lines, taxSystem } = makeReceipt({ contact, items, charged: 1_500, defaults })
  expect(taxSystem).toBe('usn_income')
  expect(lines).toEqual([
    {
      name: '60 UC',
      quantity: 3,
      unitPrice: 333,
      amount: 1_000,
      tax: 'vat22',
      subject: 'service',
      mode: 'full_prepayment',
    },
    {
      name: 'Code',
      quantity: 1,
      unitPrice: 500,
      amount: 500,
      tax: 'none',
      subject: 'payment',
      mode: 'full_payment',
    },
  ])
  expect(toUnitLines(lines, 100).map(({ quantity, unitPrice }) => [quantity, unitPrice])).toEqual([
    [2, 333],
    [1, 334],
    [1, 500],
  ])
})

test.each([
  [1, [[1, 1]]],
  [2, [[1, 2]]],
  [3, [[3, 1]]],
  [
    4,
    [
      [2, 1],
      [1, 2],
    ],
  ],
])('three units for %i kopecks', (amount, expected) => {
  const { lines } = makeReceipt({ contact, items: [{ name: 'a', quantity: 3, amount }], charged: amount, defaults })
  expect(toUnitLines(lines, 100).map(({ quantity, unitPrice }) => [quantity, unitPrice])).toEqual(expected)
})

describe('the lines of a receipt in Uzbekistan', () => {
  const shops = { ikpu: '10305008002000000', package_code: '1514296', vat_percent: 12 }
  const none = { ikpu: null, package_code: null, vat_percent: null }

  test('add up to any charge, each its quantity times one price', () => {
    fc.assert(
      fc.property(order, ({ items, charged }) => {
        const lines = makeCodedLines({ items: items.map((one) => ({ ...one, ...none })), charged, defaults: shops })
        expect(sum(lines ?? [])).toBe(charged)
        for (const { unitPrice, quantity, amount } of lines ?? []) expect(unitPrice * quantity).toBe(amount)
      }),
    )
  })

  test('have the codes of the product where it has some, and its package never from the shop', () => {
    const items = [
      { name: '60 UC', quantity: 2, amount: 200, ...none, vat_percent: 0 },
      { name: 'Steam', quantity: 1, amount: 100, ikpu: '10899002001000000', package_code: '1', vat_percent: null },
    ]
    expect(makeCodedLines({ items, charged: 300, defaults: shops })).toEqual([
      {
        name: '60 UC',
        quantity: 2,
        unitPrice: 100,
        amount: 200,
        ikpu: '10305008002000000',
        packageCode: '1514296',
        vatPercent: 0,
      },
      {
        name: 'Steam',
        quantity: 1,
        unitPrice: 100,
        amount: 100,
        ikpu: '10899002001000000',
        packageCode: '1',
        vatPercent: 12,
      },
    ])
  })

  test.each([
    [none, none],
    [none, { ...shops, vat_percent: null }],
    [{ ...none, ikpu: '10899002001000000' }, shops],
  ])('are none where a line lacks a code: %j, %j', (codes, defaults) => {
    const items = [
      { name: 'a', quantity: 1, amount: 1, ...shops },
      { name: 'b', quantity: 1, amount: 1, ...codes },
    ]
    expect(makeCodedLines({ items, charged: 2, defaults })).toBeUndefined()
  })
})

test.each([
  ['none', 'none'],
  ['vat0', 'vat0'],
  ['vat10', 'vat110'],
  ['vat20', 'vat120'],
  ['vat22', 'vat122'],
  ['vat120', 'vat120'],
] as const)('%s of a sum that is paid ahead is %s', (tax, advance) => expect(toAdvanceTax(tax)).toBe(advance))
