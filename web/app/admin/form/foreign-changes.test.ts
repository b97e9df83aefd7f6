import { expect, test } from 'vitest'
import { foreignChanges, untouchedChanges } from './foreign-changes.ts'

const seen = { balanceUsd: '100.00', balanceRub: '0.00', reason: '' }

test('a purchase changes a balance in which nothing was typed', () => {
  const changes = foreignChanges(seen, { ...seen, balanceUsd: '40.00' })
  expect(untouchedChanges(changes, seen, { ...seen, balanceRub: 500, reason: 'gift' })).toEqual([
    { field: 'balanceUsd', value: '40.00' },
  ])
})

test('what was typed back to what it was is nothing that was typed', () => {
  const changes = foreignChanges(seen, { ...seen, balanceUsd: '40.00' })
  expect(untouchedChanges(changes, seen, { ...seen, balanceUsd: 100 })).toEqual(changes)
})

test('the field that was typed into stays', () => {
  const changes = foreignChanges(seen, { ...seen, balanceUsd: '40.00', balanceRub: '7.00' })
  expect(untouchedChanges(changes, seen, { ...seen, balanceUsd: 120 })).toEqual([
    { field: 'balanceRub', value: '7.00' },
  ])
  expect(untouchedChanges(changes, seen, { ...seen, balanceUsd: '' }).map(({ field }) => field)).toEqual(['balanceRub'])
})

test('each language of a text is a field of its own, and a list is one field', () => {
  const was = { translations: { en: 'Pack', uz: 'Paket' }, regionIds: ['1'] }
  const now = { translations: { en: 'Bundle', uz: 'Toʻplam' }, regionIds: ['1', '2'] }
  const typed = { translations: { en: 'Pack of 60', uz: 'Paket' }, regionIds: ['1'] }
  expect(untouchedChanges(foreignChanges(was, now), was, typed)).toEqual([
    { field: 'translations.uz', value: 'Toʻplam' },
    { field: 'regionIds', value: ['1', '2'] },
  ])
})
