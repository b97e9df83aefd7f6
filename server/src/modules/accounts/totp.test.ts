import { expect, test } from 'vitest'
import { base32, codeAt, matchingStep, toStep } from './second-factor.ts'

// The secret, and the last six digits of the codes, from RFC 6238, appendix B.
const secret = Buffer.from('12345678901234567890')

test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('at second %i the code is %s', (second, code) => {
  expect(codeAt(secret, toStep(new Date(second * 1000)))).toBe(code)
})

test.each([
  [-2, undefined],
  [-1, 99],
  [0, 100],
  [1, 101],
  [2, undefined],
])('a code of %i steps from now belongs to step %s', (away, step) => {
  expect(matchingStep(secret, codeAt(secret, 100 + away), 100)).toBe(step)
})

test.each(['', '12345', '1234567', 'abcdef', '１２３４５６'])('%j is no code', (code) => {
  expect(matchingStep(secret, code, 100)).toBeUndefined()
})

// From RFC 4648, section 10.
test.each([
  ['', ''],
  ['f', 'MY'],
  ['fo', 'MZXQ'],
  ['foo', 'MZXW6'],
  ['foob', 'MZXW6YQ'],
  ['fooba', 'MZXW6YTB'],
  ['foobar', 'MZXW6YTBOI'],
])('%j in base32 is %j', (plain, encoded) => {
  expect(base32(Buffer.from(plain))).toBe(encoded)
})
