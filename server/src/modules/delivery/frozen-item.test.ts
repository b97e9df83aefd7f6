import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { act, expectSound, fillCart, openedBy, payFromBalance, startCardShop } from '../../../test/card-orders.ts'
import { anOffer, aUser, type TestUser } from '../../../test/factories.ts'
import { aDenomination, someGenerated } from '../../../test/game-codes.ts'
import type { TestShop } from '../../../test/shop.ts'
import { aPlayer, shopFor, workOff } from '../../../test/topup-orders.ts'
import { freefireTopup, orderTopup, pubgTopup } from '../../../test/topups.ts'
import { sql } from '../../platform/database/queries.ts'

let shop: TestShop
let admin: TestUser
beforeAll(async () => {
  shop = await startCardShop()
  admin = await aUser(shop, { role: 'admin' })
})
afterAll(() => shop.close())
afterEach(() => expectSound(shop))

type Game = 'freefire' | 'pubg'
const ask = (method: 'POST' | 'PUT' | 'DELETE', path: string, body?: object) =>
  shop.call(method, path, { token: admin.token, ...(body && { body }) })

const readDenomination = async (game: Game) => {
  const { id, gameAmount } = await aDenomination(shop, admin, game)
  return { id, gameAmount, itemId: `${game}_test/${gameAmount}`, priceUsd: 100, priceRub: 8_000 }
}

async function placeOrderFor(game: Game, denomination: Awaited<ReturnType<typeof readDenomination>>) {
  const buyer = await aUser(shop, { usd: 100 })
  const player = aPlayer()
  const wanted = game === 'freefire' ? freefireTopup(denomination, player) : pubgTopup([[denomination, 1]], player)
  const answer = await orderTopup(shop, buyer, wanted)
  expect([answer.status, answer.text]).toEqual([201, answer.text])
  return { buyer, player, orderId: answer.body.order.id as string }
}

/** Lists what the sandbox was asked to send to the player. */
const itemsSentTo = async (player: string) =>
  (await shop.database.rows<{ item: string }>(sql`SELECT item FROM sandbox_topup WHERE account = ${player}`)).map(
    ({ item }) => item,
  )

const readReceipt = async ({ buyer, orderId }: { buyer: TestUser; orderId: string }) =>
  (await shop.call('GET', `/orders/${orderId}`, { token: buyer.token })).body

describe('what was ordered is what is delivered', () => {
  test('though the denomination is edited and renamed before its delivery', async () => {
    const denomination = await readDenomination('freefire')
    const order = await placeOrderFor('freefire', denomination)
    const body = { item_id: `freefire_test/large-${denomination.id}`, name: 'Fifty times as many' }
    expect((await ask('PUT', `/freefire-admin/denominations/${denomination.id}`, body)).status).toBe(200)
    await workOff(shopFor(shop))
    expect(await itemsSentTo(order.player)).toEqual([denomination.itemId])
    const receipt = await readReceipt(order)
    expect(receipt.status).toBe('completed')
    expect(receipt.items[0].topup_data.offer_name).toBe(`${denomination.gameAmount} diamonds`)
    // A new order gets the present item.
    const next = await placeOrderFor('freefire', { ...denomination, itemId: body.item_id })
    await workOff(shopFor(shop))
    expect(await itemsSentTo(next.player)).toEqual([body.item_id])
  })

  test('though the denomination is deleted and one of its amount is added again, which is another', async () => {
    const denomination = await readDenomination('freefire')
    const order = await placeOrderFor('freefire', denomination)
    expect((await ask('DELETE', `/freefire-admin/denominations/${denomination.id}`)).status).toBe(200)
    const itemId = `freefire_test/other-${denomination.id}`
    const added = await ask('POST', '/freefire-admin/denominations', {
      name: 'Another',
      item_id: itemId,
      game_amount: denomination.gameAmount,
      price_usd: 9,
      price_rub: 720,
      is_active: true,
    })
    expect([added.status, added.text]).toEqual([201, added.text])
    expect(added.body.data.id).not.toBe(denomination.id)
    await workOff(shopFor(shop))
    expect(await itemsSentTo(order.player)).toEqual([denomination.itemId])
    expect((await readReceipt(order)).items[0].topup_data.offer_name).toBe(`${denomination.gameAmount} diamonds`)
  })

  test.each(['freefire', 'pubg'] as const)(
    'though the item of a card order of %s is edited before its payment',
    async (game) => {
      const denomination = await readDenomination(game)
      const buyer = await aUser(shop)
      const player = aPlayer()
      const topupData =
        game === 'freefire' ? freefireTopup(denomination, player) : pubgTopup([[denomination, 1]], player)
      const pressed = await shop.call('POST', '/payment/create', {
        token: buyer.token,
        body: { amount: 1, currency: 'USD', type: 'order', topupData },
      })
      const order = { buyer, ...(await openedBy(shop, pressed)) }
      await shop.database.run(
        sql`UPDATE offer SET item_id = ${`edited-${denomination.id}`} WHERE id = ${denomination.id}`,
      )
      await act(shop, order, 'pay')
      await workOff(shopFor(shop))
      expect(await itemsSentTo(player)).toEqual([denomination.itemId])
    },
  )

  test('though the denomination of an activated code is edited before its delivery', async () => {
    const batch = await someGenerated(shop, admin, { count: 1 })
    const buyer = await aUser(shop)
    const player = aPlayer()
    const body = { playerID: player, code: batch.codes[0]?.plain }
    expect((await shop.call('POST', '/freefire/activate-code', { token: buyer.token, body })).status).toBe(200)
    const edited = { item_id: `freefire_test/large-${batch.denominationId}` }
    expect((await ask('PUT', `/freefire-admin/denominations/${batch.denominationId}`, edited)).status).toBe(200)
    await workOff(shopFor(shop))
    expect(await itemsSentTo(player)).toEqual([`freefire_test/${batch.gameAmount}`])
  })

  test('though the package of a code that is bought on demand is edited before it is bought', async () => {
    const offer = await anOffer(shop)
    await shop.database.run(sql`UPDATE product SET buys_on_demand = true WHERE id = ${offer.productId}`)
    const bought = `bought-${offer.id}`
    expect((await ask('PUT', `/admin/offers/${offer.id}`, { itemId: bought })).status).toBe(200)
    const buyer = await aUser(shop, { usd: 100 })
    await fillCart(shop, buyer, offer)
    expect((await payFromBalance(shop, buyer)).status).toBe(201)
    expect((await ask('PUT', `/admin/offers/${offer.id}`, { itemId: `other-${offer.id}` })).status).toBe(200)
    await workOff(shopFor(shop))
    expect(await shop.database.rows(sql`SELECT item FROM sandbox_topup WHERE item LIKE ${`%-${offer.id}`}`)).toEqual([
      { item: bought },
    ])
  })
})

test('a deleted package is not there again: codes that are imported afterwards are of a new one', async () => {
  const offer = await anOffer(shop, { stock: 1 })
  const buyer = await aUser(shop, { usd: 100 })
  await fillCart(shop, buyer, offer)
  await payFromBalance(shop, buyer)
  expect((await ask('DELETE', `/admin/offers/${offer.id}`)).status).toBe(200)
  const lines = [`AFTER-${offer.id},2,160,${offer.gameAmount}`]
  await ask('POST', '/admin/codes/bulk', { productId: offer.productId, regionId: 0, lines })
  const offers = await shop.database.rows<{ id: number; is_deleted: boolean }>(sql`
    SELECT id, deleted_at IS NOT NULL AS is_deleted FROM offer WHERE product_id = ${offer.productId} ORDER BY id`)
  expect(offers).toEqual([
    { id: offer.id, is_deleted: true },
    { id: expect.any(Number), is_deleted: false },
  ])
})

test('an item once frozen on an order is never another', async () => {
  const order = await placeOrderFor('freefire', await readDenomination('freefire'))
  const change = shop.database.run(
    sql`UPDATE order_item SET supplier_item = 'freefire_test/other' WHERE order_id = ${order.orderId}`,
  )
  await expect(change).rejects.toThrow('append-only')
  await workOff(shopFor(shop))
})
