import { describe, expect, test } from 'vitest'
import { maskGenerated, newGeneratedCode, toPrefix, toSpelling } from './generated-codes.ts'

describe('a new code', () => {
  test('is its prefix and five groups of signs that cannot be mistaken', () => {
    expect(newGeneratedCode('ff')).toMatch(/^FF(-[ACDEFGHJKMNPQRTVWXY34679]{4}){5}$/)
    expect(newGeneratedCode('')).toMatch(/^[ACDEFGHJKMNPQRTVWXY34679]{4}(-[ACDEFGHJKMNPQRTVWXY34679]{4}){4}$/)
  })

  test('has more than 80 random bits: every sign comes up in every place', () => {
    const codes = Array.from({ length: 4_000 }, () => newGeneratedCode('').replaceAll('-', ''))
    expect(new Set(codes).size).toBe(4_000)
    const signs = Array.from({ length: 20 }, (_, place) => new Set(codes.map((code) => code[place])).size)
    expect(signs).toEqual(Array(20).fill(24))
    expect(20 * Math.log2(24)).toBeGreaterThan(80)
  })
})

const code = 'FF-7KQM-ACDE-4T9X-HJPR-WY36'
test.each([
  [code, code],
  [` ${code.toLowerCase()} `, code],
  [code.replaceAll('-', ''), code],
  ['ff 7kqm acde 4t9x hjpr wy36', code],
  ['FF–7KQM–ACDE–4T9X–HJPR–WY36', code],
  ['7KQMACDE4T9XHJPRWY36', '7KQM-ACDE-4T9X-HJPR-WY36'],
  ['ABC', ''],
  ['', ''],
  ['🦊', ''],
])('%j means %j', (typed, meant) => {
  expect(toSpelling(typed)).toBe(meant)
})

test.each([
  [code, 'FF', 'FF-••••-WY36'],
  ['7KQM-ACDE-4T9X-HJPR-WY36', '', '••••-WY36'],
])('%s begins with %j and is listed as %s', (plain, prefix, mask) => {
  expect(toPrefix(plain)).toBe(prefix)
  expect(maskGenerated(plain)).toBe(mask)
})
