import type { OfferStock } from '@olmos/contract/summary'
import { expect, test } from 'vitest'
import { sortOutLowStock } from './low-stock.rules.ts'

const offer = (offer_id: number, days_left: number | null, low_stock: number | null): OfferStock => ({
  offer_id,
  product_id: 1,
  product_title: 'Roblox',
  region_id: 0,
  region_name: '',
  game_amount: 100,
  game_currency: 'Robux',
  available_count: 1,
  sold_count: days_left === null ? 0 : 7,
  days_left,
  low_stock,
  version: 1,
})

test('what is bought or watched runs out, soonest first; what nobody buys stands apart', () => {
  const { urgent, unsold } = sortOutLowStock([
    offer(1, 0, null),
    offer(2, 2.5, null),
    offer(3, null, 0),
    offer(4, null, null),
    offer(5, null, 20),
    offer(6, null, null),
  ])
  expect(urgent.map(({ offer_id }) => offer_id)).toEqual([1, 2, 3, 5])
  expect(unsold.map(({ offer_id }) => offer_id)).toEqual([4, 6])
})
