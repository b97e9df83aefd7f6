import { expect, test } from 'vitest'
import { anOffer, aUser, type TestOffer, type TestUser, toCart } from '../../../test/factories.ts'
import { useShop, useUser } from '../../../test/use-shop.ts'

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

test.each(['0000000000', 'x', "' OR 1=1"])('no order %s', async (id) => {
  const answer = await call(`/orders/${encodeURIComponent(id)}`)
  expect([answer.status, answer.body.error.code]).toEqual([404, 'NOT_FOUND'])
})
