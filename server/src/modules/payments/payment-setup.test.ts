import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { expectSound, fillCart, pressPay } from '../../../test/card-orders.ts'
import { cloneDatabase } from '../../../test/database.ts'
import { type CryptopayDouble, startCryptopay } from '../../../test/doubles/cryptopay.ts'
import { startTbank, type TbankDouble } from '../../../test/doubles/tbank.ts'
import { startYookassa, type YookassaDouble, yookassaRefusals } from '../../../test/doubles/yookassa.ts'
import { anOffer, aUser, type TestUser } from '../../../test/factories.ts'
import { hear } from '../../../test/heard.ts'
import { inject } from '../../../test/inject.ts'
import { openShop, type TestShop } from '../../../test/shop.ts'
import { SERVER_LIMITS } from '../../limits.ts'
import { createListener } from '../../platform/database/notify.ts'
import { sql } from '../../platform/database/queries.ts'
import { Vault } from '../../platform/security/vault.ts'
import { keepVendors } from '../../platform/vendor/adapters.ts'
import { rotateKey } from '../codes/rotate-key.ts'

const logLines: string[] = []
const secretKey = randomBytes(32)
let own: Awaited<ReturnType<typeof cloneDatabase>>
let yookassa: YookassaDouble
let tbank: TbankDouble
let cryptopay: CryptopayDouble
let shop: TestShop
let admin: TestUser

/** A node of a shop whose owner types all there is to type in the admin area. */
const openNode = () =>
  openShop(
    {
      PAYMENT_PROVIDERS: 'none',
      YOOKASSA_BASE_URL: yookassa.url,
      TBANK_BASE_URL: tbank.url,
      CRYPTOPAY_BASE_URL: cryptopay.url,
      YOOKASSA_ADDRESSES: '127.0.0.1/32',
      LOG_LEVEL: 'debug',
    },
    { url: own.url, secretKey, logLines },
  )

beforeAll(async () => {
  yookassa = await startYookassa()
  tbank = await startTbank()
  cryptopay = await startCryptopay()
  own = await cloneDatabase()
  shop = await openNode()
  admin = await aUser(shop, { role: 'admin' })
})
afterAll(async () => {
  await expectSound(shop)
  await shop.close()
  await own.drop()
  await yookassa.close()
  await tbank.close()
  await cryptopay.close()
})
beforeEach(async () => {
  yookassa.refusal = undefined
  yookassa.readFault = undefined
  await shop.database.run(sql`UPDATE payment SET status = 'canceled' WHERE status IN ('opening', 'open')`)
  await shop.database.run(sql`DELETE FROM provider_account`)
  await shop.database.run(sql`DELETE FROM payment_method`)
  await shop.providers.renew()
})

type Method = 'GET' | 'POST' | 'PUT'
const call = (method: Method, path: string, body?: unknown) => shop.call(method, path, { token: admin.token, body })

const typed = () => ({ YOOKASSA_SHOP_ID: yookassa.shopId, YOOKASSA_SECRET_KEY: yookassa.secretKey })
const setAccount = (settings: object | null, version?: number) =>
  call('PUT', '/admin/payment-providers/yookassa', { settings, ...(version && { version }) })
const tryAccount = (settings?: object) => call('POST', '/admin/payment-providers/yookassa/try', { settings })
const changeMethod = (change: object) => call('PUT', '/admin/payment-methods/yookassa_card', change)
const readProvider = async (name = 'yookassa') =>
  (await call('GET', '/admin/payment-providers')).body.data.find((one: { name: string }) => one.name === name)

/** Sets the account up and switches its method on. */
const setUp = async () => {
  expect((await setAccount(typed())).status).toBe(200)
  expect((await changeMethod({ is_on: true })).status).toBe(200)
}

/** Somebody fills a cart and presses Pay; the price is 80 roubles. */
async function press(node: TestShop = shop) {
  const offer = await anOffer(shop, { stock: 2, priceRub: 8_000 })
  const buyer = await aUser(shop)
  await fillCart(node, buyer, offer)
  return { buyer, pressed: await pressPay(node, buyer, 8_000, { currency: 'RUB' }) }
}

describe('an account that is typed', () => {
  test('is offered once it is set and switched on, without a restart', async () => {
    expect(await readProvider()).toMatchObject({ state: 'not_set_up', version: 1, changed_by: null })
    expect((await press()).pressed.body.error.code).toBe('PAYMENT_PROVIDER_UNAVAILABLE')

    const set = await setAccount(typed())
    expect(set.body.data).toMatchObject({ state: 'off', version: 2, changed_by: admin.nickname })
    expect((await press()).pressed.body.error.code).toBe('PAYMENT_PROVIDER_UNAVAILABLE')

    expect((await changeMethod({ is_on: true })).body.data).toMatchObject({ name: 'yookassa_card', is_on: true })
    expect((await press()).pressed.body).toMatchObject({ pay_url: expect.stringContaining('yoomoney.example') })
    expect((await readProvider()).state).toBe('on')
  })

  test('is sealed, and never answered, logged or audited', async () => {
    const secret = `live_${randomBytes(20).toString('hex')}`
    logLines.length = 0
    const answers = [
      await setAccount({ ...typed(), YOOKASSA_SECRET_KEY: secret }),
      await setAccount({ YOOKASSA_SHOP_ID: '321' }),
      await call('GET', '/admin/payment-providers'),
      await tryAccount(),
      await tryAccount({ YOOKASSA_SECRET_KEY: `${secret}x` }),
      await setAccount({ YOOKASSA_SECRET_KEY: secret, YOOKASSA_BASE_URL: 'http://evil.example' }),
      await setAccount({ YOOKASSA_SECRET_KEY: secret }, 1),
      await call('GET', '/admin/audit'),
    ]
    const rows = await shop.database.rows<{ text: string }>(sql`
      SELECT encode(ciphertext, 'escape') AS text FROM provider_account
      UNION ALL SELECT concat(before, after) FROM audit_entry`)
    expect(JSON.stringify([answers.map(({ text }) => text), rows, logLines])).not.toContain(secret)

    const [entry] = answers.at(-1)?.body.data ?? []
    expect(entry).toMatchObject({
      action: 'provider_account.set',
      subject: 'provider:yookassa',
      after: { settings: ['YOOKASSA_SHOP_ID'] },
    })
    expect((await readProvider()).settings).toMatchObject([
      { name: 'YOOKASSA_SHOP_ID', use: 'shown', origin: 'shop', value: '321', is_required: true },
      { name: 'YOOKASSA_SECRET_KEY', use: 'secret', origin: 'shop', value: null },
      { name: 'YOOKASSA_BASE_URL', use: 'environment', origin: 'environment', value: yookassa.url },
      { name: 'YOOKASSA_ADDRESSES', use: 'shown', origin: 'environment', value: '127.0.0.1/32' },
    ])
  })

  test.each([
    [{ YOOKASSA_SHOP_ID: '1' }, { YOOKASSA_SECRET_KEY: 'required' }],
    [{ YOOKASSA_SHOP_ID: '', YOOKASSA_SECRET_KEY: 'x' }, { YOOKASSA_SHOP_ID: 'required' }],
    [{ YOOKASSA_BASE_URL: 'http://evil.example' }, { YOOKASSA_BASE_URL: 'in_environment' }],
    [{ YOOKASSA_ADDRESSES: '10.0.0.1' }, { YOOKASSA_ADDRESSES: 'in_environment' }],
    [{ PATH: '/tmp' }, { PATH: 'unknown_setting' }],
  ])('%j is refused', async (settings, details) => {
    const refused = await setAccount(settings)
    expect([refused.status, refused.body.error.details]).toEqual([400, details])
    expect((await readProvider()).state).toBe('not_set_up')
  })

  test('no sandbox is set up here, and no provider that nobody knows', async () => {
    for (const name of ['sandbox', 'paypal']) {
      expect(await readProvider(name)).toBeUndefined()
      expect((await call('PUT', `/admin/payment-providers/${name}`, { settings: {} })).status).toBe(404)
      expect((await call('POST', `/admin/payment-providers/${name}/try`, {})).status).toBe(404)
    }
  })

  test('of twenty admins who type at once one wins, and the others see what is there', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => setAccount({ ...typed(), YOOKASSA_SHOP_ID: `${index + 1}` }, 1)),
    )
    const won = answers.filter(({ status }) => status === 200)
    expect(won).toHaveLength(1)
    for (const { body } of answers.filter(({ status }) => status !== 200)) {
      expect(body.error.details).toMatchObject({ reason: 'changed_meanwhile', current: { version: 2, state: 'off' } })
    }
  })

  test('is not cleared while a payment is under way, nor its versions begun again afterwards', async () => {
    await setUp()
    await press()
    const refused = await setAccount(null)
    expect(refused.body.error.details).toEqual({ reason: 'payments_under_way', provider: 'yookassa', payments: 1 })
    await shop.database.run(sql`UPDATE payment SET status = 'canceled' WHERE status = 'open'`)
    expect((await setAccount(null)).body.data).toMatchObject({ state: 'not_set_up', version: 3 })
    expect((await call('GET', '/admin/payment-methods')).body.data).toEqual([])
    const { count } = await shop.database.one<{ count: number }>(
      sql`SELECT count(*)::int AS count FROM provider_account WHERE ciphertext IS NOT NULL`,
    )
    expect(count).toBe(0)
  })

  test('outlives the rotation of the key, and a node that has not heard of it opens it', async () => {
    await setUp()
    const otherVault = await Vault.open(shop.database, secretKey)
    await rotateKey(shop.database, otherVault, { started: () => {}, progressed: () => {} })
    const keys = await shop.database.rows(sql`SELECT FROM vault_key WHERE purpose = 'encryption'`)
    expect(keys).toHaveLength(1)
    const node = await openNode()
    expect((await press(node)).pressed.status).toBe(201)
    await node.close()
    expect(await readProvider()).toMatchObject({ state: 'on', version: 2 })
  })

  test('that was altered in the database keeps nobody from starting, and can be typed again', async () => {
    await setUp()
    await shop.database.run(sql`UPDATE provider_account SET ciphertext = sha256(ciphertext), version = version + 1`)
    const node = await openNode()
    expect(node.providers.configured).toEqual([])
    await node.close()
    await shop.providers.renew()
    expect((await readProvider()).state).toBe('incomplete')
    expect((await setAccount(typed())).body.data.state).toBe('on')
  })
})

describe('trying an account', () => {
  test('says in words what came of it, for what is typed and for what is stored', async () => {
    expect((await tryAccount(typed())).body.data).toEqual({
      result: 'works',
      code: null,
      is_test: true,
      has_receipts: true,
    })
    expect((await tryAccount({ ...typed(), YOOKASSA_SECRET_KEY: 'wrong' })).body.data).toMatchObject({
      result: 'refused',
      code: 'not_allowed',
    })
    expect((await tryAccount({ YOOKASSA_SHOP_ID: '1' })).body.error.details).toEqual({
      YOOKASSA_SECRET_KEY: 'required',
    })
    await setAccount(typed())
    expect((await tryAccount()).body.data.result).toBe('works')
    expect((await tryAccount({ YOOKASSA_SHOP_ID: 'another' })).body.data.result).toBe('refused')
    yookassa.readFault = 'hang-up'
    expect((await tryAccount()).body.data.result).toBe('no_answer')
  })

  test('asks also those whose payments have ids of a form of their own', async () => {
    const tried = async (name: string, settings: object) =>
      (await call('POST', `/admin/payment-providers/${name}/try`, { settings })).body.data
    const refused = { result: 'refused', code: 'not_allowed' }
    const terminal = { TBANK_TERMINAL_KEY: tbank.terminalKey, TBANK_PASSWORD: tbank.password }
    expect(await tried('tbank', terminal)).toMatchObject({ result: 'works' })
    expect(await tried('tbank', { ...terminal, TBANK_PASSWORD: 'wrong' })).toMatchObject(refused)
    expect(await tried('cryptopay', { CRYPTOPAY_TOKEN: cryptopay.token })).toMatchObject({ result: 'works' })
    expect(await tried('cryptopay', { CRYPTOPAY_TOKEN: '42:WRONG' })).toMatchObject(refused)
  })

  test('a stored one that works again ends the alert', async () => {
    await setUp()
    yookassa.refusal = yookassaRefusals.all
    await press()
    expect(await readProvider()).toMatchObject({ state: 'refused', refusal: { since: expect.any(String) } })
    expect((await tryAccount()).body.data.result).toBe('refused')
    expect((await readProvider()).state).toBe('refused')
    yookassa.refusal = undefined
    expect((await tryAccount()).body.data.result).toBe('works')
    expect(await readProvider()).toMatchObject({ state: 'on', refusal: null })
  })
})

describe('a method', () => {
  test('that is switched off is offered no more, and what is under way at its provider goes on', async () => {
    await setUp()
    const { buyer, pressed } = await press()
    expect((await changeMethod({ is_on: false })).status).toBe(200)
    expect((await press()).pressed.body.error.code).toBe('PAYMENT_PROVIDER_UNAVAILABLE')
    const [id = ''] = [...yookassa.payments.keys()].slice(-1)
    yookassa.pay(id)
    const told = await inject(shop.app, {
      method: 'POST',
      url: '/api/payment/webhook/yookassa',
      payload: yookassa.webhook(id),
      headers: { 'content-type': 'application/json' },
    })
    expect(told.statusCode).toBe(200)
    const order = await shop.call('GET', `/orders/${pressed.body.order_id}`, { token: buyer.token })
    expect(order.body.status).toBe('completed')
  })

  test('is refused limits between which there is nothing', async () => {
    await setAccount(typed())
    expect((await changeMethod({ least_rub: 100, most_rub: 50 })).body.error.details).toEqual({
      most_rub: 'below_least',
    })
    expect((await changeMethod({ least_rub: 100 })).status).toBe(200)
    expect((await changeMethod({ most_rub: 99.99 })).body.error.details).toEqual({ most_rub: 'below_least' })
    const changed = await changeMethod({ most_rub: null, least_rub: null, titles: { ru: 'Карта', uz: 'Karta' } })
    expect(changed.body.data).toMatchObject({ least_rub: null, titles: { ru: 'Карта', uz: 'Karta' }, version: 3 })
    expect((await changeMethod({ titles: { uz: '' } })).body.data.titles).toEqual({ ru: 'Карта' })
  })

  test('takes the orders between its limits, and is listed with them and its title', async () => {
    await setUp()
    await changeMethod({ least_rub: 80.01, most_rub: 500, titles: { ru: 'Карта любого банка', uz: 'Karta' } })
    const listIn = async (language: string) =>
      (await shop.call('GET', '/payment/methods?currency=rub', { headers: { 'accept-language': language } })).body.data
    expect(await listIn('ru')).toMatchObject([
      { name: 'yookassa_card', title: 'Карта любого банка', least: 80.01, most: 500 },
    ])
    expect(await listIn('en')).toMatchObject([{ title: null }])
    expect((await press()).pressed.body.error).toMatchObject({
      code: 'BELOW_LEAST_AMOUNT',
      details: { least: 80.01, currency: 'RUB' },
    })
    await changeMethod({ least_rub: null, most_rub: 79.99 })
    expect((await press()).pressed.body.error).toMatchObject({
      code: 'ABOVE_MOST_AMOUNT',
      details: { most: 79.99, currency: 'RUB' },
    })
    await changeMethod({ least_rub: 80, most_rub: 80 })
    expect((await press()).pressed.status).toBe(201)
    await changeMethod({ is_on: false })
    expect(await listIn('ru')).toEqual([])
  })

  test('is offered as it was before, but not by limits that could not be saved, and no version has a credential', async () => {
    await setUp()
    await changeMethod({ titles: { ru: 'Картой', en: 'By card' }, least_rub: 100, fee_percent: 2.5 })
    const titled = (await changeMethod({ titles: { en: '' }, least_rub: null, most_rub: 50 })).body.data
    const path = '/admin/payment-methods/yookassa_card'
    const versions: { version: number; value: Record<string, unknown> }[] = (await call('GET', `${path}/versions`)).body
      .data
    const [newest, before] = versions as [(typeof versions)[0], (typeof versions)[0]]
    expect([newest.value, before.value]).toMatchObject([
      { is_on: true, titles: { ru: 'Картой' }, least_rub: null, most_rub: 50, fee_percent: 2.5 },
      { is_on: true, titles: { ru: 'Картой', en: 'By card' }, least_rub: 100, most_rub: null },
    ])
    expect(JSON.stringify(versions)).not.toContain(yookassa.secretKey)
    const back = (restored: number, seen?: number) =>
      call('POST', `${path}/restore`, { restored, ...(seen && { version: seen }) })
    expect((await back(before.version, before.version)).body.error.details.reason).toBe('changed_meanwhile')
    const { body } = await back(before.version, newest.version)
    expect(body.data).toMatchObject({ ...before.value, version: titled.version + 1 })
    expect((await call('GET', '/admin/payment-methods')).body.data[0]).toEqual(body.data)
    // Titles that it did not have are gone again.
    expect((await back(newest.version)).body.data.titles).toEqual({ ru: 'Картой' })

    await shop.database.run(sql`
      INSERT INTO shop_setting (section, version, value)
      VALUES ('payment_method:yookassa_card', 99, ${JSON.stringify({ ...newest.value, least_rub: 60 })}::jsonb)`)
    expect((await back(99)).body.error.details).toEqual({ most_rub: 'below_least' })
  })

  test('of twenty admins who bring it back at once one wins', async () => {
    await setUp()
    await changeMethod({ least_rub: 100 })
    const path = '/admin/payment-methods/yookassa_card'
    const [newest, before] = (await call('GET', `${path}/versions`)).body.data
    const wanted = { restored: before.version, version: newest.version }
    const answers = await Promise.all(Array.from({ length: 20 }, () => call('POST', `${path}/restore`, wanted)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  test('of twenty admins who change it at once one wins', async () => {
    await setAccount(typed())
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => changeMethod({ least_rub: index + 1, version: 1 })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })
})

test('a change is in force on another node as soon as that is notified', async () => {
  const node = await openNode()
  const renewal = keepVendors(node.providers.renew, node.log)
  let isListening = () => {}
  const listening = new Promise<void>((resolve) => {
    isListening = resolve
  })
  const listener = createListener(
    own.url,
    {
      payment: (subject) => {
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
  const isCardOn = () => node.providers.methods.find(({ method }) => method.name === 'yookassa_card')?.rules.isOn
  await expect.poll(isCardOn, soon).toBe(true)
  expect((await press(node)).pressed.status).toBe(201)
  await changeMethod({ is_on: false })
  await expect.poll(isCardOn, soon).toBe(false)
  await listener.stop()
  renewal.stop()
  await node.close()
})

describe('a provider that the environment names', () => {
  let sandboxed: TestShop
  let owner: TestUser
  beforeAll(async () => {
    sandboxed = await openShop(
      {
        PAYMENT_PROVIDERS: 'yookassa,sandbox',
        YOOKASSA_SHOP_ID: yookassa.shopId,
        YOOKASSA_SECRET_KEY: yookassa.secretKey,
        YOOKASSA_BASE_URL: yookassa.url,
      },
      { url: own.url, secretKey },
    )
    owner = await aUser(sandboxed, { role: 'admin' })
  })
  afterAll(() => sandboxed.close())
  const ask = (method: Method, path: string, body?: unknown) =>
    sandboxed.call(method, path, { token: owner.token, body })

  test('wins over what was typed, and says so', async () => {
    await setAccount({ ...typed(), YOOKASSA_SHOP_ID: '9' })
    await sandboxed.providers.renew()
    const { data } = (await ask('GET', '/admin/payment-providers')).body
    const [sandbox, card] = data
    expect(sandbox).toMatchObject({ name: 'sandbox', state: 'on', is_in_environment: true, webhooks: [] })
    expect(card).toMatchObject({ name: 'yookassa', state: 'on', is_in_environment: true })
    expect(card.settings[0]).toMatchObject({ origin: 'environment', value: yookassa.shopId })
    expect(card.webhooks[0].url).toMatch(/\/api\/payment\/webhook\/yookassa$/)
    const refused = await ask('PUT', '/admin/payment-providers/yookassa', { settings: typed() })
    expect(refused.body.error.details).toEqual({ reason: 'provider_in_environment', provider: 'yookassa' })
    expect(sandboxed.providers.configured.map(({ name }) => name)).toEqual(['yookassa', 'sandbox'])
  })

  test('has its methods in the order of the environment until they are moved', async () => {
    const names = async () =>
      (await ask('GET', '/admin/payment-methods')).body.data.map(({ name }: { name: string }) => name)
    const move = (body: object) => ask('POST', '/admin/payment-methods/order', body)
    const seen = ['yookassa_card', 'yookassa_sbp', 'sandbox', 'sandbox_soums']
    expect(await names()).toEqual(seen)
    const wanted = ['sandbox', 'yookassa_card', 'sandbox_soums', 'yookassa_sbp']
    const moved = await Promise.all(Array.from({ length: 20 }, () => move({ names: wanted, seen })))
    expect(moved.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(moved.find(({ status }) => status !== 200)?.body.error.details).toEqual({
      reason: 'changed_meanwhile',
      current: { names: wanted },
    })
    expect(await names()).toEqual(wanted)
    const [entry] = (await ask('GET', '/admin/audit?search=payment_methods')).body.data
    expect(entry).toMatchObject({
      action: 'payment_methods.order',
      before: { names: seen },
      after: { names: wanted },
    })
    for (const wrong of [
      ['sandbox'],
      ['sandbox', 'sandbox', 'sandbox', 'yookassa_card'],
      [...seen.slice(1), 'paypal'],
    ]) {
      expect((await move({ names: wrong })).status).toBe(400)
    }

    // One that is gone since is left out, and one that has come since stays, after the others.
    await shop.database.run(sql`
      INSERT INTO shop_setting (section, version, value)
      VALUES ('payment_methods', 3, ${JSON.stringify({ names: ['paypal', ...seen.slice(1)] })}::jsonb)`)
    const back = (restored: number, version: number) =>
      ask('POST', '/admin/payment-methods/restore', { restored, version })
    const versions = (await ask('GET', '/admin/payment-methods/versions')).body.data
    expect(versions).toMatchObject([
      { version: 3 },
      { version: 2, value: { names: wanted }, changed_by: expect.any(String) },
      { version: 1, value: { names: seen }, changed_by: null },
    ])
    expect((await back(1, 2)).body.error.details.reason).toBe('changed_meanwhile')
    expect((await back(1, 3)).body.data.map(({ name }: { name: string }) => name)).toEqual(seen)
    expect(await names()).toEqual(seen)
    expect((await back(3, 5)).status).toBe(200)
    expect(await names()).toEqual([...seen.slice(1), 'yookassa_card'])
    expect((await back(9, 6)).status).toBe(404)

    const payloads = await hear(own.url, 'payment', sandboxed.log)
    expect((await move({ names: seen })).status).toBe(200)
    await expect.poll(() => payloads, { timeout: 30_000 }).toEqual([undefined, 'methods'])
  })
})
