import { expect, test, vi } from 'vitest'
import { done, type Outcome, rejected, unknown } from '../../../platform/vendor/vendor.ts'
import { createPace, createReadAhead, cutPage, readRows, readServicePage, type VendorService } from '../supplier.ts'

const named = (...references: string[]) => references.map((reference) => ({ reference }))

test('a list is cut into pages by its own order, whatever comes and goes meanwhile', () => {
  const first = cutPage(named('d', 'a', 'c', 'b', 'e'), undefined, 2)
  expect(first).toEqual({ items: named('a', 'b'), next: 'b' })
  expect(cutPage(named('d', 'c', 'e', 'aa'), first.next, 2)).toEqual({ items: named('c', 'd'), next: 'd' })
  expect(cutPage(named('d', 'e'), 'd', 2)).toEqual({ items: named('e') })
  expect(cutPage(named(), undefined, 2)).toEqual({ items: [] })
})

test.each<[unknown[], Outcome<unknown>]>([
  [[], done([])],
  [['a', 7, 'b'], done(named('a', 'b'))],
  [['a', 'sold out', 'a'], done(named('a'))],
  [['sold out'], done([])],
  [[7, null], unknown('bad_answer')],
])('of the rows %j is read what can be', (rows, expected) => {
  const read = (row: unknown) => (typeof row !== 'string' ? undefined : row === 'sold out' ? null : { reference: row })
  expect(readRows(rows, read)).toEqual(expected)
})

test.each<[string, Outcome<undefined>, string[] | string]>([
  ['the vendor rejects', rejected('Category not found'), ['a', 'c']],
  ['nobody can fill in', done(undefined), ['a', 'c']],
  ['the shop may not read', rejected('not_allowed'), 'not_allowed'],
  ['is not answered', unknown('timeout'), 'timeout'],
])('a page with a service that %s is read so far', async (_what, outcome, expected) => {
  const toService = (reference: string): VendorService => ({ reference, title: reference, kind: 'topup', fields: [] })
  const read = await readServicePage({ items: ['a', 'b', 'c'], next: 'd' }, async (name) =>
    name === 'b' ? outcome : done(toService(name)),
  )
  if (read.kind === 'done')
    expect([read.value.items.map(({ title }) => title), read.value.next]).toEqual([expected, 'd'])
  else expect(read.kind === 'rejected' ? read.code : read.why).toBe(expected)
})

test('what was read ahead is handed out once, and not when it is old', () => {
  const ahead = createReadAhead<string>()
  ahead.keep('pubg', 'offers')
  expect([ahead.take('pubg'), ahead.take('pubg')]).toEqual(['offers', undefined])
  ahead.keep('pubg', 'offers')
  const now = performance.now.bind(performance)
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + 600_001)
  expect(ahead.take('pubg')).toBeUndefined()
  clock.mockRestore()
})

test('calls beyond the first few wait until a minute has some left', async () => {
  const wait = createPace({ burst: 3, perMinute: 6_000 })
  const begun = performance.now()
  for (let call = 0; call < 8; call++) await wait()
  // Five calls at ten milliseconds each.
  expect(performance.now() - begun).toBeGreaterThanOrEqual(40)
})
