import { expect, test } from 'vitest'
import { readOptions } from './options.ts'

test('a bench is chosen by one word, or by none', () => {
  expect(readOptions([])).toMatchObject({ mode: 'usual', checkouts: 8_000, rounds: 3 })
  expect(readOptions(['admin'])).toMatchObject({ mode: 'admin' })
  expect(readOptions(['web', '--busy', '--smoke'])).toMatchObject({ mode: 'web', isBusy: true, rounds: 1 })
  expect(readOptions(['--beside', '../before'])).toMatchObject({ mode: 'usual', beside: '../before' })
})

test.each([
  [['admin', 'web'], 'admin web: one bench at a time.'],
  [['usual'], 'There is no bench usual.'],
  [['admin', '--beside', '../before'], '--beside is a bench of its own.'],
  [['--rounds', '0'], '--rounds must be at least 1.'],
  [['--rounds', 'three'], '--rounds must be a number up to 9999999.'],
  [['--checkouts', '100'], '--checkouts must be a multiple of 16 and at most 10000'],
])('refused: %s', (args, message) => {
  expect(() => readOptions(args)).toThrow(message)
})
