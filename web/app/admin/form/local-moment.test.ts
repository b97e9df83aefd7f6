import { expect, test } from 'vitest'
import { toLocal, toMoment } from './local-moment.ts'

test.each([
  ['2026-11-27T05:00:00.000Z', 'Asia/Tashkent', '2026-11-27T10:00'],
  ['2026-11-27T20:30:00.000Z', 'Asia/Tashkent', '2026-11-28T01:30'],
  ['2026-07-01T12:00:00.000Z', 'America/New_York', '2026-07-01T08:00'],
  ['2026-12-01T12:00:00.000Z', 'America/New_York', '2026-12-01T07:00'],
  // Before and after the clocks of Berlin are put back, and forward.
  ['2026-10-24T23:30:00.000Z', 'Europe/Berlin', '2026-10-25T01:30'],
  ['2026-10-25T02:30:00.000Z', 'Europe/Berlin', '2026-10-25T03:30'],
  ['2026-03-29T00:30:00.000Z', 'Europe/Berlin', '2026-03-29T01:30'],
  ['2026-03-29T01:30:00.000Z', 'Europe/Berlin', '2026-03-29T03:30'],
])('%s is shown and typed in %s as %s', (moment, timeZone, local) => {
  expect([toLocal(moment, timeZone), toMoment(local, timeZone)]).toEqual([local, moment])
})

test('blank is no moment, and without a zone the time is that of the browser', () => {
  expect([toLocal(null), toLocal(undefined), toMoment('')]).toEqual(['', '', null])
  expect(toMoment('2026-11-27T10:00')).toBe(new Date('2026-11-27T10:00').toISOString())
  expect(toLocal(toMoment('2026-11-27T10:00'))).toBe('2026-11-27T10:00')
})
