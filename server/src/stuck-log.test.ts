import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { anOffer, aUser, toCart } from '../test/factories.ts'
import { type RealStore, startRealStore } from '../test/real-store.ts'
import { UnreadPipe } from '../test/unread-pipe.ts'
import { useShop } from '../test/use-shop.ts'

// The store is a process of its own, whose log nobody reads; `shop` is only where its rows come from.
const shop = useShop()
let pipe: UnreadPipe
let store: RealStore
beforeAll(async () => {
  pipe = new UnreadPipe()
  store = await startRealStore(
    {
      DATABASE_URL: shop.config.databaseUrl as string,
      SECRET_KEY: (shop.config.secretKey as Buffer).toString('hex'),
      // The database of the tests skips what only a power cut needs.
      ALLOW_UNSAFE_DATABASE: '1',
      LOG_LEVEL: 'info',
      REQUEST_LOG: 'on',
    },
    { log: pipe.input },
  )
}, 120_000)
afterAll(async () => {
  await store?.end()
  pipe.close()
})

const atOnce = 20

/** Asks so often, which is a line of the log each time. */
async function ask(times: number): Promise<void> {
  for (let asked = 0; asked < times; asked += atOnce) {
    const answers = await Promise.all(Array.from({ length: atOnce }, () => store.call('GET', '/products')))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  }
}

const countLines = (route: string) => pipe.lines.filter((line) => line.route === route).length

test('a log that nobody reads stops no sale and no end, and is whole once it is read', {
  timeout: 120_000,
}, async () => {
  const offer = await anOffer(shop, { stock: 1 })
  const { token } = await aUser(shop, { usd: 10_000 })
  const asked = 1_000
  await ask(asked)
  expect((await store.call('POST', '/cart/add', { token, body: toCart(offer) })).status).toBe(201)
  const paid = await store.call('POST', '/payment/from-balance', {
    token,
    key: randomUUID(),
    body: { currency: 'USD' },
  })
  expect(paid.status).toBe(201)

  pipe.read()
  // It was stuck: more was waiting than lay in the pipe.
  expect(countLines('/api/payment/from-balance')).toBe(0)
  await pipe.readUntil(() => countLines('/api/payment/from-balance') === 1)
  expect(countLines('/api/products')).toBe(asked)
  expect(countLines('/api/cart/add')).toBe(1)
  expect(pipe.lines.filter(({ msg }) => String(msg).includes('lost'))).toEqual([])

  await ask(asked)
  expect(await store.end()).toBe(0)
})
