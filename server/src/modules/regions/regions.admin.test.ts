import { expect, test } from 'vitest'
import { anOffer } from '../../../test/factories.ts'
import { useShop, useUser } from '../../../test/use-shop.ts'
import { sql } from '../../platform/database/queries.ts'

const shop = useShop()
const admin = useUser(shop, { role: 'admin' })

const call = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown) =>
  shop.call(method, `/admin/regions${path}`, { token: admin.token, body })

const readAudit = (subject: string) =>
  shop.database.rows<{ action: string; before: unknown; after: unknown }>(
    sql`SELECT action, before, after FROM audit_entry WHERE subject = ${subject} ORDER BY id`,
  )

test('a region is added, found, changed and deleted, and each is written down', async () => {
  const added = await call('POST', '', { name: 'Türkiye', code: 'tr', flag: '🇹🇷' })
  expect(added.status).toBe(201)
  const region = added.body.data
  expect(region).toMatchObject({
    name: 'Türkiye',
    code: 'TR',
    flag: '🇹🇷',
    is_active: true,
    version: 1,
    offers_count: 0,
  })
  expect((await call('GET', '?search=türk')).body).toEqual({ data: [region], total: 1 })

  const changed = await call('PUT', `/${region.id}`, { is_active: false, translations: { uz: 'Turkiya' }, version: 1 })
  expect(changed.body.data).toEqual({ ...region, is_active: false, translations: { uz: 'Turkiya' }, version: 2 })
  const found = async (search: string) => (await call('GET', `?search=${search}`)).body.total
  expect([await found('turkiy'), await found('uz')]).toEqual([1, 0])
  const blanked = await call('PUT', `/${region.id}`, { translations: { uz: '' } })
  expect(blanked.body.data.translations).toEqual({})
  expect((await call('DELETE', `/${region.id}`)).body.data).toEqual({ id: region.id, products_count: 0 })
  expect((await call('DELETE', `/${region.id}`)).status).toBe(404)
  expect(await readAudit(`region:${region.id}`)).toMatchObject([
    { action: 'region.create', before: null, after: { code: 'TR' } },
    { action: 'region.update', before: { is_active: true }, after: { is_active: false } },
    { action: 'region.update', before: { translations: { uz: 'Turkiya' } }, after: { translations: {} } },
    { action: 'region.delete', before: { code: 'TR' }, after: null },
  ])
})

test('a code that another region has is DUPLICATE', async () => {
  await call('POST', '', { name: 'Kazakhstan', code: 'KZ' })
  const again = await call('POST', '', { name: 'Qazaqstan', code: 'kz' })
  expect([again.status, again.body.error]).toMatchObject([409, { code: 'DUPLICATE', details: { code: 'duplicate' } }])
})

test('of two admins who edit the same version the second is told what is there now', async () => {
  const { id } = (await call('POST', '', { name: 'Europe', code: 'EU' })).body.data
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) => call('PUT', `/${id}`, { name: `Europe ${n}`, version: 1 })),
  )
  expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1)
  const winner = answers.find((answer) => answer.status === 200)?.body.data
  const losers = answers.filter((answer) => answer.status === 409)
  expect(losers).toHaveLength(19)
  for (const loser of losers) {
    expect(loser.body.error).toMatchObject({
      code: 'STATE_CONFLICT',
      details: { current: { name: winner.name, version: 2 } },
    })
  }
})

test('a region with packages is not deleted, and says how many there are', async () => {
  const offer = await anOffer(shop, { region: 'US' })
  const answer = await call('DELETE', `/${offer.regionId}`)
  expect([answer.status, answer.body.error.details]).toEqual([
    409,
    { reason: 'region_has_offers', region: 'has_offers', offers_count: 1 },
  ])
})

test.each([
  [{ name: '', code: 'A' }, { name: 'required' }],
  [{ name: 'A', code: 'A B' }, { code: 'invalid_code' }],
  [{ name: 'A', code: 'A', translations: { ru: 'A' } }, { ru: 'unknown_field' }],
  [{ name: 'A', code: 'A', flag: 'http://picture.example/a.png' }, { flag: 'invalid_flag' }],
  [{ name: 'A', code: 'A', flag: 'javascript:a(1)' }, { flag: 'invalid_flag' }],
  [{ name: 'A', code: 'A', role: 'admin' }, { role: 'unknown_field' }],
])('%j is refused', async (body, details) => {
  const answer = await call('POST', '', body)
  expect([answer.status, answer.body.error.details]).toEqual([400, details])
})
