import { expect, test } from 'vitest'
import { isFound } from './search.ts'

const roblox = { title: 'Roblox', keywords: ['robux', 'робуксы'] }

test.each([
  ['РОБУКС', true],
  [' rob ', true],
  ['blox', true],
  ['', true],
  ['steam', false],
])('%j finds it: %s', (wanted, found) => {
  expect(isFound(wanted, roblox)).toBe(found)
})
