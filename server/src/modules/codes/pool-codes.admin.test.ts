import { beforeAll, describe, expect, test } from 'vitest'
import { aUser, toCart } from '../../../test/factories.ts'
import { aDenomination, aPool, someGenerated } from '../../../test/game-codes.ts'
import { sellTopups } from '../../../test/topups.ts'
import { useShop, useUser } from '../../../test/use-shop.ts'
import { sql } from '../../platform/database/queries.ts'

const shop = useShop()
const admin = useUser(shop, { role: 'admin' })
beforeAll(async () => {
  await sellTopups(shop)
})

const call = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown) =>
  shop.call(method, path, { token: admin.token, body })
let amounts = 50_000_000
const freshAmount = () => ++amounts

describe('denominations of PUBG', () => {
  const add = (uc_amount: number, more: object = {}) =>
    call('POST', '/pubg-admin/denominations', { uc_amount, price_usd: 1.25, price_rub: 100, ...more })

  test('are added, sold, changed and switched off, and each change is in the trail', async () => {
    const amount = freshAmount()
    const added = await add(amount)
    expect([added.status, added.body.data]).toMatchObject([
      201,
      {
        uc_amount: amount,
        price_usd: 1.25,
        price_rub: 100,
        is_active: true,
        unsold_codes: 0,
        sold_codes: 0,
        version: 1,
      },
    ])
    const { id } = added.body.data
    const sold = async () =>
      (await shop.call('GET', '/pubg/packages')).body.find((entry: { id: number }) => entry.id === id)
    expect(await sold()).toMatchObject({ uc_amount: amount, price_usd: 1.25 })
    const changed = await call('PUT', `/pubg-admin/denominations/${id}`, {
      price_usd: 1.6,
      is_active: false,
      version: 1,
    })
    expect(changed.body.data).toMatchObject({ price_usd: 1.6, price_rub: 100, is_active: false })
    expect(await sold()).toBeUndefined()
    const active = await call('GET', '/pubg-admin/denominations/active')
    expect(active.body.data.map((row: { id: number }) => row.id)).not.toContain(id)
    const found = await call('GET', `/pubg-admin/denominations?search=${amount}`)
    expect(found.body).toMatchObject({ total: 1, data: [{ id, is_active: false }] })
    const trail = await shop.database.rows(
      sql`SELECT action, actor_id, after FROM audit_entry WHERE subject = ${`offer:${id}`} ORDER BY id`,
    )
    expect(trail).toMatchObject([
      { action: 'denomination.create', actor_id: admin.id },
      { action: 'denomination.update', after: { price_usd: 160, is_active: false } },
    ])
  })

  test('an amount is there once, and what somebody else changed meanwhile is not overwritten', async () => {
    const amount = freshAmount()
    const { id } = (await add(amount)).body.data
    const again = await add(amount)
    expect([again.status, again.body.error]).toMatchObject([409, { details: { uc_amount: 'duplicate' } }])
    await call('PUT', `/pubg-admin/denominations/${id}`, { price_usd: 1.3 })
    const late = await call('PUT', `/pubg-admin/denominations/${id}`, { price_usd: 1.4, version: 1 })
    expect([late.status, late.body.error.details.current]).toMatchObject([409, { uc_amount: amount, price_usd: 1.3 }])
    const other = (await add(freshAmount())).body.data
    const moved = await call('PUT', `/pubg-admin/denominations/${other.id}`, { uc_amount: amount })
    expect([moved.status, moved.body.error.details]).toEqual([409, { uc_amount: 'duplicate' }])
  })

  test('an amount that codes stand behind stays as it is', async () => {
    const { denominationId } = await aPool(shop, admin, 1)
    const answer = await call('PUT', `/pubg-admin/denominations/${denominationId}`, { uc_amount: freshAmount() })
    expect([answer.status, answer.body.error.details]).toEqual([
      409,
      { reason: 'uc_amount_in_use', uc_amount: 'in_use' },
    ])
  })

  test('deleting one takes its unsold codes along and says so; what was seen or spent is kept', async () => {
    const { denominationId, gameAmount, ids, codes } = await aPool(shop, admin, 5)
    await call('POST', `/admin/codes/${ids[0]}/reveal`, {})
    await shop.database.run(sql`UPDATE code SET status = 'error' WHERE id = ${ids[1]}`)
    const listed = await call('GET', `/pubg-admin/denominations?search=${gameAmount}`)
    expect(listed.body.data).toMatchObject([{ unsold_codes: 5, sold_codes: 0 }])
    const removed = await call('DELETE', `/pubg-admin/denominations/${denominationId}`)
    expect(removed.body).toEqual({ data: { id: denominationId, deleted_codes: 3, kept_codes: 2 } })
    expect((await call('DELETE', `/pubg-admin/denominations/${denominationId}`)).status).toBe(404)
    expect((await call('GET', `/pubg-admin/denominations?search=${gameAmount}`)).body.total).toBe(0)
    expect((await call('PUT', `/admin/offers/${denominationId}`, { isActive: true })).status).toBe(404)
    const left = await shop.database.rows(
      sql`SELECT id, status FROM code WHERE offer_id = ${denominationId} ORDER BY id`,
    )
    expect(left).toEqual([
      { id: ids[0], status: 'archived' },
      { id: ids[1], status: 'error' },
    ])
    const [entry] = await shop.database.rows(sql`
      SELECT before FROM audit_entry WHERE action = 'denomination.delete' AND subject = ${`offer:${denominationId}`}`)
    expect(entry).toMatchObject({ before: { deleted_codes: 3, kept_codes: 2, game_amount: gameAmount } })

    const again = await add(gameAmount, { price_usd: 1.2 })
    expect([again.status, again.body.data]).toMatchObject([201, { price_usd: 1.2, is_active: true }])
    const back = await call('POST', '/pubg-admin/codes', { denomination_id: again.body.data.id, code: codes[4] })
    expect(back.status).toBe(201)
  })

  test('of more codes than were seen is not deleted, and nothing of it is', async () => {
    const { denominationId, codes } = await aPool(shop, admin, 2)
    const offer = `/admin/offers/${denominationId}`
    const seen = (await call('GET', offer)).body.data.belongings.unsold_codes
    expect(seen).toBe(2)
    const lines = [`LATE${denominationId}A`, `LATE${denominationId}B`]
    await call('POST', '/pubg-admin/codes/bulk', { denomination_id: denominationId, lines })
    for (const path of [`/pubg-admin/denominations/${denominationId}`, offer]) {
      const late = await call('DELETE', `${path}?seenCodes=${seen}`)
      expect([late.status, late.body.error]).toMatchObject([
        409,
        { code: 'STATE_CONFLICT', details: { reason: 'more_codes', unsold_codes: 4 } },
      ])
    }
    const left = await shop.database.rows(
      sql`SELECT FROM code WHERE offer_id = ${denominationId} AND status = 'available'`,
    )
    expect(left).toHaveLength(codes.length + lines.length)
    const removed = await call('DELETE', `/pubg-admin/denominations/${denominationId}?seenCodes=4`)
    expect(removed.body.data).toMatchObject({ deleted_codes: 4, kept_codes: 0 })
  })

  test.each([
    [{ price_usd: 0 }, { price_usd: 'invalid_amount' }],
    [{ uc_amount: 0 }, { uc_amount: 'invalid' }],
    [{ price_rub: undefined }, { price_rub: 'invalid_amount' }],
    [{ name: 'x' }, { name: 'unknown_field' }],
  ])('%j is refused', async (wrong, details) => {
    const answer = await add(freshAmount(), wrong)
    expect([answer.status, answer.body.error.details]).toEqual([400, details])
  })
})

describe('denominations of Free Fire', () => {
  const fields = () => {
    const game_amount = freshAmount()
    return { name: `Pack ${game_amount}`, item_id: `ff/${game_amount}`, game_amount, price_usd: 1, price_rub: 80 }
  }
  const add = (body: object) => call('POST', '/freefire-admin/denominations', body)

  test('are added with all their fields, found by a part of the name, and offered', async () => {
    const wanted = fields()
    const added = await add(wanted)
    expect([added.status, added.body.data]).toMatchObject([201, wanted])
    const { offers } = (await shop.call('GET', '/freefire/offers')).body
    expect(offers).toContainEqual(expect.objectContaining({ item_id: wanted.item_id, name: wanted.name, price: 1 }))
    const found = await call('GET', `/freefire-admin/denominations?search=pack%20${wanted.game_amount}`)
    expect(found.body.total).toBe(1)
    const changed = await call('PUT', `/freefire-admin/denominations/${added.body.data.id}`, { name: 'Weekly pass' })
    expect(changed.body.data).toMatchObject({ ...wanted, name: 'Weekly pass' })
  })

  test.each(['name', 'item_id', 'game_amount', 'price_usd', 'price_rub'])('without %s are refused', async (missing) => {
    const answer = await add({ ...fields(), [missing]: undefined })
    expect([answer.status, Object.keys(answer.body.error.details)]).toEqual([400, [missing]])
  })

  test('an item id is there once, until its denomination is deleted', async () => {
    const wanted = fields()
    const { id } = (await add(wanted)).body.data
    const twin = { ...fields(), item_id: wanted.item_id }
    const refused = await add(twin)
    expect([refused.status, refused.body.error.details]).toEqual([409, { item_id: 'duplicate' }])
    await call('DELETE', `/freefire-admin/denominations/${id}`)
    expect((await add(twin)).status).toBe(201)
  })

  test('of more generated codes than were seen is not deleted, of fewer it is', async () => {
    const { denominationId, codes } = await someGenerated(shop, admin, { count: 3 })
    const remove = (seen: number) => call('DELETE', `/freefire-admin/denominations/${denominationId}?seenCodes=${seen}`)
    const refused = await remove(2)
    expect([refused.status, refused.body.error?.details]).toEqual([409, { reason: 'more_codes', unsold_codes: 3 }])
    const ids = codes.map(({ id }) => id)
    expect(await shop.database.rows(sql`SELECT FROM code WHERE id = ANY (${ids})`)).toHaveLength(3)
    expect((await remove(4)).body.data).toMatchObject({ deleted_codes: 3 })
  })

  test('deleting one deletes generated codes that nobody has, and those that are sold can still be spent', async () => {
    const batch = await someGenerated(shop, admin, { count: 4 })
    const [sold, handedOut] = batch.codes
    const buyer = await aUser(shop, { usd: 100 })
    const line = { ...batch, priceUsd: 100, priceRub: 8_000, regionId: 0 }
    await shop.call('POST', '/cart/add', {
      token: buyer.token,
      body: { ...toCart(line as never), gameCurrency: 'diamonds' },
    })
    const paid = await shop.call('POST', '/payment/from-balance', { token: buyer.token, body: { currency: 'USD' } })
    await call('POST', '/admin/generated-codes/copy', { filter: { ids: [handedOut?.id] } })

    const removed = await call('DELETE', `/freefire-admin/denominations/${batch.denominationId}`)
    expect(removed.body.data).toMatchObject({ deleted_codes: 2, kept_codes: 2 })
    const packages = await shop.call('GET', `/products/${batch.productId}/codes/0`)
    expect(packages.body).toMatchObject([{ available_count: 0 }])
    const receipt = await shop.call('GET', `/orders/${paid.body.order.id}`, { token: buyer.token })
    expect(receipt.body.items[0].code).toBe(sold?.plain)
    for (const code of [sold, handedOut]) {
      const body = { playerID: '5123456789', code: code?.plain }
      const spent = await shop.call('POST', '/freefire/activate-code', { token: buyer.token, body })
      expect([spent.status, spent.body.success]).toEqual([200, true])
    }
  })
})

describe('codes of the pool', () => {
  test('are imported one a line, without prices; what is wrong or known is told', async () => {
    const { denominationId, codes } = await aPool(shop, admin, 2)
    const bulk = async (lines: unknown, dryRun = false) =>
      (await call('POST', `/pubg-admin/codes/bulk?dryRun=${dryRun}`, { denomination_id: denominationId, lines })).body
        .data
    const lines = `UCNEW${denominationId}A\r\n\r\n${codes[0]}\r\nUCNEW${denominationId}B\r\nUCNEW${denominationId}B`
    const expected = { added: 2, duplicates: [3, 5], invalid: [] }
    expect(await bulk(lines, true)).toEqual(expected)
    expect(await bulk([`X${denominationId}`, 'A,1,80,60'])).toEqual({
      added: 0,
      duplicates: [],
      invalid: [{ line: 2, reason: 'wrong_columns' }],
    })
    expect(await bulk(lines)).toEqual(expected)
    const listed = await call('GET', `/pubg-admin/codes?denominationId=${denominationId}`)
    expect(listed.body).toMatchObject({
      total: 4,
      data: [{ status: 'available', uc_amount: expect.any(Number) }, {}, {}, {}],
    })
    expect(listed.text).not.toContain('UCNEW')
    expect((await call('POST', '/pubg-admin/codes/search', { search: codes[0] })).body.total).toBe(1)
    expect((await call('GET', `/pubg-admin/codes?status=used&denominationId=${denominationId}`)).body.total).toBe(0)
  })

  test('two imports of the same codes at the same moment add each once', async () => {
    const { id: denomination_id } = await aDenomination(shop, admin, 'pubg')
    const lines = Array.from({ length: 500 }, (_, index) => `RACE${denomination_id}X${index}`)
    const reports = await Promise.all(
      [lines, lines.toReversed(), lines].map((part) =>
        call('POST', '/pubg-admin/codes/bulk', { denomination_id, lines: part }),
      ),
    )
    expect(reports.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(reports.reduce((sum, { body }) => sum + body.data.added, 0)).toBe(500)
  })

  test('is moved to another denomination by who may set prices alone', async () => {
    const stock = await aUser(shop, { staff: 'stock' })
    const { denominationId: denomination_id } = await aPool(shop, admin, 0)
    const { id: other } = await aDenomination(shop, admin, 'pubg')
    const by = (method: 'POST' | 'PUT', path: string, body: object, { token } = stock) =>
      shop.call(method, `/pubg-admin/codes${path}`, { token, body })
    const added = await by('POST', '', { denomination_id, code: `STAYS${denomination_id}CODE` })
    expect(added.status).toBe(201)
    const { id } = added.body.data
    const refused = await by('PUT', `/${id}`, { denomination_id: other })
    expect([refused.status, refused.body.error?.details]).toEqual([403, { permission: 'prices.write' }])
    expect((await by('PUT', `/${id}`, { denomination_id, status: 'error' })).body.data.status).toBe('error')
    expect((await by('PUT', `/${id}`, { denomination_id: other }, admin)).body.data.denomination_id).toBe(other)
  })

  test('one is added, marked as bad, mended and deleted, and each is in the trail', async () => {
    const { denominationId: denomination_id } = await aPool(shop, admin, 0)
    const added = await call('POST', '/pubg-admin/codes', { denomination_id, code: `FIRST${denomination_id}CODE12` })
    expect(added.body.data).toMatchObject({ code: '••••DE12', status: 'available', denomination_id })
    const again = await call('POST', '/pubg-admin/codes', { denomination_id, code: `FIRST${denomination_id}CODE12` })
    expect([again.status, again.body.error.details]).toEqual([409, { code: 'duplicate' }])
    const { id } = added.body.data
    expect((await call('PUT', `/pubg-admin/codes/${id}`, { status: 'error' })).body.data.status).toBe('error')
    const mended = await call('PUT', `/pubg-admin/codes/${id}`, {
      code: `SECOND${denomination_id}CODE34`,
      status: 'available',
    })
    expect(mended.body.data).toMatchObject({ code: '••••DE34', status: 'available' })
    expect((await call('DELETE', `/pubg-admin/codes/${id}`)).body).toEqual({ data: { id } })
    const trail = await shop.database.rows<{ action: string }>(
      sql`SELECT action, before, after FROM audit_entry WHERE subject = ${`code:${id}`} ORDER BY id`,
    )
    expect(trail.map(({ action }) => action)).toEqual([
      'pubg_code.create',
      'pubg_code.update',
      'pubg_code.update',
      'pubg_code.delete',
    ])
    expect(JSON.stringify(trail)).not.toContain('CODE')
  })

  test('that are spent, reserved, seen or of another product are left alone', async () => {
    const { ids, denominationId } = await aPool(shop, admin, 3)
    const refused = async (method: 'PUT' | 'DELETE', id: number | undefined) => {
      const answer = await call(method, `/pubg-admin/codes/${id}`, method === 'PUT' ? { status: 'error' } : undefined)
      return [answer.status, answer.body.error?.code]
    }
    await shop.database.run(sql`UPDATE code SET status = 'reserved' WHERE id = ${ids[0]}`)
    expect(await refused('PUT', ids[0])).toEqual([409, 'STATE_CONFLICT'])
    expect(await refused('DELETE', ids[0])).toEqual([409, 'STATE_CONFLICT'])
    await call('POST', `/admin/codes/${ids[1]}/reveal`, {})
    expect(await refused('DELETE', ids[1])).toEqual([409, 'STATE_CONFLICT'])
    const { codes } = await someGenerated(shop, admin, { count: 1 })
    expect(await refused('PUT', codes[0]?.id)).toEqual([404, 'CODE_NOT_FOUND'])
    expect(await refused('DELETE', codes[0]?.id)).toEqual([404, 'CODE_NOT_FOUND'])
    const removed = await call('DELETE', `/pubg-admin/denominations/${denominationId}`)
    expect(removed.body.data).toMatchObject({ deleted_codes: 1, kept_codes: 2 })
  })
})
