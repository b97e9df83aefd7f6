import type { TakenOver } from '@olmos/contract/take-over'
import { describe, expect, test } from 'vitest'
import { aUser } from '../../../test/factories.ts'
import {
  addSupplier,
  listedSupplier,
  noteSeller,
  priced,
  shopWith,
  userId,
  zoneId,
} from '../../../test/listed-supplier.ts'
import { storedPrice } from '../../../test/priced-offers.ts'
import { orderTopup } from '../../../test/topups.ts'
import { useShop, useUser } from '../../../test/use-shop.ts'
import { sql } from '../../platform/database/queries.ts'
import type { VendorField } from '../topups/supplier.ts'
import { syncSupplier } from './sync.ts'

const shop = useShop()
const admin = useUser(shop, { role: 'admin' })
const buyer = useUser(shop, { usd: 10_000 })

const call = (method: 'GET' | 'PUT' | 'POST', path: string, body?: unknown) =>
  shop.call(method, path, { token: admin.token, body })

const server = (...values: string[]): VendorField => ({
  key: 'server',
  label: 'Server',
  type: 'select',
  isRequired: true,
  options: values.map((value) => ({ value, label: `Server ${value}` })),
})

let count = 0
/** A game that was taken over from a supplier's list and is on sale, with a field that is chosen from its servers. */
async function aTakenGame(...servers: string[]) {
  const n = ++count
  const ware = {
    title: `Realms ${n}`,
    fields: [userId, server(...servers)],
    products: priced('realms', { '60 Gems': '1' }),
  }
  const listed = listedSupplier(`chooser-${n}`, { realms: ware })
  addSupplier(shop, listed.supplier)
  await noteSeller(shop, listed.supplier)
  const read = () => syncSupplier(shopWith(shop, listed.supplier), listed.supplier, { isWanted: true })
  const setFields = async (...fields: VendorField[]) => {
    ware.fields = fields
    await read()
  }
  await read()
  const games = [{ service: 'realms', offers: [{ reference: 'realms/60 Gems' }] }]
  const taken = await call('POST', `/admin/suppliers/${listed.supplier.name}/take-over`, { games, priceMode: 'rule' })
  const [game] = taken.body.data as TakenOver[]
  const productId = game?.product_id ?? 0
  await call('PUT', `/admin/products/${productId}`, { isActive: true })
  const slug = game?.slug ?? ''
  return {
    productId,
    slug,
    offerId: game?.offers[0]?.offer_id ?? 0,
    /** Has the supplier ask for this, and the shop read it. */
    setFields,
    /** Has the supplier offer other servers, and the shop read them. */
    setServers: (...now: string[]) => setFields(userId, server(...now)),
    read,
    /** Has the supplier want this for the package, and the shop read it. */
    setCost: async (cost: string) => {
      ware.products = priced('realms', { '60 Gems': cost })
      await read()
    },
    shown: async () => {
      const { fields } = (await shop.call('GET', `/topups/${slug}/fields`)).body
      return fields[1].options.map(({ value }: { value: string }) => value)
    },
    supplier: listed.supplier.name,
    orders: listed.orders,
    alerts: (kind = 'product.options') =>
      shop.database.rows<{ details: object }>(sql`
        SELECT details FROM alert WHERE kind = ${kind} AND resolved_at IS NULL
          AND subject LIKE ${`product:${productId}%`} ORDER BY id`),
  }
}

const account = (chosen: string) => ({ user_id: '5123456', server: chosen })
const wish = ({ slug, offerId }: { slug: string; offerId: number }, chosen: string) => ({
  service: slug,
  account: account(chosen),
  offers: [{ offer_id: offerId, quantity: 1 }],
  price_usd: 1.1,
  price_rub: 88,
})

test('what a supplier lets be chosen is followed by the next reading, and an alert says so', async () => {
  const game = await aTakenGame('asia', 'europe')
  await game.read()
  expect([await game.shown(), await game.alerts()]).toEqual([['asia', 'europe'], []])
  await game.setServers('asia', 'america')
  expect(await game.shown()).toEqual(['asia', 'america'])
  const details = {
    product: `Realms ${count}`,
    field: ['Сервер'],
    added: ['Server america'],
    gone: ['Server europe'],
  }
  expect(await game.alerts()).toEqual([{ details }])
  await game.read()
  expect(await game.alerts()).toHaveLength(1)
  const entries = await shop.database.rows(sql`
    SELECT actor_id FROM audit_entry WHERE action = 'product.fields' AND subject = ${`product:${game.productId}`}`)
  expect(entries).toEqual([{ actor_id: null }])
})

test('what is gone is refused when it is checked and when it is ordered; what was ordered before reads as it did', async () => {
  const game = await aTakenGame('asia', 'europe')
  const placed = await orderTopup(shop, buyer, wish(game, 'europe'))
  expect(placed.status, JSON.stringify(placed.body)).toBe(201)
  await game.setServers('asia')
  const checked = await shop.call('POST', `/topups/${game.slug}/check`, { body: { account: account('europe') } })
  const refused = await orderTopup(shop, buyer, wish(game, 'europe'))
  for (const { status, body } of [checked, refused]) {
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_FAILED'])
    expect(Object.values(body.error.details)).toEqual(['invalid_option'])
  }
  const receipt = await shop.call('GET', `/orders/${placed.body.order.id}`, { token: buyer.token })
  expect(receipt.body.items[0].topup_data.account).toMatchObject([
    { key: 'user_id', value: '5123456' },
    { key: 'server', label: 'Сервер', value: 'Server europe' },
  ])
  expect((await orderTopup(shop, buyer, wish(game, 'asia'))).status).toBe(201)
})

test('what an operator has put in, taken out and named stays', async () => {
  const game = await aTakenGame('asia', 'europe')
  await game.read()
  const path = `/admin/products/${game.productId}/fields`
  const { fields } = (await call('GET', path)).body.data
  const options = [
    { value: 'asia', labels: { ru: 'Азия' } },
    { value: 'test', labels: { ru: 'Пробный' } },
  ]
  await call('PUT', path, { fields: [fields[0], { ...fields[1], options }] })
  await game.read()
  expect(await game.shown()).toEqual(['asia', 'test'])
  await game.setServers('asia', 'europe', 'africa')
  expect(await game.shown()).toEqual(['asia', 'test', 'africa'])
  expect((await call('GET', path)).body.data.fields[1].options[0]).toEqual(options[0])
})

test('a list that a supplier no longer tells, or that would leave nothing, changes nothing', async () => {
  const game = await aTakenGame('asia')
  await game.read()
  await game.setServers()
  expect(await game.shown()).toEqual(['asia'])
  await game.setServers('asia')
  expect([await game.shown(), await game.alerts()]).toEqual([['asia'], []])
})

test('a game that is not on sale is followed without an alert', async () => {
  const game = await aTakenGame('asia', 'europe')
  await call('PUT', `/admin/products/${game.productId}`, { isActive: false })
  await game.setServers('europe')
  expect(await game.alerts()).toEqual([])
  expect((await call('GET', `/admin/products/${game.productId}/fields`)).body.data.fields[1].options).toHaveLength(1)
})

test('a cart that holds what is gone is not bought, and says of which line', async () => {
  const game = await aTakenGame('asia', 'europe')
  const user = await aUser(shop, { usd: 10_000 })
  const ask = (method: 'GET' | 'POST', path: string, body?: object) =>
    shop.call(method, path, { token: user.token, body })
  await ask('POST', '/cart/add-topup', { topupData: wish(game, 'europe') })
  const readAvailable = async () => (await ask('GET', '/cart')).body.data[0].available_count
  expect(await readAvailable()).toBeGreaterThan(0)
  await game.setServers('asia')
  expect(await readAvailable()).toBe(0)
  const { body } = await ask('POST', '/payment/from-balance', { currency: 'USD' })
  expect([body.error.code, body.error.details.product_title]).toEqual(['OUT_OF_STOCK', `Realms ${count}`])
  await game.setServers('asia', 'europe')
  expect((await ask('POST', '/payment/from-balance', { currency: 'USD' })).status).toBe(201)
})

describe('a supplier that asks for more than the shop does', () => {
  const raised = (game: Awaited<ReturnType<typeof aTakenGame>>) => game.alerts('product.fields')
  const readAvailable = async ({ slug }: { slug: string }) =>
    (await shop.call('GET', `/topups/${slug}/offers`)).body.offers[0].available

  test('is not bought from, and nobody is charged, until it asks as it did', async () => {
    const game = await aTakenGame('asia')
    const user = await aUser(shop, { usd: 10_000 })
    await game.setFields(userId, server('asia'), zoneId)
    const alert = { details: { supplier: game.supplier, product: `Realms ${count}`, field: ['zone_id'] } }
    expect(await raised(game)).toEqual([alert])
    const refused = await orderTopup(shop, user, wish(game, 'asia'))
    expect([refused.status, refused.body.error.code]).toEqual([409, 'OUT_OF_STOCK'])
    expect([await readAvailable(game), game.orders]).toEqual([0, []])
    const { balance } = await shop.database.one<{ balance: number }>(
      sql`SELECT balance FROM account WHERE user_id = ${user.id} AND currency = 'USD'`,
    )
    expect(balance).toBe(10_000)
    await game.read()
    expect(await raised(game)).toEqual([alert])
    await game.setFields(userId, server('asia'))
    expect([await raised(game), (await readAvailable(game)) > 0]).toEqual([[], true])
    expect((await orderTopup(shop, user, wish(game, 'asia'))).status).toBe(201)
  })

  test('is bought from again as soon as an operator says what fills its fields', async () => {
    const game = await aTakenGame('asia')
    await game.setFields({ ...userId, key: 'player' }, server('asia'))
    expect(await raised(game)).toHaveLength(1)
    const services = `/admin/suppliers/${game.supplier}/services`
    const [{ id }] = (await call('GET', services)).body.data
    const { sources } = (await call('GET', `/admin/offers/${game.offerId}/sources`)).body.data
    expect(sources).toMatchObject([{ closed_reason: 'fields' }])
    const reopened = await call('POST', `/admin/offers/${game.offerId}/sources/${sources[0].id}/reopen`, {
      cost: '1',
      currency: 'USD',
    })
    expect(reopened.body.error.details).toMatchObject({ reason: 'source_fields_missing', fields: ['player'] })
    const fieldNames = { player: '{user_id}', server: '{server}' }
    await call('PUT', `${services}/${id}/field-names`, { fieldNames })
    expect([await raised(game), (await readAvailable(game)) > 0]).toEqual([[], true])
  })

  test('is bought from again at prices of what it wants by then', async () => {
    const game = await aTakenGame('asia')
    const before = await storedPrice(shop, game.offerId)
    await game.setFields({ ...userId, key: 'player' }, server('asia'))
    await game.setCost('1.1')
    expect(await storedPrice(shop, game.offerId)).toMatchObject({ price_usd: before.price_usd, floor_usd: null })
    const services = `/admin/suppliers/${game.supplier}/services`
    const [{ id }] = (await call('GET', services)).body.data
    const fieldNames = { player: '{user_id}', server: '{server}' }
    expect((await call('PUT', `${services}/${id}/field-names`, { fieldNames })).status).toBe(200)
    const after = await storedPrice(shop, game.offerId)
    expect(after).toMatchObject({ floor_usd: 110, price_usd: Math.round(before.price_usd * 1.1) })
    await game.read()
    expect(await storedPrice(shop, game.offerId)).toEqual(after)
    // What no field is filled with closes it again, and nobody knows what it costs.
    await call('PUT', `${services}/${id}/field-names`, { fieldNames: {} })
    expect(await storedPrice(shop, game.offerId)).toMatchObject({ floor_usd: null })
  })

  test('in a form that makes no sense raises the alert about its catalogue', async () => {
    const game = await aTakenGame('asia')
    const catalogueAlerts = () =>
      shop.database.rows<{ details: object }>(sql`
        SELECT details FROM alert WHERE kind = 'supplier.catalogue' AND subject = ${game.supplier} AND resolved_at IS NULL`)
    await game.setFields(userId, { ...zoneId, label: 'Zone'.repeat(3_000_000) })
    expect(await catalogueAlerts()).toEqual([{ details: { why: 'bad_rows', rows: 1 } }])
    await game.setFields(userId, server('asia'))
    expect(await catalogueAlerts()).toEqual([])
  })
})
