import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { readInOneTurn } from './batch.ts'

/** What is stored, and how often it was read. */
const aTable = () => {
  const rows = new Map([
    ['a', 1],
    ['b', 2],
  ])
  const asked: (readonly string[])[] = []
  const read = async (keys: readonly string[]) => {
    asked.push(keys)
    await nextTurn()
    if (keys.includes('broken')) throw new Error('broken')
    return new Map([...rows].filter(([key]) => keys.includes(key)))
  }
  return { rows, asked, find: readInOneTurn(read) }
}

test('what is asked for in one turn is read once, and everybody gets their own', async () => {
  const { asked, find } = aTable()
  expect(await Promise.all(['a', 'b', 'a', 'none'].map(find))).toEqual([1, 2, 1, undefined])
  expect(asked).toEqual([['a', 'b', 'none']])
})

test('nothing is kept: who asks while a statement is on its way has another one', async () => {
  const { rows, asked, find } = aTable()
  const first = find('a')
  await nextTurn()
  await nextTurn()
  rows.set('a', 5)
  expect([await find('a'), await find('a')]).toEqual([5, 5])
  await first
  expect(asked).toEqual([['a'], ['a'], ['a']])
})

test('a failure is that of its turn alone', async () => {
  const { find } = aTable()
  const turn = await Promise.allSettled(['a', 'broken'].map(find))
  expect(turn.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await find('b')).toBe(2)
})
