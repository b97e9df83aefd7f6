import { describe, expect, test } from 'vitest'
import { anOffer } from '../../../test/factories.ts'
import { useShop, useUser } from '../../../test/use-shop.ts'
import { sql } from '../../platform/database/queries.ts'
import { cacheShop } from './shop.ts'

const shop = useShop()
const admin = useUser(shop, { role: 'admin' })

const ask = (method: 'GET' | 'PUT' | 'POST', path: string, body?: object) =>
  shop.call(method, path, { token: admin.token, ...(body && { body }) })
const change = (body: object) => ask('PUT', '/admin/shop-front', body)
const settings = async () => (await ask('GET', '/admin/shop-front')).body.data

const banner = {
  is_on: true,
  kind: 'warning',
  texts: { ru: 'Поставщик отвечает медленно', en: '' },
  url: '/support',
  from: '2026-11-20T09:00:00.000Z',
  until: '2026-11-21T09:00:00.000Z',
}

test('what stands in front is changed part by part, and pages know it at once', async () => {
  const known = cacheShop(shop.database)
  expect(await known.read()).toMatchObject({ action_url: null, featured: [], banners: [] })
  const [first, second] = [(await anOffer(shop)).productId, (await anOffer(shop)).productId]
  const { version } = await settings()
  const made = await change({ featured: [second, first], action_url: 'https://t.me/kamon', version })
  expect(made.body.data).toMatchObject({ featured: [second, first], version: version + 1, changed_by: admin.nickname })
  const entry = await shop.database.one(sql`
    SELECT actor_id, subject, before -> 'featured' AS before, after -> 'featured' AS after FROM audit_entry
    WHERE action = 'shop.front'`)
  expect(entry).toEqual({ actor_id: admin.id, subject: 'shop', before: [], after: [second, first] })
  await change({ banners: [banner] })
  known.clear()
  const shown = await known.read()
  expect(shown).toMatchObject({
    action_url: 'https://t.me/kamon',
    featured: [second, first],
    banners: [{ url: '/support' }],
  })

  // Who has closed a banner is not shown it again because of something else.
  await change({ action_url: null })
  known.clear()
  expect((await known.read()).banners).toEqual(shown.banners)
  await change({ banners: [{ ...banner, texts: { ru: 'Другое' } }] })
  known.clear()
  expect((await known.read()).banners[0]?.id).not.toBe(shown.banners[0]?.id)
  await change({ banners: [{ ...banner, is_on: false }] })
  known.clear()
  expect((await known.read()).banners).toEqual([])
})

test.each([
  [{ action_url: 'javascript:alert(1)' }, { action_url: 'invalid_link' }],
  [{ action_url: 'http://shop.example' }, { action_url: 'invalid_link' }],
  [{ action_url: '//evil.example' }, { action_url: 'invalid_link' }],
  [{ action_url: '/\\evil.example' }, { action_url: 'invalid_link' }],
  [{ featured: [2_000_000_000] }, { featured: 'invalid' }],
  [{ featured: [1, 1] }, { featured: 'invalid' }],
  [{ featured: Array.from({ length: 13 }, (_, at) => at + 1) }, { featured: 'list_too_long' }],
  [{ banners: [banner, { ...banner, until: '2026-11-20T08:59:00.000Z' }] }, { 'banners.1.until': 'before_start' }],
  [{ banners: [banner, { ...banner, until: banner.from }] }, { 'banners.1.until': 'before_start' }],
  [{ banners: [banner, { ...banner, texts: { ru: ' ' } }] }, { 'banners.1.texts': 'required' }],
  [{ banners: [banner, { ...banner, texts: { ru: 'x'.repeat(161) } }] }, { 'banners.1.texts.ru': 'too_long' }],
  [{ banners: [banner, { ...banner, url: 'data:text/html,x' }] }, { 'banners.1.url': 'invalid_link' }],
  [{ banners: [banner, { ...banner, kind: 'alarm' }] }, { 'banners.1.kind': 'invalid' }],
  [{ banners: Array(21).fill(banner) }, { banners: 'list_too_long' }],
  [{ questions: { en: [{ question: '', answer: 'x' }] } }, { 'questions.en.0.question': 'required' }],
  [{ questions: { en: Array(21).fill({ question: 'x', answer: 'y' }) } }, { 'questions.en': 'list_too_long' }],
])('what may not stand in front is refused: %#', async (body, details) => {
  const before = await settings()
  const { status, body: answer } = await change(body)
  expect([status, answer.error.details]).toEqual([400, details])
  expect(await settings()).toEqual(before)
})

test('several banners keep their order, which is all that moving one changes', async () => {
  const texts = (...said: string[]) => said.map((ru) => ({ ...banner, texts: { ru } }))
  const known = cacheShop(shop.database)
  const shownTexts = async () => {
    known.clear()
    return (await known.read()).banners.map((one) => one.texts.ru)
  }
  const [first, off, third] = texts('Первый', 'Выключенный', 'Третий')
  const made = await change({ banners: [first, { ...off, is_on: false }, third] })
  expect(made.body.data.banners.map(({ is_on }: { is_on: boolean }) => is_on)).toEqual([true, false, true])
  expect(await shownTexts()).toEqual(['Первый', 'Третий'])
  const ids = (await known.read()).banners.map(({ id }) => id)
  await change({ banners: [third, { ...off, is_on: false }, first] })
  expect(await shownTexts()).toEqual(['Третий', 'Первый'])
  // Who has closed one is not shown it again because it stands elsewhere.
  expect((await known.read()).banners.map(({ id }) => id)).toEqual(ids.toReversed())
})

test('the one banner of an earlier version of the store is the first of the list, and programs of that version read one', async () => {
  const { version } = await settings()
  const keptBefore = { action_url: null, featured: [], banner, questions: {} }
  await shop.database.run(sql`
    INSERT INTO shop_setting (section, version, value)
    VALUES ('front', ${version + 1}, ${JSON.stringify(keptBefore)}::jsonb)`)
  expect((await settings()).banners).toEqual([banner])
  const known = cacheShop(shop.database)
  const [carried] = (await known.read()).banners
  expect(carried).toMatchObject({ kind: 'warning', url: '/support' })

  const off = { ...banner, is_on: false }
  await change({ banners: [off, banner] })
  const kept = async () =>
    (
      await shop.database.one<{ value: object }>(sql`
        SELECT value FROM shop_setting WHERE section = 'front' ORDER BY version DESC LIMIT 1`)
    ).value
  expect(await kept()).toMatchObject({ banners: [off, banner], banner })
  await change({ banners: [off] })
  expect(await kept()).toMatchObject({ banners: [off], banner: null })

  // It comes back, and who has closed it does not get it again.
  const { status } = await ask('POST', '/admin/shop-versions/front/restore', { restored: version + 1 })
  expect([status, (await settings()).banners]).toEqual([200, [banner]])
  known.clear()
  expect((await known.read()).banners).toEqual([carried])
})

test('a product that was deleted can be featured no more, and keeps nobody from changing what it is featured beside', async () => {
  const [{ productId }, other] = [await anOffer(shop), await anOffer(shop)]
  expect((await change({ featured: [productId] })).status).toBe(200)
  await shop.database.run(sql`UPDATE product SET deleted_at = now(), is_active = false WHERE id = ${productId}`)
  expect((await change({ featured: [productId, other.productId], action_url: '/x' })).status).toBe(200)
  await change({ featured: [other.productId] })
  const { status, body } = await change({ featured: [productId] })
  expect([status, body.error.details]).toEqual([400, { featured: 'invalid' }])
})

test('a stale version is refused with what is there, and an earlier one can be brought back', async () => {
  const { version } = await settings()
  await change({ action_url: '/products/one' })
  const late = await change({ action_url: '/products/two', version })
  expect(late.body.error.details).toMatchObject({
    reason: 'changed_meanwhile',
    current: { action_url: '/products/one' },
  })
  await change({ action_url: '/products/three' })
  const path = '/admin/shop-versions/front'
  expect((await ask('GET', path)).body.data[0].value.action_url).toBe('/products/three')
  await ask('POST', `${path}/restore`, { restored: version + 1 })
  expect((await settings()).action_url).toBe('/products/one')
})

test('questions are answered in their language, and there are none where the store’s own are shown', async () => {
  const own = [{ question: 'Skidka bormi?', answer: 'Ha.\n\nKuponni kiriting.' }]
  await change({ questions: { uz: own } })
  const read = (language: string) => shop.call('GET', '/shop/questions', { headers: { 'accept-language': language } })
  expect((await read('uz')).body.data).toEqual(own)
  expect((await read('ru')).body.data).toEqual([])
})

describe('languages', () => {
  const set = (body: object) => ask('PUT', '/admin/shop', body)

  test('those that are on begin with the default one', async () => {
    const known = cacheShop(shop.database)
    expect((await known.read()).languages).toEqual(['ru', 'en', 'uz'])
    const { status } = await set({ languages: ['ru', 'uz'], default_language: 'uz' })
    expect(status).toBe(200)
    known.clear()
    expect((await known.read()).languages).toEqual(['uz', 'ru'])
    expect((await shop.call('GET', '/shop')).body.data).toMatchObject({ default_language: 'uz' })
    // What else is changed leaves them.
    await set({ name: 'Kamon' })
    known.clear()
    expect((await known.read()).languages).toEqual(['uz', 'ru'])
  })

  test.each([
    [{ languages: [] }, { languages: 'required' }],
    [{ languages: ['ru', 'ru'], default_language: 'ru' }, { languages: 'invalid' }],
    [{ languages: ['de'] }, { 'languages.0': 'invalid' }],
    [{ languages: ['ru'], default_language: 'en' }, { default_language: 'language_off' }],
  ])('a choice that leaves no default is refused: %o', async (body, details) => {
    const before = (await ask('GET', '/admin/shop')).body.data
    const { status, body: answer } = await set(body)
    expect([status, answer.error.details]).toEqual([400, details])
    expect((await ask('GET', '/admin/shop')).body.data).toEqual(before)
  })
})
