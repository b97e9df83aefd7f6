import type { Receipt } from '@olmos/contract/orders'
import { expect, test } from 'vitest'
import { awaitedSince, toSteps } from './steps.ts'

type Item = Receipt['items'][number]
const item = (status: Item['status'], ...names: Item['steps'][number]['name'][]) =>
  ({ status, steps: names.map((name, index) => ({ name, at: `2026-01-01T00:0${index}:00Z` })) }) as Item

test.each([
  [item('awaiting_payment'), 'paid:now sent:ahead delivered:ahead'],
  [item('pending', 'paid'), 'paid:done sent:now delivered:ahead'],
  [item('pending', 'paid', 'sent'), 'paid:done sent:done delivered:now'],
  [item('delivered', 'paid', 'sent', 'delivered'), 'paid:done sent:done delivered:done'],
  [item('unknown', 'paid', 'sent', 'unknown'), 'paid:done sent:done unknown:doubt delivered:ahead'],
  [item('delivered', 'paid', 'sent', 'unknown', 'delivered'), 'paid:done sent:done unknown:doubt delivered:done'],
  [item('refunded', 'paid', 'refunded'), 'paid:done refunded:returned'],
  [item('expired'), ''],
])('%j', (topup, shown) => {
  expect(
    toSteps(topup)
      .map(({ name, look }) => `${name}:${look}`)
      .join(' '),
  ).toBe(shown)
})

test('only a paid top-up that is not over is awaited', () => {
  expect(awaitedSince(item('pending', 'paid', 'sent'))).toBe('2026-01-01T00:00:00Z')
  expect(awaitedSince(item('awaiting_payment'))).toBeUndefined()
  expect(awaitedSince(item('delivered', 'paid', 'sent', 'delivered'))).toBeUndefined()
})
