import { expect, test } from 'vitest'
import { anOffer, aUser, type TestOffer, type TestUser, toCart } from '../../../test/factories.ts'
import { aPlayer, aTopupOrder, passDeliveryTime, shopFor, workOff } from '../../../test/topup-orders.ts'
import { useShop, useUser } from '../../../test/use-shop.ts'
import { sql } from '../../platform/database/queries.ts'
import { handOverOverdue } from '../delivery/deliveries.ts'

const shop = useShop()
const admin = useUser(shop, { role: 'admin' })

const call = (path: string) => shop.call('GET', `/admin${path}`, { token: admin.token })

async function buy(buyer: TestUser, offer: TestOffer, quantity = 1): Promise<string> {
  await shop.call('POST', '/cart/add', { token: buyer.token, body: toCart(offer, quantity) })
  const paid = await shop.call('POST', '/payment/from-balance', { token: buyer.token, body: { currency: 'USD' } })
  return paid.body.order.id
}

test('orders are found by a part of the id, the buyer and the status', async () => {
  const offer = await anOffer(shop, { stock: 3 })
  const [first, second] = [await aUser(shop, { usd: 200 }), await aUser(shop, { usd: 200 })]
  const older = await buy(first, offer)
  const newer = await buy(second, offer)
  const ids = async (query: string) =>
    (await call(`/orders${query}`)).body.data.map((order: { id: string }) => order.id)

  expect((await call('/orders')).body).toMatchObject({ total: 2 })
  expect(await ids('')).toEqual([newer, older])
  expect(await ids('?sort=created_at&order=asc')).toEqual([older, newer])
  expect(await ids(`?search=${older.slice(2, 9).toLowerCase()}`)).toEqual([older])
  expect(await ids(`?search=${second.nickname.toUpperCase()}`)).toEqual([newer])
  expect(await ids('?status=pending')).toEqual([])
  expect(await ids('?payment_method=balance&pageSize=1&page=2')).toEqual([older])
  expect((await call(`/users/${first.id}/orders`)).body).toEqual({
    data: [
      {
        id: older,
        purpose: 'goods',
        created_at: expect.any(String),
        user_id: first.id,
        nickname: first.nickname,
        currency: 'USD',
        total_amount: 1,
        from_balance: 0,
        coupon: null,
        status: 'completed',
        is_declined: false,
        payment_method: 'balance',
        dispute: null,
        profit: { revenue: 1, cost: null, margin: null, unknown_revenue: 1, units: 1, known_units: 0 },
        items: [
          {
            item_type: 'code',
            title: expect.stringContaining('ru'),
            game_amount: 100,
            game_currency: 'coins',
            region: null,
            quantity: 1,
            status: 'delivered',
          },
        ],
      },
    ],
    total: 1,
  })
  expect((await call('/users/999999/orders')).body.error.code).toBe('USER_NOT_FOUND')
})

test('an order shows its codes masked, its money, and what happened when', async () => {
  const offer = await anOffer(shop, { stock: 2 })
  const buyer = await aUser(shop, { usd: 500 })
  const id = await buy(buyer, offer, 2)
  await shop.call('GET', `/orders/${id}`, { token: buyer.token })
  const before = (await call(`/orders/${id}`)).body.data
  expect(JSON.stringify(before)).not.toContain('CODE-')
  expect(before).toMatchObject({
    id,
    nickname: buyer.nickname,
    total_amount: 2,
    from_balance: 0,
    items: [{ amount: 2, quantity: 2, codes: [{ code: '••••', status: 'used', returned_at: null }, {}] }],
    transfers: [{ kind: 'purchase', from: 'wallet', to: 'sales', amount: 2, currency: 'USD', made_by: null }],
  })
  expect(before.items[0].codes[0].revealed_at).toEqual(expect.any(String))

  await shop.call('POST', `/admin/codes/${before.items[0].codes[1].id}/reveal`, { token: admin.token })
  const { timeline } = (await call(`/orders/${id.toLowerCase()}`)).body.data
  expect(timeline).toMatchObject([
    { kind: 'placed', actor: buyer.nickname, details: { total_amount: 2, currency: 'USD' } },
    { kind: 'codes_sold', actor: null, details: { codes: 2 } },
    { kind: 'transfer', actor: null, details: { transfer: 'purchase', amount: 2 } },
    { kind: 'codes_revealed', actor: buyer.nickname, details: { place: 'receipt', codes: 2 } },
    { kind: 'codes_revealed', actor: admin.nickname, details: { place: 'admin', codes: 1 } },
  ])
  const times = timeline.map((event: { at: string }) => event.at)
  expect(times).toEqual([...times].sort())
})

test('an order tells whom it was asked of, when it became the operator’s, what its buyer was told, and who wrote about it', async () => {
  const buyer = await aUser(shop, { usd: 200 })
  await shop.database.run(sql`UPDATE users SET contact = 'told@example.com' WHERE id = ${buyer.id}`)
  await shop.database.run(sql`
    INSERT INTO message_channel (name, is_in_environment) VALUES ('email', true)
    ON CONFLICT (name) DO UPDATE SET is_in_environment = true`)
  const { orderId } = await aTopupOrder(shop, { buyer, quantity: 2, players: [aPlayer('6005')] })
  for (let look = 0; look < 3; look++) {
    await workOff(shopFor(shop))
    await passDeliveryTime(shop, look === 2 ? 15 * 60 : 6)
  }
  await handOverOverdue(shop.database)
  const body = { nickname: 'Somebody', userId: '1', message: 'Where is it?', order: orderId.toLowerCase() }
  const ids = []
  for (const token of [buyer.token, undefined]) {
    ids.push((await shop.call('POST', '/support', { ...(token && { token }), body })).body.id)
  }
  const { body: waiting } = await call(`/deliveries?search=${orderId}`)
  for (const { id } of waiting.data) {
    const answer = await shop.call('POST', `/admin/deliveries/${id}/complete`, {
      token: admin.token,
      body: { reason: 'seen in the game' },
    })
    expect(answer.status).toBe(200)
  }

  const { timeline } = (await call(`/orders/${orderId}`)).body.data
  const told = timeline.filter(({ kind }: { kind: string }) =>
    ['supplier_asked', 'supplier_answered', 'operator_queue', 'notified', 'conversation'].includes(kind),
  )
  const supplier = 'sandbox'
  // Looked up again and again, it gave one answer; both units make one event.
  expect(
    told.map(({ kind, actor, details }: { kind: string; actor: string | null; details: object }) => [
      kind,
      actor,
      details,
    ]),
  ).toEqual([
    ['supplier_asked', null, { supplier, units: 2 }],
    ['supplier_answered', null, { supplier, outcome: 'pending', why: null, units: 2 }],
    ['operator_queue', null, { why: null, units: 2 }],
    ['conversation', buyer.nickname, { conversation: ids[0], nickname: buyer.nickname }],
    ['conversation', null, { conversation: ids[1], nickname: 'Somebody' }],
    ['notified', null, { channel: 'email', notification: 'notification.delivered', state: 'waiting' }],
  ])
  const talks = await call(`/conversations?customer=${buyer.id}`)
  expect(talks.body).toMatchObject({ data: [{ id: ids[0] }], total: 1 })
})

test.each(['0000000000', 'x', "' OR 1=1"])('no order %s', async (id) => {
  const answer = await call(`/orders/${encodeURIComponent(id)}`)
  expect([answer.status, answer.body.error.code]).toEqual([404, 'NOT_FOUND'])
})
