import { expect, test } from 'vitest'
import { aUser } from '../../../test/factories.ts'
import { useShop, useUser } from '../../../test/use-shop.ts'
import { sql } from '../../platform/database/queries.ts'

const shop = useShop()
const admin = useUser(shop, { role: 'admin' })

test('who changed what is listed, newest first, and filtered', async () => {
  const call = (method: 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown, by = admin) =>
    shop.call(method, `/admin${path}`, { token: by.token, body })
  const audit = async (query = '') => (await shop.call('GET', `/admin/audit${query}`, { token: admin.token })).body
  const other = await aUser(shop, { role: 'admin' })
  const startedAt = new Date().toISOString()
  const { id } = (await call('POST', '/regions', { name: 'Europe', code: 'EU' })).body.data
  await call('PUT', `/regions/${id}`, { name: 'Europa', flag: '🇪🇺' }, other)
  await call('PUT', `/regions/${id}`, { name: 'Europa' }, other)
  await call('POST', '/regions', { name: 'Europa', code: 'EU' }, other)
  await call('DELETE', `/regions/${id}`)

  const all = await audit()
  expect(all.total).toBe(3)
  expect(all.data.map((entry: { action: string }) => entry.action)).toEqual([
    'region.delete',
    'region.update',
    'region.create',
  ])
  expect(all.data[1]).toEqual({
    id: expect.any(Number),
    created_at: expect.any(String),
    actor_id: other.id,
    actor: other.nickname,
    action: 'region.update',
    subject: `region:${id}`,
    before: { name: 'Europe', flag: '' },
    after: { name: 'Europa', flag: '🇪🇺' },
  })
  expect((await audit(`?actorId=${other.id}`)).total).toBe(1)
  expect((await audit(`?subject=region:${id}&action=region.create`)).total).toBe(1)
  expect((await audit('?search=DELETE')).total).toBe(1)
  expect((await audit(`?search=${other.nickname}`)).total).toBe(1)
  await shop.database.run(sql`UPDATE users SET role = 'customer' WHERE id = ${other.id}`)
  expect((await audit(`?search=${other.nickname}`)).total).toBe(1)
  expect((await audit(`?to=${startedAt}`)).total).toBe(0)
  expect((await audit(`?from=${startedAt}&order=asc&pageSize=1`)).data).toMatchObject([{ action: 'region.create' }])
})
