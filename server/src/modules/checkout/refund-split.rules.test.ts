import fc from 'fast-check'
import { expect, test } from 'vitest'
import { shareOfCard } from '../orders/order-money.ts'

const paid = { total: 1_000, byCard: 600 }

test.each([
  ['all of it', 0, 0, 1_000, 600],
  ['a part', 0, 0, 100, 60],
  ['a share that is rounded down', 0, 0, 1, 0],
  ['what the rounding left out before', 1, 0, 1, 1],
  ['the last of it', 999, 599, 1, 1],
  ['the rest, after a refund to the balance alone', 500, 0, 500, 500],
  ['something, after a refund to the balance alone', 300, 0, 100, 100],
  ['the rest, after the card had all of its share in the cabinet', 600, 600, 400, 0],
  ['something, after the card had more than its share', 300, 300, 100, 0],
])('of %s the card gets its share', (_what, inAll, toCard, amount, share) => {
  expect(shareOfCard(paid, { inAll, toCard }, amount)).toBe(share)
})

test('refunds of all of an order return exactly what each way paid, and none returns more than it is', () => {
  const cases = fc
    .record({ total: fc.integer({ min: 2, max: 1_000_000 }), seed: fc.integer({ min: 1, max: 1_000_000 }) })
    .chain(({ total, seed }) =>
      fc.record({
        paid: fc.constant({ total, byCard: 1 + (seed % (total - 1)) }),
        cuts: fc.array(fc.integer({ min: 1, max: total - 1 }), { maxLength: 8 }),
      }),
    )
  fc.assert(
    fc.property(cases, ({ paid: { total, byCard }, cuts }) => {
      const ends = [...new Set(cuts), total].toSorted((one, other) => one - other)
      const before = { inAll: 0, toCard: 0 }
      for (const end of ends) {
        const amount = end - before.inAll
        const share = shareOfCard({ total, byCard }, before, amount)
        expect(share >= 0 && share <= amount).toBe(true)
        before.inAll = end
        before.toCard += share
        expect(before.toCard).toBe(Math.floor((end * byCard) / total))
      }
      expect(before.toCard).toBe(byCard)
    }),
  )
})
