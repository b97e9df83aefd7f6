import { expect, test } from 'vitest'
import { anOffer, aUser } from '../test/factories.ts'
import { aDenomination, aPool } from '../test/game-codes.ts'
import { aReview } from '../test/reviews.ts'
import { useShop, useUser } from '../test/use-shop.ts'

const shop = useShop()
const admin = useUser(shop, { role: 'admin' })

type Method = 'GET' | 'POST' | 'PUT'
const call = (method: Method, path: string, body?: unknown) => shop.call(method, path, { token: admin.token, body })
const data = async (method: Method, path: string, body?: unknown) => (await call(method, path, body)).body.data

interface Thing {
  /** Where it is changed. */
  path: string
  method?: Method
  /** What both admins saw: the version is sent with the change, or the thing itself if it has no version. */
  seen: object
  changes: readonly [object, object]
}

const toVersion = ({ version }: { version: number }) => ({ version })

/** Everything that two admins may be editing at once. */
const things: Record<string, () => Promise<Thing>> = {
  'a region': async () => {
    const region = await data('POST', '/admin/regions', { name: 'Türkiye', code: 'TWO' })
    return { path: `/admin/regions/${region.id}`, seen: toVersion(region), changes: [{ name: 'A' }, { name: 'B' }] }
  },
  'a role of the staff': async () => {
    const limits = { rub_once: 0, rub_daily: 0, usd_once: 0, usd_daily: 0 }
    const role = await data('POST', '/admin/staff-roles', { name: 'Night', permissions: ['orders.read'], limits })
    const changes = [{ name: 'A' }, { permissions: [] }] as const
    return { path: `/admin/staff-roles/${role.id}`, seen: toVersion(role), changes }
  },
  'the role of a colleague': async () => {
    const { id } = await aUser(shop, { staff: 'support' })
    const roles: { id: number; built_in: string | null }[] = await data('GET', '/admin/staff-roles')
    const wish = (name: string) => ({ role_id: roles.find(({ built_in }) => built_in === name)?.id })
    const seen = wish('support').role_id
    return { path: `/admin/staff/${id}/role`, seen: { seen }, changes: [wish('finance'), wish('manager')] }
  },
  'a view of the orders': async () => {
    const view = await data('POST', '/admin/order-views', {
      name: 'Night',
      filters: { status: 'pending' },
      is_shared: true,
    })
    const changes = [{ name: 'A' }, { filters: { status: 'completed' } }] as const
    return { path: `/admin/order-views/${view.id}`, seen: toVersion(view), changes }
  },
  'a promotion': async () => {
    const promotion = await data('POST', '/admin/promotions', { text: 'Sale', background_color: '#112233' })
    const path = `/admin/promotions/${promotion.id}`
    return { path, seen: toVersion(promotion), changes: [{ text: 'A' }, { text: 'B' }] }
  },
  'a coupon': async () => {
    const coupon = await data('POST', '/admin/coupons', { code: 'two-admins', percent: 10 })
    const path = `/admin/coupons/${coupon.id}`
    return { path, seen: toVersion(coupon), changes: [{ percent: 11 }, { percent: 12 }] }
  },
  'a product': async () => {
    const { productId } = await anOffer(shop)
    const product = await data('GET', `/admin/products/${productId}`)
    return { path: `/admin/products/${productId}`, seen: toVersion(product), changes: [{ name: 'A' }, { name: 'B' }] }
  },
  'the fields of a top-up': async () => {
    const product = await data('POST', '/admin/products', { name: 'Night game', kind: 'topup' })
    const path = `/admin/products/${product.id}/fields`
    const asking = (key: string) => ({ fields: [{ key, type: 'digits', labels: { ru: key } }] })
    return { path, seen: toVersion(await data('GET', path)), changes: [asking('user_id'), asking('zone_id')] }
  },
  'a package': async () => {
    const { id } = await anOffer(shop)
    const offer = await data('GET', `/admin/offers/${id}`)
    return { path: `/admin/offers/${id}`, seen: toVersion(offer), changes: [{ priceUsd: 1.1 }, { priceUsd: 1.2 }] }
  },
  'a price rule': async () => {
    const figures = { margin_percent: 10, least_usd: 0, least_rub: 0, payment_percent: 0 }
    const rounded = { rounding_usd: 'hundredth', rounding_rub: 'whole' }
    const { productId } = await anOffer(shop)
    const made = { scope: 'product', product_id: productId, ...figures, ...rounded }
    const rule = await data('POST', '/admin/price-rules', made)
    const changes = [{ margin_percent: 12 }, { margin_percent: 14 }] as const
    return { path: `/admin/price-rules/${rule.id}`, seen: toVersion(rule), changes }
  },
  'the sources of a package': async () => {
    const { id } = await anOffer(shop)
    const path = `/admin/offers/${id}/sources`
    const changes = [{ sources: [{ kind: 'operator' }] }, { sources: [] }] as const
    return { path, seen: toVersion(await data('GET', path)), changes }
  },
  'a denomination of PUBG': async () => {
    const { id } = await aDenomination(shop, admin, 'pubg')
    const path = `/pubg-admin/denominations/${id}`
    return { path, seen: { version: 1 }, changes: [{ price_rub: 70 }, { price_rub: 90 }] }
  },
  'a denomination of Free Fire': async () => {
    const { id } = await aDenomination(shop, admin, 'freefire')
    const path = `/freefire-admin/denominations/${id}`
    return { path, seen: { version: 1 }, changes: [{ name: 'A' }, { name: 'B' }] }
  },
  'a code': async () => {
    const { productId } = await anOffer(shop, { stock: 1 })
    const [code] = await data('GET', `/admin/codes?productId=${productId}`)
    const changes = [{ gameAmount: 500 }, { code: 'WRITTEN-ANEW' }] as const
    return { path: `/admin/codes/${code.id}`, seen: toVersion(code), changes }
  },
  'an import of codes': async () => {
    const { productId } = await anOffer(shop, { stock: 1 })
    const [batch] = await data('GET', `/admin/code-batches?productId=${productId}`)
    const changes = [{ cost: '0.8', currency: 'USD' }, { invoice: 'A-17' }] as const
    return { path: `/admin/code-batches/${batch.id}`, seen: toVersion(batch), changes }
  },
  'a code of the PUBG pool': async () => {
    const { ids } = await aPool(shop, admin, 1)
    const path = `/pubg-admin/codes/${ids[0]}`
    return { path, seen: { version: 1 }, changes: [{ status: 'error' }, { status: 'archived' }] }
  },
  'a rate': async () => {
    const [rate] = await data('GET', '/admin/currency-rates')
    return {
      path: `/admin/currency-rates/${rate.id}`,
      seen: toVersion(rate),
      changes: [{ rate: 81 }, { auto_update: !rate.auto_update }],
    }
  },
  'the settings of filling a balance': async () => ({
    path: '/admin/filling-settings',
    seen: toVersion(await data('GET', '/admin/filling-settings')),
    changes: [{ is_on: true }, { least_usd: 2 }],
  }),
  'the settings of fiscal receipts': async () => ({
    path: '/admin/fiscal-settings',
    seen: toVersion(await data('GET', '/admin/fiscal-settings')),
    changes: [{ tax: 'vat5' }, { mode: 'advance' }],
  }),
  'the texts of what customers are told': async () => {
    const path = '/admin/notification-texts'
    const said = (answered: string) => ({ texts: { en: { answered } } })
    return { path, seen: toVersion(await data('GET', path)), changes: [said('One: {link}'), said('Two: {link}')] }
  },
  'the texts of what operators are told': async () => {
    const path = '/admin/operator-texts'
    const said = (raised: string) => ({ texts: { en: { raised } } })
    return { path, seen: toVersion(await data('GET', path)), changes: [said('One: {link}'), said('Two: {link}')] }
  },
  'what stands in front': async () => {
    const path = '/admin/shop-front'
    return { path, seen: toVersion(await data('GET', path)), changes: [{ action_url: '/a' }, { action_url: '/b' }] }
  },
  'a page of the owner': async () => {
    const path = '/admin/pages/refunds'
    const written = (en: string) => ({ is_published: false, texts: { en } })
    return { path, seen: toVersion(await data('GET', path)), changes: [written('A'), written('B')] }
  },
  'the name of the shop and its contacts': async () => ({
    path: '/admin/shop',
    seen: toVersion(await data('GET', '/admin/shop')),
    changes: [{ name: 'Kamon' }, { phone: '+998 90 123-45-67' }],
  }),
  'the numbers of the business': async () => ({
    path: '/admin/shop-numbers',
    seen: toVersion(await data('GET', '/admin/shop-numbers')),
    changes: [{ low_stock_days: 5 }, { reserved_share_percent: 40 }],
  }),
  'the own words of the pages': async () => {
    const path = '/admin/shop-texts'
    const said = (key: string) => ({ key, words: { ru: key } })
    return { path, seen: toVersion(await data('GET', path)), changes: [said('home.hero'), said('home.heroText')] }
  },
  'the words for currencies of games': async () => {
    const path = '/admin/shop-units'
    const added = (name: string) => ({ name, words: { uz: { other: name } } })
    return { path, seen: toVersion(await data('GET', path)), changes: [added('Echo'), added('Primogem')] }
  },
  'the settings of rates': async () => ({
    path: '/currency-settings/settings',
    method: 'POST',
    seen: toVersion(await data('GET', '/currency-settings/settings')),
    changes: [{ update_time: '08:00' }, { timezone: 'Asia/Almaty' }],
  }),
  'a way to pay': async () => {
    const [method] = await data('GET', '/admin/payment-methods')
    const changes = [{ least_usd: 1 }, { titles: { en: 'By card' } }] as const
    return { path: `/admin/payment-methods/${method.name}`, seen: toVersion(method), changes }
  },
  'an account at a provider': async () => {
    const providers = await data('GET', '/admin/payment-providers')
    const { version } = providers.find(({ name }: { name: string }) => name === 'yookassa')
    const typed = (id: string) => ({ settings: { YOOKASSA_SHOP_ID: id, YOOKASSA_SECRET_KEY: 'test_secret' } })
    return { path: '/admin/payment-providers/yookassa', seen: { version }, changes: [typed('1'), typed('2')] }
  },
  'a supplier': async () => {
    const suppliers = await data('GET', '/admin/suppliers/accounts')
    const { version } = suppliers.find(({ name }: { name: string }) => name === 'manual')
    return { path: '/admin/suppliers/manual', seen: { version }, changes: [{ is_on: true }, { is_on: false }] }
  },
  'an account at a supplier': async () => {
    const suppliers = await data('GET', '/admin/suppliers/accounts')
    const { version } = suppliers.find(({ name }: { name: string }) => name === 'seagm')
    const typed = (uid: string) => ({ settings: { SEAGM_UID: uid, SEAGM_SECRET_KEY: 'test_secret' } })
    return { path: '/admin/suppliers/seagm/account', seen: { version }, changes: [typed('1'), typed('2')] }
  },
  'an account for messages': async () => {
    const [, { version }] = await data('GET', '/admin/message-channels')
    const typed = (host: string) => ({ settings: { SMTP_HOST: host, SMTP_FROM: 'shop@shop.example' } })
    return {
      path: '/admin/message-channels/email',
      seen: { version },
      changes: [typed('a.example'), typed('b.example')],
    }
  },
  'a recipient of messages': async () => {
    const body = {
      name: 'Owner',
      channel: 'telegram',
      address: '42',
      language: 'ru',
      alert_kinds: null,
      quiet_hours: null,
      is_on: true,
    }
    const { id, version } = await data('POST', '/admin/message-recipients', body)
    const changes = [{ address: '43' }, { is_on: false }] as const
    return { path: `/admin/message-recipients/${id}`, seen: { version }, changes }
  },
  'a conversation': async () => {
    const { body } = await shop.call('POST', '/support', { body: { nickname: 'N', userId: '1', message: 'Help' } })
    const path = `/admin/conversations/${body.id}`
    const { version } = await data('GET', path)
    return { path, seen: { version }, changes: [{ state: 'closed' }, { mine: true }] }
  },
  'an answer that is written often': async () => {
    const texts = { ru: 'Спасибо', en: '', uz: '' }
    const { id, version } = await data('POST', '/admin/answer-templates', { title: 'Thanks', texts })
    const changes = [{ title: 'Thank you' }, { texts: { ...texts, en: 'Thanks' } }] as const
    return { path: `/admin/answer-templates/${id}`, seen: { version }, changes }
  },
  'the answer to a review': async () => {
    const { reviewId } = await aReview(shop)
    const changes = [{ answer: 'Thank you' }, { answer: 'Thanks' }] as const
    return { path: `/admin/reviews/${reviewId}/answer`, seen: { version: 1 }, changes }
  },
  'a balance': async () => {
    const { id } = await aUser(shop, { usd: 100 })
    const [seen, reason] = [{ balanceUsd: 1, balanceRub: 0 }, 'a gift']
    const changes = [
      { balanceUsd: 3, reason },
      { balanceRub: 9, reason },
    ] as const
    return { path: `/admin/users/${id}/balance`, seen: { seen }, changes }
  },
}

test.each(Object.entries(things))('two admins edit %s: the second is told what is there now', async (_name, make) => {
  const { path, method = 'PUT', seen, changes } = await make()
  const answers = await Promise.all(changes.map((change) => call(method, path, { ...change, ...seen })))
  const [won, late] = answers.toSorted((one, other) => one.status - other.status)
  expect([won?.status, late?.status, late?.body.error.code]).toEqual([200, 409, 'STATE_CONFLICT'])
  expect(late?.body.error.details.current).toMatchObject(won?.body.data)
})

/** Settings that are kept as versions, by where they are changed, with what each of many writes there. */
const versioned: readonly (readonly [string, (name: string) => object])[] = [
  ['/admin/shop', (name) => ({ name })],
  ['/admin/shop-numbers', () => ({ low_stock_days: 6 })],
  ['/admin/shop-texts', (ru) => ({ key: 'home.hero', words: { ru } })],
  ['/admin/shop-units', (name) => ({ name, words: { uz: { other: name } } })],
  ['/admin/shop-front', (name) => ({ action_url: `/${name}` })],
  ['/admin/pages/refunds', (en) => ({ is_published: false, texts: { en } })],
  ['/admin/notification-texts', (name) => ({ texts: { en: { answered: `${name}: {link}` } } })],
  ['/admin/operator-texts', (name) => ({ texts: { en: { raised: `${name}: {link}` } } })],
]

test.each(versioned)(
  'twenty who change %s at once, having seen nothing, come one after the other',
  async (path, toChange) => {
    const { version } = await data('GET', path)
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => call('PUT', path, toChange(`night-${n}`))))
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
    const versions = answers.map(({ body }) => body.data.version).toSorted((one, other) => one - other)
    expect(versions).toEqual(Array.from({ length: 20 }, (_, n) => version + 1 + n))
  },
)

test('who was late with a price rule is told who changed it', async () => {
  const rules = await data('GET', '/admin/price-rules?search=')
  const { id, version } = rules.find(({ scope }: { scope: string }) => scope === 'amount')
  const path = `/admin/price-rules/${id}`
  expect((await call('PUT', path, { margin_percent: 5, version })).status).toBe(200)
  const late = await call('PUT', path, { margin_percent: 7, version })
  expect([late.status, late.body.error.code]).toEqual([409, 'STATE_CONFLICT'])
  expect(late.body.error.details.current).toMatchObject({ margin_percent: 5, changed_by: admin.nickname })
})

test('a run of the daily update is no edit of its settings', async () => {
  const before = await data('GET', '/currency-settings/settings')
  await call('POST', '/admin/currency-rates/refresh')
  const after = await data('GET', '/currency-settings/settings')
  expect([after.last_run_at === before.last_run_at, after.version]).toEqual([false, before.version])
})
