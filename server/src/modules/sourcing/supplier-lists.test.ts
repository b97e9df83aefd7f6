import { describe, expect, test } from 'vitest'
import { addSupplier, listedSupplier, passSyncTime, priced, shopWith, userId } from '../../../test/listed-supplier.ts'
import { useShop, useUser } from '../../../test/use-shop.ts'
import { sql } from '../../platform/database/queries.ts'
import { unknown } from '../../platform/vendor/vendor.ts'
import { syncSupplier } from './sync.ts'

const shop = useShop()
const admin = useUser(shop, { role: 'admin' })
const call = (method: 'GET' | 'PUT' | 'POST', path: string, body?: unknown) =>
  shop.call(method, `/admin/suppliers${path}`, { token: admin.token, body })

let count = 0
function aSeller() {
  const listed = listedSupplier(`seller-${++count}`, {
    pubg: {
      title: 'PUBG Mobile',
      checkReference: 'pm',
      fields: [userId],
      products: priced('pubg', { '60 UC': '0.88', '325 UC': '4.36', '660 UC': '8.7' }),
    },
    psn: {
      title: 'Play% shelf',
      kind: 'code',
      fields: [],
      products: { 'psn/10': { name: 'PSN 10 EUR', cost: '9', currency: 'EUR', stock: 3, region: 'TR' } },
    },
  })
  addSupplier(shop, listed.supplier)
  const sync = () => syncSupplier(shopWith(shop, listed.supplier), listed.supplier, { isWanted: true })
  return { listed, name: listed.supplier.name, sync }
}

describe('reading a supplier on demand', () => {
  test('answers with what was read, and is written down', async () => {
    const { name } = aSeller()
    expect((await call('GET', `/${name}/sync`)).body.data).toMatchObject({
      supplier: name,
      state: 'never',
      completed_at: null,
    })
    const started = await call('POST', `/${name}/sync`, {})
    expect(started.body.data).toMatchObject({
      state: 'done',
      services: 2,
      services_read: 2,
      products: 4,
      new_products: 4,
    })
    expect((await call('GET', `/${name}/sync`)).body.data).toEqual(started.body.data)
    expect((await call('GET', '/syncs')).body.data).toContainEqual(started.body.data)
    expect(await shop.database.rows(sql`SELECT action FROM audit_entry WHERE subject = ${`supplier:${name}`}`)).toEqual(
      [{ action: 'supplier.sync' }],
    )
  })

  test('answers before its end when that takes long, and is read to the end all the same', async () => {
    const { listed, name } = aSeller()
    const slow = Promise.withResolvers<void>()
    listed.instead.set('products psn 0', async () => {
      await slow.promise
      return unknown('slow')
    })
    const started = await call('POST', `/${name}/sync`, {})
    expect(started.body.data).toMatchObject({
      state: 'running',
      phase: 'products',
      services: 2,
      services_read: 1,
      products: 3,
    })
    const again = await call('POST', `/${name}/sync`, {})
    expect(again.body.data).toMatchObject({ state: 'running', started_at: started.body.data.started_at })
    listed.instead.clear()
    slow.resolve()
    await expect.poll(async () => (await call('GET', `/${name}/sync`)).body.data.state).toBe('done')
    expect(listed.calls.filter((asked) => asked === 'services 0')).toHaveLength(1)
  })

  test('is refused for who is nobody, or tells nothing', async () => {
    expect((await call('POST', '/nobody/sync', {})).status).toBe(404)
    expect((await call('GET', '/nobody/services')).status).toBe(404)
    expect((await call('POST', '/manual/sync', {})).body.error.details).toEqual({
      reason: 'no_catalogue',
      supplier: 'manual',
    })
    expect((await call('GET', '/manual/products')).body).toEqual({ data: [], total: 0 })
  })

  test('reads the whole list of the sandbox', async () => {
    const { body } = await call('POST', '/sandbox/sync', {})
    expect(body.data).toMatchObject({ state: 'done', services_failed: 0, rejected_rows: 0, rejected: [] })
    expect(body.data.services).toBeGreaterThanOrEqual(40)
    expect(body.data.services_read).toBe(body.data.services)
  })
})

test('games are listed with what they ask for, searched and filtered', async () => {
  const { name, sync } = aSeller()
  await sync()
  const list = async (query: string) => (await call('GET', `/${name}/services?${query}`)).body
  const { data, total } = await list('')
  expect(total).toBe(2)
  expect(data).toMatchObject([
    { reference: 'psn', title: 'Play% shelf', kind: 'code', products_count: 1, checks_players: false, taken: [] },
    {
      reference: 'pubg',
      title: 'PUBG Mobile',
      kind: 'topup',
      products_count: 3,
      checks_players: true,
      fields: [userId],
      field_names: {},
      gone_at: null,
    },
  ])
  const found = async (query: string) =>
    (await list(query)).data.map(({ reference }: { reference: string }) => reference)
  expect(await found('search=mobile')).toEqual(['pubg'])
  expect(await found('search=PSN')).toEqual(['psn'])
  expect(await found(`search=${encodeURIComponent('y%')}`)).toEqual(['psn'])
  expect(await found('kind=code')).toEqual(['psn'])
  expect(await found('taken=true')).toEqual([])
  expect(await found('sort=products_count&order=desc')).toEqual(['pubg', 'psn'])
  expect(await found('pageSize=1&page=2')).toEqual(['pubg'])
})

test('what it sells is listed, by game too, with what it costs in dollars', async () => {
  const { name, sync } = aSeller()
  await sync()
  const list = async (query: string) => (await call('GET', `/${name}/products?${query}`)).body
  const found = async (query: string) => (await list(query)).data.map(({ name }: { name: string }) => name)
  expect((await list('search=eur')).data).toMatchObject([
    {
      name: 'PSN 10 EUR',
      kind: 'code',
      cost: '9',
      currency: 'EUR',
      cost_usd: expect.stringMatching(/^(9|1\d)\.\d+$/),
      stock: 3,
      region: 'TR',
      service_title: 'Play% shelf',
      offers: [],
    },
  ])
  expect(await found('sort=cost&order=asc')).toEqual(['60 UC', '325 UC', '660 UC', 'PSN 10 EUR'])
  const [psn, pubg] = (await call('GET', `/${name}/services`)).body.data
  expect(await found(`service=${psn.id}`)).toEqual(['PSN 10 EUR'])
  const taken = await shop.call('POST', `/admin/suppliers/${name}/take-over`, {
    token: admin.token,
    body: { games: [{ service: 'pubg', offers: [{ reference: 'pubg/60 UC' }] }], marginPercent: 5 },
  })
  expect(await found(`service=${pubg.id}&taken=true`)).toEqual(['60 UC'])
  expect(await found('taken=false')).toHaveLength(3)
  const [game] = taken.body.data
  expect((await list('taken=true')).data[0].offers).toEqual([
    { id: game.offers[0].offer_id, product_id: game.product_id, product_title: 'PUBG Mobile' },
  ])
})

test('what is new, gone or dearer since a day is listed', async () => {
  const { listed, name, sync } = aSeller()
  await sync()
  await passTime(name, 10)
  listed.wares.pubg = {
    title: 'PUBG Mobile',
    fields: [userId],
    products: priced('pubg', { '60 UC': '1', '325 UC': '4', '1800 UC': '21' }),
  }
  await sync()
  await passTime(name, 5)
  listed.wares.pubg = {
    title: 'PUBG Mobile',
    fields: [userId],
    products: priced('pubg', { '60 UC': '0.95', '325 UC': '4.1', '1800 UC': '21' }),
  }
  await sync()
  await passTime(name, 1)
  const list = async (change: string, days: number) => {
    const since = new Date(Date.now() - days * 86_400_000).toISOString()
    const { body } = await call('GET', `/${name}/products?change=${change}&since=${since}`)
    return body.data.map(
      (product: { name: string; cost_then: string; cost: string }) =>
        `${product.name} ${product.cost_then} ${product.cost}`,
    )
  }
  // Costs were 0.88, 1, 0.95 and 4.36, 4, 4.1: sixteen days, six days and a day ago.
  expect(await list('dearer', 10)).toEqual(['60 UC 0.88 0.95'])
  expect(await list('dearer', 3)).toEqual(['325 UC 4 4.1'])
  expect(await list('dearer', 0.5)).toEqual([])
  expect(await list('dearer', 30)).toEqual([])
  expect(await list('new', 10)).toEqual(['1800 UC null 21'])
  expect(await list('new', 3)).toEqual([])
  expect(await list('gone', 10)).toEqual(['660 UC 8.7 8.7'])
  expect(await list('gone', 3)).toEqual([])
})

/** Lets days pass for all that is known of a supplier. */
async function passTime(supplier: string, days: number): Promise<void> {
  await passSyncTime(shop, supplier, days * 24 * 60)
  await shop.database.run(sql`
    UPDATE supplier_product SET created_at = created_at - make_interval(days => ${days}), seen_at = seen_at - make_interval(days => ${days}),
      cost_changed_at = cost_changed_at - make_interval(days => ${days}), gone_at = gone_at - make_interval(days => ${days})
    WHERE supplier = ${supplier}`)
  await shop.database.run(sql`
    UPDATE supplier_cost SET valid_from = valid_from - make_interval(days => ${days})
    FROM supplier_product WHERE supplier_product.id = product_id AND supplier = ${supplier}`)
}
