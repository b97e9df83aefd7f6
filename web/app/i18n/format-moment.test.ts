import { expect, test } from 'vitest'
import { formatDay, formatMoment, formatTimeOfDay } from './format-moment.ts'

const at = new Date(2026, 10, 5, 9, 7).toISOString()

test.each([
  ['ru', '5 нояб. 2026, 09:07'],
  ['en', '5 Nov 2026, 09:07'],
  ['uz', '5-noy 2026, 09:07'],
] as const)('in %s it is %s', (language, shown) => {
  expect(formatMoment(at, language)).toBe(shown)
})

test.each([
  ['ru', '20 нояб. 2026'],
  ['en', '20 Nov 2026'],
  ['uz', '20-noy 2026'],
] as const)('a day in %s is %s', (language, shown) => {
  expect(formatDay('2026-11-20', language)).toBe(shown)
})

test('the time of day stands alone', () => {
  expect(formatTimeOfDay(at)).toBe('09:07')
})
