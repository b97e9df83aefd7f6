import type { SupplierService } from '@olmos/contract/supplier-lists'
import { expect, test } from 'vitest'
import { asSame, takeOverCalls, withGame, withGames, withoutGame } from './chosen-games.ts'

const service = (reference: string, more: Partial<SupplierService> = {}): SupplierService => ({
  id: 1,
  reference,
  title: reference,
  kind: 'topup',
  fields: [],
  field_names: {},
  checks_players: false,
  products_count: 3,
  taken: [],
  seen_at: '2026-11-22T12:00:00.000Z',
  gone_at: null,
  ...more,
})

const game = (name: string, count: number) => ({
  service: name,
  offers: Array.from({ length: count }, (_, index) => ({ reference: `${name}/${index}` })),
})

test('a page is chosen without what is gone or empty, and without touching what was chosen by hand', () => {
  const byHand = withGame(new Map(), { service: service('a'), offers: [{ reference: 'a/1' }] })
  const gone = service('b', { gone_at: '2026-11-22T12:00:00.000Z' })
  const chosen = withGames(byHand, [service('a'), gone, service('c', { products_count: 0 }), service('d')])
  expect([...chosen.keys()]).toEqual(['a', 'd'])
  expect(chosen.get('a')?.offers).toEqual([{ reference: 'a/1' }])
  expect([...withoutGame(chosen, service('a')).keys()]).toEqual(['d'])
})

test('twenty games are taken over in two calls', () => {
  const games = Array.from({ length: 20 }, (_, index) => game(`game-${index}`, 4))
  expect(takeOverCalls(games).map((call) => call.length)).toEqual([10, 10])
  expect(takeOverCalls(games).flat()).toEqual(games)
})

test('a game with more packages than a call takes comes in several, never twice in one', () => {
  const calls = takeOverCalls([game('small', 3), game('large', 230)])
  expect(calls.map((call) => call.map(({ service, offers }) => `${service} ${offers.length}`))).toEqual([
    ['small 3', 'large 100'],
    ['large 100'],
    ['large 30'],
  ])
})

test('a game of which some packages are known keeps the others', () => {
  const chosen = { service: service('a'), name: 'A', offers: [{ reference: 'a/1' }, { reference: 'a/2' }] }
  expect(asSame(chosen, { productId: 7, offers: [{ reference: 'a/2', offerId: 9 }] })).toEqual({
    ...chosen,
    productId: 7,
    offers: [{ reference: 'a/1' }, { reference: 'a/2', offerId: 9 }],
  })
})
