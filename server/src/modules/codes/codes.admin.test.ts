import { describe, expect, test } from 'vitest'
import { anOffer, aUser, type TestOffer, type TestUser, toCart } from '../../../test/factories.ts'
import { startShop } from '../../../test/shop.ts'
import { useShop, useUser } from '../../../test/use-shop.ts'
import { SERVER_LIMITS } from '../../limits.ts'
import { sql } from '../../platform/database/queries.ts'

const shop = useShop()
const admin = useUser(shop, { role: 'admin' })

const call = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown) =>
  shop.call(method, `/admin/codes${path}`, { token: admin.token, body })

const newCode = (offer: TestOffer, code: string, more: object = {}) => ({
  productId: offer.productId,
  regionId: offer.regionId,
  code,
  gameAmount: offer.gameAmount,
  priceUsd: offer.priceUsd / 100,
  priceRub: offer.priceRub / 100,
  ...more,
})
const add = async (offer: TestOffer, code: string) => (await call('POST', '', newCode(offer, code))).body.data
const find = (code: string) => call('POST', '/search', { search: code })
const toId = async (code: string) => (await find(code)).body.data[0].id

async function sell(offer: TestOffer): Promise<{ buyer: TestUser; orderId: string }> {
  const buyer = await aUser(shop, { usd: offer.priceUsd })
  await shop.call('POST', '/cart/add', { token: buyer.token, body: toCart(offer) })
  const paid = await shop.call('POST', '/payment/from-balance', { token: buyer.token, body: { currency: 'USD' } })
  return { buyer, orderId: paid.body.order.id }
}

describe('the list', () => {
  test('shows masks, filters, and names the buyer of a sold code', async () => {
    const offer = await anOffer(shop, { stock: 3, region: 'TR' })
    const { buyer, orderId } = await sell(offer)
    const list = async (query: string) => (await call('GET', `?productId=${offer.productId}${query}`)).body
    const all = await list('')
    expect(all.total).toBe(3)
    expect(JSON.stringify(all)).not.toContain('CODE-')
    expect(all.data[0]).toMatchObject({
      product_id: offer.productId,
      region_id: offer.regionId,
      region_name: 'TR',
      code: '••••',
      game_amount: 100,
      price_usd: 1,
      status: 'available',
      order_id: null,
    })
    const used = { status: 'used', order_id: orderId, user_id: buyer.id, nickname: buyer.nickname }
    expect(await list('&status=used')).toMatchObject({ data: [used], total: 1 })
    expect((await list(`&regionId=${offer.regionId}&status=available`)).total).toBe(2)
    expect((await list('&regionId=0')).total).toBe(0)
    const { batch_id } = all.data[0]
    expect((await list(`&batch=${batch_id}`)).total).toBe(3)
    expect((await list(`&batch=${batch_id + 1}`)).total).toBe(0)
  })

  test('is walked page by page in either order', async () => {
    const small = await anOffer(shop, { stock: 4, gameAmount: 10 })
    await anOffer(shop, { stock: 3, gameAmount: 20, productId: small.productId })
    const pages = async (sort: string) => {
      const seen: { id: number; game_amount: number }[] = []
      for (const page of [1, 2, 3, 4]) {
        const query = `?productId=${small.productId}&pageSize=2&page=${page}${sort}`
        seen.push(...(await call('GET', query)).body.data)
      }
      return seen
    }
    const ids = (rows: { id: number }[]) => rows.map((row) => row.id)
    const newest = ids(await pages(''))
    expect(newest).toHaveLength(7)
    expect(newest).toEqual([...newest].sort((a, b) => b - a))
    expect(ids(await pages('&sort=id&order=asc'))).toEqual([...newest].reverse())
    const byAmount = (await pages('&sort=game_amount&order=asc')).map((row) => row.game_amount)
    expect(byAmount).toEqual([10, 10, 10, 10, 20, 20, 20])
  })

  test('finds one exact code, and nothing by a part of it', async () => {
    const offer = await anOffer(shop, { stock: 2 })
    const code = offer.codes[1] as string
    expect((await find(code)).body).toMatchObject({ total: 1 })
    expect((await find(code.slice(0, -1))).body).toEqual({ data: [], total: 0 })
    const id = await toId(code)
    expect((await call('GET', `?search=${id}`)).body).toMatchObject({ data: [{ id }], total: 1 })
    const inAddress = await call('GET', `?search=${code}`)
    expect([inAddress.status, inAddress.body.error.details]).toEqual([400, { search: 'invalid_search' }])
  })
})

describe('one code', () => {
  test('is added, prices its package, and can be bought', async () => {
    const offer = await anOffer(shop)
    const added = await call('POST', '', newCode(offer, ' GIFT-0001-ABCD ', { priceUsd: 2.5, confirmPrices: true }))
    expect(added.status).toBe(201)
    expect(added.body.data).toMatchObject({ code: '••••ABCD', price_usd: 2.5, status: 'available' })
    const again = await call('POST', '', newCode(offer, 'GIFT-0001-ABCD', { priceUsd: 2.5 }))
    expect([again.status, again.body.error]).toMatchObject([409, { code: 'DUPLICATE', details: { code: 'duplicate' } }])
    const priced = await shop.call('GET', `/products/${offer.productId}/codes/0`)
    expect(priced.body).toMatchObject([{ price_usd: 2.5, available_count: 1 }])
    const { buyer, orderId } = await sell({ ...offer, priceUsd: 250 })
    const receipt = await shop.call('GET', `/orders/${orderId}`, { token: buyer.token })
    expect(receipt.body.items[0].code).toBe('GIFT-0001-ABCD')
  })

  test('is archived, put back, moved and rewritten while it was never sold', async () => {
    const offer = await anOffer(shop, { gameAmount: 30 })
    const { id } = await add(offer, 'WRONG-CODE-0000')
    expect((await call('PUT', `/${id}`, { status: 'archived' })).body.data.status).toBe('archived')
    expect((await shop.call('GET', `/products/${offer.productId}/codes/0`)).body).toMatchObject([
      { available_count: 0 },
    ])
    const back = await call('PUT', `/${id}`, {
      status: 'available',
      code: 'RIGHT-CODE-1111',
      gameAmount: 60,
      priceUsd: 2,
      confirmPrices: true,
    })
    expect(back.body.data).toMatchObject({ code: '••••1111', game_amount: 60, price_usd: 2, price_rub: 80 })
    const { buyer, orderId } = await sell({ ...offer, gameAmount: 60, priceUsd: 200 })
    const receipt = await shop.call('GET', `/orders/${orderId}`, { token: buyer.token })
    expect(receipt.body.items[0].code).toBe('RIGHT-CODE-1111')

    for (const answer of [
      await call('PUT', `/${id}`, { status: 'archived' }),
      await call('PUT', `/${id}`, { code: 'OTHER-CODE' }),
      await call('DELETE', `/${id}`),
    ]) {
      const { code, details } = answer.body.error
      expect([answer.status, code, details]).toEqual([
        409,
        'STATE_CONFLICT',
        { reason: 'code_not_in_stock', status: 'used', was_sold: true },
      ])
    }
    const entries = await shop.database.rows(
      sql`SELECT action, before, after FROM audit_entry WHERE subject = ${`code:${id}`} ORDER BY id`,
    )
    expect(entries).toMatchObject([
      { action: 'code.create' },
      { action: 'code.update', before: { status: 'available' }, after: { status: 'archived' } },
      { action: 'code.update', after: { status: 'available', game_amount: 60, rewritten: true } },
    ])
    expect(JSON.stringify(entries)).not.toContain('CODE')
  })

  test('is not rewritten into one that is in stock', async () => {
    const offer = await anOffer(shop, { stock: 1 })
    const { id } = await add(offer, 'UNIQUE-CODE-77')
    const answer = await call('PUT', `/${id}`, { code: offer.codes[0] })
    expect([answer.status, answer.body.error.code]).toEqual([409, 'DUPLICATE'])
  })

  test('is known by its new text once it was rewritten, and no more by its old one', async () => {
    const offer = await anOffer(shop)
    const { id } = await add(offer, 'BEFORE-CODE-55')
    expect((await call('PUT', `/${id}`, { code: 'AFTER-CODE-55' })).status).toBe(200)
    expect((await find('AFTER-CODE-55')).body).toMatchObject({ data: [{ id }], total: 1 })
    expect((await find('BEFORE-CODE-55')).body).toEqual({ data: [], total: 0 })
    expect((await call('POST', '', newCode(offer, 'AFTER-CODE-55'))).body.error.code).toBe('DUPLICATE')
    expect((await add(offer, 'BEFORE-CODE-55')).id).not.toBe(id)
  })

  test('is deleted while nobody saw it, and may then be added again', async () => {
    const offer = await anOffer(shop)
    const first = await add(offer, 'DELETE-ME-1234')
    expect((await call('DELETE', `/${first.id}`)).body).toEqual({ data: { id: first.id } })
    expect((await call('DELETE', `/${first.id}`)).status).toBe(404)
    const second = await add(offer, 'DELETE-ME-1234')
    await call('POST', `/${second.id}/reveal`)
    const seen = await call('DELETE', `/${second.id}`)
    expect([seen.status, seen.body.error.details]).toEqual([409, { reason: 'code_revealed', code: 'revealed' }])
  })

  test('is shown to an admin, who is written down', async () => {
    const offer = await anOffer(shop, { stock: 1 })
    const id = await toId(offer.codes[0] as string)
    expect((await call('POST', `/${id}/reveal`)).body).toEqual({ data: { id, code: offer.codes[0] } })
    const reveals = await shop.database.rows(sql`SELECT user_id, place FROM code_reveal WHERE code_id = ${id}`)
    expect(reveals).toEqual([{ user_id: admin.id, place: 'admin' }])
    const entries = await shop.database.rows(sql`SELECT action, after FROM audit_entry WHERE subject = ${`code:${id}`}`)
    expect(entries).toEqual([{ action: 'code.reveal', after: null }])
    expect((await call('POST', '/999999/reveal')).body.error.code).toBe('CODE_NOT_FOUND')
  })

  test('is shown only so often to one admin, who is told what to do; the others are told by an alert', async () => {
    const own = await startShop({ RATE_LIMITS: 'on' })
    const { points, seconds } = SERVER_LIMITS.rates.codeRevealsPerAdmin
    const offer = await anOffer(own, { stock: points + 5 })
    const rows = await own.database.rows<{ id: number }>(sql`SELECT id FROM code WHERE offer_id = ${offer.id}`)
    const [looking, other] = await Promise.all([aUser(own, { role: 'admin' }), aUser(own, { role: 'admin' })])
    const reveal = (who: TestUser, id: number | undefined) =>
      own.call('POST', `/admin/codes/${id}/reveal`, { token: who.token, body: {} })

    const answers = await Promise.all(rows.map(({ id }) => reveal(looking, id)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(points)
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused).toHaveLength(5)
    for (const { body, headers, text } of refused) {
      expect(body.error).toMatchObject({ code: 'RATE_LIMITED', details: { code: 'many_reveals', most: points } })
      expect(Number(headers['retry-after'])).toBeGreaterThan(seconds / 2)
      expect(offer.codes.filter((code) => text.includes(code))).toEqual([])
    }
    const shown = await own.database.rows(sql`SELECT id FROM code_reveal WHERE user_id = ${looking.id}`)
    expect(shown).toHaveLength(points)

    const alerts = () => own.database.rows(sql`SELECT subject, details FROM alert WHERE kind = 'security.reveals'`)
    const details = { admin: looking.nickname, codes: points, minutes: seconds / 60, since: expect.any(String) }
    expect(await alerts()).toEqual([{ subject: `user:${looking.id}`, details }])
    expect((await reveal(other, rows[0]?.id)).status).toBe(200)
    expect(await alerts()).toHaveLength(1)
    await own.close()
  })

  test('archived and bought at the same moment, one of the two happens', async () => {
    for (let round = 0; round < 20; round++) {
      const offer = await anOffer(shop, { stock: 1 })
      const id = await toId(offer.codes[0] as string)
      const [sold, archived] = await Promise.allSettled([sell(offer), call('PUT', `/${id}`, { status: 'archived' })])
      const { status } = await shop.database.one<{ status: string }>(sql`SELECT status FROM code WHERE id = ${id}`)
      const isArchived = archived.status === 'fulfilled' && archived.value.status === 200
      expect(status).toBe(isArchived ? 'archived' : 'used')
      expect(sold.status).toBe(isArchived ? 'rejected' : 'fulfilled')
    }
  })

  test('of several lines, as a login and its password are, is one code', async () => {
    const offer = await anOffer(shop)
    const login = 'login: somebody\npassword: 1 2 3'
    const added = await call('POST', '', newCode(offer, login))
    expect(added.status).toBe(201)
    const revealed = await call('POST', `/${added.body.data.id}/reveal`)
    expect(revealed.body.data.code).toBe(login)
  })

  test.each([
    [{ code: '••••ABCD' }, { code: 'invalid_code' }],
    [{ code: 'A\rB' }, { code: 'invalid_code' }],
    [{ code: ' ' }, { code: 'required' }],
    [{ priceUsd: 0 }, { priceUsd: 'invalid_amount' }],
    [{ gameAmount: 0 }, { gameAmount: 'invalid' }],
    [{ status: 'used' }, { status: 'unknown_field' }],
  ])('%j is refused', async (wrong, details) => {
    const offer = await anOffer(shop)
    const answer = await call('POST', '', newCode(offer, 'FINE-CODE', wrong))
    expect([answer.status, answer.body.error.details]).toEqual([400, details])
  })
})
