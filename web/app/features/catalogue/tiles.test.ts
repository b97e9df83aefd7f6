import type { Product } from '@olmos/contract/catalogue'
import { expect, test } from 'vitest'
import { codeTiles, topupTiles } from './tiles.ts'

const product = (fields: Partial<Product>): Product => ({
  id: 1,
  title: 'Roblox',
  slug: 'roblox',
  kind: 'code',
  description: '',
  image_url: '/art/roblox.svg',
  color: '#e8e8e4',
  category: [],
  game_currency: 'Robux',
  keywords: [],
  activation_instructions: '',
  hasRegions: false,
  hasGlobalCodes: true,
  regions: [],
  delivery_minutes: null,
  rating: null,
  prices: [],
  ...fields,
})

test.each([
  [null, undefined],
  [{ average: 5, count: 2 }, undefined],
  [
    { average: 4.7, count: 3 },
    { average: 4.7, count: 3 },
  ],
])('a rating of %j is shown in a list as %j', (rating, shown) => {
  expect(codeTiles([product({ rating })])[0]?.rating).toEqual(shown)
  const pubg = product({ slug: 'pubg', kind: 'topup', rating })
  expect(topupTiles([pubg]).find(({ slug }) => slug === 'pubg')?.rating).toEqual(shown)
})
