import { toMajor, toMinor } from '@olmos/contract/minor-units'
import { beforeAll, expect, test } from 'vitest'
import { expectSound } from '../../../test/card-orders.ts'
import { aUser } from '../../../test/factories.ts'
import { shopFor, workOff } from '../../../test/topup-orders.ts'
import { orderTopup } from '../../../test/topups.ts'
import { useShop } from '../../../test/use-shop.ts'
import type { DemoField } from '../../demo/demo.ts'
import { sql } from '../../platform/database/queries.ts'
import { sandboxCatalogueAt } from '../topups/suppliers/sandbox-catalogue.ts'
import { demoProducts, fillDemo } from './fill-demo.ts'

const shop = useShop()
beforeAll(async () => {
  await fillDemo(shop.database, shop.vault)
})

test('codes of Free Fire are on sale, some popular, and some wait to be published', async () => {
  const { token } = await aUser(shop, { role: 'admin' })
  const { id } = (await shop.call('GET', '/products/slug/freefire-codes')).body
  const packages = (await shop.call('GET', `/products/${id}/codes/0`)).body
  expect(packages[0]).toMatchObject({ game_amount: 100, available_count: 40 })
  expect((await shop.call('GET', `/products/${id}/popular/0`)).body).toHaveLength(2)
  const waiting = await shop.call('GET', `/admin/generated-codes?productId=${id}&published=false`, { token })
  expect(waiting.body.total).toBe(5 * packages.length)
  expect(waiting.body.data[0]).toMatchObject({ prefix: 'FF', denomination_name: expect.stringContaining('Diamonds') })
})

test('PostgreSQL is told of the tables that were filled, and not that orders are none', async () => {
  const counted = await shop.database.rows<{ name: string; is_counted: boolean }>(sql`
    SELECT relname AS name, reltuples >= 0 AS is_counted FROM pg_class
    WHERE oid IN ('offer'::regclass, 'code'::regclass, 'orders'::regclass, 'order_item'::regclass) ORDER BY relname`)
  expect(counted).toEqual([
    { name: 'code', is_counted: true },
    { name: 'offer', is_counted: true },
    { name: 'order_item', is_counted: false },
    { name: 'orders', is_counted: false },
  ])
})

test('some packages of PUBG have a pool', async () => {
  const { token } = await aUser(shop, { role: 'admin' })
  const active = await shop.call('GET', '/pubg-admin/denominations/active', { token })
  const pools = active.body.data.filter((row: { unsold_codes: number }) => row.unsold_codes > 0)
  expect(pools.map((row: { uc_amount: number }) => row.uc_amount)).toEqual([660, 1800, 3850])
})

const examples: Record<string, string> = { player_tag: '#2PP0JCCL', riot_id: 'Olmos#EUW', username: 'olmos_uz' }
const fillIn = ({ key, options, lengthMax }: DemoField): [string, string] => [
  key,
  options?.[0]?.value ?? examples[key] ?? '512345678912345678912345'.slice(0, lengthMax),
]

test.each(demoProducts.filter(({ kind, offers }) => kind === 'topup' && offers.length > 0))(
  '$slug asks for what it needs, and is delivered',
  async ({ slug, fields = [], offers }) => {
    const user = await aUser(shop, { usd: 100_000 })
    const asked = (await shop.call('GET', `/topups/${slug}/fields`)).body
    expect(asked.fields.map(({ key }: { key: string }) => key)).toEqual(fields.map(({ key }) => key))
    const sold = (await shop.call('GET', `/topups/${slug}/offers`)).body.offers
    expect(sold.map(({ game_amount }: { game_amount: number }) => game_amount)).toEqual(
      offers.map(({ gameAmount }) => gameAmount).sort((a, b) => a - b),
    )
    const account = Object.fromEntries(fields.map(fillIn))
    const [price_usd, price_rub] = ['price_usd', 'price_rub'].map((price) =>
      toMajor(sold.reduce((sum: number, offer: Record<string, number>) => sum + toMinor(offer[price] ?? 0), 0)),
    )
    const wanted = sold.map(({ id }: { id: number }) => ({ offer_id: id, quantity: 1 }))
    const bought = await orderTopup(shop, user, { service: slug, account, offers: wanted, price_usd, price_rub })
    expect(bought.status).toBe(201)
    await workOff(shopFor(shop))
    const receipt = await shop.call('GET', `/orders/${bought.body.order.id}`, { token: user.token })
    expect(receipt.body.status).toBe('completed')
  },
)

const offersAtSandbox = demoProducts.flatMap(({ offers }) =>
  offers.filter(({ itemId = '' }) => sandboxCatalogueAt(new Date(0)).find(itemId)),
)
test.each(offersAtSandbox)('$itemId is sold by the sandbox at any time, for less than it costs here', (offer) => {
  for (let hour = 0; hour < 48; hour++) {
    const ware = sandboxCatalogueAt(new Date(hour * 3_700_000)).find(offer.itemId ?? '')?.product
    expect(Number(ware?.cost)).toBeLessThan(Math.min(offer.priceUsd / 100, offer.priceRub / 100 / 80))
  }
})

test('a second call fills nothing, and nothing that must hold is broken', async () => {
  const before = await shop.call('GET', '/products')
  await fillDemo(shop.database, shop.vault)
  expect((await shop.call('GET', '/products')).body).toHaveLength(before.body.length)
  await expectSound(shop)
})
