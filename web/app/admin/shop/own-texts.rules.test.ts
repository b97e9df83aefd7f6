import { expect, test } from 'vitest'
import { findTexts, findWrongMarks } from './own-texts.rules.ts'

const blank = { ru: '', en: '', uz: '' }

const reply = {
  key: 'support.reply_other',
  words: { ru: 'Ответим за {{count}} часов', en: 'We answer within {{count}} hours', uz: '{{count}} soatda javob' },
}
const answer = {
  key: 'support.answer',
  words: { ru: 'Смотрите <profile>профиль</profile>', en: 'See <profile>it</profile>', uz: '<profile>Bu</profile>' },
}

test('own words may leave a number out, and may not ask for one that nobody fills in', () => {
  expect(findWrongMarks(reply.words, { ...blank, en: 'We answer soon' })).toEqual({})
  expect(findWrongMarks(reply.words, { ...blank, en: 'Within {{hours}} hours', ru: '{{count}} ч' })).toEqual({
    en: 'wrong_marks',
  })
})

test('own words keep the links of the text', () => {
  expect(findWrongMarks(answer.words, { ...blank, ru: 'Смотрите профиль' })).toEqual({ ru: 'wrong_marks' })
  expect(findWrongMarks(answer.words, { ...blank, uz: '<profile>Shu</profile>!' })).toEqual({})
})

test('texts are found by what is seen of them, in whatever language, and by own words', () => {
  const all = [reply, answer]
  expect(findTexts(all, {}, 'within').map(({ key }) => key)).toEqual([reply.key])
  expect(findTexts(all, { uz: { [answer.key]: 'Salom' } }, 'salom').map(({ key }) => key)).toEqual([answer.key])
  expect(findTexts(all, { uz: { [answer.key]: 'Salom' } }, ' ').map(({ key }) => key)).toEqual([answer.key])
})
