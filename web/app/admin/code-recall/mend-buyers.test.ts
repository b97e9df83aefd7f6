import type { BatchBuyer } from '@olmos/contract/code-batches'
import { expect, test } from 'vitest'
import { ApiError } from '../../api/api-error.ts'
import { mendBuyers, oncePerItem } from './mend-buyers.ts'

const buyer = (code_id: number, item_id = code_id): BatchBuyer => ({
  code_id,
  code: '••••-1234',
  item_id,
  order_id: '0123456789',
  item_quantity: 1,
  user_id: 1,
  nickname: 'somebody',
  game_amount: 60,
  game_currency: 'UC',
  unit_price: 1,
  currency: 'usd',
  sold_at: '2026-11-21T10:00:00.000Z',
  seen_at: null,
  is_withheld: false,
})
const { signal } = new AbortController()
const refusal = (code: string, status: number) => new ApiError(code, code, {}, status)

test('who can’t be helped is named with the reason, and the others are helped', async () => {
  const seen: number[] = []
  const mended = await mendBuyers({
    buyers: [1, 2, 3].map((id) => buyer(id)),
    mend: async ({ code_id }) => {
      seen.push(code_id)
      if (code_id === 2) throw refusal('OUT_OF_STOCK', 409)
    },
    onProgress: () => undefined,
    signal,
  })
  expect(seen).toEqual([1, 2, 3])
  expect(mended).toEqual({ done: 2, left: [{ buyer: buyer(2), error: refusal('OUT_OF_STOCK', 409) }], total: 3 })
})

test.each(['SECOND_FACTOR_REQUIRED', 'NETWORK_ERROR', 'OVERLOADED'])('%s ends it', async (code) => {
  const seen: number[] = []
  const mending = mendBuyers({
    buyers: [1, 2, 3].map((id) => buyer(id)),
    mend: async ({ code_id }) => {
      seen.push(code_id)
      if (code_id === 2) throw refusal(code, 503)
    },
    onProgress: () => undefined,
    signal,
  })
  await expect(mending).rejects.toMatchObject({ code })
  expect(seen).toEqual([1, 2])
})

const aboveLimit = (limit: string) =>
  new ApiError(
    'STATE_CONFLICT',
    'above',
    { reason: 'above_limit', limit, most: 500, left: 0, amount: 1, currency: 'USD', approval: 7 },
    409,
  )

test('a day’s limit that is used up ends it, so that one request waits and not one for each buyer', async () => {
  const seen: number[] = []
  const mending = mendBuyers({
    buyers: [1, 2, 3].map((id) => buyer(id)),
    mend: async ({ code_id }) => {
      seen.push(code_id)
      if (code_id === 2) throw aboveLimit('usd_daily')
    },
    onProgress: () => undefined,
    signal,
  })
  await expect(mending).rejects.toMatchObject({ details: { approval: 7 } })
  expect(seen).toEqual([1, 2])
})

test('a buyer of more than may be refunded at a time waits for a yes, and keeps no other waiting', async () => {
  const mended = await mendBuyers({
    buyers: [1, 2, 3].map((id) => buyer(id)),
    mend: async ({ code_id }) => {
      if (code_id === 2) throw aboveLimit('usd_once')
    },
    onProgress: () => undefined,
    signal,
  })
  expect(mended).toEqual({ done: 2, left: [{ buyer: buyer(2), error: aboveLimit('usd_once') }], total: 3 })
})

test('a line of an order is refunded once', () => {
  expect(oncePerItem([buyer(1, 7), buyer(2, 7), buyer(3, 8)]).map(({ item_id }) => item_id)).toEqual([7, 8])
})
