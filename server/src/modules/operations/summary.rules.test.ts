import { firstNumbers } from '@olmos/contract/shop-numbers'
import { describe, expect, test } from 'vitest'
import { dateIn, daysLeft, toLowStock, toRange } from './summary.ts'

test.each([
  ['Asia/Tashkent', '2026-11-21T18:59:59Z', '2026-11-21'],
  ['Asia/Tashkent', '2026-11-21T19:00:00Z', '2026-11-22'],
  ['UTC', '2026-11-21T19:00:00Z', '2026-11-21'],
])('in %s it is at %s the %s', (timeZone, now, date) => {
  expect(dateIn(timeZone, new Date(now))).toBe(date)
})

test.each([
  [{}, { from: '2026-10-23', to: '2026-11-21' }],
  [{ period: 'today' }, { from: '2026-11-21', to: '2026-11-21' }],
  [{ period: 'yesterday' }, { from: '2026-11-20', to: '2026-11-20' }],
  [{ period: '7' }, { from: '2026-11-15', to: '2026-11-21' }],
  [{ to: '2026-03-01' }, { from: '2026-01-31', to: '2026-03-01' }],
  [{ from: '2026-11-01' }, { from: '2026-11-01', to: '2026-11-21' }],
  [{ from: '2024-01-01' }, { from: '2024-01-01', to: '2024-12-31' }],
  [{ from: '2027-01-01' }, { from: '2027-01-01', to: '2027-01-01' }],
  [
    { from: '2026-01-01', to: '2026-01-02' },
    { from: '2026-01-01', to: '2026-01-02' },
  ],
] as const)('%j on the 21st is %j', (wanted, range) => {
  expect(toRange(wanted, '2026-11-21')).toEqual(range)
})

test.each([
  [7, 7, 7],
  [10, 3, 23.3],
  [1, 21, 0.3],
  [0, 5, 0],
  [7, 0, null],
])('%i codes of which %i are sold in 7 days last %s days', (available, sold, days) => {
  expect(daysLeft(available, sold)).toBe(days)
})

describe('low stock', () => {
  const entry = (
    offer_id: number,
    available_count: number,
    days_left: number | null,
    low_stock: number | null = null,
  ) => ({
    offer_id,
    product_id: 1,
    product_title: 'Product',
    region_id: 0,
    region_name: '',
    game_amount: 100,
    game_currency: 'coins',
    sold_count: 0,
    available_count,
    days_left,
    low_stock,
    version: 1,
  })

  test('is little of it, or what lasts a short time; the most urgent first', () => {
    const packages = [
      entry(1, 500, 2.9),
      entry(2, 500, 3),
      entry(3, 10, null),
      entry(4, 0, 0),
      entry(5, 0, null),
      entry(6, 11, null),
    ]
    expect(toLowStock(packages, firstNumbers).map(({ offer_id }) => offer_id)).toEqual([4, 1, 5, 3])
  })

  test('is what a package says itself, whatever the shop says', () => {
    const packages = [
      entry(1, 0, 0, 0),
      entry(2, 1, 0.1, 0),
      entry(3, 300, 90, 300),
      entry(4, 301, 90, 300),
      entry(5, 10, null, null),
    ]
    expect(toLowStock(packages, firstNumbers).map(({ offer_id }) => offer_id)).toEqual([1, 3, 5])
  })
})
