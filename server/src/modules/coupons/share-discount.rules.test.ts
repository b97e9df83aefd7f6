import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type CouponTerms, type Discountable, shareDiscount } from './coupons.ts'

const line = (price: number, quantity = 1, floor: number | null = null, isCovered = true): Discountable => ({
  price,
  quantity,
  floor,
  isCovered,
})

const toText = (lines: Discountable[], terms: CouponTerms) =>
  shareDiscount(lines, terms).map((parts) => parts.map(({ quantity, discount }) => `${quantity}x${discount}`).join('+'))

describe('a percentage', () => {
  test.each<[string, Discountable[], number, string[]]>([
    ['is taken off each price, rounded down', [line(999), line(1_001, 3)], 1_000, ['1x99', '3x100']],
    ['stops at the floor of a unit', [line(1_000, 2, 950), line(1_000)], 1_000, ['2x50', '1x100']],
    [
      'leaves alone what costs its floor or less',
      [line(1_000, 1, 1_000), line(1_000, 1, 1_200)],
      5_000,
      ['1x0', '1x0'],
    ],
    ['leaves alone what it is not for', [line(1_000, 1, null, false), line(1_000)], 1_000, ['1x0', '1x100']],
    ['of a hundred leaves the smallest unit', [line(1_000)], 10_000, ['1x999']],
    ['of a quarter per mille is exact', [line(100_000)], 25, ['1x250']],
  ])('%s', (_what, lines, percent, shown) => {
    expect(toText(lines, { percent })).toEqual(shown)
  })
})

describe('an amount', () => {
  test.each<[string, Discountable[], number, string[]]>([
    ['is shared in proportion', [line(3_000), line(1_000)], 400, ['1x300', '1x100']],
    ['that can’t be divided by the quantity makes two parts', [line(5_000, 3)], 100, ['1x34+2x33']],
    [
      'gives its remainder to whole lines first',
      [line(1_000, 2), line(1_000, 2), line(1_000)],
      104,
      ['2x21', '2x21', '1x20'],
    ],
    ['goes where the floors leave room', [line(1_000, 1, 990), line(1_000)], 200, ['1x10', '1x190']],
    ['is cut by the floors', [line(1_000, 1, 990), line(1_000, 1, 995)], 200, ['1x10', '1x5']],
    ['is cut to what is left to be paid', [line(100), line(50, 2)], 100_000, ['1x99', '2x49']],
    ['leaves alone what it is not for', [line(1_000, 1, null, false), line(1_000)], 150, ['1x0', '1x150']],
  ])('%s', (_what, lines, amount, shown) => {
    expect(toText(lines, { amount })).toEqual(shown)
  })
})

const money = fc.integer({ min: 1, max: 100_000_000_000 })
const anyLine = fc.record({
  price: fc.oneof(fc.integer({ min: 1, max: 50 }), money),
  quantity: fc.integer({ min: 1, max: 1_000 }),
  floor: fc.option(fc.oneof(fc.integer({ min: 1, max: 50 }), money)),
  isCovered: fc.boolean(),
})

test('whatever is bought, an amount comes off exactly, as far as there is room, and nothing goes under its floor', () => {
  fc.assert(
    fc.property(fc.array(anyLine, { minLength: 1, maxLength: 8 }), money, (lines, amount) => {
      const shared = shareDiscount(lines, { amount })
      const room = lines.map(({ price, floor, isCovered }) =>
        isCovered ? Math.max(0, price - Math.max(floor ?? 0, 1)) : 0,
      )
      const most = lines.reduce((sum, { quantity }, index) => sum + BigInt(room[index] ?? 0) * BigInt(quantity), 0n)
      const sum = shared.flat().reduce((all, { quantity, discount }) => all + BigInt(quantity) * BigInt(discount), 0n)
      expect(sum).toBe(most < BigInt(amount) ? most : BigInt(amount))
      shared.forEach((parts, index) => {
        expect(parts.reduce((units, { quantity }) => units + quantity, 0)).toBe(lines[index]?.quantity)
        for (const { quantity, discount } of parts) {
          expect(quantity).toBeGreaterThan(0)
          expect(discount).toBeGreaterThanOrEqual(0)
          expect(discount).toBeLessThanOrEqual(room[index] ?? 0)
        }
      })
      expect(shared.filter((parts) => parts.length > 1).length).toBeLessThanOrEqual(1)
    }),
    { numRuns: 2_000 },
  )
})
