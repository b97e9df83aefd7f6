import { expect, test } from 'vitest'
import { demoProducts } from '../../../../server/src/demo/catalogue.ts'
import { findProducts } from './search.ts'

const demo = demoProducts.map(({ slug, keywords, texts }) => ({ slug, title: texts.ru.title, keywords }))
const found = (wanted: string) => findProducts(wanted, demo).map(({ slug }) => slug)

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
  expect(found('')).toHaveLength(demo.length)
})
