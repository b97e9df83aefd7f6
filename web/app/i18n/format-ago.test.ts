import { expect, test } from 'vitest'
import { formatAgo } from './format-ago.ts'

const now = Date.UTC(2026, 10, 5, 9, 7)

test.each([
  [-59, 'сейчас', 'now', 'hozir'],
  [30, 'сейчас', 'now', 'hozir'],
  [-61, '1 минуту назад', '1 minute ago', '1 daqiqa oldin'],
  [-3 * 3_600, '3 часа назад', '3 hours ago', '3 soat oldin'],
  [5 * 60, 'через 5 минут', 'in 5 minutes', '5 daqiqadan keyin'],
  [-47 * 3_600, '1 день назад', '1 day ago', '1 kun oldin'],
  [-40 * 86_400, '1 месяц назад', '1 month ago', '1 oy oldin'],
  [-800 * 86_400, '2 года назад', '2 years ago', '2 yil oldin'],
])('%i seconds from now', (seconds, ru, en, uz) => {
  const at = new Date(now + seconds * 1_000).toISOString()
  expect([formatAgo(at, now, 'ru'), formatAgo(at, now, 'en'), formatAgo(at, now, 'uz')]).toEqual([ru, en, uz])
})
