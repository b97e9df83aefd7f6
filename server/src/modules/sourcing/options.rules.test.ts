import { describe, expect, test } from 'vitest'
import type { VendorField } from '../topups/supplier.ts'
import { followOptions, isOther, takesAnything, toChoices } from './follow-supplier.ts'

const select = (key: string, ...values: string[]): VendorField => ({
  key,
  label: key,
  type: 'select',
  isRequired: true,
  options: values.map((value) => ({ value, label: value.toUpperCase() })),
})
const own = (...values: string[]) => values.map((value) => ({ value, label: { ru: `Сервер ${value}` } }))
const told = (...values: string[]) => select('server', ...values).options ?? []

test.each<[string, string[], string[], string[], [string[], string[], string[]] | undefined]>([
  ['nothing changed', ['a', 'b'], ['a', 'b'], ['a', 'b'], undefined],
  ['one is gone', ['a', 'b'], ['a'], ['a', 'b'], [['a'], [], ['Сервер b']]],
  ['one is new', ['a'], ['a', 'b'], ['a'], [['a', 'b'], ['B'], []]],
  ['one replaces another', ['a'], ['b'], ['a'], [['b'], ['B'], ['Сервер a']]],
  ['an operator left one out', ['a'], ['a', 'b'], ['a', 'b'], undefined],
  ['an operator put one in', ['a', 'mine'], ['a'], ['a'], undefined],
  ['nothing would be left', ['a'], ['b'], ['a', 'b'], undefined],
])('when %s', (_, mine, now, before, expected) => {
  const followed = followOptions(own(...mine), told(...now), before)
  const shown = followed && [followed.options.map(({ value }) => value), followed.added, followed.gone]
  expect(shown).toEqual(expected)
})

describe('a choice of a supplier', () => {
  const game = { fields: [select('srv', 'a'), select('zone', 'z')], field_names: { srv: '{server}', zone: '{a}|{b}' } }

  test('is one of the shop where it goes there as it is', () => {
    expect(Object.keys(toChoices(game))).toEqual(['server'])
    expect(['server', 'a', 'other'].map((key) => takesAnything(key, game))).toEqual([false, true, false])
    expect(Object.keys(toChoices({ ...game, field_names: {} }))).toEqual(['srv', 'zone'])
  })

  test('is open where the supplier has not told its list', () => {
    const silent = { fields: [select('server')], field_names: {} }
    expect([toChoices(silent), takesAnything('server', silent)]).toEqual([{}, true])
  })

  test.each([
    [{ server: ['a'] }, null, true],
    [{ server: ['a', 'b'] }, { server: ['b', 'a'] }, false],
    [{ server: ['a'] }, { server: ['a', 'b'] }, true],
    [{}, { server: ['a'] }, false],
  ])('%j after %j is other: %s', (now, before, expected) => {
    expect(isOther(now, before)).toBe(expected)
  })
})
