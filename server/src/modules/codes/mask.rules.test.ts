import { expect, test } from 'vitest'
import { maskCode } from './codes.store.ts'

test.each([
  ['ABCD-EFGH-IJKL', '••••IJKL'],
  ['123456789012', '••••9012'],
  ['12345678901', '••••'],
  ['', '••••'],
])('%s is listed as %s', (code, mask) => {
  expect(maskCode(code)).toBe(mask)
})
