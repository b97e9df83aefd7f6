import { expect, test } from 'vitest'
import { addProfits, shownProfit } from './order-money.ts'

const figures = (revenue: number, known: number, cost: number, units: number, known_units: number) => ({
  revenue,
  known_revenue: known,
  cost,
  units,
  known_units,
})

test.each([
  ['all is known', figures(1000, 1000, 800, 2, 2), { cost: 8, margin: 2, unknown_revenue: 0 }],
  ['nothing is known', figures(1000, 0, 0, 2, 0), { cost: null, margin: null, unknown_revenue: 10 }],
  ['one unit of two is known', figures(1000, 500, 400, 2, 1), { cost: 4, margin: 1, unknown_revenue: 5 }],
  ['it was sold at a loss', figures(1000, 1000, 1200, 1, 1), { cost: 12, margin: -2, unknown_revenue: 0 }],
  ['it was a gift to the shop', figures(1000, 1000, 0, 1, 1), { cost: 0, margin: 10, unknown_revenue: 0 }],
  ['nothing stayed sold', figures(0, 0, 0, 0, 0), { cost: 0, margin: 0, unknown_revenue: 0 }],
  ['what was seen was given back', figures(0, 0, 800, 1, 1), { cost: 8, margin: -8, unknown_revenue: 0 }],
])('when %s', (_what, earned, shown) => {
  expect(shownProfit(earned)).toMatchObject(shown)
})

test('an unknown cost of one line leaves the cost of the others known', () => {
  const sum = addProfits([figures(1000, 1000, 800, 2, 2), figures(500, 0, 0, 1, 0)])
  expect(shownProfit(sum)).toEqual({
    revenue: 15,
    cost: 8,
    margin: 2,
    unknown_revenue: 5,
    units: 3,
    known_units: 2,
  })
})
