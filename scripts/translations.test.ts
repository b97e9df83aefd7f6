import { expect, test } from 'vitest'
import { findProblems, joined, type Question } from './translations.ts'

/** A small web whose texts are complete. */
const complete = (): Question => ({
  texts: {
    ru: {
      cart: { empty: 'Пусто', left_one: '{{count}} код', left_few: '{{count}} кода', left_many: '{{count}} кодов' },
      failure: { GONE: 'Нет' },
      help: 'Помощь',
    },
    en: {
      cart: { empty: 'Empty', left_one: '{{count}} code', left_other: '{{count}} codes' },
      failure: { GONE: 'Gone' },
      help: 'Help',
    },
    uz: { cart: { empty: 'Boʻsh', left_other: '{{count}} ta kod' }, failure: { GONE: 'Yoʻq' }, help: 'Yordam' },
  },
  sources: {
    'Cart.tsx': "t('cart.empty'); t('cart.left', { count }); t(`failure.${code}`); <Trans i18nKey=\"help\" />",
  },
  composed: { 'failure.': ['GONE'] },
})

type Tree = Record<string, Record<string, string>>

test('complete translations pass', () => {
  expect(findProblems(complete())).toEqual([])
})

test.each<[string, (question: Question) => void, string]>([
  ['a missing text', ({ texts }) => delete (texts.uz as Tree).cart?.empty, 'uz: cart.empty is missing'],
  ['an empty text', ({ texts }) => Object.assign(texts.en as Tree, { help: ' ' }), 'en: help is empty'],
  ['a missing plural form', ({ texts }) => delete (texts.ru as Tree).cart?.left_few, 'ru: cart.left_few is missing'],
  [
    'a plural without forms',
    ({ texts }) => {
      delete (texts.uz as Tree).cart?.left_other
      Object.assign((texts.uz as Tree).cart as object, { left: 'kod' })
    },
    'uz: cart.left_other is missing',
  ],
  [
    'another placeholder',
    ({ texts }) => Object.assign((texts.uz as Tree).cart as object, { left_other: '{{number}} ta kod' }),
    'cart.left has other placeholders in each language: ru (count) en (count) uz (number)',
  ],
  [
    'a key nobody has',
    ({ sources }) => (sources['Home.tsx'] = "t('home.title')"),
    'Home.tsx asks for home.title, which no language has',
  ],
  [
    'a key nobody asks for',
    ({ sources }) => (sources['Cart.tsx'] = sources['Cart.tsx']?.replace('cart.empty', 'help') ?? ''),
    'nothing asks for cart.empty',
  ],
  [
    'a composed key without a text',
    (question) => (question.composed = { 'failure.': ['GONE', 'TORN'] }),
    'the list of composed keys asks for failure.TORN, which no language has',
  ],
  [
    'a key composed in a way that is not listed',
    ({ sources }) => (sources['Home.tsx'] = 't(`home.${part}`)'),
    'Home.tsx composes a key from home., which is not listed',
  ],
])('%s is found', (_name, spoil, problem) => {
  const question = complete()
  spoil(question)
  expect(findProblems(question)).toContain(problem)
})

test('any key of a kind that is composed anyhow counts as asked for', () => {
  const question = complete()
  question.composed = { 'failure.': 'anyhow' }
  expect(findProblems(question)).toEqual([])
})

test('a key kept in a table and handed to t later counts as asked for', () => {
  const question = complete()
  question.sources = { 'Cart.tsx': "const titles = ['cart.empty']; t('cart.left'); t('help')" }
  expect(findProblems(question)).toEqual([])
})

test('texts of two files are read as one, and none stands in both', () => {
  expect(joined({ field: { required: 'a' } }, { field: { taken: 'b' }, admin: { menu: 'c' } })).toEqual({
    field: { required: 'a', taken: 'b' },
    admin: { menu: 'c' },
  })
  expect(() => joined({ field: { required: 'a' } }, { field: { required: 'b' } })).toThrow('field.required')
})
