import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

test('every field for a number with decimals is the one that takes a comma', () => {
  const root = new URL('..', import.meta.url).pathname
  const fields = globSync('**/*.tsx', { cwd: root })
    .filter((file) => file !== 'money/MoneyInput.tsx')
    .flatMap((file) =>
      [...readFileSync(`${root}${file}`, 'utf8').matchAll(/<NumberInput\b[^>]*>/g)].map(([field]) => ({ file, field })),
    )
  expect(fields.length).toBeGreaterThan(0)
  expect(fields.filter(({ field }) => !field.includes('allowDecimal={false}'))).toEqual([])
})
