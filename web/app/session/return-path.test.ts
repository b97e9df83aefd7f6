import { expect, test } from 'vitest'
import { safeReturnPath } from './return-path.ts'

test.each([
  ['/cart', '/cart'],
  ['/products/roblox?region=2', '/products/roblox?region=2'],
  ['//evil.example', '/'],
  ['/\\evil.example', '/'],
  ['https://evil.example', '/'],
  ['javascript:alert(1)', '/'],
  ['/\t/evil.example', '/'],
  ['/login', '/'],
  ['/Register?x=1', '/'],
  ['/new-password', '/'],
  [undefined, '/'],
  [{ pathname: '/cart' }, '/'],
])('%j leads to %s', (wanted, path) => {
  expect(safeReturnPath(wanted)).toBe(path)
})
