import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectSound } from '../test/card-orders.ts'
import { ask, EmbeddedRuns } from '../test/embedded.ts'
import { anOffer, aUser, toCart } from '../test/factories.ts'
import { type RealAnswer, type RealStore, startRealStore } from '../test/real-store.ts'
import { startShop, type TestShop } from '../test/shop.ts'
import { migrate } from './platform/database/migrate.ts'

let runs: EmbeddedRuns
let url: string
let shop: TestShop
let store: RealStore
beforeAll(async () => {
  runs = await EmbeddedRuns.create()
  url = (await runs.start()).url
  await migrate(url)
  shop = await startShop({}, { reach: async () => url })
  store = await startRealStore({ DATABASE_URL: url, SECRET_KEY: (shop.config.secretKey as Buffer).toString('hex') })
}, 120_000)
afterAll(async () => {
  await store.end()
  await shop.close()
  await runs.end()
})

/** Sends a signal to the postmaster and all its processes. */
async function signalDatabase(signal: 'SIGSTOP' | 'SIGCONT'): Promise<void> {
  const postmaster = await runs.postmasterPid()
  const children: number[] = []
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)) {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
    // The state and the parent follow the name in brackets.
    if (Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === postmaster) children.push(pid)
  }
  for (const pid of [postmaster, ...children]) process.kill(pid, signal)
}

const until = async (isSo: () => Promise<boolean>): Promise<void> => {
  while (!(await isSo())) await new Promise((later) => setTimeout(later, 100))
}

// Signals and process states are those of Linux.
test.runIf(process.platform === 'linux')(
  'a frozen database is 503 within ten seconds, and once it thaws the store sells on with nothing lost or doubled',
  { timeout: 120_000 },
  async () => {
    const [offer, { token }] = [await anOffer(shop, { stock: 3 }), await aUser(shop, { usd: 10_000 })]
    expect((await store.call('POST', '/cart/add', { token, body: toCart(offer) })).status).toBe(201)
    const pay = (key: string): Promise<RealAnswer> =>
      store.call('POST', '/payment/from-balance', { token, key, body: { currency: 'USD' } })
    const key = randomUUID()

    await signalDatabase('SIGSTOP')
    const [paid, read, ready] = await Promise.all([
      pay(key),
      store.call('GET', '/orders', { token }),
      store.call('GET', '/ready'),
    ])
    expect([paid.status, read.status, ready.status]).toEqual([503, 503, 503])
    expect(Math.max(paid.ms, read.ms)).toBeLessThan(11_000)
    expect(ready.ms).toBeLessThan(3_500)
    expect((await store.call('GET', '/health')).status).toBe(200)

    await signalDatabase('SIGCONT')
    await until(async () => (await store.call('GET', '/ready')).status === 200)
    let again = await pay(key)
    await until(async () => {
      if (again.status === 503) again = await pay(key)
      return again.status !== 503
    })
    expect(again.status, JSON.stringify(again.body)).toBe(201)
    expect((await pay(key)).body).toEqual(again.body)
    expect(await ask(url, 'SELECT count(*)::int FROM orders')).toEqual([1])
    expect(await ask(url, "SELECT count(*)::int FROM code WHERE status = 'used'")).toEqual([1])
    await expectSound(shop)
  },
)
