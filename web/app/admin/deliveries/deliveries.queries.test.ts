import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { readDeliveriesOfOrder } from './deliveries.queries.ts'

/** More than the store answers with at once. */
const deliveries = Array.from({ length: 450 }, (_, index) => ({ id: index + 1, order_id: '7ZK3M9Q2XB' }))

beforeEach(() => {
  vi.stubGlobal('document', { documentElement: { lang: 'ru' } })
  vi.stubGlobal('fetch', async (address: string) => {
    const { searchParams } = new URL(address, 'https://shop.example')
    const size = Number(searchParams.get('pageSize') ?? 50)
    const start = (Number(searchParams.get('page') ?? 1) - 1) * size
    const found = searchParams.get('search') === '7ZK3M9Q2XB' ? deliveries : []
    return Response.json({ data: found.slice(start, start + size), total: found.length })
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
})

test('of an order every delivery is read, so that none that waits for an operator is left out', async () => {
  const read = await readDeliveriesOfOrder('7ZK3M9Q2XB', new AbortController().signal)
  expect(read.map(({ id }) => id)).toEqual(deliveries.map(({ id }) => id))
})
