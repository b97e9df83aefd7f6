import { expect, test } from 'vitest'
import { toAllowed, toPresets } from './fill.rules.ts'

test.each([
  [{ least: 1, most: 500 }, [5, 10, 20, 50]],
  [{ least: 100, most: 50_000 }, [500, 1_000, 2_000, 5_000]],
  [{ least: 10, most: 20 }, [10, 20]],
  [{ least: 7.5, most: 9 }, [7.5, 9]],
  [{ least: 3, most: 3 }, [3]],
])('%j proposes %j', (bounds, presets) => expect(toPresets(bounds)).toEqual(presets))

test.each([
  [0.4, 1],
  [7.25, 7.25],
  [9_000, 500],
])('%d wanted is %d', (wanted, amount) => expect(toAllowed(wanted, { least: 1, most: 500 })).toBe(amount))
