import { randomUUID } from 'node:crypto'
import { walletApi } from '@olmos/contract/wallet'
import { describe, expect, test } from 'vitest'
import { anOffer, aUser, type TestUser, toCart } from '../../../test/factories.ts'
import { useShop, useUser } from '../../../test/use-shop.ts'

const shop = useShop()
const admin = useUser(shop, { role: 'admin' })

const readBalance = async (user: TestUser) => (await shop.call('GET', '/balance', { token: user.token })).body
const readHistory = (user: TestUser, query = '') => shop.call('GET', `/balance/history${query}`, { token: user.token })
const topUp = (user: TestUser, body: object, key?: string) =>
  shop.call('POST', '/balance/topup', { token: user.token, body, headers: key ? { 'idempotency-key': key } : {} })
const setBalance = (user: TestUser, body: object) =>
  shop.call('PUT', `/admin/users/${user.id}/balance`, { token: admin.token, body: { reason: 'test', ...body } })

describe('the balance', () => {
  test('of a new user is nothing in both currencies', async () => {
    const user = await aUser(shop)
    const body = await readBalance(user)
    expect(walletApi.balance.answer.parse(body)).toEqual(body)
    expect(body).toEqual([
      { currency: 'usd', amount: 0, reserved: 0 },
      { currency: 'rub', amount: 0, reserved: 0 },
    ])
    expect((await readHistory(user)).body).toEqual({ data: [], total: 0 })
  })
})

describe('the history', () => {
  test('has every movement, newest first, with the balance after each', async () => {
    const user = await aUser(shop)
    const offer = await anOffer(shop, { stock: 2, priceUsd: 1_250, priceRub: 99_999 })
    const buy = async (currency: string) => {
      await shop.call('POST', '/cart/add', { token: user.token, body: toCart(offer) })
      const { body } = await shop.call('POST', '/payment/from-balance', { token: user.token, body: { currency } })
      return body.order.id as string
    }
    await setBalance(user, { balanceUsd: 20.5, balanceRub: 1_000 })
    const inDollars = await buy('usd')
    const inRoubles = await buy('rub')
    await setBalance(user, { balanceUsd: 7.99 })

    const answer = await readHistory(user)
    expect(walletApi.history.answer.parse(answer.body)).toEqual(answer.body)
    expect(answer.body.total).toBe(5)
    const row = (kind: string, currency: string, amount: number, balance_after: number, order_id: string | null) => ({
      id: expect.any(Number),
      created_at: expect.stringMatching(/Z$/),
      kind,
      currency,
      amount,
      balance_after,
      order_id,
      order_purpose: order_id === null ? null : 'goods',
    })
    expect(answer.body.data).toEqual([
      row('adjustment', 'usd', -0.01, 7.99, null),
      row('purchase', 'rub', -999.99, 0.01, inRoubles),
      row('purchase', 'usd', -12.5, 8, inDollars),
      row('adjustment', 'rub', 1_000, 1_000, null),
      row('adjustment', 'usd', 20.5, 20.5, null),
    ])
    expect(await readBalance(user)).toEqual([
      { currency: 'usd', amount: 7.99, reserved: 0 },
      { currency: 'rub', amount: 0.01, reserved: 0 },
    ])
  })

  test('can be had of one currency, in pages', async () => {
    const user = await aUser(shop)
    for (const amount of [1, 2, 3]) await setBalance(user, { balanceUsd: amount, balanceRub: amount })
    const ofRoubles = await readHistory(user, '?currency=rub')
    expect(ofRoubles.body.total).toBe(3)
    expect(ofRoubles.body.data.map((row: { balance_after: number }) => row.balance_after)).toEqual([3, 2, 1])
    const pages = await Promise.all([1, 2].map((page) => readHistory(user, `?currency=RUB&page=${page}&pageSize=2`)))
    expect(pages.flatMap(({ body }) => body.data)).toEqual(ofRoubles.body.data)
    for (const query of ['?currency=uzs', '?page=0', '?unknown=1']) {
      expect((await readHistory(user, query)).body.error.code).toBe('VALIDATION_FAILED')
    }
  })
})

describe("topping up the admin's own balance", () => {
  test('adds at least 5 and answers with the balances', async () => {
    const other = await aUser(shop, { role: 'admin', usd: 150 })
    const answer = await topUp(other, { currency: 'usd', amount: 5 })
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      success: true,
      balances: [
        { currency: 'usd', amount: 6.5, reserved: 0 },
        { currency: 'rub', amount: 0, reserved: 0 },
      ],
    })
    expect((await readHistory(other)).body.data[0]).toMatchObject({ kind: 'topup', amount: 5, balance_after: 6.5 })
  })

  test.each([4.99, 0, -5, 5.001, 1e12, '5', null])('an amount of %j is invalid_amount', async (amount) => {
    const before = await readBalance(admin)
    const answer = await topUp(admin, { currency: 'RUB', amount })
    expect([answer.status, answer.body.error.details]).toEqual([400, { amount: 'invalid_amount' }])
    expect(await readBalance(admin)).toEqual(before)
  })

  test('is for admins only', async () => {
    const user = await aUser(shop)
    const answer = await topUp(user, { currency: 'usd', amount: 100 })
    expect([answer.status, answer.body.error.code]).toEqual([403, 'FORBIDDEN'])
    expect(await readBalance(user)).toMatchObject([{ amount: 0 }, { amount: 0 }])
  })

  test('20 at once under one key are one, 20 under no key are 20', async () => {
    const other = await aUser(shop, { role: 'admin' })
    const key = randomUUID()
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => topUp(other, { currency: 'usd', amount: 10 }, key)),
    )
    expect(new Set(answers.map((answer) => `${answer.status} ${answer.text}`)).size).toBe(1)
    expect(await readBalance(other)).toMatchObject([{ amount: 10 }, { amount: 0 }])
    await Promise.all(Array.from({ length: 20 }, () => topUp(other, { currency: 'usd', amount: 10 })))
    expect(await readBalance(other)).toMatchObject([{ amount: 210 }, { amount: 0 }])
  })
})
