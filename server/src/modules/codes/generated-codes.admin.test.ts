import { randomUUID } from 'node:crypto'
import * as LIMITS from '@olmos/contract/limits'
import { firstNumbers } from '@olmos/contract/shop-numbers'
import { describe, expect, test } from 'vitest'
import { anOffer, aUser, type TestUser, toCart } from '../../../test/factories.ts'
import { aCodeProduct, aDenomination, someGenerated } from '../../../test/game-codes.ts'
import { useShop, useUser } from '../../../test/use-shop.ts'
import { sql } from '../../platform/database/queries.ts'

const shop = useShop()
const admin = useUser(shop, { role: 'admin' })

const call = (method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown, headers = {}) =>
  shop.call(method, `/admin/generated-codes${path}`, { token: admin.token, body, headers })
const list = async (query: string) => (await call('GET', query)).body
const packages = async (productId: number) => (await shop.call('GET', `/products/${productId}/codes/0`)).body
const copy = async (filter: object, format = 'text') => (await call('POST', '/copy', { filter, format })).body.data

async function buy(batch: { productId: number; gameAmount: number }, quantity = 1) {
  const buyer = await aUser(shop, { usd: 100 * quantity })
  const line = { ...batch, priceUsd: 100, priceRub: 8_000, regionId: 0 }
  const added = await shop.call('POST', '/cart/add', {
    token: buyer.token,
    body: { ...toCart(line as never, quantity), gameCurrency: 'diamonds' },
  })
  if (added.status !== 201) return { status: added.status, codes: [] as string[], orderId: '' }
  const paid = await shop.call('POST', '/payment/from-balance', { token: buyer.token, body: { currency: 'USD' } })
  if (paid.status !== 201) return { status: paid.status, codes: [], orderId: '' }
  const receipt = await shop.call('GET', `/orders/${paid.body.order.id}`, { token: buyer.token })
  return { status: 201, codes: receipt.body.items[0].code.split('\n') as string[], orderId: paid.body.order.id }
}

async function wish(more: object = {}) {
  const [productId, denomination] = await Promise.all([aCodeProduct(shop), aDenomination(shop, admin, 'freefire')])
  return {
    gameAmount: denomination.gameAmount,
    productId,
    body: { productId, denominationId: denomination.id, count: 3, ...more },
  }
}

describe('generating', () => {
  test('makes a package at the price of the denomination, which nobody can buy before it is published', async () => {
    const { productId, body, gameAmount } = await wish()
    const made = await call('POST', '/generate', body)
    expect([made.status, made.body.data]).toMatchObject([201, { count: 3, published: false }])
    expect(await packages(productId)).toMatchObject([
      { game_amount: gameAmount, price_usd: 1, price_rub: 80, available_count: 0 },
    ])
    expect((await buy({ productId, gameAmount })).status).toBe(409)
    const codes = (await copy({ batch: made.body.data.batch_id })).text.split('\n')
    expect(codes).toHaveLength(3)
    for (const code of codes) expect(code).toMatch(/^FF(-[A-Z3-9]{4}){5}$/)
    const [entry] = await shop.database.rows(
      sql`SELECT after FROM audit_entry WHERE subject = ${`batch:${made.body.data.batch_id}`}`,
    )
    expect(entry).toMatchObject({ after: { count: 3, prefix: 'FF', productId, published: false } })
  })

  test('at once on sale, with a prefix of its own, beside a package whose price stays', async () => {
    const { productId, body, gameAmount } = await wish({ prefix: 'gift', published: true })
    await anOffer(shop, { productId, gameAmount, priceUsd: 150 })
    await call('POST', '/generate', body)
    expect(await packages(productId)).toMatchObject([{ price_usd: 1.5, available_count: 3 }])
    const shown = await list(`?productId=${productId}`)
    expect(shown.total).toBe(3)
    expect(shown.data[0]).toMatchObject({ prefix: 'GIFT', published: true, status: 'available', popular: false })
    expect(shown.data[0].code).toMatch(/^GIFT-••••-[A-Z3-9]{4}$/)
  })

  test('makes a package for who may set prices alone, and more codes of one for who may not', async () => {
    const stock = await aUser(shop, { staff: 'stock' })
    const { productId, body, gameAmount } = await wish()
    const generate = () => shop.call('POST', '/admin/generated-codes/generate', { token: stock.token, body })
    const refused = await generate()
    expect([refused.status, refused.body.error?.code, refused.body.error?.details]).toEqual([
      403,
      'FORBIDDEN',
      { permission: 'prices.write' },
    ])
    expect(await packages(productId)).toEqual([])
    await anOffer(shop, { productId, gameAmount })
    expect((await generate()).status).toBe(201)
  })

  test('ten thousand takes a few seconds, and the same key makes them once', async () => {
    const { body, productId } = await wish({ count: LIMITS.generatedCodesMax })
    const key = { 'idempotency-key': randomUUID() }
    const [first, second] = await Promise.all([
      call('POST', '/generate', body, key),
      call('POST', '/generate', body, key),
    ])
    expect([first.status, second.text]).toEqual([201, first.text])
    expect((await list(`?productId=${productId}`)).total).toBe(LIMITS.generatedCodesMax)
    const { different } = await shop.database.one<{ different: number }>(sql`
      SELECT count(DISTINCT fingerprint)::int AS different FROM code WHERE batch_id = ${first.body.data.batch_id}`)
    expect(different).toBe(LIMITS.generatedCodesMax)
  })

  test.each([
    [{ count: 0 }, 400, { count: 'invalid_quantity' }],
    [{ count: LIMITS.generatedCodesMax + 1 }, 400, { count: 'invalid_quantity' }],
    [{ count: 1.5 }, 400, { count: 'invalid_quantity' }],
    [{ prefix: 'A-B' }, 400, { prefix: 'invalid_generated_prefix' }],
    [{ denominationId: 2_000_000_000 }, 404, undefined],
    [{ productId: 2_000_000_000 }, 404, undefined],
  ])('%j is refused and makes nothing', async (wrong, status, details) => {
    const { body, productId } = await wish(wrong)
    const answer = await call('POST', '/generate', body)
    expect([answer.status, answer.body.error.details]).toEqual([status, details])
    expect((await list(`?productId=${productId}`)).total).toBe(0)
  })

  test('for a product whose codes come from elsewhere, or a denomination of PUBG, is refused', async () => {
    const { body } = await wish()
    const other = await anOffer(shop)
    const [product, denomination] = await Promise.all([
      call('POST', '/generate', { ...body, productId: other.productId }),
      call('POST', '/generate', { ...body, denominationId: (await aDenomination(shop, admin, 'pubg')).id }),
    ])
    expect([product.status, product.body.error.details]).toEqual([
      409,
      { reason: 'no_code_generation', productId: 'no_code_generation' },
    ])
    expect([denomination.status, denomination.body.error.code]).toEqual([404, 'OFFER_NOT_FOUND'])
  })
})

describe('the list', () => {
  test('filters, sorts and pages in the database, and finds a code however it is typed', async () => {
    const batch = await someGenerated(shop, admin, { count: 5 })
    const [first, second] = batch.codes
    await call('PUT', `/${first?.id}`, { published: false })
    await buy(batch)
    const of = (query: string) => list(`?productId=${batch.productId}${query}`)
    const ids = async (query: string) => (await of(query)).data.map(({ id }: { id: number }) => id)
    const all = batch.codes.map(({ id }) => id)
    expect(await ids('')).toEqual(all.toReversed())
    expect(await ids('&sort=id&order=asc&pageSize=2&page=2')).toEqual(all.slice(2, 4))
    expect(await ids('&published=false')).toEqual([first?.id])
    expect(await ids('&status=available&sort=id&order=asc')).toEqual([all[0], ...all.slice(2)])
    expect(await ids('&status=used')).toEqual([second?.id])
    expect(await ids('&status=used&published=false')).toEqual([])
    expect((await of('&activated=true')).total).toBe(0)
    expect((await of('&activated=false')).total).toBe(5)
    expect((await list(`?denominationId=${batch.denominationId}`)).total).toBe(5)
    expect((await list(`?batch=${batch.batchId}`)).total).toBe(5)
    const typed = second?.plain.toLowerCase().replaceAll('-', ' ')
    const find = async (search: string) => (await call('POST', '/search', { search })).body
    const found = await find(typed ?? '')
    expect(found).toMatchObject({ total: 1, data: [{ id: second?.id, status: 'used', published: true }] })
    expect(found.data[0].nickname).toMatch(/^user_/)
    expect((await find(second?.plain.slice(0, -1) ?? '')).total).toBe(0)
    expect(JSON.stringify(await of(''))).not.toContain(second?.plain.slice(3, -5))
  })

  test('has only generated codes, and they stand in no other list as something to edit', async () => {
    const batch = await someGenerated(shop, admin, { count: 1 })
    const manual = await anOffer(shop, { productId: batch.productId, stock: 2, gameAmount: 7 })
    expect((await list(`?productId=${manual.productId}`)).total).toBe(1)
    const move = await shop.call('PUT', `/admin/codes/${batch.codes[0]?.id}`, {
      token: admin.token,
      body: { gameAmount: 7 },
    })
    expect([move.status, move.body.error.details]).toEqual([409, { reason: 'code_generated', code: 'generated' }])
  })
})

describe('publishing', () => {
  test('a batch puts it on sale, and takes off what is left of it', async () => {
    const batch = await someGenerated(shop, admin, { count: 4, published: false })
    const publish = async (body: object) => (await call('POST', '/publish', body)).body.data.changed
    expect(await publish({ batch: batch.batchId, published: true })).toBe(4)
    expect(await publish({ batch: batch.batchId, published: true })).toBe(0)
    expect(await packages(batch.productId)).toMatchObject([{ available_count: 4 }])
    await buy(batch)
    const ids = batch.codes.map(({ id }) => id)
    expect(await publish({ ids, published: false })).toBe(3)
    expect(await packages(batch.productId)).toMatchObject([{ available_count: 0 }])
    const trail = await shop.database.rows<{ after: { ids: number[]; published: boolean } }>(sql`
      SELECT after FROM audit_entry WHERE action = 'codes.publish' ORDER BY id DESC LIMIT 2`)
    expect(trail.map(({ after }) => [after.published, after.ids.length])).toEqual([
      [false, 3],
      [true, 4],
    ])
    expect((await call('POST', '/publish', { published: true })).status).toBe(400)
  })

  test('one code, but not one that is sold; popular is its whole package', async () => {
    const batch = await someGenerated(shop, admin, { count: 2 })
    const [first, second] = batch.codes
    const popular = await call('PUT', `/${second?.id}`, { popular: true })
    expect(popular.body.data).toMatchObject({ id: second?.id, popular: true, published: true })
    expect((await shop.call('GET', `/products/${batch.productId}/popular/0`)).body).toHaveLength(1)
    expect((await list(`?batch=${batch.batchId}`)).data.map((row: { popular: boolean }) => row.popular)).toEqual([
      true,
      true,
    ])
    await buy(batch)
    const sold = await call('PUT', `/${first?.id}`, { published: false })
    expect([sold.status, sold.body.error.details]).toEqual([409, { reason: 'code_taken', status: 'used' }])
    expect((await call('PUT', '/999999999', { published: true })).body.error.code).toBe('CODE_NOT_FOUND')
  })

  test('taken off and bought at the same moment, each code is one of the two', async () => {
    const batch = await someGenerated(shop, admin, { count: 20 })
    const ids = batch.codes.map(({ id }) => id)
    const [taken, ...sales] = await Promise.all([
      call('POST', '/publish', { ids, published: false }),
      ...Array.from({ length: 20 }, () => buy(batch)),
    ])
    const sold = sales.filter(({ status }) => status === 201)
    expect(new Set(sold.flatMap(({ codes }) => codes)).size).toBe(sold.length)
    expect(taken.body.data.changed + sold.length).toBeLessThanOrEqual(20)
    const rows = await shop.database.rows<{ status: string; count: number }>(sql`
      SELECT status, count(*)::int AS count FROM code WHERE batch_id = ${batch.batchId} GROUP BY status`)
    const of = (status: string) => rows.find((row) => row.status === status)?.count ?? 0
    expect([of('used'), of('unpublished')]).toEqual([sold.length, taken.body.data.changed])
  })
})

describe('copying', () => {
  test('gives every code of the filter in plain text, and who did it is written down', async () => {
    const batch = await someGenerated(shop, admin, { count: 3 })
    const plain = batch.codes.map(({ plain: code }) => code)
    await call('PUT', `/${batch.codes[2]?.id}`, { published: false })
    expect(await copy({ batch: batch.batchId })).toEqual({ count: 3, text: plain.join('\n') })
    expect(await copy({ batch: batch.batchId, published: false })).toEqual({ count: 1, text: plain[2] })
    expect(await copy({ ids: [batch.codes[1]?.id] })).toEqual({ count: 1, text: plain[1] })
    const reveals = await shop.database.rows(sql`
      SELECT user_id, place FROM code_reveal WHERE code_id = ${batch.codes[0]?.id}`)
    expect(reveals).toEqual([{ user_id: admin.id, place: 'admin' }])
    const entries = await shop.database.rows(sql`
      SELECT after FROM audit_entry WHERE action = 'codes.copy' ORDER BY id DESC LIMIT 1`)
    expect(entries).toEqual([{ after: { count: 1, format: 'text', filter: { ids: [batch.codes[1]?.id] } } }])
  })

  test('of one that was searched for leaves its text nowhere', async () => {
    const batch = await someGenerated(shop, admin, { count: 1 })
    const search = batch.codes[0]?.plain
    expect(await copy({ batch: batch.batchId, search })).toEqual({ count: 1, text: search })
    const { after } = await shop.database.one<{ after: object }>(sql`
      SELECT after FROM audit_entry WHERE action = 'codes.copy' ORDER BY id DESC LIMIT 1`)
    expect(after).toEqual({ count: 1, format: 'text', filter: { batch: batch.batchId, search: true } })
  })

  test('gives nothing of another import than the one of the filter', async () => {
    const [batch, other] = [
      await someGenerated(shop, admin, { count: 1 }),
      await someGenerated(shop, admin, { count: 1 }),
    ]
    const search = other.codes[0]?.plain
    expect(await copy({ batch: batch.batchId, search })).toEqual({ count: 0, text: '' })
    expect((await call('POST', '/search', { batch: batch.batchId, search })).body).toEqual({ data: [], total: 0 })
    expect((await call('POST', '/search', { batch: other.batchId, search })).body.total).toBe(1)
    expect((await list(`?batch=${batch.batchId}&search=${other.codes[0]?.id}`)).total).toBe(0)
  })

  test('raises an alert once one admin has copied much within a day, however small the parts', async () => {
    const { copies_alert_codes: most, copies_alert_hours: hours } = firstNumbers
    const alerts = () => shop.database.rows(sql`SELECT subject, details FROM alert WHERE kind = 'security.copies'`)
    const small = await someGenerated(shop, admin, { count: 3 })
    const large = await someGenerated(shop, admin, { count: most - 2 })
    const mate = await aUser(shop, { role: 'admin' })
    const copyAs = (who: TestUser, batch: number) =>
      shop.call('POST', '/admin/generated-codes/copy', { token: who.token, body: { filter: { batch } } })

    expect((await copyAs(mate, large.batchId)).body.data.count).toBe(most - 2)
    expect(await alerts()).toEqual([])
    await Promise.all([copyAs(mate, small.batchId), copyAs(mate, small.batchId)])
    const details = { admin: mate.nickname, codes: most + 4, hours }
    expect(await alerts()).toEqual([{ subject: `user:${mate.id}`, details }])
    await copyAs(admin, small.batchId)
    expect(await alerts()).toHaveLength(1)
  })

  test('as a table no spreadsheet runs', async () => {
    const batch = await someGenerated(shop, admin, { count: 1 })
    await shop.database.run(sql`UPDATE product_text SET title = '=cmd()' WHERE product_id = ${batch.productId}`)
    const { text } = await copy({ batch: batch.batchId }, 'csv')
    const [head, row] = text.split('\r\n')
    expect(head).toBe(
      'code,product,denomination,game_amount,price_usd,price_rub,status,published,activated_at,player_id,created_at',
    )
    expect(row).toContain(
      `${batch.codes[0]?.plain},'=cmd(),${batch.gameAmount} diamonds,${batch.gameAmount},1,80,available,yes,,,20`,
    )
  })
})
