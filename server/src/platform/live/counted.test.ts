import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  aCardOrder,
  act,
  expectSound,
  fillCart,
  payFromBalance,
  startCardShop,
  tell,
} from '../../../test/card-orders.ts'
import { anOffer, aUser } from '../../../test/factories.ts'
import { type Link, openLink } from '../../../test/link.ts'
import { startShop, type TestShop } from '../../../test/shop.ts'
import { type Job, runIfDue, startJobs } from '../database/jobs.ts'
import { sql } from '../database/queries.ts'

const log = pino({ enabled: false })

const scrape = async (shop: TestShop) => {
  const { statusCode, body } = await shop.app.inject({ url: '/metrics', remoteAddress: '127.0.0.1' })
  expect(statusCode).toBe(200)
  return body
}

/** The value of a line of the metrics, whatever the order of its labels; 0 without one. */
async function read(shop: TestShop, name: string, labels: Record<string, string> = {}): Promise<number> {
  const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`)
  const line = (await scrape(shop))
    .split('\n')
    .find((text) => new RegExp(`^${name}[{ ]`).test(text) && wanted.every((label) => text.includes(label)))
  return Number(line?.split(' ').at(-1) ?? 0)
}

describe('what is sold', () => {
  let shop: TestShop
  beforeAll(async () => {
    shop = await startCardShop({ RATE_LIMITS: 'on' })
  })
  afterAll(async () => {
    await expectSound(shop)
    await shop.close()
  })
  const orders = (change: string, method: string) =>
    read(shop, 'olmos_orders_total', { change, method, purpose: 'goods' })
  const taken = (method: string) => read(shop, 'olmos_money_taken_minor_total', { method, currency: 'USD' })
  const refunded = (method: string) => read(shop, 'olmos_money_refunded_minor_total', { method, currency: 'USD' })

  test('a purchase from the balance is counted, with its money, and one that was refused is not', async () => {
    const offer = await anOffer(shop, { stock: 2 })
    const buyer = await aUser(shop, { usd: 250 })
    await fillCart(shop, buyer, offer, 2)
    expect((await payFromBalance(shop, buyer)).status).toBe(201)
    await fillCart(shop, buyer, await anOffer(shop, { stock: 1 }))
    expect((await payFromBalance(shop, buyer)).body.error.code).toBe('INSUFFICIENT_BALANCE')

    const changes = ['placed', 'paid', 'completed', 'pending']
    expect(await Promise.all(changes.map((change) => orders(change, 'balance')))).toEqual([1, 1, 1, 0])
    expect(await taken('balance')).toBe(200)
    expect(await read(shop, 'olmos_refusals_total', { code: 'INSUFFICIENT_BALANCE' })).toBe(1)
  })

  test('a payment by card is counted once it came, however often it is told, and so is its refund', async () => {
    const order = await aCardOrder(shop)
    expect([await orders('placed', 'card'), await orders('paid', 'card')]).toEqual([1, 0])
    await act(shop, order, 'succeed')
    await tell(shop, order)
    await tell(shop, order)
    expect([await orders('placed', 'card'), await orders('paid', 'card')]).toEqual([1, 1])
    const { method } = await shop.database.one<{ method: string }>(
      sql`SELECT method FROM payment WHERE order_id = ${order.orderId}`,
    )
    expect(await taken(method)).toBe(order.amount)

    const admin = await aUser(shop, { role: 'admin' })
    const wallet = { token: admin.token, body: { reason: 'not wanted', to: 'wallet' } }
    expect((await shop.call('POST', `/admin/orders/${order.orderId}/refund`, wallet)).status).toBe(200)
    expect([await refunded('balance'), await orders('refunded', 'card')]).toEqual([order.amount, 1])
    const calls = { kind: 'provider', vendor: 'sandbox', call: 'createPayment', outcome: 'done' }
    expect(await read(shop, 'olmos_vendor_call_seconds_count', calls)).toBe(1)
  })

  test('what a transaction counts is forgotten when it is undone', async () => {
    const undone = shop.database.transaction(async (tx) => {
      tx.count(({ refusals }) => refusals.inc({ code: 'MADE_UP' }))
      await tx.run(sql`SELECT 1 / 0`)
    })
    await expect(undone).rejects.toThrow('division by zero')
    expect(await scrape(shop)).not.toContain('MADE_UP')
  })

  test('calls beyond a limit are counted by the limit, and as refusals by their code', async () => {
    const body = { nickname: 'Quest', userId: '17', message: 'Where is my code?' }
    const answers = []
    while (answers.length < 100 && answers.at(-1)?.status !== 429)
      answers.push(await shop.call('POST', '/support', { body }))
    expect(await read(shop, 'olmos_rate_limited_total', { limit: 'supportMessagesPerAddress' })).toBe(1)
    expect(await read(shop, 'olmos_refusals_total', { code: 'RATE_LIMITED' })).toBe(1)
  })
})

test('the codes that are left are read once a minute, and the emptiest products are named', async () => {
  const shop = await startShop()
  const [empty, some] = [await anOffer(shop), await anOffer(shop, { stock: 3 })]
  const stock = (product: string) => read(shop, 'olmos_stock_codes', { product })
  expect([await stock(empty.slug), await stock(some.slug)]).toEqual([0, 3])
  expect(await scrape(shop)).toContain(`olmos_stock_codes{product="${empty.slug}"} 0\n`)
  await shop.database.run(sql`UPDATE code SET status = 'archived'`)
  expect(await stock(some.slug)).toBe(3)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 })
  expect(await stock(some.slug)).toBe(0)
  vi.useRealTimers()
  await shop.close()
})

test('the last success of a job is known to every node, and its failures to the one that saw them', async () => {
  const shop = await startShop()
  const hourly = (name: string, run: () => Promise<void>): Job => ({ name, cron: '7 * * * *', timeZone: 'UTC', run })
  const broken = hourly('broken', async () => {
    throw new Error('no')
  })
  const node = { database: shop.database, log, left: new Set<Promise<void>>() }
  await runIfDue(node, broken, new Date())
  const mine = hourly('mine', async () => {})
  await runIfDue(node, mine, new Date())
  await shop.database.run(sql`
    INSERT INTO job (name, due, leased_until, is_done) VALUES ('theirs', to_timestamp(1700000000), now(), true)`)
  await startJobs(shop.database, [mine, broken], log).stop()

  const at = (job: string) => read(shop, 'olmos_job_last_success_timestamp_seconds', { name: job })
  expect(await at('theirs')).toBe(1_700_000_000)
  expect(Date.now() / 1000 - (await at('mine'))).toBeLessThan(3_700)
  expect(await at('broken')).toBe(0)
  expect(await read(shop, 'olmos_job_failures_total', { name: 'broken' })).toBe(1)
  expect(await read(shop, 'olmos_job_interval_seconds', { name: 'mine' })).toBe(3_600)
  await shop.close()
})

test('shared answers are counted as kept or made', async () => {
  const shop = await startShop({}, { catalogueVersion: () => 1 })
  for (let n = 0; n < 3; n++) await shop.call('GET', '/products')
  const reads = (result: string) => read(shop, 'olmos_cache_reads_total', { cache: 'answers', result })
  expect([await reads('miss'), await reads('hit')]).toEqual([1, 2])
  await shop.close()
})

test('while the database is away the metrics say what the process knows, and ask it seldom', async () => {
  let link = undefined as unknown as Link
  const shop = await startShop(
    {},
    {
      reach: async (url) => {
        link = await openLink(url)
        return link.url
      },
    },
  )
  await anOffer(shop, { stock: 3 })
  expect([await read(shop, 'olmos_ready'), await read(shop, 'olmos_database_up')]).toEqual([1, 1])
  await link.cut()
  const readFigures = vi.spyOn(shop.database, 'one')
  const asked = await Promise.all(Array.from({ length: 5 }, () => scrape(shop)))
  expect(await read(shop, 'olmos_database_up')).toBe(0)
  expect(await read(shop, 'olmos_ready')).toBe(0)
  expect(readFigures).toHaveBeenCalledTimes(1)
  expect(asked[0]).toMatch(/olmos_stock_codes\{product="[\w-]+"\} 3\n/)
  expect(asked[0]).toMatch(/nodejs_eventloop_lag_p99_seconds /)
  await link.mend()
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 6_000 })
  await vi.waitFor(async () => expect(await read(shop, 'olmos_ready')).toBe(1))
  vi.useRealTimers()
  await shop.close()
  await link.cut()
})
