import { expect, test } from 'vitest'
import { savedPercent } from './saved-percent.ts'

const smallest = { game_amount: 100, price_rub: 99, price_usd: 1.29 }

test.each([
  [{ game_amount: 100, price_rub: 99, price_usd: 1.29 }, 0],
  [{ game_amount: 400, price_rub: 368.28, price_usd: 4.8 }, 7],
  [{ game_amount: 400, price_rub: 364.4, price_usd: 4.8 }, 7],
  [{ game_amount: 200, price_rub: 197, price_usd: 2.5 }, 0],
  [{ game_amount: 200, price_rub: 210, price_usd: 2.9 }, 0],
])('%j saves %i %%', (entry, percent) => {
  expect(savedPercent(entry, [entry, smallest], 'RUB')).toBe(percent)
})

test('is of the currency that is paid in', () => {
  const entry = { game_amount: 200, price_rub: 198, price_usd: 1.29 }
  expect(savedPercent(entry, [smallest, entry], 'USD')).toBe(50)
})
