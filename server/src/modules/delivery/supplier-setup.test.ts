import { randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { aGame, gameTopup, type TestGame } from '../../../test/any-game.ts'
import { expectSound } from '../../../test/card-orders.ts'
import { cloneDatabase } from '../../../test/database.ts'
import { type FazercardsDouble, startFazercards } from '../../../test/doubles/fazercards.ts'
import { aUser, type TestUser } from '../../../test/factories.ts'
import { hear } from '../../../test/heard.ts'
import { aPricedOffer, aSource, storedPrice } from '../../../test/priced-offers.ts'
import { openShop, type TestShop } from '../../../test/shop.ts'
import { aTopupOrder, readTopupState, type TopupOrder, workOff } from '../../../test/topup-orders.ts'
import { orderTopup, sellTopups, steamTopup, tenDollars } from '../../../test/topups.ts'
import { SERVER_LIMITS } from '../../limits.ts'
import { createListener } from '../../platform/database/notify.ts'
import { sql } from '../../platform/database/queries.ts'
import { raiseAlert } from '../../platform/live/alert.ts'
import { Vault } from '../../platform/security/vault.ts'
import { accountNamed, readAccounts } from '../../platform/vendor/accounts.ts'
import { keepVendors } from '../../platform/vendor/adapters.ts'
import { rotateKey } from '../codes/rotate-key.ts'
import { renewSuppliers } from './supplier-setup.ts'

const logLines: string[] = []
const secretKey = randomBytes(32)
let own: Awaited<ReturnType<typeof cloneDatabase>>
let vendor: FazercardsDouble
let shop: TestShop
let admin: TestUser

/** A node of a shop whose owner types all there is to type in the admin area. */
const openNode = () =>
  openShop(
    { SUPPLIERS: 'none', FAZERCARDS_BASE_URL: vendor.url, LOG_LEVEL: 'debug' },
    { url: own.url, secretKey, logLines },
  )

beforeAll(async () => {
  vendor = await startFazercards()
  own = await cloneDatabase()
  shop = await openNode()
  admin = await aUser(shop, { role: 'admin' })
})
afterAll(async () => {
  await expectSound(shop)
  await shop.close()
  await own.drop()
  await vendor.close()
})
beforeEach(async () => {
  vendor.refusal = undefined
  await shop.database.run(sql`UPDATE supplier_order SET state = 'given_up' WHERE state IN ('sent', 'unknown')`)
  // What an earlier test left is not delivered in the middle of this one.
  await shop.database.run(sql`UPDATE delivery SET next_at = now() + interval '1 day' WHERE next_at IS NOT NULL`)
  await shop.database.run(sql`DELETE FROM supplier_account`)
  await renewSuppliers(shop)
})

type Method = 'GET' | 'POST' | 'PUT'
const call = (method: Method, path: string, body?: unknown) => shop.call(method, path, { token: admin.token, body })

const typed = () => ({ FAZERCARDS_API_KEY: vendor.apiKey, FAZERCARDS_WEBHOOK_SECRET: vendor.webhookSecret })
const setAccount = (settings: object | null, version?: number) =>
  call('PUT', '/admin/suppliers/fazercards/account', { settings, ...(version && { version }) })
const tryAccount = (settings?: object) => call('POST', '/admin/suppliers/fazercards/account/try', { settings })
const turn = (is_on: boolean, name = 'fazercards', version?: number) =>
  call('PUT', `/admin/suppliers/${name}`, { is_on, ...(version && { version }) })
const listSuppliers = async () => (await call('GET', '/admin/suppliers/accounts')).body.data
const readSupplier = async (name = 'fazercards') =>
  (await listSuppliers()).find((one: { name: string }) => one.name === name)
const namesOn = (node: TestShop = shop) => node.suppliers.configured.map(({ name }) => name)

/** Sets the account up and switches the supplier on. */
const setUp = async () => {
  expect((await setAccount(typed())).status).toBe(200)
  expect((await turn(true)).status).toBe(200)
}

const toKey = async ({ orderId }: TopupOrder) =>
  (
    await shop.database.one<{ key: string }>(sql`
      SELECT key FROM supplier_order JOIN delivery ON delivery.id = delivery_id
      JOIN order_item ON order_item.id = order_item_id WHERE order_id = ${orderId} AND supplier = 'fazercards'`)
  ).key

/** The supplier has delivered the order, and tells the shop. */
async function finish(order: TopupOrder): Promise<void> {
  const key = await toKey(order)
  vendor.set(key, { status: 'completed' })
  const { body, headers } = vendor.webhook(key)
  const answer = await shop.app.inject({
    method: 'POST',
    url: '/api/supplier/webhook/fazercards',
    payload: body,
    headers: { ...headers, 'content-type': 'application/json' },
  })
  expect(answer.statusCode).toBe(200)
  await workOff(shop)
}

describe('an account that is typed', () => {
  test('delivers once it is set and switched on, without a restart', async () => {
    expect(await readSupplier()).toMatchObject({ state: 'not_set_up', is_on: false, version: 1, changed_by: null })
    const set = await setAccount(typed())
    expect(set.body.data).toMatchObject({ state: 'off', version: 2, changed_by: admin.nickname })
    expect(set.body.data.webhooks).toEqual([
      { url: expect.stringMatching(/\/api\/supplier\/webhook\/fazercards$/), events: [] },
    ])
    expect(namesOn()).toEqual([])

    expect((await turn(true)).body.data).toMatchObject({ state: 'on', is_on: true, version: 3 })
    const order = await aTopupOrder(shop)
    await workOff(shop)
    expect(await readTopupState(shop, order)).toMatchObject({ units: ['sent'] })
    await finish(order)
    expect(await readTopupState(shop, order)).toMatchObject({ order: 'completed', units: ['done'] })
  })

  test('is sealed, and never answered, logged or audited', async () => {
    const secret = `live_${randomBytes(20).toString('hex')}`
    logLines.length = 0
    const answers = [
      await setAccount({ ...typed(), FAZERCARDS_API_KEY: secret }),
      await setAccount({ FAZERCARDS_WEBHOOK_SECRET: `${secret}2` }),
      await call('GET', '/admin/suppliers/accounts'),
      await tryAccount(),
      await tryAccount({ FAZERCARDS_API_KEY: `${secret}x` }),
      await setAccount({ FAZERCARDS_API_KEY: secret, FAZERCARDS_BASE_URL: 'http://evil.example' }),
      await setAccount({ FAZERCARDS_API_KEY: secret }, 1),
      await call('GET', '/admin/audit'),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 400, 409, 200])
    const rows = await shop.database.rows<{ text: string }>(sql`
      SELECT encode(ciphertext, 'escape') AS text FROM supplier_account
      UNION ALL SELECT concat(before, after) FROM audit_entry`)
    expect(JSON.stringify([answers.map(({ text }) => text), rows, logLines])).not.toContain(secret)

    const [entry] = answers.at(-1)?.body.data ?? []
    expect(entry).toMatchObject({
      action: 'supplier_account.set',
      subject: 'supplier:fazercards',
      after: { settings: ['FAZERCARDS_WEBHOOK_SECRET'] },
    })
    expect((await readSupplier()).settings).toMatchObject([
      { name: 'FAZERCARDS_API_KEY', use: 'secret', origin: 'shop', value: null, is_required: true },
      { name: 'FAZERCARDS_WEBHOOK_SECRET', use: 'secret', origin: 'shop', value: null },
      { name: 'FAZERCARDS_BASE_URL', use: 'environment', origin: 'environment', value: vendor.url },
    ])
  })

  test.each([
    [{ FAZERCARDS_API_KEY: '1' }, { FAZERCARDS_WEBHOOK_SECRET: 'required' }],
    [{ FAZERCARDS_API_KEY: '', FAZERCARDS_WEBHOOK_SECRET: 'x' }, { FAZERCARDS_API_KEY: 'required' }],
    [{ FAZERCARDS_BASE_URL: 'http://10.0.0.1' }, { FAZERCARDS_BASE_URL: 'in_environment' }],
    [{ PATH: '/tmp' }, { PATH: 'unknown_setting' }],
  ])('%j is refused', async (settings, details) => {
    const refused = await setAccount(settings)
    expect([refused.status, refused.body.error.details]).toEqual([400, details])
    expect((await tryAccount(settings)).status).toBe(400)
    expect((await readSupplier()).state).toBe('not_set_up')
  })

  test('nobody types where a supplier is reached, also where the environment says nothing of it', async () => {
    const refused = await call('PUT', '/admin/suppliers/seagm/account', {
      settings: { SEAGM_UID: '1', SEAGM_SECRET_KEY: 'x', SEAGM_BASE_URL: 'http://169.254.169.254' },
    })
    expect([refused.status, refused.body.error.details]).toEqual([400, { SEAGM_BASE_URL: 'in_environment' }])
  })

  test('no sandbox is set up here, and no supplier that nobody knows', async () => {
    for (const name of ['sandbox', 'digiflazz']) {
      expect(await readSupplier(name)).toBeUndefined()
      expect((await call('PUT', `/admin/suppliers/${name}/account`, { settings: {} })).status).toBe(404)
      expect((await call('POST', `/admin/suppliers/${name}/account/try`, {})).status).toBe(404)
      expect((await turn(true, name)).status).toBe(404)
    }
  })

  test('of twenty admins who type at once one wins, and the others see what is there', async () => {
    for (const version of [1, 2]) {
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, index) => setAccount({ ...typed(), FAZERCARDS_API_KEY: `${index}` }, version)),
      )
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      const current = { version: version + 1, state: 'off' }
      for (const { body } of answers.filter(({ status }) => status !== 200))
        expect(body.error.details).toMatchObject({ reason: 'changed_meanwhile', current })
    }
  })

  test('is not cleared while a delivery is under way, and off when it is typed again', async () => {
    await setUp()
    const order = await aTopupOrder(shop)
    await workOff(shop)
    const refused = await setAccount(null)
    expect(refused.body.error.details).toEqual({
      reason: 'deliveries_under_way',
      supplier: 'fazercards',
      deliveries: 1,
    })
    await shop.database.run(sql`UPDATE delivery SET state = 'unknown' WHERE state = 'sent'`)
    expect((await setAccount(null)).body.error.details.deliveries).toBe(1)
    await finish(order)
    expect((await setAccount(null)).body.data).toMatchObject({ state: 'not_set_up', version: 4 })
    const { body } = await call('GET', '/admin/audit?search=supplier:fazercards')
    expect(body.data[0]).toMatchObject({
      action: 'supplier_account.clear',
      after: { settings: ['FAZERCARDS_API_KEY', 'FAZERCARDS_WEBHOOK_SECRET'] },
    })
    const { count } = await shop.database.one<{ count: number }>(
      sql`SELECT count(*)::int AS count FROM supplier_account WHERE ciphertext IS NOT NULL`,
    )
    expect(count).toBe(0)
    expect((await setAccount(typed())).body.data).toMatchObject({ state: 'off', version: 5 })
  })

  test('is cleared while a delivery is under way that its supplier has refused', async () => {
    await setUp()
    const order = await aTopupOrder(shop)
    await workOff(shop)
    expect((await setAccount(null)).body.error.details.reason).toBe('deliveries_under_way')
    await shop.database.run(sql`UPDATE supplier_order SET state = 'rejected' WHERE state = 'sent'`)
    await shop.database.run(sql`UPDATE delivery SET state = 'queued', next_at = now() WHERE state = 'sent'`)
    expect((await setAccount(null)).status).toBe(200)
    await workOff(shop)
    expect(await readTopupState(shop, order)).toMatchObject({ order: 'refunded' })
  })

  test('is sealed for its supplier, and opens at no other', async () => {
    await setUp()
    await call('PUT', '/admin/suppliers/seagm/account', { settings: { SEAGM_UID: '77', SEAGM_SECRET_KEY: 'x' } })
    await shop.database.run(sql`
      UPDATE supplier_account SET key_id = other.key_id, ciphertext = other.ciphertext FROM supplier_account AS other
      WHERE supplier_account.supplier = 'fazercards' AND other.supplier = 'seagm'`)
    const accounts = await readAccounts(shop.database, shop.vault, 'supplier_account')
    expect(accountNamed(accounts, 'seagm').settings).toMatchObject({ SEAGM_UID: '77' })
    expect(accountNamed(accounts, 'fazercards')).toMatchObject({ isThere: true, settings: undefined })
  })

  test('outlives the rotation of the key, and a node that has not heard of it opens it', async () => {
    await setUp()
    const otherVault = await Vault.open(shop.database, secretKey)
    await rotateKey(shop.database, otherVault, { started: () => {}, progressed: () => {} })
    const keys = await shop.database.rows<{ id: number }>(sql`SELECT id FROM vault_key WHERE purpose = 'encryption'`)
    const rows = await shop.database.rows<{ key_id: number | null }>(sql`
      SELECT key_id FROM supplier_account WHERE supplier = 'fazercards'`)
    expect(rows.map(({ key_id }) => key_id)).toEqual(keys.map(({ id }) => id))
    const node = await openNode()
    expect(namesOn(node)).toEqual(['fazercards'])
    await node.close()
    expect(await readSupplier()).toMatchObject({ state: 'on', version: 3 })
  })

  test('that was altered in the database keeps nobody from starting, and can be typed again', async () => {
    await setUp()
    await shop.database.run(sql`UPDATE supplier_account SET ciphertext = sha256(ciphertext)`)
    const node = await openNode()
    expect(namesOn(node)).toEqual([])
    await node.close()
    await shop.suppliers.renew()
    expect((await readSupplier()).state).toBe('incomplete')
    expect((await turn(true)).body.error.details).toEqual({ reason: 'supplier_not_set_up', supplier: 'fazercards' })
    expect((await setAccount(typed())).body.data.state).toBe('on')
  })
})

describe('an order whose answer was lost', () => {
  const countPosts = () => vendor.requests.filter(({ path }) => path === '/topups/order').length
  const readReason = async ({ orderId }: TopupOrder) =>
    (
      await shop.database.one<{ reason: string | null }>(sql`
        SELECT reason FROM delivery JOIN order_item ON order_item.id = order_item_id WHERE order_id = ${orderId}`)
    ).reason
  const lookAgain = async ({ orderId }: TopupOrder, node: TestShop = shop) => {
    await shop.database.run(sql`
      UPDATE delivery SET next_at = now(), tried_since = tried_since - interval '10 minutes' FROM order_item
      WHERE order_item.id = order_item_id AND order_id = ${orderId}`)
    await workOff(node)
  }
  const loseAnswer = async (node: TestShop = shop) => {
    const order = await aTopupOrder(shop)
    vendor.fault = 'broken-after'
    await workOff(node)
    vendor.fault = undefined
    expect(await readTopupState(shop, order)).toMatchObject({ units: ['unknown'] })
    return order
  }
  let apiKey: string
  beforeEach(() => {
    apiKey = vendor.apiKey
  })
  afterEach(() => {
    vendor.apiKey = apiKey
  })

  test('at one account is not sent again at another, and goes on once the first is back', async () => {
    await setUp()
    const order = await loseAnswer()
    const sent = countPosts()
    vendor.apiKey = 'fz_another_account'
    expect((await setAccount(typed())).status).toBe(200)
    await lookAgain(order)
    await lookAgain(order)
    expect(countPosts()).toBe(sent)
    expect(await readTopupState(shop, order)).toMatchObject({ units: ['unknown (operator)'], balance: 0 })
    expect(await readReason(order)).toBe('other_account')
    expect(
      await shop.database.rows(sql`
        SELECT details ->> 'why' AS why FROM alert WHERE kind = 'delivery.stuck' AND details ->> 'order' = ${order.orderId}`),
    ).toEqual([{ why: 'other_account' }])

    const next = await aTopupOrder(shop)
    await workOff(shop)
    expect(await readTopupState(shop, next)).toMatchObject({ units: ['sent'] })

    vendor.apiKey = apiKey
    await setAccount(typed())
    await lookAgain(order)
    expect(vendor.executions(await toKey(order))).toBe(1)
    expect(await readTopupState(shop, order)).toMatchObject({ units: ['sent (operator)'] })
  })

  test('is sent again at the same account, also when its other settings are new', async () => {
    await setUp()
    const order = await loseAnswer()
    await setAccount({ FAZERCARDS_WEBHOOK_SECRET: 'another secret' })
    await lookAgain(order)
    expect(await readTopupState(shop, order)).toMatchObject({ units: [expect.stringMatching(/^sent/)] })
    expect(vendor.executions(await toKey(order))).toBe(1)
  })

  test('is not sent again with another key of the environment either', async () => {
    const openNamed = (key: string) =>
      openShop(
        {
          SUPPLIERS: 'fazercards',
          FAZERCARDS_API_KEY: key,
          FAZERCARDS_WEBHOOK_SECRET: vendor.webhookSecret,
          FAZERCARDS_BASE_URL: vendor.url,
        },
        { url: own.url, secretKey },
      )
    const before = await openNamed(apiKey)
    onTestFinished(() => before.close())
    const order = await loseAnswer(before)
    const sent = countPosts()
    vendor.apiKey = 'fz_another_account'
    const after = await openNamed(vendor.apiKey)
    onTestFinished(() => after.close())
    await lookAgain(order, after)
    expect(countPosts()).toBe(sent)
    expect(await readReason(order)).toBe('other_account')
    // A key names one account on every node, wherever it is set.
    vendor.apiKey = apiKey
    await setUp()
    await lookAgain(order)
    expect(vendor.executions(await toKey(order))).toBe(1)
    expect(await readTopupState(shop, order)).toMatchObject({ units: [expect.stringMatching(/^sent/)] })
  })
})

describe('trying an account', () => {
  test('says in words what came of it, for what is typed and for what is stored', async () => {
    const works = { result: 'works', code: null, balance: 100.49, balance_currency: 'USD' }
    const nothing = { balance: null, balance_currency: null }
    expect((await tryAccount(typed())).body.data).toEqual(works)
    expect((await readSupplier()).state).toBe('not_set_up')
    expect((await tryAccount({ ...typed(), FAZERCARDS_API_KEY: 'wrong' })).body.data).toEqual({
      ...nothing,
      result: 'refused',
      code: 'not_allowed',
    })
    await setAccount(typed())
    expect((await tryAccount()).body.data).toEqual(works)
    vendor.refusal = { status: 500, body: {} }
    expect((await tryAccount()).body.data).toEqual({ ...nothing, result: 'no_answer', code: 'http_500' })
    const operator = await call('POST', '/admin/suppliers/manual/account/try', {})
    expect(operator.body.data).toEqual({ ...nothing, result: 'not_possible', code: null })
  })

  test('ends the alert about a key that was not taken, once the stored one is', async () => {
    await setUp()
    await raiseAlert(shop.database, {
      kind: 'supplier.not_allowed',
      subject: 'fazercards',
      details: { order: 'ORD-1' },
      whenChanged: 'refresh',
    })
    expect(await readSupplier()).toMatchObject({ state: 'refused', refused_since: expect.any(String) })
    await tryAccount(typed())
    expect((await readSupplier()).state).toBe('refused')
    await tryAccount()
    expect(await readSupplier()).toMatchObject({ state: 'on', refused_since: null })
  })
})

describe('switching and ordering', () => {
  test('what was sent before is finished with a supplier that is off, and nothing new is sent there', async () => {
    await setUp()
    const order = await aTopupOrder(shop)
    await workOff(shop)
    expect((await turn(false)).body.data).toMatchObject({ state: 'off', is_on: false })
    const later = await aTopupOrder(shop)
    await workOff(shop)
    expect(await readTopupState(shop, later)).toMatchObject({ order: 'refunded' })
    await finish(order)
    expect(await readTopupState(shop, order)).toMatchObject({ order: 'completed', units: ['done'] })
  })

  test('the operator needs no account, is asked last, and tells who sells codes as suppliers do', async () => {
    expect(await readSupplier('manual')).toMatchObject({ state: 'off', is_movable: false, settings: [], webhooks: [] })
    await setUp()
    expect((await turn(true, 'manual')).body.data.state).toBe('on')
    expect(namesOn()).toEqual(['fazercards', 'manual'])
    const sellers = async () =>
      (
        await shop.database.rows<{ supplier: string }>(
          sql`SELECT supplier FROM supplier_health WHERE sells_codes AND 'code' = ANY (sells)`,
        )
      ).map(({ supplier }) => supplier)
    expect(await sellers()).toEqual(['fazercards'])
    await turn(false)
    expect(await sellers()).toEqual([])
  })

  test('prices by rule are made of what those that are on want, as soon as one is switched', async () => {
    await setUp()
    const offer = await aPricedOffer(shop, { base: ['0.7', 'USD'] })
    await aSource(shop, offer.id, ['0.5', 'USD'], { supplier: 'fazercards' })
    const prices = async () => {
      const { price_usd, floor_usd } = await storedPrice(shop, offer.id)
      return [price_usd, floor_usd]
    }
    expect((await turn(false)).status).toBe(200)
    expect(await prices()).toEqual([77, 70])
    expect((await turn(true)).status).toBe(200)
    expect(await prices()).toEqual([55, 50])
    expect((await setAccount(null)).status).toBe(200)
    expect(await prices()).toEqual([77, 70])
    await shop.database.run(sql`UPDATE offer SET deleted_at = now(), is_active = false WHERE id = ${offer.id}`)
  })

  test('what only one delivers that is off, or has lost its account, is not sold: nobody pays for a refund', async () => {
    await setUp()
    await sellTopups(shop)
    const [bySource, byName] = [await aGame(shop, { playerCheck: 'none' }), await aGame(shop, { playerCheck: 'none' })]
    const { id } = await shop.database.one<{ id: number }>(sql`
      INSERT INTO supplier_product (supplier, reference, kind, name, cost, currency)
      VALUES ('fazercards', 'pubg_mobile_auto/60_uc', 'topup', '60 UC', 0.5, 'USD') RETURNING id`)
    await shop.database.run(sql`
      INSERT INTO offer_source (offer_id, kind, supplier_product_id, rank) VALUES (${bySource.offers[0]}, 'supplier', ${id}, 1)`)
    const user = await aUser(shop, { usd: 100_000 })
    const offered = async ({ slug }: TestGame) =>
      (await shop.call('GET', `/topups/${slug}/offers`)).body.offers[0].available
    const state = async () => {
      const steam = steamTopup({ ...tenDollars, login: `login_${++logins}` })
      const answers = [gameTopup(bySource), gameTopup(byName), steam].map(async (wish) => {
        const { status, body } = await orderTopup(shop, user, wish, { confirmRepeat: true })
        return body.error?.code ?? status
      })
      const cart = await shop.call('GET', '/cart', { token: user.token })
      const inCart = cart.body.data.map(({ available_count }: { available_count: number }) => available_count)
      return [await offered(bySource), await offered(byName), ...(await Promise.all(answers)), ...inCart]
    }
    let logins = 0
    expect(await state()).toEqual([100, 100, 201, 201, 201])
    const body = { topupData: gameTopup(bySource) }
    expect((await shop.call('POST', '/cart/add-topup', { token: user.token, body })).status).toBe(201)
    await turn(false)
    // What was paid for before is refunded.
    await workOff(shop)
    const none = [0, 0, 'OUT_OF_STOCK', 'OUT_OF_STOCK', 'OUT_OF_STOCK', 0]
    expect(await state()).toEqual(none)
    expect((await setAccount(null)).status).toBe(200)
    expect(await state()).toEqual(none)
    await turn(true, 'manual')
    // Its own source is the supplier's alone; what has none is the operator's, too.
    expect(await state()).toEqual([0, 100, 'OUT_OF_STOCK', 201, 201, 0])
    await turn(false, 'manual')
    await workOff(shop)
    const orders = await shop.database.rows<{ status: string }>(
      sql`SELECT status FROM orders WHERE user_id = ${user.id}`,
    )
    expect(orders.map(({ status }) => status)).toEqual(Array(5).fill('refunded'))
  })

  test('one that is not set up is not switched on', async () => {
    const refused = await turn(true)
    expect(refused.body.error.details).toEqual({ reason: 'supplier_not_set_up', supplier: 'fazercards' })
  })

  test('of twenty admins who switch it at once one wins', async () => {
    await setAccount(typed())
    const answers = await Promise.all(Array.from({ length: 20 }, () => turn(true, 'fazercards', 2)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const { body } = await call('GET', '/admin/audit?search=supplier:fazercards')
    expect(body.data[0]).toMatchObject({ action: 'supplier.switch', before: { is_on: false }, after: { is_on: true } })
  })

  test('they are asked in the order they are put into, and of twenty admins who move them one wins', async () => {
    await setUp()
    await call('PUT', '/admin/suppliers/seagm/account', { settings: { SEAGM_UID: '77', SEAGM_SECRET_KEY: 'x' } })
    await turn(true, 'seagm')
    await turn(true, 'manual')
    expect(namesOn()).toEqual(['fazercards', 'seagm', 'manual'])
    const order = (body: object) => call('POST', '/admin/suppliers/order', body)
    const [seen, names] = [
      ['fazercards', 'seagm'],
      ['seagm', 'fazercards'],
    ]
    const moved = await Promise.all(Array.from({ length: 20 }, () => order({ names, seen })))
    expect(moved.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(moved.find(({ status }) => status !== 200)?.body.error.details).toEqual({
      reason: 'changed_meanwhile',
      current: { names },
    })
    expect(namesOn()).toEqual(['seagm', 'fazercards', 'manual'])
    const { body } = await call('GET', '/admin/audit?search=suppliers')
    expect(body.data[0]).toMatchObject({
      action: 'suppliers.order',
      subject: 'suppliers',
      before: { names: seen },
      after: { names },
    })
    const listed = (await listSuppliers()).map(({ name }: { name: string }) => name)
    expect(listed.slice(0, 3)).toEqual(['seagm', 'fazercards', 'manual'])
    for (const wrong of [['seagm'], ['seagm', 'seagm'], ['manual', 'seagm'], ['seagm', 'fazercards', 'manual']]) {
      expect((await order({ names: wrong })).status).toBe(400)
    }
  })
})

test('who is asked, and in which order, comes back as it was; accounts stay as they are, and in no version', async () => {
  await setUp()
  const secret = 'a-secret-of-seagm'
  await call('PUT', '/admin/suppliers/seagm/account', { settings: { SEAGM_UID: '77', SEAGM_SECRET_KEY: secret } })
  const names: string[] = (await listSuppliers())
    .filter(({ is_movable }: { is_movable: boolean }) => is_movable)
    .map(({ name }: { name: string }) => name)
  expect(names.length).toBeGreaterThan(1)
  await call('POST', '/admin/suppliers/order', { names: names.toReversed() })
  await turn(false)
  const versions = (await call('GET', '/admin/suppliers/versions')).body.data
  expect(versions[0]).toMatchObject({
    value: { names: names.toReversed(), is_on: { fazercards: false } },
    changed_by: admin.nickname,
  })
  expect(JSON.stringify(versions)).not.toContain(secret)
  const first = versions.find(({ value }: { value: { names: string[] } }) => value.names.join() === names.join())
  expect(first.value.is_on.fazercards).toBe(true)
  const back = (restored: number, version?: number) =>
    call('POST', '/admin/suppliers/restore', { restored, ...(version && { version }) })
  expect((await back(first.version, first.version)).body.error.details.reason).toBe('changed_meanwhile')
  expect((await back(first.version, versions[0].version)).status).toBe(200)
  expect([namesOn().includes('fazercards'), shop.suppliers.order.filter((name) => name !== 'manual')]).toEqual([
    true,
    names,
  ])
  expect((await call('GET', '/admin/suppliers/versions')).body.data.length).toBe(versions.length + 1)

  // What is not set up any more is not switched on again.
  const newest = (await call('GET', '/admin/suppliers/versions')).body.data[0]
  expect((await setAccount(null)).status).toBe(200)
  expect((await back(newest.version)).status).toBe(200)
  expect([namesOn().includes('fazercards'), await readSupplier()]).toMatchObject([false, { state: 'not_set_up' }])
})

test('a change is in force on another node as soon as that is notified', async () => {
  const node = await openNode()
  const renewal = keepVendors(() => renewSuppliers(node), node.log)
  let isListening = () => {}
  const listening = new Promise<void>((resolve) => {
    isListening = resolve
  })
  const listener = createListener(
    own.url,
    {
      supplier: (subject) => {
        renewal.wake()
        if (subject === undefined) isListening()
      },
    },
    node.log,
  )
  await listening
  await setUp()
  // Much less than the time after which a node would look by itself.
  const soon = { timeout: SERVER_LIMITS.renewVendorsMs / 3, interval: 5 }
  await expect.poll(() => namesOn(node), soon).toEqual(['fazercards'])
  const order = await aTopupOrder(shop)
  await workOff(node)
  expect(await readTopupState(shop, order)).toMatchObject({ units: ['sent'] })
  await turn(false)
  await expect.poll(() => namesOn(node), soon).toEqual([])
  await finish(order)
  expect(await readTopupState(shop, order)).toMatchObject({ units: ['done'] })
  await listener.stop()
  renewal.stop()
  await node.close()
})

test('every node is told of each change', async () => {
  const payloads = await hear(own.url, 'supplier', shop.log)
  const told = async (answer: Promise<{ status: number }>, subjects: string[]) => {
    payloads.length = 0
    expect((await answer).status).toBe(200)
    await expect.poll(() => payloads, { timeout: 30_000 }).toEqual(subjects)
  }
  await told(setAccount(typed()), ['fazercards'])
  await told(turn(true), ['fazercards'])
  await told(call('POST', '/admin/suppliers/order', { names: ['fazercards'] }), ['order'])
  const [{ version }] = (await call('GET', '/admin/suppliers/versions')).body.data
  await turn(false)
  await told(call('POST', '/admin/suppliers/restore', { restored: version }), ['fazercards'])
})

test('what another node has set up a moment ago is switched, moved and brought back here', async () => {
  const node = await openNode()
  onTestFinished(() => node.close())
  const there = (path: string, body: object) => node.call('PUT', path, { token: admin.token, body })
  await there('/admin/suppliers/fazercards/account', { settings: typed() })
  expect((await turn(true)).body.data).toMatchObject({ state: 'on' })
  const seagm = { SEAGM_UID: '77', SEAGM_SECRET_KEY: 'x' }
  await there('/admin/suppliers/seagm/account', { settings: seagm })
  const names = ['seagm', 'fazercards']
  expect((await call('POST', '/admin/suppliers/order', { names })).status).toBe(200)
  const [{ version }] = (await call('GET', '/admin/suppliers/versions')).body.data

  await setAccount(null)
  await call('PUT', '/admin/suppliers/seagm/account', { settings: null })
  await shop.database.run(sql`UPDATE supplier_account SET position = NULL`)
  await there('/admin/suppliers/fazercards/account', { settings: typed() })
  await there('/admin/suppliers/seagm/account', { settings: seagm })
  const { status, body } = await call('POST', '/admin/suppliers/restore', { restored: version })
  const back = body.data.slice(0, 2).map(({ name, is_on }: { name: string; is_on: boolean }) => [name, is_on])
  expect([status, back]).toEqual([
    200,
    [
      ['seagm', false],
      ['fazercards', true],
    ],
  ])
})

test('of twenty admins who bring back what was there one wins', async () => {
  await setUp()
  await turn(false)
  const [newest, before] = (await call('GET', '/admin/suppliers/versions')).body.data
  const wanted = { restored: before.version, version: newest.version }
  const answers = await Promise.all(Array.from({ length: 20 }, () => call('POST', '/admin/suppliers/restore', wanted)))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
})

test.each(['manager', 'stock', 'finance', 'support'] as const)(
  'a %s of the staff sets no supplier up',
  async (name) => {
    const member = await aUser(shop, { role: 'admin', staff: name })
    const ask = (method: Method, path: string, body: unknown) => shop.call(method, path, { token: member.token, body })
    for (const refused of [
      await ask('PUT', '/admin/suppliers/fazercards/account', { settings: typed() }),
      await ask('POST', '/admin/suppliers/fazercards/account/try', { settings: typed() }),
      await ask('PUT', '/admin/suppliers/manual', { is_on: true }),
      await ask('POST', '/admin/suppliers/order', { names: ['fazercards'] }),
    ])
      expect(refused.status).toBe(403)
    expect(await readSupplier()).toMatchObject({ state: 'not_set_up', version: 1 })
  },
)

describe('a supplier that the environment names', () => {
  let named: TestShop
  let owner: TestUser
  beforeAll(async () => {
    named = await openShop(
      {
        SUPPLIERS: 'manual,fazercards,sandbox',
        FAZERCARDS_API_KEY: vendor.apiKey,
        FAZERCARDS_WEBHOOK_SECRET: vendor.webhookSecret,
        FAZERCARDS_BASE_URL: vendor.url,
      },
      { url: own.url, secretKey },
    )
    owner = await aUser(named, { role: 'admin' })
  })
  afterAll(() => named.close())
  const ask = (method: Method, path: string, body?: unknown) => named.call(method, path, { token: owner.token, body })

  test('wins over what was typed, and says so', async () => {
    await setAccount({ ...typed(), FAZERCARDS_API_KEY: 'another' })
    await named.suppliers.renew()
    const { data } = (await ask('GET', '/admin/suppliers/accounts')).body
    expect(data[0]).toMatchObject({ name: 'fazercards', state: 'on', is_in_environment: true, is_movable: true })
    expect(data[0].settings[0]).toMatchObject({ origin: 'environment', value: null })
    expect(data[1]).toMatchObject({ name: 'sandbox', state: 'on', is_in_environment: true, webhooks: [] })
    expect(data[2]).toMatchObject({ name: 'manual', state: 'on', is_in_environment: true, is_movable: false })
    const refused = await ask('PUT', '/admin/suppliers/fazercards/account', { settings: typed() })
    expect(refused.body.error.details).toEqual({ reason: 'supplier_in_environment', supplier: 'fazercards' })
    expect((await ask('POST', '/admin/suppliers/fazercards/account/try', {})).body.data.result).toBe('works')
  })

  test('is on in the order of the environment until it is switched or moved', async () => {
    await named.suppliers.renew()
    expect(namesOn(named)).toEqual(['fazercards', 'sandbox', 'manual'])
    await ask('POST', '/admin/suppliers/order', { names: ['sandbox', 'fazercards'] })
    expect(namesOn(named)).toEqual(['sandbox', 'fazercards', 'manual'])
    const off = await ask('PUT', '/admin/suppliers/sandbox', { is_on: false })
    expect(off.body.data).toMatchObject({ state: 'off', is_in_environment: true })
    expect(namesOn(named)).toEqual(['fazercards', 'manual'])
  })
})
