import { expect, test } from 'vitest'
import { useShop, useUser } from '../../../test/use-shop.ts'

const shop = useShop()
const admin = useUser(shop, { role: 'admin' })

const call = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown) =>
  shop.call(method, `/admin/promotions${path}`, { token: admin.token, body })

const shown = async (language: string) =>
  (await shop.call('GET', '/promotions/active', { headers: { 'accept-language': language } })).body.map(
    (promotion: { text: string }) => promotion.text,
  )

test('a promotion is shown in each language, hidden, translated and deleted', async () => {
  const added = await call('POST', '', {
    text: 'Скидки',
    background_color: '#FF8800',
    translations: { en: 'Sale', uz: '' },
  })
  expect(added.status).toBe(201)
  const promotion = added.body.data
  expect(promotion).toMatchObject({
    text: 'Скидки',
    translations: { ru: 'Скидки', en: 'Sale' },
    background_color: '#ff8800',
    is_active: true,
  })
  expect([await shown('ru'), await shown('en'), await shown('uz')]).toEqual([['Скидки'], ['Sale'], ['Скидки']])

  await call('PUT', `/${promotion.id}`, { translations: { en: '', uz: 'Chegirma' } })
  expect([await shown('ru'), await shown('en'), await shown('uz')]).toEqual([['Скидки'], ['Скидки'], ['Chegirma']])
  expect((await call('GET', '?search=chegirma')).body.total).toBe(1)

  const hidden = await call('PUT', `/${promotion.id}`, { is_active: false })
  expect(hidden.body.data).toMatchObject({ text: 'Скидки', is_active: false })
  expect(await shown('ru')).toEqual([])
  const stale = await call('PUT', `/${promotion.id}`, { text: 'Late', version: promotion.version })
  expect([stale.status, stale.body.error.details.current.is_active]).toEqual([409, false])
  expect((await call('DELETE', `/${promotion.id}`)).body.data).toEqual({ id: promotion.id })
  expect((await call('GET', '')).body).toEqual({ data: [], total: 0 })
})

test.each(['red', '#fff', '#12345g', 'url(https://x)', '#ffffff;color:red'])(
  'the colour %s is refused',
  async (color) => {
    const answer = await call('POST', '', { text: 'Text', background_color: color })
    expect([answer.status, answer.body.error.details]).toEqual([400, { background_color: 'invalid_color' }])
  },
)
