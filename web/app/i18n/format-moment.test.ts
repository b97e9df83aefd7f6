import { expect, test, vi } from 'vitest'
import { formatAmong, formatDay, formatMoment, formatRecent, formatTimeOfDay, toLocalDay } from './format-moment.ts'

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

const now = new Date(2026, 10, 22, 0, 40)

test.each([
  [new Date(2026, 10, 22, 0, 34), 'ru', 'сегодня, 00:34'],
  [new Date(2026, 10, 21, 23, 59), 'ru', 'вчера, 23:59'],
  [new Date(2026, 10, 21, 0, 0), 'en', 'yesterday, 00:00'],
  [new Date(2026, 10, 22, 0, 34), 'uz', 'bugun, 00:34'],
  [new Date(2026, 10, 20, 23, 59), 'ru', '20 нояб., 23:59'],
  [new Date(2026, 10, 5, 9, 7), 'en', '5 Nov, 09:07'],
  [new Date(2026, 10, 5, 9, 7), 'uz', '5-noy, 09:07'],
  [new Date(2025, 11, 31, 9, 7), 'ru', '31 дек. 2025, 09:07'],
] as const)('%s is said in %s: %s', (moment, language, said) => {
  expect(formatRecent(moment.toISOString(), now.getTime(), language)).toBe(said)
})

test('among moments of one day it is the time of day, among others the day stands there too', () => {
  const [paid, later, nextDay] = [20, 20, 21].map((day, place) => new Date(2024, 10, day, 14, place).toISOString())
  expect(formatAmong(paid as string, [paid, later] as string[], 'en')).toBe('14:00')
  expect(formatAmong(paid as string, [paid, nextDay] as string[], 'en')).toBe('20 Nov 2024, 14:00')
  expect(formatAmong(nextDay as string, [paid, nextDay] as string[], 'en')).toBe('21 Nov 2024, 14:02')
})

test('the day is that of the customer’s clock', () => {
  vi.stubEnv('TZ', 'Asia/Tashkent')
  expect(toLocalDay(new Date('2026-11-20T21:00:00.000Z'))).toBe('2026-11-21')
  vi.unstubAllEnvs()
})
