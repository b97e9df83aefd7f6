import type { ListedCode } from '@olmos/contract/codes'
import { expect, test } from 'vitest'
import { codeErrors, codeValues, sentCodeChange } from './code-values.ts'

const code: ListedCode = {
  id: 5,
  product_id: 1,
  product_title: 'Roblox',
  region_id: 0,
  region_name: '',
  code: '••••1234',
  game_amount: 400,
  game_currency: 'Robux',
  price_usd: 4.99,
  price_rub: 399,
  status: 'available',
  batch_id: 1,
  order_id: null,
  user_id: null,
  nickname: null,
  created_at: '2026-11-21T10:00:00.000Z',
  version: 1,
}

test.each([
  [{}, {}],
  [{ priceRub: 420 }, { priceRub: 420 }],
  [{ code: '  ' }, {}],
  [{ code: 'NEW-1' }, { code: 'NEW-1' }],
  [
    { regionId: '3', gameAmount: 800 },
    { regionId: 3, gameAmount: 800, priceUsd: 4.99, priceRub: 399 },
  ],
  [{ status: 'archived' as const }, { status: 'archived' }],
])('of a form with %j changed, %j is sent', (typed, sent) => {
  expect(sentCodeChange({ ...codeValues(code), ...typed }, code)).toEqual(sent)
})

test('the code itself is needed of a new one only', () => {
  expect(codeErrors(codeValues(code), code)).toEqual({})
  expect(Object.keys(codeErrors(codeValues(undefined), undefined)).toSorted()).toEqual([
    'code',
    'gameAmount',
    'priceRub',
    'priceUsd',
    'productId',
  ])
})
