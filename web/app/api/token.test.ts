import { beforeEach, expect, test } from 'vitest'
import { lastingStorage } from '../ui/browser-storage.ts'
import { storedToken, tokenKey } from './token.ts'

const unfit = ['', 'жетон', 'with a space', 'two\nlines', 'nul\u0000', 'separator\u2028']

beforeEach(() => lastingStorage.removeItem(tokenKey))

test('the token is what was stored', () => {
  expect(storedToken()).toBeNull()
  lastingStorage.setItem(tokenKey, 'abc-123_XYZ')
  expect(storedToken()).toBe('abc-123_XYZ')
})

test.each(unfit)('%j is no token, as no header may carry it', (text) => {
  lastingStorage.setItem(tokenKey, text)
  expect(storedToken()).toBeNull()
})
