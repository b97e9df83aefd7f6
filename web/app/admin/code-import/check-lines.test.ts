import { expect, test } from 'vitest'
import { WEB_LIMITS } from '../../limits.ts'
import { checkLines } from './check-lines.ts'

const check = (text: string) => checkLines(new Blob([text]), new AbortController().signal)

test('lines are told apart, by the numbers an editor shows', async () => {
  const checked = await check(['A,1,80,60', '', 'A,1,80,60', 'B;1;80;60', 'C,2,80,60', 'D,1,80,60'].join('\r\n'))
  expect(checked).toEqual({
    lines: 5,
    length: 6,
    invalid: new Set([4, 5]),
    repeated: new Set([3]),
    problems: [
      { line: 3, reason: 'repeated' },
      { line: 4, reason: 'wrong_columns' },
      { line: 5, reason: 'price_differs_within_import' },
    ],
  })
})

test('of a file that is wrong all through, all are counted and the first are shown', async () => {
  const checked = await check('no columns\n'.repeat(5_000))
  expect(checked.invalid.size).toBe(5_000)
  expect(checked.problems).toHaveLength(WEB_LIMITS.importProblemsShown)
})

test('it ends when nobody waits for it any more', async () => {
  const reader = new AbortController()
  const checking = checkLines(new Blob(['A,1,80,60\n'.repeat(50_000)]), reader.signal)
  reader.abort()
  await expect(checking).rejects.toThrow(/abort/i)
})
