import { expect, test } from 'vitest'
import { findOrderable } from './player-check.ts'

const sandbox = { sells: ['pubg'], redeemsCodes: true, needsItem: false } as const
const fazercards = { sells: ['pubg'], redeemsCodes: false, needsItem: true } as const
const redeemer = { sells: ['pubg'], redeemsCodes: true, needsItem: true } as const
const kinguin = { sells: ['code'], redeemsCodes: false, needsItem: true } as const

test.each([
  ['a supplier delivers it by its name', [fazercards], { item_id: '60_uc', in_pool: 7 }, 100],
  ['no supplier has a name for it', [fazercards], { item_id: null, in_pool: 7 }, 0],
  ['its codes are spent and it is delivered besides', [sandbox], { item_id: null, in_pool: 7 }, 107],
  ['only its codes are spent', [redeemer], { item_id: null, in_pool: 7 }, 7],
  [
    'its codes are spent by one, and it is delivered by another',
    [redeemer, fazercards],
    { item_id: 'x', in_pool: 2 },
    102,
  ],
  ['nobody sells top-ups', [kinguin], { item_id: 'x', in_pool: 7 }, 0],
  ['there are no suppliers', [], { item_id: 'x', in_pool: 7 }, 0],
  ['there are very many codes', [sandbox], { item_id: 'x', in_pool: 5_000 }, 1_000],
])('%s', (_, suppliers, offer, count) => {
  expect(findOrderable(offer, suppliers)).toBe(count)
})
