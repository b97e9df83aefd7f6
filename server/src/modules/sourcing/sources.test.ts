import { describe, expect, test } from 'vitest'
import { aGame } from '../../../test/any-game.ts'
import { anOffer } from '../../../test/factories.ts'
import { type ListedSupplier, listedSupplier, priced, shopWith, userId, zoneId } from '../../../test/listed-supplier.ts'
import { useShop, useUser } from '../../../test/use-shop.ts'
import { sql } from '../../platform/database/queries.ts'
import { readProductServices } from '../topups/topups.ts'
import { syncSupplier } from './sync.ts'

const shop = useShop()
const admin = useUser(shop, { role: 'admin' })

let count = 0
const call = (method: 'GET' | 'PUT' | 'POST', path: string, body?: unknown) =>
  shop.call(method, `/admin/offers/${path}`, { token: admin.token, body })

const sync = (listed: ListedSupplier) =>
  syncSupplier(shopWith(shop, listed.supplier), listed.supplier, { isWanted: true })

/** Makes a supplier of UC whose list has been read. */
async function aSeller(costs: Record<string, string> = { '60 UC': '0.88', '325 UC': '4.36' }) {
  const listed = listedSupplier(`seller-${++count}`, {
    pubg: { title: 'PUBG Mobile', fields: [userId], products: priced('pubg', costs) },
    psn: { title: 'PSN', kind: 'code', fields: [], products: priced('psn', { '10 USD': '9.2' }) },
    mlbb: { title: 'Mobile Legends', fields: [userId, zoneId], products: priced('mlbb', { '11 Diamonds': '0.19' }) },
  })
  await sync(listed)
  return listed
}

const productId = async ({ supplier }: ListedSupplier, reference: string): Promise<number> =>
  (
    await shop.database.one<{ id: number }>(
      sql`SELECT id FROM supplier_product WHERE supplier = ${supplier.name} AND reference = ${reference}`,
    )
  ).id

const bySupplier = async (listed: ListedSupplier, reference = 'pubg/60 UC', more = {}) => ({
  kind: 'supplier',
  productId: await productId(listed, reference),
  ...more,
})

const readAlerts = (kind: string, sourceId: number) =>
  shop.database.rows<{ details: unknown }>(
    sql`SELECT details FROM alert WHERE kind = ${kind} AND subject = ${`source:${sourceId}`} AND resolved_at IS NULL`,
  )

/** Makes an offer of a game that asks for one id. */
async function anOfferById() {
  const { productId, offers } = await aGame(shop, {
    fields: [{ key: 'player_id', type: 'digits', labels: { ru: 'ID' } }],
  })
  return { productId, id: offers[0], path: `${offers[0]}/sources` }
}

/** Makes such an offer, delivered by these. */
async function sourced(...sources: object[]) {
  const { path } = await anOfferById()
  const set = await call('PUT', path, { sources })
  expect(set.status).toBe(200)
  return { path, sources: set.body.data.sources, version: set.body.data.version }
}

const withCost = async (listed: ListedSupplier, cost: string, more = {}) => {
  listed.wares = {
    ...listed.wares,
    pubg: { title: 'PUBG Mobile', fields: [userId], products: { 'pubg/60 UC': { name: '60 UC', cost, ...more } } },
  }
  await sync(listed)
}

describe('who delivers an offer', () => {
  test('is set in an order, changed, and written down', async () => {
    const [first, second] = [await aSeller(), await aSeller({ '60 UC': '0.9' })]
    const offer = await anOfferById()
    const { path } = offer
    expect((await call('GET', path)).body.data).toEqual({ sources: [], version: 1 })
    const set = await call('PUT', path, {
      sources: [
        { kind: 'pool' },
        await bySupplier(second, 'pubg/60 UC', { costAtMost: '0.95' }),
        await bySupplier(first, 'pubg/60 UC', { isOn: false }),
        { kind: 'operator' },
      ],
    })
    expect(set.body.data).toMatchObject({
      version: 2,
      sources: [
        { kind: 'pool', rank: 1, is_on: true, product: null },
        {
          kind: 'supplier',
          rank: 2,
          cost_at_most: '0.95',
          closed_reason: null,
          product: {
            supplier: second.supplier.name,
            reference: 'pubg/60 UC',
            cost: '0.9',
            cost_usd: '0.9',
            accepted_cost: '0.9',
          },
        },
        { rank: 3, is_on: false, product: { supplier: first.supplier.name } },
        { kind: 'operator', rank: 4 },
      ],
    })
    const kept = set.body.data.sources[1].id
    const changed = await call('PUT', path, { sources: [await bySupplier(second)], version: 2 })
    expect(changed.body.data).toMatchObject({ version: 3, sources: [{ id: kept, rank: 1, cost_at_most: null }] })
    expect((await call('GET', path)).body.data).toEqual(changed.body.data)
    expect((await call('PUT', path, { sources: [] })).body.data).toEqual({ sources: [], version: 4 })
    const entries = await shop.database.rows<{ action: string }>(
      sql`SELECT action FROM audit_entry WHERE subject = ${`offer:${offer.id}`} ORDER BY id`,
    )
    expect(entries.map(({ action }) => action)).toEqual(Array(3).fill('offer.sources'))
  })

  test('is linked with the game there, by whatever name its field has', async () => {
    const listed = await aSeller()
    const game = await anOfferById()
    await call('PUT', game.path, { sources: [await bySupplier(listed)] })
    const rows = await shop.database.rows(sql`
      SELECT reference, field_names FROM product_service JOIN supplier_service ON supplier_service.id = service_id
      WHERE product_id = ${game.productId}`)
    expect(rows).toEqual([{ reference: 'pubg', field_names: { user_id: '{player_id}' } }])
  })

  test('names the game there by which it is bought now, of several', async () => {
    const listed = await aSeller()
    listed.wares = {
      ...listed.wares,
      pubg2: { title: 'PUBG Mobile CIS', fields: [userId], products: priced('pubg2', { '60 UC': '0.8' }) },
    }
    await sync(listed)
    const game = await anOfferById()
    const { slug } = await shop.database.one<{ slug: string }>(
      sql`SELECT slug FROM product WHERE id = ${game.productId}`,
    )
    const namedBy = async (reference: string) => {
      await call('PUT', game.path, { sources: [await bySupplier(listed, reference)] })
      return (await readProductServices(shop.database, slug)).map((service) => service.reference)
    }
    expect(await namedBy('pubg/60 UC')).toEqual(['pubg'])
    expect(await namedBy('pubg2/60 UC')).toEqual(['pubg2', 'pubg'])
    expect(await namedBy('pubg/60 UC')).toEqual(['pubg', 'pubg2'])
  })

  test('is not changed by who saw an older list, and twenty at once leave a whole one', async () => {
    const [first, second] = [await aSeller(), await aSeller()]
    const { path, version } = await sourced(await bySupplier(first))
    const lists = [
      [await bySupplier(first), await bySupplier(second)],
      [await bySupplier(second), { kind: 'operator' }],
    ]
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => call('PUT', path, { sources: lists[n % 2], version })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const refused = answers.find(({ status }) => status === 409)
    expect(refused?.body.error.details).toMatchObject({
      reason: 'changed_meanwhile',
      current: { version: version + 1 },
    })
    const won = answers.find(({ status }) => status === 200)?.body.data
    expect((await call('GET', path)).body.data).toEqual(won)
    expect(won.sources.map(({ rank }: { rank: number }) => rank)).toEqual([1, 2])
  })

  test.each<[string, (listed: ListedSupplier) => Promise<object[]>, object]>([
    [
      'a supplier without its product',
      async () => [{ kind: 'supplier' }],
      { details: { 'sources.0.productId': 'required' } },
    ],
    [
      'an operator with a product',
      async (listed) => [{ ...(await bySupplier(listed)), kind: 'operator' }],
      { details: { 'sources.0.productId': 'required' } },
    ],
    ['the same twice', async () => [{ kind: 'pool' }, { kind: 'pool' }], { details: { sources: 'duplicate' } }],
    [
      'a limit of nothing',
      async (listed) => [await bySupplier(listed, 'pubg/60 UC', { costAtMost: '0.000' })],
      { details: { 'sources.0.costAtMost': 'invalid_amount' } },
    ],
    [
      'a limit with nine decimals',
      async (listed) => [await bySupplier(listed, 'pubg/60 UC', { costAtMost: '0.123456789' })],
      { details: { 'sources.0.costAtMost': 'invalid_amount' } },
    ],
    ['a product that is not there', async () => [{ kind: 'supplier', productId: 999_999_999 }], { code: 'NOT_FOUND' }],
    [
      'a code',
      async (listed) => [await bySupplier(listed, 'psn/10 USD')],
      { details: { reason: 'source_of_another_kind', product: '10 USD' } },
    ],
    [
      'what is sold only by several pieces',
      async (listed) => {
        await withCost(listed, '0.88', { quantityMin: 2 })
        return [await bySupplier(listed)]
      },
      { details: { reason: 'source_quantity', product: '60 UC' } },
    ],
    [
      'a game that asks for more',
      async (listed) => [await bySupplier(listed, 'mlbb/11 Diamonds')],
      { details: { reason: 'source_fields_missing', product: '11 Diamonds', fields: ['user_id', 'zone_id'] } },
    ],
  ])('is not %s', async (_, sources, error) => {
    const listed = await aSeller()
    const { path } = await anOfferById()
    expect((await call('PUT', path, { sources: await sources(listed) })).body.error).toMatchObject(error)
    expect((await call('GET', path)).body.data).toEqual({ sources: [], version: 1 })
  })

  test('is a supplier of codes for codes', async () => {
    const listed = await aSeller()
    const { id } = await anOffer(shop)
    const set = await call('PUT', `${id}/sources`, { sources: [await bySupplier(listed, 'psn/10 USD')] })
    expect(set.body.data.sources).toMatchObject([{ product: { reference: 'psn/10 USD' } }])
    expect(
      (await call('PUT', `${id}/sources`, { sources: [await bySupplier(listed)] })).body.error.details,
    ).toMatchObject({
      reason: 'source_of_another_kind',
    })
  })

  test('is not asked of an offer that is not there', async () => {
    expect((await call('GET', '999999999/sources')).body.error.code).toBe('OFFER_NOT_FOUND')
    expect((await call('PUT', '999999999/sources', { sources: [] })).body.error.code).toBe('OFFER_NOT_FOUND')
  })
})

describe('a source', () => {
  test('is closed when its product is gone, and opens when it is back', async () => {
    const listed = await aSeller()
    const { path, sources } = await sourced(await bySupplier(listed))
    const [{ id }] = sources
    listed.wares.pubg = { title: 'PUBG Mobile', fields: [userId], products: priced('pubg', { '325 UC': '4.36' }) }
    await sync(listed)
    expect((await call('GET', path)).body.data.sources).toMatchObject([
      { closed_reason: 'gone', closed_at: expect.any(String), product: { gone_at: expect.any(String) } },
    ])
    expect(await readAlerts('source.gone', id)).toMatchObject([
      { details: { supplier: listed.supplier.name, product: expect.stringContaining('60 UC') } },
    ])
    await withCost(listed, '0.88')
    expect((await call('GET', path)).body.data.sources).toMatchObject([{ closed_reason: null, closed_at: null }])
    expect(await readAlerts('source.gone', id)).toEqual([])
  })

  test('that is gone with its supplier’s whole game is closed likewise', async () => {
    const listed = await aSeller()
    const { path } = await sourced(await bySupplier(listed))
    delete listed.wares.pubg
    await sync(listed)
    expect((await call('GET', path)).body.data.sources).toMatchObject([{ closed_reason: 'gone' }])
  })

  test.each([
    ['0.88', '1.056', null],
    ['0.88', '1.05600001', 'cost_moved'],
    ['0.88', '0.704', null],
    ['0.88', '0.70', 'cost_moved'],
  ])('that cost %s and costs %s is closed: %s', async (before, after, closed_reason) => {
    const listed = await aSeller({ '60 UC': before })
    const { path } = await sourced(await bySupplier(listed))
    await withCost(listed, after)
    expect((await call('GET', path)).body.data.sources).toMatchObject([{ closed_reason }])
  })

  test('is closed by small steps, too, and by another currency', async () => {
    const listed = await aSeller({ '60 UC': '1' })
    const { path } = await sourced(await bySupplier(listed))
    for (const cost of ['1.1', '1.2']) await withCost(listed, cost)
    expect((await call('GET', path)).body.data.sources).toMatchObject([{ closed_reason: null }])
    await withCost(listed, '1.21')
    expect((await call('GET', path)).body.data.sources).toMatchObject([{ closed_reason: 'cost_moved' }])
    const other = await aSeller({ '60 UC': '1' })
    const otherOffer = await sourced(await bySupplier(other))
    await withCost(other, '1', { currency: 'EUR' })
    expect((await call('GET', otherOffer.path)).body.data.sources).toMatchObject([{ closed_reason: 'cost_moved' }])
  })

  test('stays closed until an operator says yes to what it costs now, however the cost moves and comes back', async () => {
    const listed = await aSeller()
    const { path, sources } = await sourced(await bySupplier(listed))
    const [{ id }] = sources
    await withCost(listed, '2')
    expect(await readAlerts('source.cost_moved', id)).toEqual([
      {
        details: { supplier: listed.supplier.name, product: expect.any(String), cost: '0.88 USD', costs_now: '2 USD' },
      },
    ])
    listed.wares.pubg = { title: 'PUBG Mobile', fields: [userId], products: {} }
    await sync(listed)
    expect((await call('GET', path)).body.data.sources).toMatchObject([{ closed_reason: 'cost_moved' }])
    const reopen = (cost: string, currency = 'USD') => call('POST', `${path}/${id}/reopen`, { cost, currency })
    expect((await reopen('2')).body.error.details).toEqual({ reason: 'source_gone', product: '60 UC' })
    await withCost(listed, '0.88')
    expect((await call('GET', path)).body.data.sources).toMatchObject([{ closed_reason: 'cost_moved' }])
    await withCost(listed, '2.5')
    expect((await reopen('2')).body.error.details).toMatchObject({ reason: 'changed_meanwhile' })
    expect((await reopen('2.5', 'EUR')).body.error.details).toMatchObject({ reason: 'changed_meanwhile' })
    const opened = await reopen('2.50')
    expect(opened.body.data.sources).toMatchObject([{ closed_reason: null, product: { accepted_cost: '2.5' } }])
    expect(await readAlerts('source.cost_moved', id)).toEqual([])
    await withCost(listed, '2.9')
    expect((await call('GET', path)).body.data.sources).toMatchObject([{ closed_reason: null }])
  })

  test('that is removed, or switched off, bothers nobody', async () => {
    const listed = await aSeller()
    const off = await sourced(await bySupplier(listed, 'pubg/60 UC', { isOn: false }))
    const removed = await sourced(await bySupplier(listed))
    await withCost(listed, '9')
    expect(await readAlerts('source.cost_moved', off.sources[0].id)).toEqual([])
    expect(await readAlerts('source.cost_moved', removed.sources[0].id)).toHaveLength(1)
    await call('PUT', removed.path, { sources: [] })
    expect(await readAlerts('source.cost_moved', removed.sources[0].id)).toEqual([])
  })

  test.each(['offers', 'products'])('of what is deleted from the %s bothers nobody any more', async (noun) => {
    const listed = await aSeller()
    const setCards = async (cards: Record<string, string>) => {
      listed.wares.psn = { title: 'PSN', kind: 'code', fields: [], products: priced('psn', cards) }
      await sync(listed)
    }
    const aCard = async () => {
      const { id, productId } = await anOffer(shop)
      const set = await call('PUT', `${id}/sources`, { sources: [await bySupplier(listed, 'psn/10 USD')] })
      const sourceId: number = set.body.data.sources[0].id
      return { sourceId, path: `/admin/${noun}/${noun === 'offers' ? id : productId}` }
    }
    const remove = async ({ path }: { path: string }) =>
      expect((await shop.call('DELETE', path, { token: admin.token })).status).toBe(200)
    const told = async ({ sourceId }: { sourceId: number }) =>
      (await readAlerts('source.cost_moved', sourceId)).length + (await readAlerts('source.gone', sourceId)).length

    const [kept, deleted] = [await aCard(), await aCard()]
    await setCards({ '10 USD': '20' })
    expect([await told(kept), await told(deleted)]).toEqual([1, 1])
    const deletedBefore = await aCard()
    for (const card of [deleted, deletedBefore]) await remove(card)
    await setCards({ '10 USD': '40' })
    expect([await told(kept), await told(deleted), await told(deletedBefore)]).toEqual([1, 0, 0])
    await setCards({})
    expect([await told(kept), await told(deletedBefore)]).toEqual([1, 0])
    const { open } = await shop.database.one<{ open: boolean }>(
      sql`SELECT closed_reason IS NULL AS open FROM offer_source WHERE id = ${deletedBefore.sourceId}`,
    )
    expect(open).toBe(true)
  })

  test('keeps what the sync has closed when its list is set again', async () => {
    const listed = await aSeller()
    const { path } = await sourced(await bySupplier(listed))
    await withCost(listed, '9')
    const set = await call('PUT', path, { sources: [{ kind: 'pool' }, await bySupplier(listed)] })
    expect(set.body.data.sources).toMatchObject([{ kind: 'pool' }, { closed_reason: 'cost_moved' }])
  })

  test('that buys by a row that makes no sense stays, and the operators are alerted', async () => {
    const listed = await aSeller()
    const { path } = await sourced(await bySupplier(listed))
    await withCost(listed, '0')
    expect((await call('GET', path)).body.data.sources).toMatchObject([
      { closed_reason: null, product: { cost: '0.88', gone_at: null } },
    ])
    const alerts = () =>
      shop.database.rows(sql`
        SELECT details FROM alert WHERE kind = 'supplier.catalogue' AND subject = ${listed.supplier.name} AND resolved_at IS NULL`)
    expect(await alerts()).toEqual([{ details: { why: 'bad_rows', rows: 1 } }])
    await withCost(listed, '0.88')
    expect(await alerts()).toEqual([])
  })
})

test('a thousand sources close and open within one reading', async () => {
  const listed = await aSeller()
  const id = await productId(listed, 'pubg/60 UC')
  await shop.database.run(sql`
    WITH made AS (
      INSERT INTO offer (product_id, game_amount, price_usd, price_rub)
      SELECT ${(await anOfferById()).productId}, n + 1000, 100, 8000 FROM generate_series(1, 1000) AS n RETURNING id)
    INSERT INTO offer_source (offer_id, kind, supplier_product_id, rank) SELECT id, 'supplier', ${id}, 1 FROM made`)
  const closed = () =>
    shop.database.one<{ closed: number }>(sql`
      SELECT count(*) FILTER (WHERE closed_reason IS NOT NULL)::int AS closed FROM offer_source WHERE supplier_product_id = ${id}`)
  await sync(listed)
  expect(await closed()).toEqual({ closed: 0 })
  await withCost(listed, '9')
  expect(await closed()).toEqual({ closed: 1_000 })
})
