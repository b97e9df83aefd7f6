import { expect, test } from 'vitest'
import { refusalDetails } from './refusal-details.ts'

const conflict = refusalDetails.STATE_CONFLICT

test('each shape of a conflict has reasons of its own, which clients tell apart', () => {
  const reasons = conflict.options.flatMap(({ shape }) => [...(shape.reason._zod.values ?? [])].map(String))
  expect(reasons.length).toBeGreaterThanOrEqual(conflict.options.length)
  expect(reasons).toEqual([...new Set(reasons)])
  for (const reason of reasons) expect(reason).toMatch(/^[a-z]+(_[a-z]+)*$/)
})

test.each([
  ['as it is', { reason: 'last_admin', user: 'last_admin' }, true],
  ['without a reason', { user: 'last_admin' }, false],
  ['for a reason that nobody has described', { reason: 'full_moon', user: 'last_admin' }, false],
  ['with details of another reason', { reason: 'last_admin', user: 'self' }, false],
  ['without the details of its reason', { reason: 'last_admin' }, false],
  ['of a supplier that is being asked', { reason: 'call_under_way', delivery: 'call_under_way' }, true],
])('a conflict %s is described: %j is %s', (_name, details, isDescribed) => {
  expect(conflict.safeParse(details).success).toBe(isDescribed)
})
