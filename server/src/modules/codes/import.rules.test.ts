import { parsePrice } from '@olmos/contract/import-lines'
import * as LIMITS from '@olmos/contract/limits'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseImport } from './import-codes.ts'

const ok = { priceUsd: 100, priceRub: 8_000, gameAmount: 60 }

describe('a line that is fine', () => {
  test.each([
    ['plain', 'ABC-1,1,80,60', 'ABC-1'],
    ['with decimals', 'ABC-1,1.00,80.0,60', 'ABC-1'],
    ['with spaces around the fields', '  ABC-1 ,\t1.00 , 80 ,60  ', 'ABC-1'],
    ['with spaces inside the code', 'AB C 1,1,80,60', 'AB C 1'],
    ['all in quotes', '"ABC-1","1","80.00","60"', 'ABC-1'],
    ['a comma in quotes', '"AB,C",1,80,60', 'AB,C'],
    ['quotes in quotes', '"AB""C""",1,80,60', 'AB"C"'],
    ['spaces outside and inside the quotes', ' " ABC " , 1,80,60', 'ABC'],
    ['a quote that does not stand first', 'AB"C,1,80,60', 'AB"C'],
    ['Cyrillic and emoji', 'КОД-🦊,1,80,60', 'КОД-🦊'],
    ['what a spreadsheet would run', '=1+1,1,80,60', '=1+1'],
    ['the longest there is', `${'x'.repeat(LIMITS.codeLengthMax)},1,80,60`, 'x'.repeat(LIMITS.codeLengthMax)],
  ])('%s', (_name, line, code) => {
    for (const lines of [line, [line]]) {
      expect(parseImport(lines)).toEqual({ valid: [{ line: 1, code, ...ok }], invalid: [], repeated: [] })
    }
  })
})

describe('a line that is not', () => {
  test.each([
    ['one field', 'ABC', 'wrong_columns'],
    ['three fields', 'ABC,1,80', 'wrong_columns'],
    ['five fields', 'ABC,1,80,60,', 'wrong_columns'],
    ['other separators', 'ABC;1;80;60', 'wrong_columns'],
    ['tabs', 'ABC\t1\t80\t60', 'wrong_columns'],
    ['a comma in a code without quotes', 'AB,C,1,80,60', 'wrong_columns'],
    ['a thousand dollars with a comma', 'ABC,1,500.00,80,60', 'wrong_columns'],
    ['a thousand roubles with a comma', 'ABC,1.00,8,000.00,60', 'wrong_columns'],
    ['a decimal comma', 'ABC,1,50,80,60', 'wrong_columns'],
    ['a quote that does not end', '"ABC,1,80,60', 'wrong_columns'],
    ['more after the quote', '"ABC"D,1,80,60', 'wrong_columns'],
    ['no code', ',1,80,60', 'code_missing'],
    ['a blank code', '  ,1,80,60', 'code_missing'],
    ['an empty quote', '"",1,80,60', 'code_missing'],
    ['NUL in the code', 'AB\u0000C,1,80,60', 'code_missing'],
    ['half a surrogate pair', 'ABC\ud800,1,80,60', 'code_missing'],
    ['a mask', '••••1234,1,80,60', 'code_missing'],
    ['a mask in quotes', '"FF-••••-1234",1,80,60', 'code_missing'],
    ['a code too long', `${'x'.repeat(LIMITS.codeLengthMax + 1)},1,80,60`, 'code_too_long'],
    ['the header of a spreadsheet', 'code,price_usd,price_rub,amount', 'price_usd_invalid'],
    ['no price', 'ABC,,80,60', 'price_usd_invalid'],
    ['a price of nothing', 'ABC,0,80,60', 'price_usd_invalid'],
    ['a negative price', 'ABC,-1,80,60', 'price_usd_invalid'],
    ['three decimals', 'ABC,1.005,80,60', 'price_usd_invalid'],
    ['a sign of the currency', 'ABC,$1,80,60', 'price_usd_invalid'],
    ['thousands in quotes', 'ABC,"1,500.00",80,60', 'price_usd_invalid'],
    ['an exponent', 'ABC,1e3,80,60', 'price_usd_invalid'],
    ['hexadecimal', 'ABC,0x10,80,60', 'price_usd_invalid'],
    ['digits of another script', 'ABC,١,80,60', 'price_usd_invalid'],
    ['too much', 'ABC,10000000.01,80,60', 'price_usd_invalid'],
    ['roubles of nothing', 'ABC,1,0.00,60', 'price_rub_invalid'],
    ['a decimal comma in quotes', 'ABC,1,"80,50",60', 'price_rub_invalid'],
    ['roubles with a space', 'ABC,1,8 000,60', 'price_rub_invalid'],
    ['no amount', 'ABC,1,80,', 'game_amount_invalid'],
    ['an amount of nothing', 'ABC,1,80,0', 'game_amount_invalid'],
    ['half an amount', 'ABC,1,80,1.5', 'game_amount_invalid'],
    ['an amount too large', 'ABC,1,80,1000000001', 'game_amount_invalid'],
  ])('%s', (_name, line, reason) => {
    for (const lines of [line, [line]]) {
      expect(parseImport(lines)).toEqual({ valid: [], invalid: [{ line: 1, reason }], repeated: [] })
    }
  })
})

describe('an import', () => {
  const numbers = (lines: string | string[]) => parseImport(lines).valid.map(({ line, code }) => `${line} ${code}`)

  test.each([
    ['Unix line ends', 'A,1,80,60\nB,1,80,60\n'],
    ['Windows line ends', 'A,1,80,60\r\nB,1,80,60\r\n'],
    ['old Macintosh line ends', 'A,1,80,60\rB,1,80,60'],
    ['a byte order mark', '\uFEFFA,1,80,60\nB,1,80,60'],
  ])('%s', (_name, lines) => expect(numbers(lines)).toEqual(['1 A', '2 B']))

  test('passes over empty lines and counts them', () => {
    expect(numbers('\n \nA,1,80,60\n\t\n\nB,1,80,60\n\n')).toEqual(['3 A', '6 B'])
    expect(numbers(['', 'A,1,80,60', '  '])).toEqual(['2 A'])
    expect(parseImport('')).toEqual({ valid: [], invalid: [], repeated: [] })
  })

  test('a byte order mark before a quote, also in a list', () => {
    expect(numbers('\uFEFF"A",1,80,60')).toEqual(['1 A'])
    expect(numbers(['\uFEFF"A",1,80,60'])).toEqual(['1 A'])
  })

  test('names the lines that repeat a code, quoted or not', () => {
    const parsed = parseImport(['A,1,80,60', 'B,1,80,60', '"A",1,80,60', ' A ,1,80,60', 'a,1,80,60'])
    expect([parsed.valid.map(({ code }) => code), parsed.repeated]).toEqual([
      ['A', 'B', 'a'],
      [3, 4],
    ])
  })

  test('has one price for one amount', () => {
    const parsed = parseImport(['A,1,80,60', 'B,1.00,80.00,60', 'C,1.01,80,60', 'D,1,81,60', 'E,2,160,120'])
    expect(parsed.valid.map(({ code }) => code)).toEqual(['A', 'B', 'E'])
    expect(parsed.invalid).toEqual([3, 4].map((line) => ({ line, reason: 'price_differs_within_import' })))
  })

  test('of one endless line is read in no time', () => {
    for (const sign of [' ', '"', 'x', ',', 'x ', '""', '" ']) {
      const startedAt = performance.now()
      expect(parseImport(`"${sign.repeat(200_000)}x`).invalid).toHaveLength(1)
      expect(parseImport(`y${sign.repeat(200_000)}x`).invalid).toHaveLength(1)
      expect(performance.now() - startedAt).toBeLessThan(500)
    }
  })

  test('reads back whatever code a spreadsheet writes', () => {
    const sign = fc.constantFrom('A', '1', ',', '"', ' ', 'Ж', '🦊', '=', '-', ';')
    const code = fc.string({ unit: sign, minLength: 1, maxLength: 30 }).filter((text) => text.trim() !== '')
    fc.assert(
      fc.property(fc.uniqueArray(code, { selector: (text) => text.trim(), maxLength: 20 }), (codes) => {
        const lines = codes.map((text) => `"${text.replaceAll('"', '""')}",1,80,60`)
        expect(parseImport(lines.join('\r\n')).valid.map((line) => line.code)).toEqual(codes.map((text) => text.trim()))
      }),
    )
  })
})

test('prices are minor units, to the cent', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: LIMITS.amountMax }), (minor) => {
      expect(parsePrice((minor / 100).toFixed(2))).toBe(minor)
    }),
  )
})
