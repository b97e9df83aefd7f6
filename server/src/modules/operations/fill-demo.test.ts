import { beforeAll, expect, test } from 'vitest'
import { expectSound } from '../../../test/card-orders.ts'
import { aUser } from '../../../test/factories.ts'
import { useShop } from '../../../test/use-shop.ts'
import { fillDemo } from './fill-demo.ts'

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

test('some packages of PUBG have a pool', async () => {
  const { token } = await aUser(shop, { role: 'admin' })
  const active = await shop.call('GET', '/pubg-admin/denominations/active', { token })
  const pools = active.body.data.filter((row: { unsold_codes: number }) => row.unsold_codes > 0)
  expect(pools.map((row: { uc_amount: number }) => row.uc_amount)).toEqual([660, 1800, 3850])
})

test('a second call fills nothing, and nothing that must hold is broken', async () => {
  await fillDemo(shop.database, shop.vault)
  expect((await shop.call('GET', '/products')).body.length).toBeLessThan(20)
  await expectSound(shop)
})
