import { expect, test } from 'vitest'
import { toSlug } from './product.rules.ts'

test.each([
  ['Roblox', 'roblox'],
  ['PUBG Mobile: UC', 'pubg-mobile-uc'],
  ['Подарочная карта Ёж', 'podarochnaya-karta-yozh'],
  ['Щука  и   ЧАЙ!', 'shchuka-i-chay'],
  ['Sovgʻa kartasi oʻyin', 'sovga-kartasi-oyin'],
  ['Ўйин', 'oyin'],
  ['Türkiye Pokémon', 'turkiye-pokemon'],
  ['--Steam--', 'steam'],
  ['原神', ''],
  [`${'a'.repeat(99)} b`, 'a'.repeat(99)],
])('%s is %s', (name, slug) => {
  expect(toSlug(name)).toBe(slug)
})
