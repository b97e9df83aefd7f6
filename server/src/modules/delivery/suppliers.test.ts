import { randomUUID } from 'node:crypto'
import { firstNumbers } from '@olmos/contract/shop-numbers'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { setRate } from '../../../test/card-orders.ts'
import { aUser } from '../../../test/factories.ts'
import { toSnapshot } from '../../../test/snapshot.ts'
import { aPlayer, aTopupOrder, readTopupState, scripted, shopFor, workOff } from '../../../test/topup-orders.ts'
import { useShop } from '../../../test/use-shop.ts'
import { SERVER_LIMITS } from '../../limits.ts'
import { sql } from '../../platform/database/queries.ts'
import { signWebhook } from '../../platform/vendor/adapters.ts'
import { done, type Outcome, rejected, unknown } from '../../platform/vendor/vendor.ts'
import type { SupplierOrder } from '../topups/supplier.ts'
import { sandboxSupplier } from '../topups/suppliers/sandbox.ts'
import { noteHealth, readSupplierBalances, readSuppliers } from './supplier-health.ts'

const secret = 'the secret of the sandbox'
const shop = useShop({ SANDBOX_SECRET: secret })

const openAlerts = async (kind: string) =>
  (
    await shop.database.rows<{ subject: string }>(
      sql`SELECT subject FROM alert WHERE kind = ${kind} AND resolved_at IS NULL`,
    )
  ).map(({ subject }) => subject)

beforeEach(() => shop.database.run(sql`DELETE FROM supplier_health`))

describe('the breaker', () => {
  afterEach(() =>
    shop.database.run(sql`UPDATE delivery SET next_at = NULL, operator_since = now() WHERE decided_at IS NULL`),
  )

  test('takes an ailing supplier out, waits, and lets it back with one order that is answered', async () => {
    let answer: Outcome<SupplierOrder> = unknown('timeout')
    const { supplier, calls } = scripted('fazercards', () => answer)
    // A slow machine looks some up meanwhile.
    const ordered = () => calls.filter((what) => what === 'order')
    for (let failed = 0; failed < SERVER_LIMITS.breakerFailures; failed++) await aTopupOrder(shop)
    await workOff(shopFor(shop, supplier))
    expect(ordered()).toHaveLength(SERVER_LIMITS.breakerFailures)
    expect(await openAlerts('supplier.out')).toEqual(['fazercards'])

    await shop.database.run(sql`UPDATE delivery SET next_at = now() + interval '1 hour' WHERE state = 'unknown'`)
    const waiting = [await aTopupOrder(shop), await aTopupOrder(shop)]
    await workOff(shopFor(shop, supplier))
    expect(ordered()).toHaveLength(SERVER_LIMITS.breakerFailures)
    for (const order of waiting) expect(await readTopupState(shop, order)).toMatchObject({ units: ['queued'] })

    // The outage is over: one order is sent, the other waits for its outcome.
    await shop.database.run(sql`UPDATE supplier_health SET out_until = now()`)
    await shop.database.run(sql`UPDATE delivery SET next_at = now() WHERE state = 'queued'`)
    await workOff(shopFor(shop, supplier))
    expect(ordered()).toHaveLength(SERVER_LIMITS.breakerFailures + 1)

    answer = done({ supplierOrderId: randomUUID(), status: 'done' })
    await shop.database.run(sql`UPDATE supplier_health SET out_until = now()`)
    await shop.database.run(sql`UPDATE delivery SET next_at = now() WHERE state = 'queued'`)
    await workOff(shopFor(shop, supplier))
    expect(await openAlerts('supplier.out')).toEqual([])
    const done_ = await Promise.all(waiting.map((order) => readTopupState(shop, order)))
    expect(done_.map(({ units }) => units[0]).toSorted()).toEqual(['done', 'unknown'])
  })

  test('takes out one that takes no orders, though it tells of old ones', async () => {
    const { supplier, calls } = scripted('fazercards', () => unknown('timeout'))
    const lookUp = async () => done({ supplierOrderId: randomUUID(), status: 'pending' } as const)
    for (let failed = 0; failed < SERVER_LIMITS.breakerFailures; failed++) {
      await aTopupOrder(shop)
      await workOff(shopFor(shop, { ...supplier, lookUp }))
      await shop.database.run(sql`UPDATE delivery SET next_at = now() WHERE state = 'unknown'`)
      await workOff(shopFor(shop, { ...supplier, lookUp }))
    }
    expect(calls).toHaveLength(SERVER_LIMITS.breakerFailures)
    expect(await openAlerts('supplier.out')).toEqual(['fazercards'])
  })

  test('is told of as long as the supplier is out, whatever comes at one moment or was cut short', async () => {
    const { breakerFailures } = SERVER_LIMITS
    const call = { kind: 'submit', isCounted: true, order: { code_id: null }, orderId: 'one' } as const
    const note = (answer: Outcome<SupplierOrder>) => noteHealth(shop.database, 'kinguin', answer, call)
    const failuresBefore = (failures: number) =>
      shop.database.run(sql`
        INSERT INTO supplier_health (supplier, failures) VALUES ('kinguin', ${failures})
        ON CONFLICT (supplier) DO UPDATE SET failures = excluded.failures`)
    const isTold = async () => (await openAlerts('supplier.out')).includes('kinguin')
    for (let round = 0; round < 40; round++) {
      await failuresBefore(breakerFailures - 1)
      await Promise.all([note(unknown('timeout')), note(done({ supplierOrderId: randomUUID(), status: 'pending' }))])
      expect([round, await isTold()]).toEqual([round, false])
    }
    // Its alert was never raised: the node ended.
    await failuresBefore(breakerFailures)
    await note(unknown('timeout'))
    expect(await isTold()).toBe(true)
  })

  test('sends the orders to the next supplier meanwhile', async () => {
    const { supplier } = scripted('fazercards', () => unknown('timeout'))
    await shop.database.run(sql`
      INSERT INTO supplier_health (supplier, failures, out_until)
      VALUES ('fazercards', ${SERVER_LIMITS.breakerFailures}, now() + interval '1 minute')`)
    const order = await aTopupOrder(shop)
    await workOff(shopFor(shop, supplier, sandboxSupplier.create({}, shop)))
    expect(await readTopupState(shop, order)).toMatchObject({ order: 'completed', executions: 1 })
  })
})

describe('a supplier that refuses every order', () => {
  let answer: Outcome<SupplierOrder>
  const { supplier } = scripted('fazercards', () => answer)
  const orders = async (count: number, told: Outcome<SupplierOrder>) => {
    answer = told
    for (let made = 0; made < count; made++) await aTopupOrder(shop)
    await workOff(shopFor(shop, supplier))
  }
  const failed = () => done({ supplierOrderId: randomUUID(), status: 'failed', why: 'refunded' } as const)

  test('calls the operator after ten in a row, until it delivers one', async () => {
    await orders(SERVER_LIMITS.breakerFailures - 1, rejected('CATEGORY_CLOSED'))
    expect(await openAlerts('supplier.refuses')).toEqual([])
    // One that it took, and that failed there, was not delivered either.
    await orders(1, failed())
    expect(await openAlerts('supplier.refuses')).toEqual(['fazercards'])
    await orders(2, rejected('CATEGORY_CLOSED'))
    expect(await openAlerts('supplier.refuses')).toEqual(['fazercards'])
    await orders(1, done({ supplierOrderId: randomUUID(), status: 'done' }))
    expect(await openAlerts('supplier.refuses')).toEqual([])
    await orders(SERVER_LIMITS.breakerFailures - 1, rejected('CATEGORY_CLOSED'))
    expect(await openAlerts('supplier.refuses')).toEqual([])
  })

  test('is not one that refuses many units of one order, or for what has an alert of its own', async () => {
    answer = rejected('wrong_player')
    await aTopupOrder(shop, { quantity: SERVER_LIMITS.breakerFailures })
    await workOff(shopFor(shop, supplier))
    for (const why of ['float_empty', 'not_allowed', 'no_rate', 'too_dear'])
      await orders(SERVER_LIMITS.breakerFailures, rejected(why))
    expect(await openAlerts('supplier.refuses')).toEqual([])
  })
})

test('little money at a supplier calls the operator, until there is more', async () => {
  let amount = firstNumbers.supplier_float_low * 100 - 1
  const readBalance = async () => done({ amount, currency: 'USD' })
  const { supplier } = scripted('fazercards', () => unknown('timeout'))
  const store = shopFor(shop, { ...supplier, readBalance })
  await readSupplierBalances(store)
  await readSupplierBalances(store)
  expect(await openAlerts('supplier.float')).toEqual(['fazercards'])
  amount = firstNumbers.supplier_float_low * 100
  await readSupplierBalances(store)
  expect(await openAlerts('supplier.float')).toEqual([])
})

test('a key that is refused calls the operator before anybody has bought, until an order is taken', async () => {
  const { supplier } = scripted('fazercards', () => done({ supplierOrderId: randomUUID(), status: 'done' }))
  const store = shopFor(shop, { ...supplier, readBalance: async () => rejected('not_allowed') })
  await readSupplierBalances(store)
  await readSupplierBalances(store)
  expect(await openAlerts('supplier.not_allowed')).toEqual(['fazercards'])
  await aTopupOrder(shop)
  await workOff(store)
  expect(await openAlerts('supplier.not_allowed')).toEqual([])
})

test('an answer about another order of the supplier says nothing of this one', async () => {
  let told = 'first'
  const { supplier } = scripted('fazercards', () =>
    done({ supplierOrderId: told, status: told === 'first' ? 'pending' : 'failed' }),
  )
  const order = await aTopupOrder(shop)
  await workOff(shopFor(shop, supplier))
  told = 'second'
  await shop.database.run(sql`UPDATE delivery SET next_at = now() WHERE state = 'sent'`)
  await workOff(shopFor(shop, supplier))
  expect(await readTopupState(shop, order)).toMatchObject({ order: 'pending', units: ['unknown'], balance: 0 })
})

test.each([
  ['EUR', 4_347, 4_348],
  ['RUB', 499_999, 500_000],
  ['MYR', 20_999, 21_000],
  ['SGD', 6_499, 6_500],
  ['JPY', 4_999, 5_000],
])('a balance in %s is little below %i hundredths', async (currency, little, enough) => {
  await setRate(shop, 'EUR', 0.8695)
  await setRate(shop, 'RUB', 100)
  let amount = little
  const { supplier } = scripted('fazercards', () => unknown('timeout'))
  const store = shopFor(shop, { ...supplier, readBalance: async () => done({ amount, currency }) })
  await readSupplierBalances(store)
  expect(await openAlerts('supplier.float')).toEqual(['fazercards'])
  const shown = async () => (await readSuppliers(shop.database, store.suppliers)).map((row) => row.is_balance_low)
  expect(await shown()).toEqual([true])
  amount = enough
  await readSupplierBalances(store)
  expect(await openAlerts('supplier.float')).toEqual([])
  expect(await shown()).toEqual([false])
})

test('the admin sees how the suppliers are', async () => {
  await readSupplierBalances(shopFor(shop))
  await aTopupOrder(shop)
  await workOff(shopFor(shop))
  const { token } = await aUser(shop, { role: 'admin' })
  expect((await shop.call('GET', '/admin/suppliers', { token })).body.data).toEqual([
    expect.objectContaining({
      name: 'sandbox',
      state: 'in',
      failures: 0,
      last_answer_at: expect.any(String),
      balance: 1_000,
      balance_currency: 'USD',
      is_balance_low: false,
    }),
  ])
})

describe('webhooks', () => {
  const post = (body: string, headers: Record<string, string> = {}, supplier = 'sandbox') =>
    shop.app.inject({
      method: 'POST',
      url: `/api/supplier/webhook/${supplier}`,
      payload: body,
      headers: { 'content-type': 'application/json', ...headers },
    })
  const signed = (body: string, { key = secret, at = new Date() } = {}) =>
    post(body, { 'sandbox-signature': signWebhook(key, body, at) })

  /** Makes an order at the sandbox that is done now, and whose next look-up is an hour away. */
  async function aLateOrder() {
    const order = await aTopupOrder(shop, { players: [aPlayer('6005')] })
    await workOff(shopFor(shop))
    await shop.database.run(sql`UPDATE delivery SET next_at = now() + interval '1 hour' WHERE state = 'sent'`)
    await shop.database.run(sql`UPDATE sandbox_topup SET done_at = now() WHERE status = 'pending'`)
    const { id } = await shop.database.one<{ id: string }>(
      sql`SELECT id FROM sandbox_topup WHERE account = ${order.players[0]}`,
    )
    return { order, webhook: JSON.stringify({ id: randomUUID(), order: id }) }
  }

  test('have the order looked up at once; the same again does nothing', async () => {
    const { order, webhook } = await aLateOrder()
    expect((await signed(webhook)).statusCode).toBe(200)
    await workOff(shopFor(shop))
    expect(await readTopupState(shop, order)).toMatchObject({ order: 'completed', executions: 1 })
    const before = await toSnapshot(shop.database)
    for (let time = 0; time < 5; time++) expect((await signed(webhook)).statusCode).toBe(200)
    expect(await toSnapshot(shop.database)).toEqual(before)
  })

  test('that come while the order is looked up have it looked up again', async () => {
    const { order, webhook } = await aLateOrder()
    await shop.database.run(sql`UPDATE delivery SET next_at = now() WHERE state = 'sent'`)
    const [sandbox] = shopFor(shop).suppliers.configured
    if (!sandbox) throw new Error('no sandbox')
    let lookUps = 0
    const lookUp: typeof sandbox.lookUp = async (...asked) => {
      if (lookUps++ > 0) return sandbox.lookUp(...asked)
      expect((await signed(webhook)).statusCode).toBe(200)
      return done({ supplierOrderId: JSON.parse(webhook).order, status: 'pending' })
    }
    await workOff(shopFor(shop, { ...sandbox, lookUp }))
    expect(await readTopupState(shop, order)).toMatchObject({ order: 'completed', executions: 1 })
  })

  test('that are not true are refused, and change nothing', async () => {
    const { webhook } = await aLateOrder()
    const other = JSON.stringify({ id: randomUUID(), order: randomUUID() })
    const before = await toSnapshot(shop.database)
    const answers = [
      await post(webhook),
      await signed(webhook, { key: 'another secret of somebody' }),
      await signed(webhook, { at: new Date(Date.now() - 301_000) }),
      await signed(webhook, { at: new Date(Date.now() + 301_000) }),
      await post(webhook, { 'sandbox-signature': signWebhook(secret, other, new Date()) }),
      await post(webhook, { 'sandbox-signature': '' }),
      await signed('{"id":5}'),
      await signed('nothing'),
      await signed(''),
    ]
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(answers.length).fill(400))
    expect((await post(webhook, {}, 'nobody')).statusCode).toBe(404)
    expect((await post(webhook, {}, 'kinguin')).statusCode).toBe(503)
    expect(await toSnapshot(shop.database)).toEqual(before)
  })
})
