import { describe, expect, test } from 'vitest'
import { join, raw, type Sql, sql } from './queries.ts'

const shown = ({ text, values }: Sql) => [text, ...values]

describe('a statement', () => {
  test('has a place for each value, in the order in which they stand', () => {
    expect(shown(sql`SELECT ${1}, ${'two'} FROM ${[3]}`)).toEqual(['SELECT $1, $2 FROM $3', 1, 'two', [3]])
    expect(shown(sql`SELECT`)).toEqual(['SELECT'])
    expect(shown(sql`${null}${undefined}`)).toEqual(['$1$2', null, undefined])
  })

  test('takes another one in with its values', () => {
    const inner = sql`b = ${2} OR c = ${3}`
    expect(shown(sql`a = ${1} AND (${inner}) AND d = ${4}`)).toEqual([
      'a = $1 AND (b = $2 OR c = $3) AND d = $4',
      1,
      2,
      3,
      4,
    ])
    expect(shown(sql`${sql`${sql`x`}`}${sql`, y`}`)).toEqual(['x, y'])
  })

  test('of one place in the source has another text wherever something else is nested in it', () => {
    const where = (condition: unknown) => sql`SELECT FROM t WHERE ${condition} AND z = ${'z'}`
    const first = shown(where(sql`x = ${1}`))
    expect(shown(where(sql`true`))).toEqual(['SELECT FROM t WHERE true AND z = $1', 'z'])
    expect(shown(where(true))).toEqual(['SELECT FROM t WHERE $1 AND z = $2', true, 'z'])
    expect(shown(where(sql`x = ${sql`y + ${2}`}`))).toEqual(['SELECT FROM t WHERE x = y + $1 AND z = $2', 2, 'z'])
    expect(shown(where(sql`x = ${1}`))).toEqual(['SELECT FROM t WHERE x = $1 AND z = $2', 1, 'z'])
    expect(shown(where(raw('a')))).toEqual(['SELECT FROM t WHERE a AND z = $1', 'z'])
    expect(shown(where(raw('b')))).toEqual(['SELECT FROM t WHERE b AND z = $1', 'z'])
    expect(first[0]).toBe('SELECT FROM t WHERE x = $1 AND z = $2')
  })

  test('is put together once for all values', () => {
    const find = (id: number, isNew: boolean) => sql`SELECT FROM t WHERE id = ${id} ${isNew ? sql`AND is_new` : sql``}`
    expect(find(2, true).shape).toBe(find(1, true).shape)
    expect(find(2, false).shape).not.toBe(find(2, true).shape)
  })

  test('of a shape that is not kept has its text all the same', () => {
    const many = (ids: number[]) =>
      shown(sql`SELECT FROM t WHERE id IN (${join(ids)}) AND name = ${raw(`'${ids.length}'`)}`)
    for (const count of [1_000, 1_001, 1_000]) {
      const ids = Array.from({ length: count }, (_, index) => index + 1)
      const places = ids.map((id) => `$${id}`).join()
      expect(many(ids)).toEqual([`SELECT FROM t WHERE id IN (${places}) AND name = '${count}'`, ...ids])
    }
    const others = Array.from({ length: 1_200 }, (_, index) => raw(`'${index}'`))
    for (const _ of [1, 2])
      expect(others.map((other) => sql`SELECT ${other}, ${2}`.text)).toEqual(
        others.map((_, index) => `SELECT '${index}', $1`),
      )
  })
})

describe('join', () => {
  test('puts a text between statements and values', () => {
    expect(shown(join(['a', 'b', 'c']))).toEqual(['$1,$2,$3', 'a', 'b', 'c'])
    expect(shown(join([sql`a = ${1}`, sql`b`], ' AND '))).toEqual(['a = $1 AND b', 1])
    expect(shown(sql`SELECT ${join([1, 2])} LIMIT ${3}`)).toEqual(['SELECT $1,$2 LIMIT $3', 1, 2, 3])
  })

  test('tells apart how many there are, and by what', () => {
    expect(join([1, 2]).shape).toBe(join([3, 4]).shape)
    expect(shown(join([1, 2, 3]))[0]).toBe('$1,$2,$3')
    expect(shown(join([1, 2], ', '))[0]).toBe('$1, $2')
    expect(shown(join(Array.from({ length: 200 }, (_, index) => index)))[0]).toMatch(/^\$1,\$2.*,\$200$/)
  })

  test('of nothing is refused', () => {
    expect(() => join([])).toThrow(TypeError)
  })
})

test('a raw text has no values', () => {
  expect(shown(sql`LIMIT ${raw('5')} OFFSET ${5}`)).toEqual(['LIMIT 5 OFFSET $1', 5])
})
