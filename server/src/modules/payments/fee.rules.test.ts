import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bookedForRefund, type FeePosition, feeInOutsideRefund, toFee } from './charge.rules.ts'

test.each([
  ['nothing', 0, 0, 1_000, 0],
  ['a percent', 100, 0, 1_000, 10],
  ['2.5 %, rounded up', 250, 0, 1_001, 26],
  ['a hundredth of a percent of a cent', 1, 0, 1, 1],
  ['a fixed sum', 0, 30, 1_000, 30],
  ['both', 290, 30, 1_000, 59],
  ['half of a great sum', 5_000, 0, 99_999_999_999, 50_000_000_000],
])('a fee of %s', (_what, percent, fixed, amount, fee) => {
  expect(toFee({ percent, fixed, isRefunded: true }, amount)).toEqual({ amount: fee, percent, fixed, isRefunded: true })
})

test('a method without terms costs nothing', () => {
  expect(toFee(undefined, 1_000)).toEqual({ amount: 0, percent: 0, fixed: 0, isRefunded: false })
})

test('a fee is never below its percents, less than one unit above them, and grows with the amount', () => {
  const amounts = fc.integer({ min: 0, max: 100_000_000 })
  fc.assert(
    fc.property(amounts, amounts, fc.integer({ min: 0, max: 5_000 }), (amount, more, percent) => {
      const fee = (of: number) => toFee({ percent, fixed: 0, isRefunded: false }, of).amount
      expect(fee(amount) * 10_000).toBeGreaterThanOrEqual(amount * percent)
      expect((fee(amount) - 1) * 10_000).toBeLessThan(Math.max(1, amount * percent))
      expect(fee(amount + more)).toBeGreaterThanOrEqual(fee(amount))
    }),
  )
})

const none = { all: 0, fee: 0 }
const position = (wish: Partial<FeePosition> = {}): FeePosition => ({
  booked: 1_050,
  fee: 50,
  feeLeft: 50,
  refunded: none,
  certain: none,
  ...wish,
})

describe('what of a refund in the cabinet is of the fee', () => {
  test.each<[string, Partial<FeePosition>, number, number]>([
    ['all of it is', {}, 1_050, 50],
    ['nothing of a part of the goods', {}, 999, 0],
    ['nothing of exactly the goods', {}, 1_000, 0],
    ['what exceeds the goods', {}, 1_020, 20],
    [
      'what exceeds the goods that were left',
      { refunded: { all: 600, fee: 0 }, certain: { all: 600, fee: 0 } },
      450,
      50,
    ],
    ['nothing, where the fee went back before', { feeLeft: 0 }, 1_050, 0],
    ['what is left of the fee', { feeLeft: 20 }, 1_050, 20],
    ['all, where the store refunds the goods just now', { refunded: { all: 1_000, fee: 0 } }, 50, 50],
    ['nothing, where the store can not refund them any more', { refunded: { all: 1_000, fee: 0 } }, 500, 0],
    ['nothing, where the store refunds the fee just now', { refunded: { all: 1_050, fee: 50 }, feeLeft: 0 }, 1_050, 0],
  ])('%s', (_what, wish, amount, fee) => {
    expect(feeInOutsideRefund(position(wish), amount)).toBe(fee)
  })

  test('in whatever parts the charge goes back, the goods are covered first, and the fee exactly and last', () => {
    const cases = fc.record({
      goods: fc.integer({ min: 1, max: 1_000_000 }),
      fee: fc.integer({ min: 1, max: 100_000 }),
      rate: fc.integer({ min: 1, max: 20_000 }),
      cuts: fc.array(fc.nat({ max: 1_000_000 }), { maxLength: 8 }),
    })
    fc.assert(
      fc.property(cases, ({ goods, fee, rate, cuts }) => {
        const paid = { booked: goods + fee, charged: (goods + fee) * rate }
        const ends = [...new Set(cuts.map((cut) => 1 + (cut % paid.charged))), paid.charged].toSorted((a, b) => a - b)
        const before = { booked: 0, charged: 0, fee: 0 }
        for (const end of ends) {
          const charged = end - before.charged
          if (charged === 0) continue
          const amount = bookedForRefund(paid, before, charged)
          const refunded = { all: before.booked, fee: before.fee }
          const left = fee - before.fee
          const share = feeInOutsideRefund(
            { booked: paid.booked, fee, feeLeft: left, refunded, certain: refunded },
            amount,
          )
          before.booked += amount
          before.charged += charged
          before.fee += share
          expect(share >= 0 && share <= amount).toBe(true)
          expect(before.fee).toBe(Math.max(0, before.booked - goods))
        }
        expect(before).toEqual({ ...paid, fee })
      }),
    )
  })
})
