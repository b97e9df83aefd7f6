import { expect, test } from 'vitest'
import { findProducts } from './search.ts'

const products = [
  {
    slug: 'pubg',
    title: 'PUBG Mobile',
    keywords: ['pubg', 'uc', 'unknown cash', 'пабг', 'пубг', 'пабджи', 'юси', 'pabji'],
  },
  {
    slug: 'steam',
    title: 'Steam',
    keywords: ['steam wallet', 'valve', 'cs2', 'стим', 'кошелёк стим', 'steam hamyoni'],
  },
  { slug: 'freefire', title: 'Free Fire', keywords: ['freefire', 'ff', 'garena', 'фри фаер', 'алмазы', 'fri fayer'] },
  { slug: 'roblox', title: 'Roblox', keywords: ['robux', 'робуксы', 'роблокс'] },
  { slug: 'valorant', title: 'Valorant', keywords: ['vp', 'valorant points', 'валорант', 'riot'] },
  {
    slug: 'playstation',
    title: 'PlayStation',
    keywords: ['psn', 'ps5', 'плейстейшн', 'подарочная карта', 'sovgʻa kartasi'],
  },
  { slug: 'genshin-impact', title: 'Genshin Impact', keywords: ['genesis crystals', 'геншин', 'кристаллы'] },
  { slug: 'brawl-stars-topup', title: 'Brawl Stars', keywords: ['brawl', 'gems', 'бравл старс', 'гемы'] },
]

const found = (wanted: string) => findProducts(wanted, products).map(({ slug }) => slug)

test.each([
  ['РОБУКС', 'roblox'],
  [' rob ', 'roblox'],
  ['blox', 'roblox'],
  ['фрифайр', 'freefire'],
  ['фри файр', 'freefire'],
  ['free fier', 'freefire'],
  ['фрифаєр', 'freefire'],
  ["sovg'a", 'playstation'],
  ['sovg’a kartasi', 'playstation'],
  ['sovgʻa', 'playstation'],
  ['пабжи', 'pubg'],
  ['плейстэйшен', 'playstation'],
  ['валарант', 'valorant'],
  ['genshen', 'genshin-impact'],
  ['стимм', 'steam'],
  ['brwal stars', 'brawl-stars-topup'],
])('%j finds %s', (wanted, slug) => expect(found(wanted)).toContain(slug))

test.each(['tetris', 'nothing like it', 'minecraft', 'zzzz'])('%j finds nothing', (wanted) => {
  expect(found(wanted)).toEqual([])
})

test('what is written right finds no look-alikes', () => {
  expect(found('steam')).toEqual(['steam'])
  expect(found('')).toHaveLength(products.length)
})
