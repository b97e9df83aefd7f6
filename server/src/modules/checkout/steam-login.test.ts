import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { expectSound } from '../../../test/card-orders.ts'
import { startFazercards } from '../../../test/doubles/fazercards.ts'
import { aUser, type TestUser } from '../../../test/factories.ts'
import { startShop, type TestShop } from '../../../test/shop.ts'
import { toSnapshot } from '../../../test/snapshot.ts'
import { orderTopup, sellTopups, steamTopup, tenDollars } from '../../../test/topups.ts'

let vendor: Awaited<ReturnType<typeof startFazercards>>
let shop: TestShop
beforeAll(async () => {
  vendor = await startFazercards()
  shop = await startShop({
    SUPPLIERS: 'fazercards,manual',
    FAZERCARDS_API_KEY: vendor.apiKey,
    FAZERCARDS_WEBHOOK_SECRET: vendor.webhookSecret,
    FAZERCARDS_BASE_URL: vendor.url,
  })
  await sellTopups(shop)
})
afterAll(async () => {
  await shop.close()
  await vendor.close()
})
afterEach(() => expectSound(shop))

let buyer: TestUser
let count = 0
beforeEach(async () => {
  buyer = await aUser(shop, { usd: 10_000 })
  count++
})

const aLogin = (ending = '') => `gabe${count}${ending}`
const topupFor = (login: string) => steamTopup({ ...tenDollars, login })
const addToCart = (login: string) =>
  shop.call('POST', '/cart/add-topup', { token: buyer.token, body: { topupData: topupFor(login) } })
const payCart = ({ key, confirmRepeat }: { key?: string; confirmRepeat?: boolean } = {}) =>
  shop.call('POST', '/payment/from-balance', {
    token: buyer.token,
    body: { currency: 'USD', ...(confirmRepeat && { confirmRepeat }) },
    headers: key ? { 'idempotency-key': key } : {},
  })
const payByCard = (body: object) =>
  shop.call('POST', '/payment/create', { token: buyer.token, body: { currency: 'USD', type: 'order', ...body } })
const readChecks = (login: string) =>
  vendor.requests.filter(({ path, body }) => path.endsWith('/check-login') && body.includes(`"${login}"`)).length

const refusal = (login: string) => ({
  status: 409,
  body: { error: { code: 'STEAM_LOGIN_REFUSED', details: { login } } },
})

describe('a Steam login that can not be topped up is refused before any money moves', () => {
  test.each<[string, (login: string) => Promise<unknown>]>([
    ['when it is bought from the balance', (login) => orderTopup(shop, buyer, topupFor(login))],
    ['when it is paid by card', (login) => payByCard({ amount: 10.3, topupData: topupFor(login) })],
    ['when it is put into the cart', addToCart],
  ])('%s', async (_when, buy) => {
    const before = await toSnapshot(shop.database)
    expect(await buy(aLogin('404'))).toMatchObject(refusal(aLogin('404')))
    expect(await toSnapshot(shop.database)).toEqual(before)
  })

  test.each<[string, () => Promise<unknown>]>([
    ['from the balance', () => payCart()],
    ['by card', () => payByCard({ amount: 20.6 })],
  ])('when a cart with it is paid %s, also where it was fine when it was put in', async (_how, pay) => {
    // The second could not be checked when it was put in.
    await addToCart(aLogin())
    vendor.isSilent = true
    expect((await addToCart(aLogin('404'))).status).toBe(201)
    vendor.isSilent = false
    const before = await toSnapshot(shop.database)
    expect(await pay()).toMatchObject(refusal(aLogin('404')))
    expect(await toSnapshot(shop.database)).toEqual(before)
  })
})

describe('a Steam login that can be topped up', () => {
  test('is bought, from the balance and in a cart, and asked about once', async () => {
    await addToCart(aLogin())
    expect((await payCart()).status).toBe(201)
    const again = await orderTopup(shop, buyer, topupFor(aLogin().toUpperCase()), { confirmRepeat: true })
    expect(again.status).toBe(201)
    expect([readChecks(aLogin()), readChecks(aLogin().toUpperCase())]).toEqual([1, 0])
  })

  test('has its answer given again byte for byte, whatever is said of it since', async () => {
    await addToCart(aLogin())
    const first = await payCart({ key: 'one and the same' })
    expect((await payCart({ key: 'one and the same' })).text).toBe(first.text)
  })
})

test.each(['isSilent', 'broken'] as const)(
  'a check that is not to be had does not stand in the way: %s',
  async (trouble) => {
    if (trouble === 'isSilent') vendor.isSilent = true
    const login = aLogin(trouble === 'broken' ? '500' : '')
    const answers = [
      await orderTopup(shop, buyer, topupFor(login)),
      await addToCart(login),
      await payCart({ confirmRepeat: true }),
    ]
    vendor.isSilent = false
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201])
  },
)
