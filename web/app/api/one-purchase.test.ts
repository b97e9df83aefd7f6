import { beforeEach, expect, test, vi } from 'vitest'
import { ApiError } from './api-error.ts'
import { withPurchaseKey } from './one-purchase.ts'

beforeEach(() => {
  const kept = new Map<string, string>()
  vi.stubGlobal('sessionStorage', {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => kept.set(name, value),
    removeItem: (name: string) => kept.delete(name),
  })
})

async function toKeys(statuses: (number | 'done')[], purchases = statuses.map(() => 'cart')): Promise<string[]> {
  const keys: string[] = []
  for (const [at, status] of statuses.entries()) {
    const tried = withPurchaseKey(purchases[at] ?? '', async (key) => {
      keys.push(key)
      if (status !== 'done') throw new ApiError('ANY', 'refused', {}, status)
    })
    await tried.catch(() => undefined)
  }
  return keys
}

test.each([0, 500, 503])('after %i the next try is the same purchase', async (status) => {
  const [first, second] = await toKeys([status, 'done'])
  expect(second).toBe(first)
})

test.each(['done', 402, 409] as const)('after %s the next one is another', async (status) => {
  const [first, second] = await toKeys([status, 'done'])
  expect(second).not.toBe(first)
})

test('two purchases never share a key', async () => {
  const [first, second] = await toKeys([0, 0], ['cart:RUB', 'cart:USD'])
  expect(second).not.toBe(first)
})
