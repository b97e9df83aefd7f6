import { expect, test } from 'vitest'
import { maskOf } from './codes.store.ts'

test.each([
  ['ABCD-EFGH-IJKL', '••••IJKL'],
  ['123456789012', '••••9012'],
  ['12345678901', '••••'],
  ['', '••••'],
])('%s is listed as %s', (code, mask) => {
  expect(maskOf(code)).toBe(mask)
})
