import { expect, test } from 'vitest'
import { toBalanceChange, toSeen } from './balance-change.rules.ts'

/** What the fields showed before anything was typed; the store may have other balances by now. */
const shown = { balanceUsd: '10.00', balanceRub: '0.00' }

test.each([
  ['nothing', {}, {}],
  ['the balance that was there', { balanceUsd: 10 }, {}],
  ['another balance', { balanceUsd: '12.50' }, { balanceUsd: 12.5 }],
  ['both', { balanceUsd: 0, balanceRub: 90 }, { balanceUsd: 0, balanceRub: 90 }],
] as const)('where %s is typed, only what differs from what was shown is a change', (_what, typed, change) => {
  expect(toBalanceChange({ ...shown, ...typed }, shown)).toEqual(change)
})

test('what was seen is said of what is changed alone', () => {
  expect(toSeen({ balanceUsd: 12.5 }, { balanceUsd: 10, balanceRub: 0 })).toEqual({ balanceUsd: 10 })
})
