import type { OfferSource } from '@olmos/contract/sourcing'
import type { TakenOver } from '@olmos/contract/take-over'
import { describe, expect, test } from 'vitest'
import { aGame } from '../../../test/any-game.ts'
import { anOffer } from '../../../test/factories.ts'
import {
  addSupplier,
  type ListedSupplier,
  listedSupplier,
  noteSeller,
  priced,
  shopWith,
  type TestWare,
  userId,
  zoneId,
} from '../../../test/listed-supplier.ts'
import { useShop, useUser } from '../../../test/use-shop.ts'
import { sql } from '../../platform/database/queries.ts'
import type { Supplier, VendorField } from '../topups/supplier.ts'
import { syncSupplier } from './sync.ts'

const shop = useShop()
const admin = useUser(shop, { role: 'admin' })

const call = (method: 'GET' | 'PUT' | 'POST', path: string, body?: unknown) =>
  shop.call(method, `/admin${path}`, { token: admin.token, body })

let count = 0

/** Makes a supplier whose list has been read; titles are of this supplier alone. */
async function aSeller(wares: (n: number) => Record<string, TestWare>): Promise<ListedSupplier & { name: string }> {
  const n = ++count
  const listed = listedSupplier(`seller-${n}`, wares(n))
  addSupplier(shop, listed.supplier)
  await noteSeller(shop, listed.supplier)
  await sync(listed)
  return { ...listed, name: listed.supplier.name }
}
const sync = (listed: ListedSupplier) =>
  syncSupplier(shopWith(shop, listed.supplier), listed.supplier, { isWanted: true })

const server: VendorField = {
  key: 'server',
  label: 'Server',
  type: 'select',
  isRequired: true,
  options: [{ value: 'asia', label: 'Asia' }],
}
const legends = (n: number): TestWare => ({
  title: `Legends ${n}`,
  checkReference: 'ml',
  fields: [userId, zoneId],
  products: priced('ml', { '11 Diamonds': '0.2', '56 Diamonds': '1', 'Weekly Pass': '1.58' }),
})

const take = async ({ name }: { name: string }, games: object[], more: object = { marginPercent: 10 }) => {
  const answer = await call('POST', `/suppliers/${name}/take-over`, { games, ...more })
  return { status: answer.status, games: answer.body.data as TakenOver[], error: answer.body.error }
}
const offers = (...references: string[]) => references.map((reference) => ({ reference }))
const allOffers = (ware: TestWare | undefined) => offers(...Object.keys(ware?.products ?? {}))

const readOffers = (productId: number | null) =>
  shop.database.rows<{
    name: string
    game_amount: number
    price_usd: number
    is_active: boolean
    sources: string[]
  }>(sql`
    SELECT offer.name, game_amount, price_usd, price_rub, offer.is_active, ARRAY(
        SELECT supplier || ' ' || reference FROM offer_source JOIN supplier_product ON supplier_product.id = supplier_product_id
        WHERE offer_id = offer.id ORDER BY rank) AS sources
    FROM offer WHERE product_id = ${productId} AND deleted_at IS NULL ORDER BY id`)

describe('a game that is taken over', () => {
  test('is a product with fields, offers, prices and sources that nobody can buy yet', async () => {
    const seller = await aSeller((n) => ({ ml: legends(n) }))
    const { games, status } = await take(seller, [
      { service: 'ml', offers: allOffers(seller.wares.ml), category: ['games'] },
    ])
    expect(status).toBe(200)
    const [game] = games
    expect(game).toEqual({
      service: 'ml',
      outcome: 'made',
      reason: null,
      fields: [],
      product_id: expect.any(Number),
      slug: `legends-${count}`,
      offers: [
        ['11 Diamonds', { price_usd: 0.22, price_rub: 17.6, floor_usd: 0.2, floor_rub: 16 }],
        ['56 Diamonds', { price_usd: 1.1, price_rub: 88, floor_usd: 1, floor_rub: 80 }],
        ['Weekly Pass', { price_usd: 1.74, price_rub: 139.04, floor_usd: 1.58, floor_rub: 126.4 }],
      ].map(([name, prices]) => ({
        reference: `ml/${name}`,
        outcome: 'made',
        reason: null,
        offer_id: expect.any(Number),
        name,
        ...(prices as object),
      })),
    })
    const product = (await call('GET', `/products/${game?.product_id}`)).body.data
    expect(product).toMatchObject({
      name: `Legends ${count}`,
      kind: 'topup',
      isActive: false,
      pricing: 'offers',
      playerCheck: 'offered',
      gameCurrency: 'Diamonds',
      category: ['games'],
    })
    const { fields } = (await call('GET', `/products/${game?.product_id}/fields`)).body.data
    expect(fields).toMatchObject([
      { key: 'user_id', type: 'digits', labels: { ru: 'ID пользователя', en: 'User ID', uz: expect.any(String) } },
      { key: 'zone_id', type: 'digits', labels: { en: 'Zone ID' } },
    ])
    expect(await readOffers(game?.product_id ?? 0)).toEqual([
      {
        name: '11 Diamonds',
        game_amount: 11,
        price_usd: 22,
        price_rub: 1_760,
        is_active: true,
        sources: [`${seller.name} ml/11 Diamonds`],
      },
      {
        name: '56 Diamonds',
        game_amount: 56,
        price_usd: 110,
        price_rub: 8_800,
        is_active: true,
        sources: [`${seller.name} ml/56 Diamonds`],
      },
      {
        name: 'Weekly Pass',
        game_amount: 1,
        price_usd: 174,
        price_rub: 13_904,
        is_active: true,
        sources: [`${seller.name} ml/Weekly Pass`],
      },
    ])
    expect((await shop.call('GET', `/topups/legends-${count}/fields`)).status).toBe(404)
    await call('PUT', `/products/${game?.product_id}`, { isActive: true })
    expect((await shop.call('GET', `/topups/legends-${count}/offers`)).body.offers).toHaveLength(3)
    const [entry] = await shop.database.rows(
      sql`SELECT action, after FROM audit_entry WHERE subject = ${`product:${game?.product_id}`} ORDER BY id LIMIT 1`,
    )
    expect(entry).toMatchObject({
      action: 'supplier.take_over',
      after: { supplier: seller.name, service: 'ml', outcome: 'made' },
    })
  })

  test('is taken over twenty at a time, and the second call makes nothing', async () => {
    const seller = await aSeller((n) =>
      Object.fromEntries(
        Array.from({ length: 20 }, (_, game) => [
          `g${game}`,
          {
            ...legends(n),
            title: `Legends ${n} of ${game}`,
            products: priced(`g${game}`, { '10 Gems': '1', '20 Gems': '2', '50 Gems': '4.5' }),
          },
        ]),
      ),
    )
    const games = Object.entries(seller.wares).map(([service, ware]) => ({ service, offers: allOffers(ware) }))
    const first = await take(seller, games)
    expect(first.games.map(({ outcome }) => outcome)).toEqual(Array(20).fill('made'))
    const second = await take(seller, games)
    expect(second.games).toEqual(
      first.games.map((game) => ({
        ...game,
        outcome: 'unchanged',
        offers: game.offers.map((offer) => ({ ...offer, outcome: 'unchanged' })),
      })),
    )
  })

  test('is made once by twenty calls at once', async () => {
    const seller = await aSeller((n) => ({ ml: legends(n) }))
    const games = [{ service: 'ml', offers: allOffers(seller.wares.ml) }]
    const answers = await Promise.all(Array.from({ length: 20 }, () => take(seller, games)))
    const outcomes = answers.map(({ games }) => games[0]?.outcome)
    expect(outcomes.filter((outcome) => outcome === 'made')).toHaveLength(1)
    expect(outcomes.filter((outcome) => outcome === 'unchanged')).toHaveLength(19)
    expect(new Set(answers.map(({ games }) => games[0]?.product_id)).size).toBe(1)
    expect(await readOffers(answers[0]?.games[0]?.product_id ?? 0)).toHaveLength(3)
  })

  test('may grow: what is new is added, and not on sale unless that is wanted', async () => {
    const seller = await aSeller((n) => ({ ml: legends(n) }))
    const [made] = (await take(seller, [{ service: 'ml', offers: offers('ml/11 Diamonds') }])).games
    for (const [reference, isActive] of [
      ['ml/56 Diamonds', false],
      ['ml/Weekly Pass', true],
    ] as const) {
      const { games } = await take(seller, [{ service: 'ml', offers: offers('ml/11 Diamonds', reference) }], {
        marginPercent: 10,
        isActive,
      })
      expect(games).toMatchObject([
        { outcome: 'added', product_id: made?.product_id, offers: [{ outcome: 'unchanged' }, { outcome: 'made' }] },
      ])
    }
    expect((await readOffers(made?.product_id ?? 0)).map(({ is_active }) => is_active)).toEqual([true, false, true])
  })

  test('keeps the name, address, unit, amounts and prices that are given', async () => {
    const seller = await aSeller((n) => ({ ml: legends(n) }))
    const wanted = { reference: 'ml/56 Diamonds', gameAmount: 60, priceUsd: 1.5, priceRub: 120 }
    const { games } = await take(
      seller,
      [{ service: 'ml', name: 'Легенды', slug: `own-${count}`, gameCurrency: 'Алмазы', offers: [wanted] }],
      {},
    )
    expect(games).toMatchObject([{ outcome: 'made', slug: `own-${count}` }])
    const product = (await call('GET', `/products/${games[0]?.product_id}`)).body.data
    expect(product).toMatchObject({ name: 'Легенды', gameCurrency: 'Алмазы' })
    expect(await readOffers(games[0]?.product_id ?? 0)).toMatchObject([
      { game_amount: 60, price_usd: 150, price_rub: 12_000 },
    ])
  })

  test('of codes is a shelf that is bought for', async () => {
    const seller = await aSeller((n) => ({
      psn: { title: `PSN ${n}`, kind: 'code', fields: [], products: priced('psn', { 'PSN 10 USD': '9', Plus: '5' }) },
    }))
    const { games } = await take(seller, [{ service: 'psn', offers: allOffers(seller.wares.psn) }])
    expect(games).toMatchObject([
      { outcome: 'made', offers: [{ outcome: 'made' }, { outcome: 'refused', reason: 'amount_needed' }] },
    ])
    const product = (await call('GET', `/products/${games[0]?.product_id}`)).body.data
    expect(product).toMatchObject({ kind: 'code', buysOnDemand: true, gameCurrency: 'PSN USD', isActive: false })
    // The margin is ten percent, and a code may cost 80 % of its price: 9 of 11.25.
    expect(await readOffers(games[0]?.product_id ?? 0)).toMatchObject([{ price_usd: 1_125, price_rub: 90_000 }])
  })

  test('of codes has prices by its rules at which they can be bought, and so has its preview', async () => {
    const seller = await aSeller((n) => ({
      psn: { title: `PSN rule ${n}`, kind: 'code', fields: [], products: priced('psn', { 'PSN 10 USD': '9' }) },
    }))
    const body = { games: [{ service: 'psn', offers: allOffers(seller.wares.psn) }], priceMode: 'rule' }
    const preview = await call('POST', `/suppliers/${seller.name}/take-over/preview`, body)
    expect(preview.body.data[0].offers).toMatchObject([{ price_usd: 11.25, floor_usd: 9 }])
    const { games } = await take(seller, body.games, { priceMode: 'rule' })
    expect(await readOffers(games[0]?.product_id ?? 0)).toMatchObject([{ price_usd: 1_125 }])
  })

  test('asks for what the supplier’s fields are made of', async () => {
    const seller = await aSeller((n) => ({ ml: { ...legends(n), fields: [{ ...userId, key: 'player' }] } }))
    const [listed] = (await call('GET', `/suppliers/${seller.name}/services`)).body.data
    const names = { player: '{user_id}|{zone_id}' }
    const set = await call('PUT', `/suppliers/${seller.name}/services/${listed.id}/field-names`, { fieldNames: names })
    expect(set.body.data).toMatchObject({ id: listed.id, field_names: names })
    const { games } = await take(seller, [{ service: 'ml', offers: offers('ml/11 Diamonds') }])
    const { fields } = (await call('GET', `/products/${games[0]?.product_id}/fields`)).body.data
    expect(fields.map(({ key }: { key: string }) => key)).toEqual(['user_id', 'zone_id'])
    await sync(seller)
    expect((await call('GET', `/suppliers/${seller.name}/services`)).body.data).toMatchObject([{ field_names: names }])
  })
})

describe('a second supplier', () => {
  test('serves the offers of a product under its own references', async () => {
    const first = await aSeller((n) => ({ ml: legends(n) }))
    const [made] = (await take(first, [{ service: 'ml', offers: allOffers(first.wares.ml) }])).games
    const second = await aSeller(() => ({
      mobile: {
        title: 'Mobile',
        fields: [
          { ...userId, key: 'userid' },
          { ...zoneId, key: 'zoneid' },
        ],
        products: priced('m', { '56 dm': '0.9', '11 dm': '0.19' }),
      },
    }))
    const [small, large] = [made?.offers[0]?.offer_id, made?.offers[1]?.offer_id]
    const { games } = await take(second, [
      {
        service: 'mobile',
        productId: made?.product_id,
        offers: [{ reference: 'm/56 dm', offerId: large }, { reference: 'm/11 dm' }],
      },
    ])
    expect(games).toMatchObject([
      {
        outcome: 'added',
        product_id: made?.product_id,
        offers: [
          { outcome: 'joined', offer_id: large },
          { outcome: 'refused', reason: 'amount_taken', offer_id: small },
        ],
      },
    ])
    expect((await readOffers(made?.product_id ?? 0))[1]?.sources).toEqual([
      `${first.name} ml/56 Diamonds`,
      `${second.name} m/56 dm`,
    ])
    const [service] = (await call('GET', `/suppliers/${second.name}/services?taken=true`)).body.data
    expect(service).toMatchObject({
      field_names: { userid: '{user_id}', zoneid: '{zone_id}' },
      taken: [{ id: made?.product_id }],
    })
  })

  test('joins an offer that was asked of all suppliers so far: who could deliver it still can', async () => {
    const byId = [{ key: 'player_id', type: 'digits' as const, labels: { ru: 'ID' } }]
    const {
      slug,
      productId,
      offers: [small],
    } = await aGame(shop, { fields: byId })
    const former = await aSeller(() => ({
      own: { title: 'Former', fields: [userId], products: { [`${slug}/60`]: { name: '60', cost: '0.5' } } },
    }))
    const joining = await aSeller((n) => ({ ml: { ...legends(n), fields: [userId] } }))
    const { games } = await take(joining, [
      { service: 'ml', productId, offers: [{ reference: 'ml/11 Diamonds', offerId: small }] },
    ])
    expect(games).toMatchObject([{ outcome: 'added', offers: [{ outcome: 'joined' }] }])
    const { sources } = (await call('GET', `/offers/${small}/sources`)).body.data
    expect(
      sources.map(
        (source: { product: { supplier: string } | null; kind: string }) => source.product?.supplier ?? source.kind,
      ),
    ).toEqual([former.name, joining.name])
  })

  test('joins an offer whose item is the number alone of what SEAGM sells: that stays, before the new one', async () => {
    const seagm = listedSupplier('seagm', {
      'recharge/1': { title: 'Numbered', fields: [userId], products: { 'recharge/1060': { name: '60', cost: '0.5' } } },
      'card/1': { title: 'Cards', kind: 'code', fields: [], products: { 'card/1060': { name: '1', cost: '9' } } },
    })
    addSupplier(shop, seagm.supplier)
    await noteSeller(shop, seagm.supplier)
    await sync(seagm)
    const game = await aGame(shop, { fields: [{ key: 'player_id', type: 'digits' as const, labels: { ru: 'ID' } }] })
    await shop.database.run(sql`UPDATE offer SET item_id = '1060' WHERE id = ${game.offers[0]}`)
    const joining = await aSeller((n) => ({ ml: { ...legends(n), fields: [userId] } }))
    const wanted = [{ reference: 'ml/11 Diamonds', offerId: game.offers[0] }]
    await take(joining, [{ service: 'ml', productId: game.productId, offers: wanted }])
    expect((await readOffers(game.productId))[0]?.sources).toEqual([
      'seagm recharge/1060',
      `${joining.name} ml/11 Diamonds`,
    ])
  })
})

test('where the shop has an operator, the operator is the last to deliver what is taken over', async () => {
  const manual = listedSupplier('manual', {}).supplier
  ;(shop.suppliers.configured as Supplier[]).push(manual)
  const [first, second] = [await aSeller((n) => ({ ml: legends(n) })), await aSeller((n) => ({ ml: legends(n) }))]
  const [made] = (await take(first, [{ service: 'ml', offers: offers('ml/11 Diamonds') }])).games
  const offerId = made?.offers[0]?.offer_id
  await take(second, [
    { service: 'ml', productId: made?.product_id, offers: [{ reference: 'ml/11 Diamonds', offerId }] },
  ])
  ;(shop.suppliers.configured as Supplier[]).pop()
  const { sources } = (await call('GET', `/offers/${offerId}/sources`)).body.data
  expect(sources.map(({ rank, kind, product }: OfferSource) => `${rank} ${product?.supplier ?? kind}`)).toEqual([
    `1 ${first.name}`,
    `2 ${second.name}`,
    '3 operator',
  ])
})

describe('a game is not taken over', () => {
  const refusal = async (ware: Partial<TestWare>, game: object = {}) => {
    const seller = await aSeller((n) => ({ ml: { ...legends(n), ...ware } }))
    const [answer] = (await take(seller, [{ service: 'ml', offers: offers('ml/11 Diamonds'), ...game }])).games
    return answer
  }

  test.each<[string, Partial<TestWare>, object, object]>([
    ['that is not there', {}, { service: 'nothing' }, { reason: 'service_not_found' }],
    ['into a product that is not there', {}, { productId: 999_999 }, { reason: 'product_not_found' }],
    [
      'that asks for a password',
      { fields: [userId, { ...userId, key: 'password' }] },
      {},
      { reason: 'asks_secret', fields: ['password'] },
    ],
    [
      'whose servers nobody knows',
      { fields: [{ ...server, options: [] }] },
      {},
      { reason: 'options_unknown', fields: ['server'] },
    ],
    ['without an address', { title: '原神' }, {}, { reason: 'slug_needed' }],
    [
      'without anything of it',
      {},
      { offers: offers('ml/nothing') },
      { reason: 'nothing_left', offers: [{ reason: 'product_not_found' }] },
    ],
  ])('%s', async (_, ware, game, expected) => {
    const answer = await refusal(ware, game)
    expect(answer).toMatchObject({ outcome: 'refused', ...expected })
  })

  test('under the name of another product of its kind, which may be the same game', async () => {
    const { productId, slug } = await aGame(shop)
    expect(await refusal({}, { slug })).toMatchObject({ reason: 'slug_taken', product_id: productId })
    expect(await refusal({ title: slug })).toMatchObject({ reason: 'slug_taken', product_id: productId })
    const codes = await anOffer(shop)
    expect(await refusal({ title: codes.slug })).toMatchObject({ outcome: 'made', slug: `${codes.slug}-topup` })
  })

  test('into a product of codes, or one that does not ask for enough', async () => {
    const codes = await anOffer(shop)
    expect(await refusal({}, { productId: codes.productId })).toMatchObject({
      reason: 'other_kind',
      product_id: codes.productId,
    })
    const fields = [{ key: 'user_id', type: 'digits' as const, labels: { ru: 'ID' } }]
    const { productId } = await aGame(shop, { fields })
    expect(await refusal({}, { productId })).toMatchObject({
      reason: 'fields_missing',
      fields: ['zone_id'],
      product_id: productId,
    })
  })

  test('and the others of the call are', async () => {
    const seller = await aSeller((n) => ({ ml: legends(n) }))
    const { games } = await take(seller, [
      { service: 'gone', offers: offers('x') },
      { service: 'ml', offers: offers('ml/11 Diamonds', 'ml/none') },
    ])
    expect(games).toMatchObject([
      { outcome: 'refused', reason: 'service_not_found' },
      { outcome: 'made', offers: [{ outcome: 'made' }, { outcome: 'refused', reason: 'product_not_found' }] },
    ])
  })

  test('in parts: what goes wrong leaves nothing of the game behind', async () => {
    const before = await shop.database.one(sql`SELECT count(*)::int AS products FROM product`)
    await refusal({ title: '原神' })
    await refusal({ fields: [{ ...userId, key: 'password' }] })
    expect(await shop.database.one(sql`SELECT count(*)::int AS products FROM product`)).toEqual(before)
  })
})

test('a game that is taken over by rules is priced by the nearest one, now and when its cost changes', async () => {
  const seller = await aSeller((n) => ({ ml: legends(n) }))
  const [game] = (await take(seller, [{ service: 'ml', offers: offers('ml/56 Diamonds') }], { priceMode: 'rule' }))
    .games
  const readPrices = async () => (await readOffers(game?.product_id ?? 0)).map(({ price_usd }) => price_usd)
  expect(await readPrices()).toEqual([110])
  const product = seller.wares.ml?.products['ml/56 Diamonds']
  if (product) product.cost = '1.2'
  await sync(seller)
  expect(await readPrices()).toEqual([132])
  const { floor_usd, price_mode } = await shop.database.one<{ floor_usd: number; price_mode: string }>(sql`
    SELECT floor_usd, price_mode FROM offer WHERE id = ${game?.offers[0]?.offer_id ?? 0}`)
  expect([floor_usd, price_mode]).toEqual([120, 'rule'])
})

test('by rules nothing is made of what a supplier that is off sells: no rule has a cost to price it by', async () => {
  const seller = await aSeller((n) => ({
    ml: legends(n),
    psn: { title: `PSN off ${n}`, kind: 'code', fields: [], products: priced('psn', { 'PSN 10 USD': '9' }) },
  }))
  const [known] = (await take(seller, [{ service: 'ml', offers: offers('ml/11 Diamonds') }])).games
  await call('PUT', `/products/${known?.product_id}`, { isActive: true })
  await noteSeller(shop, { ...seller.supplier, sells: [] })
  const wanted = [
    { service: 'ml', offers: offers('ml/56 Diamonds') },
    { service: 'psn', offers: offers('psn/PSN 10 USD') },
  ]
  const byRule = { priceMode: 'rule', isActive: true }
  const refused = [
    { outcome: 'refused', reason: 'no_cost', product_id: known?.product_id },
    { outcome: 'refused', reason: 'no_cost', product_id: null },
  ]
  const preview = await call('POST', `/suppliers/${seller.name}/take-over/preview`, { games: wanted, ...byRule })
  expect(preview.body.data).toMatchObject(refused)
  expect((await take(seller, wanted, byRule)).games).toMatchObject(refused)
  expect((await readOffers(known?.product_id ?? 0)).map(({ name }) => name)).toEqual(['11 Diamonds'])
  // A margin needs no more than the cost that was listed, and a supplier that sells the one kind prices that.
  expect((await take(seller, wanted.slice(0, 1))).games).toMatchObject([{ outcome: 'added' }])
  await noteSeller(shop, { ...seller.supplier, sells: ['code'] })
  expect((await take(seller, wanted.slice(1), byRule)).games).toMatchObject([{ outcome: 'made' }])
})

describe('a preview', () => {
  const preview = async ({ name }: { name: string }, games: object[], more: object) =>
    (await call('POST', `/suppliers/${name}/take-over/preview`, { games, ...more })).body.data as TakenOver[]
  const withoutIds = (games: TakenOver[]) =>
    games.map((game) => ({
      ...game,
      product_id: null,
      offers: game.offers.map((offer) => ({ ...offer, offer_id: null })),
    }))

  test.each([
    ['by rule', { priceMode: 'rule' }],
    ['by margin', { marginPercent: 12.5 }],
  ])('%s shows what is made then, at the prices of then, and makes nothing', async (_, pricing) => {
    const seller = await aSeller((n) => ({ ml: legends(n) }))
    const games = [
      { service: 'ml', offers: [...allOffers(seller.wares.ml), ...offers('ml/none')] },
      { service: 'no', offers: offers('x') },
    ]
    const readCounts = () =>
      shop.database.one(sql`
        SELECT (SELECT count(*)::int FROM product) AS products, (SELECT count(*)::int FROM offer) AS offers,
          (SELECT count(*)::int FROM audit_entry) AS entries, (SELECT count(*)::int FROM product_service) AS links`)
    const before = await readCounts()
    const shown = await preview(seller, games, pricing)
    expect(await readCounts()).toEqual(before)
    expect(shown).toMatchObject([
      { outcome: 'made', product_id: null, slug: `legends-${count}` },
      { outcome: 'refused', reason: 'service_not_found' },
    ])
    const { games: taken } = await take(seller, games, pricing)
    expect(shown).toEqual(withoutIds(taken))
    for (const { outcome, price_usd, price_rub, floor_usd, floor_rub } of shown[0]?.offers ?? []) {
      if (outcome === 'refused') continue
      expect(price_usd).toBeGreaterThanOrEqual(floor_usd ?? Number.NaN)
      expect(price_rub).toBeGreaterThanOrEqual(floor_rub ?? Number.NaN)
    }
  })

  test('of what is there already names it', async () => {
    const seller = await aSeller((n) => ({ ml: legends(n) }))
    const wanted = [{ service: 'ml', offers: offers('ml/11 Diamonds') }]
    const [taken] = (await take(seller, wanted)).games
    const more = [{ service: 'ml', offers: offers('ml/11 Diamonds', 'ml/56 Diamonds') }]
    expect(await preview(seller, more, { priceMode: 'rule' })).toMatchObject([
      {
        outcome: 'added',
        product_id: taken?.product_id,
        offers: [
          { outcome: 'unchanged', offer_id: taken?.offers[0]?.offer_id, price_usd: 0.22 },
          { outcome: 'made', offer_id: null, price_usd: 1.1, price_rub: 88 },
        ],
      },
    ])
  })
})

test('an offer whose only source becomes dearer than its price is off sale, and back with another source', async () => {
  const [dear, cheap] = [await aSeller((n) => ({ ml: legends(n) })), await aSeller((n) => ({ ml: legends(n) }))]
  const [game] = (await take(dear, [{ service: 'ml', offers: offers('ml/56 Diamonds') }])).games
  const offerId = game?.offers[0]?.offer_id ?? 0
  const isOnSale = async () => (await readOffers(game?.product_id ?? 0)).map(({ is_active }) => is_active)
  const product = dear.wares.ml?.products['ml/56 Diamonds']
  if (product) product.cost = '1.15'
  await sync(dear)
  expect(await isOnSale()).toEqual([false])
  const { sources, version } = (await call('GET', `/offers/${offerId}/sources`)).body.data
  const { id } = await shop.database.one<{ id: number }>(sql`
    SELECT id FROM supplier_product WHERE supplier = ${cheap.name} AND reference = 'ml/56 Diamonds'`)
  const wanted = [...sources.map(({ product }: OfferSource) => product?.id ?? 0), id]
  const body = {
    version,
    sources: wanted.map((productId) => ({ kind: 'supplier', productId, isOn: true, costAtMost: null })),
  }
  expect((await call('PUT', `/offers/${offerId}/sources`, body)).status).toBe(200)
  expect(await isOnSale()).toEqual([true])
})

describe('a product is not taken over', () => {
  const reason = async (product: object, wanted: object = {}, more: object = { marginPercent: 10 }) => {
    const seller = await aSeller((n) => ({
      ml: { ...legends(n), products: { x: { name: '11 Diamonds', cost: '1', ...product } } },
      other: { ...legends(n), title: 'Other', products: priced('other', { '5 Gems': '1' }) },
    }))
    const [game] = (await take(seller, [{ service: 'ml', offers: [{ reference: 'x', ...wanted }] }], more)).games
    return game?.offers[0]?.reason
  }

  test.each<[string, object, object, object, string]>([
    ['of another game', {}, { reference: 'other/5 Gems' }, {}, 'other_service'],
    ['that is sold by tens', { quantityMin: 10 }, {}, {}, 'quantity'],
    ['in a currency that nobody has a rate for', { currency: 'SGD' }, {}, { marginPercent: 10 }, 'no_rate'],
    [
      'at a given price in a currency that nobody has a rate for',
      { currency: 'SGD' },
      { priceUsd: 5, priceRub: 400 },
      {},
      'no_rate',
    ],
    ['without a price', {}, {}, {}, 'price'],
    ['at an absurd price', { cost: '999999999999' }, {}, { marginPercent: 10 }, 'price'],
    ['under its cost', {}, { priceUsd: 0.99, priceRub: 80 }, {}, 'under_cost'],
    ['under its cost in roubles', {}, { priceUsd: 1.2, priceRub: 79.99 }, {}, 'under_cost'],
    ['at prices that are far apart', {}, { priceUsd: 2, priceRub: 1_000 }, {}, 'price_doubtful'],
    ['into an offer that is not there', {}, { offerId: 999_999 }, { marginPercent: 10 }, 'offer_not_found'],
  ])('%s', async (_, product, wanted, more, expected) => {
    expect(await reason(product, wanted, more)).toBe(expected)
  })

  test('under its cost, also where odd prices are confirmed: that takes a reason', async () => {
    expect(await reason({}, { priceUsd: 0.5, priceRub: 40 }, { confirmPrices: true })).toBe('under_cost')
    expect(await reason({}, { priceUsd: 2, priceRub: 1_000 }, { confirmPrices: true })).toBeNull()
  })

  test('when it is gone', async () => {
    const seller = await aSeller((n) => ({ ml: legends(n) }))
    seller.wares.ml = { ...legends(count), products: priced('ml', { '11 Diamonds': '0.2' }) }
    await sync({ ...seller })
    const { games } = await take(seller, [{ service: 'ml', offers: offers('ml/56 Diamonds', 'ml/11 Diamonds') }])
    expect(games[0]?.offers).toMatchObject([{ reason: 'gone' }, { outcome: 'made' }])
  })

  test('for an amount that another of the call has', async () => {
    const seller = await aSeller((n) => ({
      ml: { ...legends(n), products: priced('ml', { '11 Diamonds': '0.2', 'Gift of 11 Diamonds': '0.3' }) },
    }))
    const { games } = await take(seller, [{ service: 'ml', offers: allOffers(seller.wares.ml) }])
    expect(games[0]?.offers).toMatchObject([{ outcome: 'made' }, { reason: 'amount_taken', offer_id: null }])
  })
})

test.each<[string, object, object]>([
  ['no games', { games: [] }, { games: 'required' }],
  ['too many games', { games: Array(51).fill({ service: 'x', offers: offers('x') }) }, { games: 'list_too_long' }],
  ['no products', { games: [{ service: 'x', offers: [] }] }, { 'games.0.offers': 'required' }],
  ['a product twice', { games: [{ service: 'x', offers: offers('x', 'x') }] }, { 'games.0.offers': 'duplicate' }],
  [
    'half a price',
    { games: [{ service: 'x', offers: [{ reference: 'x', priceUsd: 1 }] }] },
    { 'games.0.offers.0.priceRub': 'required' },
  ],
  [
    'a strange address',
    { games: [{ service: 'x', slug: 'Not one', offers: offers('x') }] },
    { 'games.0.slug': 'invalid_slug' },
  ],
])('a call with %s is refused', async (_, body, details) => {
  const answer = await call('POST', '/suppliers/sandbox/take-over', body)
  expect([answer.status, answer.body.error.details]).toMatchObject([400, details])
})
