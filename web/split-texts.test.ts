import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { listFirstSources } from './split-texts.ts'

const sources = listFirstSources()

test('the first pages import nothing of Mantine, which does not stand around them', () => {
  const parts = /from '@mantine\/(?:core|form|charts)'/
  expect(sources.length).toBeGreaterThan(50)
  expect(sources.filter((source) => parts.test(readFileSync(source, 'utf8')))).toEqual([])
})

test('what belongs to the first pages is found through what they import', () => {
  const names = sources.map((source) => source.split('/web/app/')[1])
  expect(names).toEqual(expect.arrayContaining(['pages/layout/Header.tsx', 'ui/Press.tsx', 'money/Amount.tsx']))
  expect(names).not.toContain('i18n/ru.ts')
  expect(names).not.toContain('pages/topups/TopupView.tsx')
})
