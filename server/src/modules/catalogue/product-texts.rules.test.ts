import { expect, test } from 'vitest'
import { mergeTexts } from './product.rules.ts'

const text = (name: string, description = '', activationInstructions = '') => ({
  name,
  description,
  activationInstructions,
})
const current = { ru: text('Имя', 'Описание'), en: text('Name', 'Description') }

test.each([
  ['nothing', {}, current],
  ['the texts beside are Russian', { name: 'Другое' }, { ...current, ru: text('Другое', 'Описание') }],
  [
    'and win over the translation',
    { name: 'А', translations: { ru: { name: 'Б' } } },
    { ...current, ru: text('А', 'Описание') },
  ],
  ['a field of a language', { translations: { en: { description: '' } } }, { ...current, en: text('Name') }],
  ['a new language', { translations: { uz: { name: 'Nom' } } }, { ...current, uz: text('Nom') }],
  ['a blank name takes a language out', { translations: { en: { name: '' } } }, { ru: current.ru }],
  ['a language without a name is none', { translations: { uz: { description: 'Matn' } } }, current],
])('%s', (_, change, texts) => {
  expect(mergeTexts(current, change)).toEqual(texts)
})
