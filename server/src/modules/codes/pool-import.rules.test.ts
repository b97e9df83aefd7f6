import * as LIMITS from '@olmos/contract/limits'
import { expect, test } from 'vitest'
import { parsePool } from './pool-codes.ts'

const codes = (lines: string | string[]) => parsePool(lines).valid.map(({ line, code }) => [line, code])

test.each([
  [
    'A\nB',
    [
      [1, 'A'],
      [2, 'B'],
    ],
  ],
  [
    '\uFEFFA\r\n\r\n B \r\n',
    [
      [1, 'A'],
      [3, 'B'],
    ],
  ],
  [
    ['A', '', 'B'],
    [
      [1, 'A'],
      [3, 'B'],
    ],
  ],
  ['', []],
] as const)('%j', (lines, expected) => {
  expect(codes(lines as string | string[])).toEqual(expected)
})

test('tells what is wrong, and what stands there twice', () => {
  const long = 'x'.repeat(LIMITS.codeLengthMax + 1)
  expect(parsePool(['GOOD-1', 'A,1,80,60', 'GOOD-1', long, '••••1234', 'half\ud800', 'bad code here'])).toEqual({
    valid: [{ line: 1, code: 'GOOD-1' }],
    invalid: [
      { line: 2, reason: 'wrong_columns' },
      { line: 4, reason: 'code_too_long' },
      { line: 5, reason: 'code_missing' },
      { line: 6, reason: 'code_missing' },
      { line: 7, reason: 'wrong_columns' },
    ],
    repeated: [3],
  })
})
