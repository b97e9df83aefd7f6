import { parseDecimal } from '@olmos/contract/decimal'
import { afterAll, describe, expect, test } from 'vitest'
import { aGame, gameTopup, type TestGame } from '../../../test/any-game.ts'
import { expectSound } from '../../../test/card-orders.ts'
import { anOffer, aUser, toCart } from '../../../test/factories.ts'
import {
  type ListedSupplier,
  listedSupplier,
  noteSeller,
  priced,
  shopWith,
  type TestWare,
  userId,
  zoneId,
} from '../../../test/listed-supplier.ts'
import { fillPool, passDeliveryTime, shopFor, workOff } from '../../../test/topup-orders.ts'
import { orderTopup } from '../../../test/topups.ts'
import { useShop, useUser } from '../../../test/use-shop.ts'
import { sql } from '../../platform/database/queries.ts'
import { done, type Outcome, rejected, unknown } from '../../platform/vendor/vendor.ts'
import { syncSupplier } from '../sourcing/sync.ts'
import { refuseTooDear, type Supplier, type SupplierOrder, type SupplierRequest } from '../topups/supplier.ts'
import { deliverNext } from './deliver.ts'

const shop = useShop()
const admin = useUser(shop, { role: 'admin' })
afterAll(() => expectSound(shop))

type Answer = Outcome<SupplierOrder>
type Answering = (request: SupplierRequest) => Answer | Promise<Answer>

const accepted = ({ key }: SupplierRequest): Answer => done({ supplierOrderId: `o-${key}`, status: 'done' })
const refused = () => rejected('out_of_stock')
const fields = [
  { key: 'user_id', type: 'digits' as const, labels: { ru: 'ID' } },
  { key: 'zone_id', type: 'digits' as const, labels: { ru: 'Zone' } },
]
const account = { user_id: '51234', zone_id: '2001' }

let count = 0
const toReference = (listed: ListedSupplier) => Object.keys(Object.values(listed.wares)[0]?.products ?? {})[0] ?? ''

/** Makes a supplier of Legends, under names of its own, that answers orders as told. */
async function aSeller(answer: Answering, cost = '0.5'): Promise<ListedSupplier> {
  const game = `legends-${++count}`
  const wares = { [game]: { title: game, fields: [userId, zoneId], products: priced(game, { '60 gems': cost }) } }
  const listed = listedSupplier(`seller-${count}`, wares, { answer })
  await sync(listed)
  return listed
}
/** Reads what a supplier that is on sells. */
const sync = async (listed: ListedSupplier) => {
  await noteSeller(shop, listed.supplier)
  await syncSupplier(shopWith(shop, listed.supplier), listed.supplier, { isWanted: true })
}

const call = (method: 'GET' | 'PUT' | 'POST', path: string, body: unknown) =>
  shop.call(method, `/admin${path}`, { token: admin.token, body })

async function bySupplier(listed: ListedSupplier, more: object = {}) {
  const { id } = await shop.database.one<{ id: number }>(sql`
    SELECT id FROM supplier_product WHERE supplier = ${listed.supplier.name} AND reference = ${toReference(listed)}`)
  return { kind: 'supplier', productId: id, ...more }
}

/** Makes a game whose small packs these deliver, at a dollar each. */
async function aSourcedGame(...sources: object[]): Promise<TestGame> {
  const game = await aGame(shop, { fields, playerCheck: 'none' })
  const set = await call('PUT', `/offers/${game.offers[0]}/sources`, { sources })
  expect(set.status).toBe(200)
  return game
}

async function buy(game: TestGame, quantity = 1): Promise<string> {
  const user = await aUser(shop, { usd: 100_000 })
  const wish = { ...gameTopup(game, { quantity }), account }
  const bought = await orderTopup(shop, user, wish)
  expect(bought.status).toBe(201)
  return bought.body.order.id
}

const readOrder = async (orderId: string) =>
  (await shop.database.one<{ status: string }>(sql`SELECT status FROM orders WHERE id = ${orderId}`)).status

/** Reads whom a delivery was sent to, for what, and what became of it. */
const readSent = async (orderId: string) =>
  (
    await shop.database.rows<{ sent: string }>(sql`
      SELECT supplier || ' ' || supplier_order.state AS sent FROM supplier_order JOIN delivery ON delivery.id = delivery_id
      JOIN order_item ON order_item.id = order_item_id WHERE order_id = ${orderId} ORDER BY supplier_order.id`)
  ).map(({ sent }) => sent)

/** Has the catalogue know no supplier that is on; returns what turns those on again that were. */
async function turnAllOff(): Promise<() => Promise<void>> {
  const before = await shop.database.rows<{ supplier: string; sells: string[] }>(
    sql`SELECT supplier, sells FROM supplier_health`,
  )
  await shop.database.run(sql`UPDATE supplier_health SET sells = '{}'`)
  return async () => {
    for (const { supplier, sells } of before)
      await shop.database.run(sql`UPDATE supplier_health SET sells = ${sells}::text[] WHERE supplier = ${supplier}`)
  }
}

const deliver = async (...sellers: ListedSupplier[]) =>
  workOff(shopFor(shop, ...sellers.map(({ supplier }) => supplier)))
const passTime = () => passDeliveryTime(shop, 1_000)

describe('two suppliers serve one offer', () => {
  test.each<[string, Answering]>([
    ['rejects', refused],
    ['knows no such thing any more', () => rejected('OFFER_NOT_FOUND')],
    ['has become too dear', () => rejected('too_dear', { facts: { cost: '9 USD', at_most: '1 USD' } })],
    ['has none of the shop’s money left', () => rejected('float_empty')],
    ['says that its order has failed', () => done({ supplierOrderId: `failed-${++count}`, status: 'failed' })],
  ])('the second delivers what the first %s, each asked in its own words', async (_, answer) => {
    const [first, second] = [await aSeller(answer), await aSeller(accepted)]
    const { id } = await shop.database.one<{ id: number }>(
      sql`SELECT id FROM supplier_service WHERE supplier = ${second.supplier.name}`,
    )
    const fieldNames = { user_id: '{user_id}|{zone_id}', zone_id: 'none{zone_id}' }
    await shop.database.run(
      sql`UPDATE supplier_service SET field_names = ${JSON.stringify(fieldNames)} WHERE id = ${id}`,
    )
    const game = await aSourcedGame(await bySupplier(first), await bySupplier(second))
    const orderId = await buy(game)
    await deliver(second, first)
    expect(await readOrder(orderId)).toBe('completed')
    expect(await readSent(orderId)).toEqual([`${first.supplier.name} rejected`, `${second.supplier.name} done`])
    expect(first.orders).toMatchObject([{ item: toReference(first), account }])
    expect(second.orders).toMatchObject([
      { item: toReference(second), account: { user_id: '51234|2001', zone_id: 'none2001' } },
    ])
    expect(first.orders[0]?.key).not.toBe(second.orders[0]?.key)
  })

  test('the second delivers what could not be sent to the first, and alone the first is asked again', async () => {
    let answer: Answer = unknown('timeout', { isUnsent: true })
    const [first, second] = [
      await aSeller((request) => (answer.kind === 'done' ? accepted(request) : answer)),
      await aSeller(accepted),
    ]
    const both = await buy(await aSourcedGame(await bySupplier(first), await bySupplier(second)))
    await deliver(first, second)
    expect(await readOrder(both)).toBe('completed')
    expect(await readSent(both)).toEqual([`${first.supplier.name} rejected`, `${second.supplier.name} done`])

    const alone = await buy(await aSourcedGame(await bySupplier(first), { kind: 'operator' }))
    await deliver(first)
    await deliver(first)
    expect([await readOrder(alone), await readSent(alone)]).toEqual(['pending', [`${first.supplier.name} rejected`]])
    const { data } = (await call('GET', `/deliveries?search=${alone}`, undefined)).body
    expect(data).toMatchObject([{ state: 'queued', reason: 'timeout' }])
    answer = done({ supplierOrderId: 'x', status: 'done' })
    await passTime()
    await deliver(first)
    expect(await readOrder(alone)).toBe('completed')
    expect(await readSent(alone)).toEqual([`${first.supplier.name} rejected`, `${first.supplier.name} done`])
  })

  test('one that can’t be sent to is asked by that order more and more seldom, and is not out of service for it', async () => {
    const first = await aSeller(() => unknown('timeout', { isUnsent: true }))
    const orderId = await buy(await aSourcedGame(await bySupplier(first), { kind: 'operator' }))
    const asked: number[] = []
    for (let minutes = 0; minutes < 20; minutes++) {
      await deliver(first)
      asked.push((await readSent(orderId)).length)
      await passDeliveryTime(shop, 60)
    }
    // At once, and then after a half, one, two, four, eight and ten minutes at least.
    expect([asked[0], asked[1], asked[2], asked[19]]).toEqual([1, 2, 3, 6])
    const { failures } = await shop.database.one<{ failures: number }>(sql`
      SELECT failures FROM supplier_health WHERE supplier = ${first.supplier.name}`)
    expect(failures).toBe(1)
  })

  test('one that can’t be sent to is asked again for weeks, and at once when the operator begins again', async () => {
    let isReached = false
    const first = await aSeller((request) => (isReached ? accepted(request) : unknown('timeout', { isUnsent: true })))
    const orderId = await buy(await aSourcedGame(await bySupplier(first), { kind: 'operator' }))
    await deliver(first)
    // As many as there are after eight days of a try every ten minutes.
    await shop.database.run(sql`
      INSERT INTO supplier_order (delivery_id, supplier, item, supplier_product_id, state, reason, is_unsent, created_at)
      SELECT delivery_id, supplier, item, supplier_product_id, state, reason, is_unsent, created_at - interval '1 minute'
      FROM supplier_order, generate_series(1, 1200)
      WHERE supplier = ${first.supplier.name}`)
    await shop.database.run(
      sql`UPDATE delivery SET tried_since = tried_since - interval '1 hour' WHERE decided_at IS NULL`,
    )
    await passDeliveryTime(shop, 590)
    await deliver(first)
    expect(first.orders).toHaveLength(1)
    await passDeliveryTime(shop, 20)
    await deliver(first)
    expect(first.orders).toHaveLength(2)
    isReached = true
    const { data } = (await call('GET', `/deliveries?search=${orderId}`, undefined)).body
    expect((await call('POST', `/deliveries/${data[0].id}/retry`, { reason: 'it is mended' })).status).toBe(200)
    await deliver(first)
    expect(first.orders).toHaveLength(3)
    expect(await readOrder(orderId)).toBe('completed')
  })

  test('and are asked by their rank, whatever the shop prefers', async () => {
    const [first, second] = [await aSeller(accepted), await aSeller(accepted)]
    const game = await aSourcedGame(await bySupplier(second), await bySupplier(first))
    await buy(game, 3)
    await deliver(first, second)
    expect([first.orders.length, second.orders.length]).toEqual([0, 3])
  })

  test('and nobody else is asked: when all have rejected it, the money goes back', async () => {
    const [first, second, third] = [await aSeller(refused), await aSeller(refused), await aSeller(accepted)]
    const game = await aSourcedGame(await bySupplier(first), await bySupplier(second))
    const orderId = await buy(game)
    await deliver(third, first, second)
    expect(await readOrder(orderId)).toBe('refunded')
    expect([first.orders.length, second.orders.length, third.orders.length]).toEqual([1, 1, 0])
  })

  test('the limit of a source caps what it may cost', async () => {
    const answer: Answering = (request) =>
      refuseTooDear(parseDecimal('0.6') ?? 0n, request.costAtMost, 'USD') ?? accepted(request)
    const [first, second] = [await aSeller(answer), await aSeller(answer)]
    const game = await aSourcedGame(
      await bySupplier(first, { costAtMost: '0.59' }),
      await bySupplier(second, { costAtMost: '5' }),
    )
    const orderId = await buy(game)
    await deliver(first, second)
    expect(await readSent(orderId)).toEqual([`${first.supplier.name} rejected`, `${second.supplier.name} done`])
    expect(first.orders[0]?.costAtMost).toBe(parseDecimal('0.59'))
    // A dollar was paid.
    expect(second.orders[0]?.costAtMost).toBe(parseDecimal('1'))
    const alerts = await shop.database.rows(
      sql`SELECT details FROM alert WHERE kind = 'offer.too_dear' AND subject = ${`${first.supplier.name}:${toReference(first)}`}`,
    )
    expect(alerts).toMatchObject([{ details: { cost: '0.60 USD', at_most: '0.59 USD' } }])
  })

  test.each<[string, (first: ListedSupplier, game: TestGame) => Promise<unknown>]>([
    [
      'is gone from the list of the first',
      (first) => {
        first.wares = {}
        return sync(first)
      },
    ],
    [
      'costs far more at the first',
      (first) => {
        for (const ware of Object.values(first.wares)) ware.products = priced(ware.title, { '60 gems': '0.9' })
        return sync(first)
      },
    ],
    [
      'is switched off at the first',
      async (first, game) => {
        const { body } = await call('GET', `/offers/${game.offers[0]}/sources`, undefined)
        const [, other] = body.data.sources
        const sources = [await bySupplier(first, { isOn: false }), { kind: 'supplier', productId: other.product.id }]
        return call('PUT', `/offers/${game.offers[0]}/sources`, { sources })
      },
    ],
  ])('the second delivers what %s', async (_, change) => {
    const [first, second] = [await aSeller(accepted), await aSeller(accepted)]
    const game = await aSourcedGame(await bySupplier(first), await bySupplier(second))
    const orderId = await buy(game)
    await change(first, game)
    await deliver(first, second)
    expect(await readSent(orderId)).toEqual([`${second.supplier.name} done`])
  })
})

describe('what may have been delivered', () => {
  test('is never asked of the second, however long the first says nothing', async () => {
    let answer: Answer = unknown('timeout')
    const [first, second] = [await aSeller(() => answer), await aSeller(accepted)]
    const game = await aSourcedGame(await bySupplier(first), await bySupplier(second))
    const orderId = await buy(game)
    for (let hours = 0; hours < 5; hours++) {
      await deliver(first, second)
      await passTime()
    }
    expect(await readSent(orderId)).toEqual([`${first.supplier.name} unknown`])
    expect(second.orders).toEqual([])
    answer = done({ supplierOrderId: `late-${++count}`, status: 'done' })
    await deliver(first, second)
    expect(await readOrder(orderId)).toBe('completed')
    expect([first.orders.length, second.orders.length]).toEqual([1, 0])
  })

  test('is sent again under its key when it certainly never arrived, to nobody else', async () => {
    const [first, second] = [await aSeller(() => unknown('timeout')), await aSeller(accepted)]
    const game = await aSourcedGame(await bySupplier(first), await bySupplier(second))
    first.supplier.lookUp = async () => rejected('not_found')
    await buy(game)
    await deliver(first, second)
    await passTime()
    await deliverNext(shopFor(shop, first.supplier, second.supplier))
    expect(new Set(first.orders.map(({ key }) => key)).size).toBe(1)
    expect(first.orders.length).toBeGreaterThan(1)
    expect(second.orders).toEqual([])
    first.supplier.order = async (request) => accepted(request)
    await passTime()
    await deliver(first, second)
  })

  test.each([
    ['of another account', 'bb', false, 'other_account'],
    ['that is off', 'aa', true, 'supplier_off'],
  ])('is not sent again, though it never arrived, to a supplier %s', async (_, accountMark, isOff, reason) => {
    const first = await aSeller(() => unknown('timeout'))
    const known: Supplier = { ...first.supplier, accountMark: 'aa', lookUp: async () => rejected('not_found') }
    const game = await aSourcedGame(await bySupplier(first))
    const orderId = await buy(game)
    await workOff(shopFor(shop, known))
    const sent = first.orders.length
    const changed = { ...known, accountMark }
    const suppliers = { configured: isOff ? [] : [changed], off: isOff ? [changed] : [], sandbox: undefined }
    for (let look = 0; look < 3; look++) {
      await passTime()
      await workOff({ ...shop, suppliers })
    }
    expect(first.orders.length).toBe(sent)
    const { data } = (await call('GET', `/deliveries?search=${orderId}`, undefined)).body
    expect(data).toMatchObject([{ state: 'unknown', reason, operator_since: expect.any(String) }])
    await passTime()
    await workOff(shopFor(shop, { ...known, order: async (request) => accepted(request) }))
    expect(await readOrder(orderId)).toBe('completed')
  })

  test('is looked for again where its repeat lacks the token of its player, and asked of nobody else', async () => {
    const [first, second] = [await aSeller(() => unknown('timeout')), await aSeller(accepted)]
    let player: Outcome<{ name: null; token: string }> = done({ name: null, token: 'one' })
    let found: Answer = rejected('not_found')
    const known: Supplier = {
      ...first.supplier,
      givesToken: () => true,
      checkPlayer: async () => player,
      lookUp: async () => found,
    }
    const game = await aSourcedGame(await bySupplier(first), await bySupplier(second))
    await shop.database.run(sql`
      UPDATE supplier_service SET check_reference = reference WHERE supplier = ${first.supplier.name}`)
    const orderId = await buy(game)
    const store = shopFor(shop, known, second.supplier)
    await deliverNext(store)
    player = rejected('not_found')
    await passTime()
    await workOff(store)
    expect([await readSent(orderId), second.orders]).toEqual([[`${first.supplier.name} unknown`], []])
    expect(first.orders).toHaveLength(1)
    found = done({ supplierOrderId: `late-${++count}`, status: 'done' })
    await passTime()
    await workOff(store)
    expect(await readOrder(orderId)).toBe('completed')
    expect(second.orders).toEqual([])
  })

  test('is not even sent again to a supplier that remembers nothing', async () => {
    const first = await aSeller(() => unknown('timeout'))
    const forgetful: Supplier = { ...first.supplier, remembers: 'nothing', lookUp: async () => rejected('not_found') }
    const game = await aSourcedGame(await bySupplier(first))
    const orderId = await buy(game)
    for (let hours = 0; hours < 3; hours++) {
      await workOff(shopFor(shop, forgetful))
      await passTime()
    }
    expect(first.orders).toHaveLength(1)
    expect(await readSent(orderId)).toEqual([`${first.supplier.name} unknown`])
    await shop.database.run(sql`DELETE FROM alert WHERE kind = 'delivery.stuck'`)
    first.supplier.lookUp = async (request) => accepted(request)
    await deliver(first)
  })

  test('is looked up as it was sent, though the source is none any more', async () => {
    let answer: Answer = unknown('timeout')
    const first = await aSeller(() => answer)
    const looked: SupplierRequest[] = []
    first.supplier.lookUp = async (request) => {
      looked.push(request)
      return answer
    }
    const second = await aSeller(accepted)
    const game = await aSourcedGame(await bySupplier(first, { costAtMost: '0.7' }))
    const orderId = await buy(game)
    await deliver(first, second)
    await call('PUT', `/offers/${game.offers[0]}/sources`, { sources: [await bySupplier(second)] })
    await passTime()
    await deliver(first, second)
    expect(looked.at(-1)).toEqual({ ...first.orders[0] })
    expect(looked.at(-1)).toMatchObject({ item: toReference(first), account, costAtMost: parseDecimal('0.7') })
    answer = done({ supplierOrderId: `late-${++count}`, status: 'done' })
    await passTime()
    await deliver(first, second)
    expect(await readSent(orderId)).toEqual([`${first.supplier.name} done`])
  })
})

/** A supplier that keeps a book of what it has delivered, and whose answers are lost, refused or late as the key has it. */
function bookkeeper(book: Map<string, string>): Answering {
  const asked = new Map<string, number>()
  return (request) => {
    const { key } = request
    const times = (asked.get(key) ?? 0) + 1
    asked.set(key, times)
    const plan = Number.parseInt(key.slice(0, 2), 16) % 6
    if (plan === 0) return rejected('out_of_stock')
    // The first two answers are lost: the order was carried out, or it was not.
    if (plan === 1 && times <= 2) {
      book.set(key, 'done')
      return unknown('timeout')
    }
    if (plan === 2 && times <= 2) return unknown('timeout')
    book.set(key, 'done')
    return accepted(request)
  }
}

test('24 workers deliver 120 units by two suppliers that lose answers and refuse: each once, by one of them', async () => {
  const books = [new Map<string, string>(), new Map<string, string>()] as const
  const [first, second] = [await aSeller(bookkeeper(books[0])), await aSeller(bookkeeper(books[1]))]
  for (const [listed, book] of [
    [first, books[0]],
    [second, books[1]],
  ] as const) {
    listed.supplier.lookUp = async (request) => (book.has(request.key) ? accepted(request) : rejected('not_found'))
  }
  const game = await aSourcedGame(await bySupplier(first), await bySupplier(second))
  const orders = await Promise.all(Array.from({ length: 12 }, () => buy(game, 10)))
  const store = shopFor(shop, first.supplier, second.supplier)
  const isOpen = async () =>
    (
      await shop.database.one<{ open: number }>(sql`
      SELECT count(*)::int AS open FROM delivery JOIN order_item ON order_item.id = order_item_id
      WHERE order_id = ANY (${orders}) AND decided_at IS NULL`)
    ).open > 0
  while (await isOpen()) {
    await Promise.all(Array.from({ length: 24 }, () => workOff(store)))
    await shop.database.run(sql`UPDATE delivery SET next_at = now() WHERE next_at > now() AND decided_at IS NULL`)
  }
  const sent = await shop.database.rows<{ delivery_id: number; key: string; state: string; decided: string }>(sql`
    SELECT delivery_id, key, supplier_order.state, delivery.state AS decided FROM supplier_order
    JOIN delivery ON delivery.id = delivery_id JOIN order_item ON order_item.id = order_item_id
    WHERE order_id = ANY (${orders}) ORDER BY supplier_order.id`)
  const units = Map.groupBy(sent, ({ delivery_id }) => delivery_id)
  expect(units.size).toBe(120)
  const delivered = (key: string) => books.filter((book) => book.has(key)).length
  for (const tries of units.values()) {
    const times = tries.reduce((total, { key }) => total + delivered(key), 0)
    expect([tries[0]?.decided, times]).toEqual(tries[0]?.decided === 'done' ? ['done', 1] : ['rejected', 0])
  }
  const refunded = [...units.values()].filter((tries) => tries[0]?.decided === 'rejected')
  expect(refunded.every((tries) => tries.length === 2)).toBe(true)
  // Some were delivered by each, some by nobody.
  expect([books[0].size > 0, books[1].size > 0, books[0].size + books[1].size + refunded.length]).toEqual([
    true,
    true,
    120,
  ])
}, 60_000)

describe('an offer whose sources are all closed', () => {
  test('is sold out: nothing is charged, in a cart neither', async () => {
    const listed = await aSeller(accepted)
    const game = await aSourcedGame(await bySupplier(listed))
    const user = await aUser(shop, { usd: 1_000 })
    const wish = { ...gameTopup(game), account }
    const offers = async () => (await shop.call('GET', `/topups/${game.slug}/offers`)).body.offers[0].available
    expect(await offers()).toBe(100)
    await shop.call('POST', '/cart/add-topup', { token: user.token, body: { topupData: wish } })
    listed.wares = {}
    await sync(listed)
    expect(await offers()).toBe(0)
    expect((await orderTopup(shop, user, wish)).body.error.code).toBe('OUT_OF_STOCK')
    const cart = await shop.call('GET', '/cart', { token: user.token })
    expect(cart.body.data).toMatchObject([{ available_count: 0 }])
    const paid = await shop.call('POST', '/payment/from-balance', { token: user.token, body: { currency: 'USD' } })
    expect(paid.body.error.code).toBe('OUT_OF_STOCK')
    expect((await shop.call('GET', '/orders', { token: user.token })).body.total).toBe(0)
  })
})

describe('an offer whose source certainly refuses it', () => {
  const offered = async ({ slug }: TestGame) =>
    (await shop.call('GET', `/topups/${slug}/offers`)).body.offers[0].available
  const order = async (game: TestGame) => {
    const wish = { ...gameTopup(game), account }
    return (await orderTopup(shop, await aUser(shop, { usd: 1_000 }), wish)).body.error?.code
  }

  test('as it costs more than its limit, is sold out, unless another source has it', async () => {
    const [dear, other] = [await aSeller(accepted), await aSeller(accepted)]
    const game = await aSourcedGame(await bySupplier(dear, { costAtMost: '0.49' }))
    expect([await offered(game), await order(game)]).toEqual([0, 'OUT_OF_STOCK'])
    const sources = [await bySupplier(dear, { costAtMost: '0.49' }), await bySupplier(other, { costAtMost: '0.5' })]
    await call('PUT', `/offers/${game.offers[0]}/sources`, { sources })
    expect([await offered(game), await order(game)]).toEqual([100, undefined])
  })

  test('as it costs more than a customer pays, though the shop has agreed to a loss, is sold out', async () => {
    const game = await aSourcedGame(await bySupplier(await aSeller(accepted)))
    const set = async (body: object) => {
      const answer = await call('PUT', `/offers/${game.offers[0]}`, { confirmPrices: true, ...body })
      expect([answer.status, answer.text]).toEqual([200, answer.text])
      return offered(game)
    }
    expect(await set({ priceUsd: 0.49, priceRub: 80, underFloor: 'To be known' })).toBe(0)
    expect(await set({ priceUsd: 1, priceRub: 39.99, underFloor: 'To be known' })).toBe(0)
    expect(await set({ priceUsd: 1, priceRub: 40 })).toBe(100)
  })

  test('as it is off, or as codes of the pool are spent by nobody, is sold out', async () => {
    const [seller, redeemer] = [
      await aSeller(accepted),
      listedSupplier(`redeemer-${++count}`, {}, { redeemsCodes: true, sells: ['topup'] }),
    ]
    const [game, pooled] = [await aSourcedGame(await bySupplier(seller)), await aSourcedGame({ kind: 'pool' })]
    await fillPool(shop, { id: pooled.offers[0], productId: pooled.productId }, ['UC-ONLY'])
    const turnOn = await turnAllOff()
    expect([await offered(game), await order(game), await offered(pooled), await order(pooled)]).toEqual([
      0,
      'OUT_OF_STOCK',
      0,
      'OUT_OF_STOCK',
    ])
    await noteSeller(shop, redeemer.supplier)
    expect([await offered(pooled), await order(pooled)]).toEqual([1, undefined])
    await turnOn()
    expect([await offered(game), await order(game)]).toEqual([100, undefined])
  })

  test.each([
    ['has none left', { stock: 0 }],
    ['sells it only in several', { quantityMin: 2 }],
  ])(
    'as its list says that it %s, is sold out until the list says otherwise, and a paid order is tried all the same',
    async (_, told) => {
      const listed = await aSeller(accepted)
      const game = await aSourcedGame(await bySupplier(listed))
      const list = async (more: Partial<TestWare['products'][string]>) => {
        for (const { products } of Object.values(listed.wares))
          for (const product of Object.values(products)) Object.assign(product, { stock: 1, quantityMin: 1 }, more)
        await sync(listed)
        return offered(game)
      }
      expect(await list({})).toBe(100)
      const paid = await buy(game)
      expect(await list(told)).toBe(0)
      expect(await order(game)).toBe('OUT_OF_STOCK')
      await deliver(listed)
      expect(await readOrder(paid)).toBe('completed')
      // Where an offer has no sources, its name is asked for.
      await call('PUT', `/offers/${game.offers[0]}/sources`, { sources: [] })
      await shop.database.run(sql`UPDATE offer SET item_id = ${toReference(listed)} WHERE id = ${game.offers[0]}`)
      const turnOn = await turnAllOff()
      await noteSeller(shop, listed.supplier)
      expect([await offered(game), await order(game)]).toEqual([0, 'OUT_OF_STOCK'])
      expect([await list({}), await order(game)]).toEqual([100, undefined])
      await deliver(listed)
      await turnOn()
    },
  )

  test.each([
    ['nothing', 0, 'USD', 0],
    ['a cent less than it costs', 49, 'USD', 0],
    ['what it costs', 50, 'USD', 100],
    ['nothing of another currency', 0, 'EUR', 0],
    // Whether it is enough, the supplier knows.
    ['something of another currency', 1, 'EUR', 100],
    ['nobody knows what', null, null, 100],
  ])(
    'as the shop was last seen to have %s left at its supplier, is offered or sold out',
    async (_, balance, currency, available) => {
      const listed = await aSeller(accepted)
      const game = await aSourcedGame(await bySupplier(listed))
      const paid = await buy(game)
      await shop.database.run(sql`
      UPDATE supplier_health SET balance = ${balance}, balance_currency = ${currency},
          balance_at = CASE WHEN ${balance}::bigint IS NOT NULL THEN now() END
        WHERE supplier = ${listed.supplier.name}`)
      expect(await offered(game)).toBe(available)
      expect(await order(game)).toBe(available === 0 ? 'OUT_OF_STOCK' : undefined)
      await deliver(listed)
      expect(await readOrder(paid)).toBe('completed')
    },
  )

  test('is sold while its source is out of service for a moment, as a top-up waits for it', async () => {
    const listed = await aSeller(accepted)
    const game = await aSourcedGame(await bySupplier(listed))
    await shop.database.run(sql`
      UPDATE supplier_health SET failures = 100, out_until = now() + interval '1 hour' WHERE supplier = ${listed.supplier.name}`)
    const orderId = await buy(game)
    await deliver(listed)
    expect([await readOrder(orderId), await offered(game)]).toEqual(['pending', 100])
    await shop.database.run(sql`UPDATE supplier_health SET failures = 0 WHERE supplier = ${listed.supplier.name}`)
    await passTime()
    await deliver(listed)
    expect(await readOrder(orderId)).toBe('completed')
  })

  test('as of all lists only that of another supplier has its name, for too much or no more, is sold out', async () => {
    const turnOn = await turnAllOff()
    const [lister, other] = [await aSeller(accepted), await aSeller(accepted)]
    const game = await aGame(shop, { fields, playerCheck: 'none' })
    await shop.database.run(sql`UPDATE offer SET item_id = ${toReference(lister)} WHERE id = ${game.offers[0]}`)
    expect(await offered(game)).toBe(100)
    const list = async (products: TestWare['products']) => {
      for (const ware of Object.values(lister.wares)) ware.products = products
      await sync(lister)
      return offered(game)
    }
    const [title] = Object.keys(lister.wares)
    expect(await list(priced(title ?? '', { '60 gems': '1.01' }))).toBe(0)
    expect(await order(game)).toBe('OUT_OF_STOCK')
    expect(await list(priced(title ?? '', { '60 gems': '1' }))).toBe(100)
    expect(await list({})).toBe(0)
    // Who tops up by hand needs no name.
    await noteSeller(shop, { name: 'by-hand', sells: ['topup'], needsItem: false, redeemsCodes: false })
    expect(await offered(game)).toBe(100)
    await shop.database.run(sql`DELETE FROM supplier_health WHERE supplier IN ('by-hand', ${other.supplier.name})`)
    await turnOn()
  })

  test('as SEAGM, where its number alone names it, has it for too much or no more, is sold out', async () => {
    const turnOn = await turnAllOff()
    const list = (cost: string) => ({
      'recharge/1': { title: 'Legends', fields: [userId, zoneId], products: { 'recharge/1060': { name: '60', cost } } },
      // Another thing with the same number.
      'card/1': {
        title: 'Cards',
        kind: 'code' as const,
        fields: [],
        products: { 'card/1060': { name: '1', cost: '9' } },
      },
    })
    const seagm = listedSupplier('seagm', list('1'), { answer: accepted })
    await sync(seagm)
    const game = await aGame(shop, { fields, playerCheck: 'none' })
    await shop.database.run(sql`UPDATE offer SET item_id = '1060' WHERE id = ${game.offers[0]}`)
    const offeredAt = async (wares: ListedSupplier['wares']) => {
      await sync(Object.assign(seagm, { wares }))
      return offered(game)
    }
    expect(await offeredAt(list('1'))).toBe(100)
    expect(await offeredAt(list('1.01'))).toBe(0)
    expect(await order(game)).toBe('OUT_OF_STOCK')
    expect(await offeredAt({})).toBe(0)
    expect(await offeredAt(list('1'))).toBe(100)
    await shop.database.run(sql`DELETE FROM supplier_health WHERE supplier = 'seagm'`)
    await turnOn()
  })
})

test('codes that the shelf lacks are bought by the sources of their package, and by nobody else', async () => {
  const wares = (name: string) => ({
    psn: { title: 'PSN', kind: 'code' as const, fields: [], products: priced(name, { '10 USD': '0.5' }) },
  })
  const code = (request: SupplierRequest): Answer =>
    done({ supplierOrderId: request.key, status: 'done', codes: [`BOUGHT-${++count}`] })
  const [first, second, third] = ['first', 'second', 'third'].map((name) =>
    listedSupplier(`codes-${name}`, wares(name), { answer: name === 'first' ? refused : code }),
  ) as [ListedSupplier, ListedSupplier, ListedSupplier]
  for (const listed of [first, second, third]) await sync(listed)
  const offer = await anOffer(shop, { stock: 0 })
  await shop.database.run(sql`UPDATE product SET buys_on_demand = true WHERE id = ${offer.productId}`)
  await call('PUT', `/offers/${offer.id}/sources`, { sources: [await bySupplier(first), await bySupplier(second)] })
  const user = await aUser(shop, { usd: 1_000 })
  await shop.call('POST', '/cart/add', { token: user.token, body: toCart(offer) })
  const paid = await shop.call('POST', '/payment/from-balance', { token: user.token, body: { currency: 'USD' } })
  expect(paid.status).toBe(201)
  await deliver(third, first, second)
  expect(await readSent(paid.body.order.id)).toEqual(['codes-first rejected', 'codes-second done'])
  expect([second.orders[0]?.item, third.orders.length]).toEqual(['second/10 USD', 0])

  // The only source is a supplier that is off, though another one sells codes.
  await shop.database.run(sql`UPDATE supplier_health SET sells = '{}' WHERE supplier = 'codes-first'`)
  await call('PUT', `/offers/${offer.id}/sources`, { sources: [await bySupplier(first)] })
  const ofNobody = await shop.call('POST', '/cart/add', { token: user.token, body: toCart(offer) })
  expect(ofNobody.body.error.code).toBe('OUT_OF_STOCK')
  await noteSeller(shop, first.supplier)
  await call('PUT', `/offers/${offer.id}/sources`, { sources: [await bySupplier(first, { isOn: false })] })
  const another = await shop.call('POST', '/cart/add', { token: user.token, body: toCart(offer) })
  expect(another.body.error.code).toBe('OUT_OF_STOCK')
})
