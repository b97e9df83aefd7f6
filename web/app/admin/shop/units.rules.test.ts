import { expect, test } from 'vitest'
import { exampleText, findMissing, findUnit, listUnits, toSentWords, toUnitValues, wordFields } from './units.rules.ts'

const builtIn = [
  { key: 'units.star_one', words: { ru: 'звезда', en: 'Star', uz: '' } },
  { key: 'units.star_few', words: { ru: 'звезды', en: '', uz: '' } },
  { key: 'units.star_many', words: { ru: 'звёзд', en: '', uz: '' } },
  { key: 'units.star_other', words: { ru: '', en: 'Stars', uz: 'yulduz' } },
  { key: 'home.hero', words: { ru: 'Коды', en: 'Codes', uz: 'Kodlar' } },
]
const echo = { ru: { one: 'эхо', few: 'эха', many: 'эх' } }

test('a form has a field for each form of each language, with the numbers it stands after', () => {
  expect(wordFields.map(({ field, numbers }) => [field, numbers])).toEqual([
    ['words.ru.one', '1, 21'],
    ['words.ru.few', '2, 3, 4'],
    ['words.ru.many', '5, 6, 7'],
    ['words.en.one', '1'],
    ['words.en.other', '2, 3, 4'],
    ['words.uz.other', '1, 2, 3'],
  ])
})

test('the words of an owner stand first, and those of the store where a language has none', () => {
  const units = listUnits({ Echo: echo, Stars: { uz: { other: 'yulduzcha' } } }, builtIn)
  expect(units.map(({ name, isOwn }) => [name, isOwn])).toEqual([
    ['Echo', true],
    ['Stars', true],
  ])
  const stars = findUnit(units, ' star ')
  expect(stars && exampleText('ru', stars.name, stars.words)).toBe('1 звезда, 22 звезды, 5 звёзд')
  expect(stars && exampleText('uz', stars.name, stars.words)).toBe('1 yulduzcha, 22 yulduzcha, 5 yulduzcha')
  expect(listUnits({}, builtIn).map(({ name, isOwn }) => [name, isOwn])).toEqual([['Star', false]])
  expect(findUnit(units, 'Echoes')?.name).toBe('Echo')
  expect(findUnit(units, 'UC')).toBeUndefined()
})

test('a language without words is left out, one with some needs all of its forms', () => {
  const values = toUnitValues('Echo', echo)
  expect(toSentWords(values)).toEqual(echo)
  expect(findMissing(values)).toEqual({})
  expect(findMissing({ ...values, words: { ...values.words, en: { one: 'Echo', other: ' ' } } })).toEqual({
    'words.en.other': 'required',
  })
  expect(findMissing(toUnitValues(' ', {}))).toEqual({
    name: 'required',
    'words.ru.one': 'required',
    'words.ru.few': 'required',
    'words.ru.many': 'required',
  })
})
