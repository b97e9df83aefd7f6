import { expect, test } from 'vitest'
import { findOrderable } from './player-check.ts'

const sandbox = { sells: ['topup'], redeemsCodes: true, needsItem: false } as const
const fazercards = { sells: ['topup'], redeemsCodes: false, needsItem: true } as const
const redeemer = { sells: ['topup'], redeemsCodes: true, needsItem: true } as const
const kinguin = { sells: ['code'], redeemsCodes: false, needsItem: true } as const

test.each([
  ['a supplier delivers it by its name', [fazercards], { item_id: '60_uc', in_pool: 7, has_open_source: null }, 100],
  ['no supplier has a name for it', [fazercards], { item_id: null, in_pool: 7, has_open_source: null }, 0],
  [
    'its codes are spent and it is delivered besides',
    [sandbox],
    { item_id: null, in_pool: 7, has_open_source: null },
    107,
  ],
  ['only its codes are spent', [redeemer], { item_id: null, in_pool: 7, has_open_source: null }, 7],
  [
    'its codes are spent by one, and it is delivered by another',
    [redeemer, fazercards],
    { item_id: 'x', in_pool: 2, has_open_source: null },
    102,
  ],
  ['nobody sells top-ups', [kinguin], { item_id: 'x', in_pool: 7, has_open_source: null }, 0],
  ['there are no suppliers', [], { item_id: 'x', in_pool: 7, has_open_source: null }, 0],
  ['there are very many codes', [sandbox], { item_id: 'x', in_pool: 5_000, has_open_source: null }, 1_000],
  ['its own source delivers it', [fazercards], { item_id: null, in_pool: 0, has_open_source: true }, 100],
  ['all its own sources are closed', [sandbox], { item_id: 'x', in_pool: 7, has_open_source: false }, 7],
])('%s', (_, suppliers, offer, count) => {
  expect(findOrderable(offer, suppliers)).toBe(count)
})
