import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { anOffer, aUser, type TestOffer, toCart } from '../test/factories.ts'
import { type RealStore, startRealStore } from '../test/real-store.ts'
import { startShop, type TestShop } from '../test/shop.ts'
import { SERVER_LIMITS } from './limits.ts'

const buyers = 4
const askers = Number(process.env.OVERLOAD_CONNECTIONS ?? 20)
const roundsAtMost = 5
const runMs = Number(process.env.OVERLOAD_MS ?? 1_500)
const builtWeb = new URL('../../web/build/server/index.js', import.meta.url)
const costlyWeb = new URL('../test/doubles/costly-web.ts', import.meta.url)

let shop: TestShop
let store: RealStore
let offer: TestOffer
let tokens: string[]
beforeAll(async () => {
  shop = await startShop()
  offer = await anOffer(shop, { stock: 20_000 })
  tokens = await Promise.all(Array.from({ length: buyers }, async () => (await aUser(shop, { usd: 10_000_000 })).token))
  const settings = {
    // The database of the tests skips what only a power cut needs.
    ALLOW_UNSAFE_DATABASE: '1',
    DATABASE_URL: shop.config.databaseUrl as string,
    SECRET_KEY: (shop.config.secretKey as Buffer).toString('hex'),
    // With OVERLOAD_LIMITS=off the tests fail, which shows what the limits achieve.
    RATE_LIMITS: process.env.OVERLOAD_LIMITS ?? 'on',
  }
  store = await startRealStore(settings, { preload: existsSync(builtWeb) ? undefined : costlyWeb })
  // Uses up the burst of this address, so that the lasting pace is measured. It also warms up code that runs for the
  // first time.
  for (let asked = 0; asked <= SERVER_LIMITS.pageGate.burst; asked += askers) {
    await Promise.all(Array.from({ length: askers }, (_, n) => ask(n % 2 ? '/products' : '/nothing')))
  }
  await buyFor(runMs / 2)
}, 120_000)
afterAll(async () => {
  await store?.end()
  await shop?.close()
})

const ask = async (path: string) => (await fetch(store.url + path)).arrayBuffer()

/** Buys for so long, and returns how long each purchase took. */
async function buyFor(ms: number): Promise<number[]> {
  const taken: number[] = []
  const until = performance.now() + ms
  const buy = async (token: string) => {
    while (performance.now() < until) {
      const added = await store.call('POST', '/cart/add', { token, body: toCart(offer) })
      const paid = await store.call('POST', '/payment/from-balance', { token, body: { currency: 'USD' } })
      expect([added.status, paid.status], JSON.stringify(paid.body)).toEqual([201, 201])
      taken.push(added.ms + paid.ms)
    }
  }
  await Promise.all(tokens.map(buy))
  return taken
}

/** Computes how many were bought, and the time within which 95 percent of them were. */
const measurePace = (taken: readonly number[]) => ({
  bought: taken.length,
  p95Ms: Math.round(taken.toSorted((a, b) => a - b)[Math.floor(taken.length * 0.95)] ?? 0),
})

/**
 * Runs in a process of its own, as visitors do: each connection requests one page after the other until it is stopped.
 */
const asker = `
  const [url, askers, ...paths] = process.argv.slice(1)
  const statuses = {}
  let untold = 0, isOver = false, n = 0
  process.on('message', () => { isOver = true })
  const ask = async () => {
    while (!isOver) {
      const answer = await fetch(url + paths[++n % paths.length] + n, { headers: { 'accept-encoding': 'identity' } })
      await answer.arrayBuffer()
      statuses[answer.status] = (statuses[answer.status] ?? 0) + 1
      if (answer.status === 503 && answer.headers.get('retry-after') === null) untold++
    }
  }
  await (await fetch(url + '/api/health')).arrayBuffer()
  process.send('started')
  await Promise.all(Array.from({ length: Number(askers) }, ask))
  process.send({ statuses, untold })
  process.disconnect()`

async function askForPages(paths: string[]) {
  const child = spawn(process.execPath, ['--input-type=module', '-e', asker, store.url, String(askers), ...paths], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  await once(child, 'message')
  return async (): Promise<{ statuses: Record<string, number>; untold: number }> => {
    const reply = once(child, 'message')
    child.send('stop')
    const [answer] = await reply
    return answer
  }
}

// Buyers and askers share one address, so this also shows that a client whose pages are refused can still buy.
test.each([
  ['made-up queries and addresses', () => [`/products/${offer.slug}?q=`, '/nope-']],
  ['made-up products', () => ['/products/nope-']],
  ['made-up searches, each a page of its own', () => ['/products?search=']],
  ['what the router fetches of made-up pages', () => ['/products.data?search=', '/nope.data?q=']],
])('purchases keep their pace while 20 connections ask for %s', { timeout: 120_000 }, async (what, listPaths) => {
  for (let round = 1; ; round++) {
    // Measured before and after, so that a machine that becomes quicker or slower meanwhile favours neither.
    const before = await buyFor(runMs / 2)
    const stop = await askForPages(listPaths())
    const during = await buyFor(runMs)
    const { statuses, untold } = await stop()
    const alone = measurePace([...before, ...(await buyFor(runMs / 2))])
    const beside = measurePace(during)
    console.log(`${what}: ${JSON.stringify({ alone, beside, statuses })}`)
    expect(untold).toBe(0)
    const keepsPace = beside.bought > alone.bought / 2 && beside.p95Ms < alone.p95Ms * 3
    if (!keepsPace && round < roundsAtMost) continue
    expect(beside.bought).toBeGreaterThan(alone.bought / 2)
    expect(beside.p95Ms).toBeLessThan(alone.p95Ms * 3)
    break
  }
})
