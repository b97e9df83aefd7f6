import { expect, test } from 'vitest'
import { readRetryAfter } from './headers.ts'

const now = new Date('2026-11-22T10:00:00Z')

test.each([
  ['7', 7],
  [' 30 ', 30],
  ['Sun, 22 Nov 2026 10:02:00 GMT', 120],
  ['86400', 600],
  ['0', undefined],
  ['-5', undefined],
  ['soon', undefined],
  ['Sun, 22 Nov 2026 09:00:00 GMT', undefined],
  ['', undefined],
  [null, undefined],
])('%j is a pause of %j seconds', (header, seconds) => {
  expect(readRetryAfter(header, now)).toBe(seconds)
})
