import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import { aGame, gameFields, gameTopup, type TestGame } from '../../../test/any-game.ts'
import { expectSound } from '../../../test/card-orders.ts'
import { aUser, type TestUser } from '../../../test/factories.ts'
import { shopFor, workOff } from '../../../test/topup-orders.ts'
import { orderTopup } from '../../../test/topups.ts'
import { useShop } from '../../../test/use-shop.ts'
import { sql } from '../../platform/database/queries.ts'
import type { Supplier } from './supplier.ts'
import { sandboxSupplier } from './suppliers/sandbox.ts'

const shop = useShop()
afterAll(() => expectSound(shop))

const rich = { usd: 100_000, rub: 10_000_000 }
const read = async (path: string, language = 'ru', token?: string) =>
  (await shop.call('GET', path, { headers: { 'accept-language': language }, ...(token && { token }) })).body
const readReceipt = (user: TestUser, id: string, language = 'ru') => read(`/orders/${id}`, language, user.token)

const inAsia = [
  { key: 'user_id', label: 'ID игрока', value: '800123456' },
  { key: 'server', label: 'Сервер', value: 'Азия' },
]

describe('a game that nobody programmed', () => {
  test('says what it asks for and what it sells, in the language of the customer', async () => {
    const { slug, offers } = await aGame(shop)
    const fields = await read(`/topups/${slug}/fields`, 'en')
    expect(fields).toMatchObject({ pricing: 'offers', player_check: 'required', promised_minutes: 15, presets: [] })
    expect(fields.fields).toMatchObject([
      { key: 'user_id', label: 'Player ID', type: 'digits', required: true, options: [] },
      { key: 'server', label: 'Server', type: 'select', options: [{ value: 'os_asia', label: 'Asia' }, {}] },
    ])
    expect((await read(`/topups/${slug}/fields`, 'uz')).fields[1]).toMatchObject({
      label: 'Сервер',
      options: [{ label: 'Osiyo' }, { label: 'Yevropa' }],
    })
    expect(await read(`/topups/${slug}/offers`)).toEqual({
      offers: [
        {
          id: offers[0],
          name: '60 Crystals',
          game_amount: 60,
          price_usd: 1,
          price_rub: 80,
          available: 100,
          is_popular: false,
        },
        {
          id: offers[1],
          name: 'Large pack',
          game_amount: 300,
          price_usd: 5,
          price_rub: 400,
          available: 100,
          is_popular: true,
        },
      ],
    })
  })

  test('has packages whose names are in the language of the page, and on a receipt as they were when it was bought', async () => {
    const game = await aGame(shop)
    const admin = await aUser(shop, { role: 'admin' })
    const rename = (body: object) =>
      shop.call('PUT', `/admin/offers/${game.offers[1]}`, { token: admin.token, body: { ...body } })
    const named = await rename({ name: 'Большой набор', translations: { en: 'Large pack', uz: '' } })
    expect(named.body.data).toMatchObject({ name: 'Большой набор', translations: { en: 'Large pack' } })
    const toName = async (language: string) =>
      (await read(`/topups/${game.slug}/offers`, language)).offers[1].name as string
    expect([await toName('ru'), await toName('en'), await toName('uz')]).toEqual([
      'Большой набор',
      'Large pack',
      'Большой набор',
    ])
    const user = await aUser(shop, rich)
    const wish = {
      ...gameTopup(game),
      offers: [{ offer_id: game.offers[1], quantity: 1 }],
      price_usd: 5,
      price_rub: 400,
    }
    const added = await shop.call('POST', '/cart/add-topup', {
      token: user.token,
      headers: { 'accept-language': 'en' },
      body: { topupData: wish },
    })
    expect(added.body.data.topup_data.offer_name).toBe('Large pack')
    const bought = await orderTopup(shop, user, wish)
    await rename({ name: 'Другой', translations: { en: 'Another', uz: 'Boshqa' } })
    const toReceipt = async (language: string) =>
      (await readReceipt(user, bought.body.order.id, language)).items[0].topup_data.offer_name
    expect([await toReceipt('ru'), await toReceipt('en'), await toReceipt('uz')]).toEqual([
      'Большой набор',
      'Large pack',
      'Большой набор',
    ])
    const forged = shop.database.run(sql`
      UPDATE order_item SET offer_translations = '{}' WHERE order_id = ${bought.body.order.id}`)
    await expect(forged).rejects.toThrow()
    expect((await rename({ name: '' })).body.data).toMatchObject({ name: '', translations: {} })
  })

  test('finds its players by the whole account', async () => {
    const { slug } = await aGame(shop)
    const check = (account: object) => shop.call('POST', `/topups/${slug}/check`, { body: { account } })
    const found = await check({ user_id: '800123456', server: 'os_asia' })
    expect(found.body).toMatchObject({ success: true, player_name: expect.any(String) })
    expect((await check({ user_id: '800123404', server: 'os_asia' })).body.error.code).toBe('PLAYER_NOT_FOUND')
    expect((await check({ user_id: '800123456' })).body.error.details).toEqual({ 'account.server': 'required' })
  })

  test('is bought, delivered, and reads on its receipt as it was filled in', async () => {
    const game = await aGame(shop)
    const user = await aUser(shop, rich)
    const bought = await orderTopup(shop, user, gameTopup(game, { quantity: 2 }))
    expect(bought.status).toBe(201)
    await workOff(shopFor(shop))
    const receipt = await readReceipt(user, bought.body.order.id)
    expect(receipt).toMatchObject({ status: 'completed', total_amount: 2 })
    expect(receipt.items[0].topup_data).toMatchObject({
      service: game.slug,
      login: '',
      player_id: '800123456 (os_asia)',
      account: inAsia,
    })
  })

  test('is bought from the cart, a line for each account', async () => {
    const game = await aGame(shop)
    const user = await aUser(shop, rich)
    const add = (account: Record<string, string>) =>
      shop.call('POST', '/cart/add-topup', { token: user.token, body: { topupData: gameTopup(game, { account }) } })
    await add({})
    await add({ server: 'os_euro' })
    const { body } = await add({})
    expect(body.data).toMatchObject({ quantity: 2, topup_data: { account: inAsia } })
    expect((await read('/cart', 'ru', user.token)).data).toHaveLength(2)
    const paid = await shop.call('POST', '/payment/from-balance', { token: user.token, body: { currency: 'USD' } })
    await workOff(shopFor(shop))
    expect(await readReceipt(user, paid.body.order.id)).toMatchObject({ status: 'completed', total_amount: 3 })
  })

  test('is not bought from a cart that has an account it does not ask for any more, until that is typed again', async () => {
    const game = await aGame(shop)
    const [user, admin] = [await aUser(shop, rich), await aUser(shop, { role: 'admin' })]
    const ask = (...fields: object[]) =>
      shop.call('PUT', `/admin/products/${game.productId}/fields`, { token: admin.token, body: { fields } })
    const uid = { key: 'uid', type: 'digits', labels: { ru: 'UID' } }
    const add = (account: Record<string, string>) =>
      shop.call('POST', '/cart/add-topup', { token: user.token, body: { topupData: { ...gameTopup(game), account } } })
    const pay = () => shop.call('POST', '/payment/from-balance', { token: user.token, body: { currency: 'USD' } })
    const isSold = async () =>
      (await read('/cart', 'ru', user.token)).data.map((line: { available_count: number }) => line.available_count > 0)

    expect((await ask(uid)).status).toBe(200)
    await add({ uid: '51234' })
    expect(await isSold()).toEqual([true])
    await ask(uid, { key: 'zone', type: 'digits', labels: { ru: 'Zone' } })
    expect([await isSold(), (await pay()).body.error?.code]).toEqual([[false], 'OUT_OF_STOCK'])
    await ask({ ...uid, key: 'user' })
    expect([await isSold(), (await pay()).body.error?.code]).toEqual([[false], 'OUT_OF_STOCK'])
    const typed = await add({ user: '51234' })
    expect(typed.body.data).toMatchObject({ quantity: 2, topup_data: { account: [{ key: 'user' }] } })
    expect([await isSold(), (await pay()).status]).toEqual([[true], 201])
  })

  test('is one top-up, however often the same account buys it at once', async () => {
    const game = await aGame(shop)
    const user = await aUser(shop, rich)
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => orderTopup(shop, user, gameTopup(game), { key: randomUUID() })),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    const refused = answers.flatMap(({ body }) => (body.error ? [body.error.details.reason] : []))
    expect(refused).toEqual(Array(19).fill('repeat'))
    const elsewhere = gameTopup(game, { account: { server: 'os_euro' } })
    expect((await orderTopup(shop, user, elsewhere)).status).toBe(201)
  })

  test('asks for other things while orders are open: they are delivered, and old receipts still read right', async () => {
    const game = await aGame(shop)
    const user = await aUser(shop, rich)
    const admin = await aUser(shop, { role: 'admin' })
    const bought = await orderTopup(shop, user, gameTopup(game))
    const path = `/admin/products/${game.productId}/fields`
    const uid = { key: 'uid', type: 'digits', labels: { ru: 'UID' } }
    const changed = await shop.call('PUT', path, { token: admin.token, body: { fields: [uid] } })
    expect(changed.body.data.fields).toMatchObject([uid])
    await workOff(shopFor(shop))
    const receipt = await readReceipt(user, bought.body.order.id)
    expect([receipt.status, receipt.items[0].topup_data.account]).toEqual(['completed', inAsia])
    const english = await readReceipt(user, bought.body.order.id, 'en')
    expect(english.items[0].topup_data.account[1]).toEqual({ key: 'server', label: 'Server', value: 'Asia' })
    expect((await orderTopup(shop, user, gameTopup(game))).body.error.details).toEqual({
      'account.user_id': 'unknown_field',
      'account.server': 'unknown_field',
      'account.uid': 'required',
    })
  })
})

test('a supplier that wants the token of its check gets one for this account, drawn just before the order', async () => {
  const named = (key: string) => ({ key, type: 'digits' as const, labels: { ru: key } })
  const service = { supplier: 'sandbox', reference: 'mobile_legends', checkReference: 'mobile_legends' }
  const game = await aGame(shop, { services: [service], fields: [named('user_id'), named('zone_id')] })
  const user = await aUser(shop, rich)
  const real = sandboxSupplier.create({}, shop)
  const asked: (string | undefined)[] = []
  const order: Supplier['order'] = (request) => {
    asked.push(request.token)
    return real.order(request)
  }
  const buy = (zone: string) =>
    orderTopup(shop, user, { ...gameTopup(game), account: { user_id: '51234567', zone_id: zone } })
  const bought = [await buy('2001'), await buy('2002')]
  await workOff(shopFor(shop, { ...real, order }))
  expect(new Set(asked).size).toBe(2)
  for (const token of asked) expect(token).toMatch(/^mobile_legends\./)
  for (const { body } of bought) expect(await readReceipt(user, body.order.id)).toMatchObject({ status: 'completed' })
})

describe('a top-up is refused, and nothing is charged', () => {
  const expectRefused = async (game: TestGame, change: object, error: object) => {
    const user = await aUser(shop, rich)
    const answer = await orderTopup(shop, user, { ...gameTopup(game), ...change })
    expect(answer.body.error).toMatchObject(error)
    expect((await read('/orders', 'ru', user.token)).total).toBe(0)
  }

  test.each<[string, object, object]>([
    ['another price', { price_usd: 0.5 }, { code: 'PRICE_CHANGED' }],
    ['an offer of another game', { offers: [{ offer_id: 2_000_000_000, quantity: 1 }] }, { code: 'OFFER_NOT_FOUND' }],
    ['no offers', { offers: [] }, { code: 'VALIDATION_FAILED', details: { 'topupData.offers': 'required' } }],
    [
      'an amount of what is sold by offers',
      { offers: undefined, amount: 5, input_currency: 'usd' },
      { details: { offers: 'required' } },
    ],
    [
      'a field too many',
      { account: { user_id: '1', server: 'os_asia', password: 'x' } },
      { details: { 'account.password': 'unknown_field' } },
    ],
    [
      'another option',
      { account: { user_id: '1', server: 'os_mars' } },
      { details: { 'account.server': 'invalid_option' } },
    ],
    [
      'a player who is not there',
      { account: { user_id: '800123404', server: 'os_asia' } },
      { code: 'PLAYER_NOT_FOUND' },
    ],
    ['a game that is not there', { service: 'no-such-game' }, { code: 'OFFER_NOT_FOUND' }],
    ['no account', { account: undefined }, { code: 'VALIDATION_FAILED', details: { 'topupData.account': 'invalid' } }],
  ])('for %s', async (_, change, error) => expectRefused(await aGame(shop), change, error))

  test('for a game that is not published, which answers nothing but is tried by an operator', async () => {
    const game = await aGame(shop, { isActive: false })
    await expectRefused(game, {}, { code: 'OUT_OF_STOCK' })
    expect((await shop.call('GET', `/topups/${game.slug}/fields`)).status).toBe(404)
    const admin = await aUser(shop, { role: 'admin' })
    const attempt = (account: object) =>
      shop.call('POST', `/admin/products/${game.productId}/try`, {
        token: admin.token,
        body: { account, offerId: game.offers[0] },
      })
    expect((await attempt({ user_id: '800123456', server: 'os_asia' })).body.data).toMatchObject({
      account: '800123456 (os_asia)',
      delivery: 'done',
    })
    expect((await attempt({ user_id: '800126001', server: 'os_asia' })).body.data).toMatchObject({
      delivery: 'rejected',
      why: 'refused',
    })
    expect((await attempt({ user_id: '800123456' })).body.error.code).toBe('VALIDATION_FAILED')
  })
})

test('fields with a pattern that could take for ever, twice the same, or a choice of nothing are refused', async () => {
  const { productId } = await aGame(shop)
  const admin = await aUser(shop, { role: 'admin' })
  const set = async (fields: object[]) =>
    (await shop.call('PUT', `/admin/products/${productId}/fields`, { token: admin.token, body: { fields } })).body.error
  const field = { key: 'user_id', type: 'digits', labels: { ru: 'ID' } }
  expect(await set([{ ...field, pattern: '(a+)+b' }])).toMatchObject({
    details: { 'fields.0.pattern': 'invalid_pattern' },
  })
  expect(await set([{ ...field, pattern: '\\d*\\d*\\d*\\d*x' }])).toMatchObject({
    details: { 'fields.0.pattern': 'invalid_pattern' },
  })
  expect(await set([field, field])).toMatchObject({ details: { fields: 'duplicate' } })
  expect(await set([{ ...field, type: 'select' }])).toMatchObject({ details: { 'fields.0.options': 'required' } })
  expect(await set([{ ...field, labels: { en: 'ID' } }])).toMatchObject({
    details: { 'fields.0.labels.ru': 'required' },
  })
  expect(await set(gameFields)).toBeUndefined()
})
