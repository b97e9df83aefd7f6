import { expect, test } from 'vitest'
import { countPages, readAllPages } from './use-admin-list.ts'

/** A list of so many rows, and which pages of it were asked for. */
function aList(count: number, total = count) {
  const asked: string[] = []
  const rows = Array.from({ length: count }, (_, index) => index)
  const readPage = async ({ page, pageSize }: { page: string; pageSize: string }) => {
    asked.push(page)
    const start = (Number(page) - 1) * Number(pageSize)
    return { data: rows.slice(start, start + Number(pageSize)), total }
  }
  return { rows, asked, readPage }
}

test.each([
  [0, ['1']],
  [200, ['1']],
  [201, ['1', '2']],
  [405, ['1', '2', '3']],
])('a list of %i is read to its end', async (count, pages) => {
  const { rows, asked, readPage } = aList(count)
  expect(await readAllPages(readPage)).toEqual(rows)
  expect(asked).toEqual(pages)
})

test('a list that shrinks while it is read comes to an end', async () => {
  const { rows, asked, readPage } = aList(200, 201)
  expect(await readAllPages(readPage)).toEqual(rows)
  expect(asked).toEqual(['1', '2'])
})

test.each([
  [0, 1],
  [1, 1],
  [50, 1],
  [51, 2],
  [100, 2],
])('%i rows are on %i pages', (total, pages) => {
  expect(countPages(total)).toBe(pages)
})
