import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { startRealStore } from '../test/real-store.ts'
import { startShop } from '../test/shop.ts'
import { aTopupOffer, aTopupOrder } from '../test/topup-orders.ts'
import { SERVER_LIMITS } from './limits.ts'

const hastyEnd = new URL('../test/doubles/hasty-end.ts', import.meta.url)

test('a node whose supplier does not answer ends with 0, before its time is over', { timeout: 60_000 }, async () => {
  // What the doubles call silent hangs up, and is no wait.
  const asked = Promise.withResolvers<void>()
  const supplier = createServer(({ url }) => {
    if (url?.startsWith('/topups/offers')) asked.resolve()
  }).listen(0, '127.0.0.1')
  onTestFinished(() => {
    supplier.closeAllConnections()
    supplier.close()
  })
  await once(supplier, 'listening')
  const shop = await startShop()
  onTestFinished(() => shop.close())
  await aTopupOrder(shop, { offer: await aTopupOffer(shop) })
  const store = await startRealStore(
    {
      // The database of the tests skips what only a power cut needs.
      ALLOW_UNSAFE_DATABASE: '1',
      DATABASE_URL: shop.config.databaseUrl as string,
      SECRET_KEY: (shop.config.secretKey as Buffer).toString('hex'),
      SUPPLIERS: 'fazercards',
      FAZERCARDS_API_KEY: 'key',
      FAZERCARDS_WEBHOOK_SECRET: 'secret',
      FAZERCARDS_BASE_URL: `http://127.0.0.1:${(supplier.address() as AddressInfo).port}`,
    },
    { preload: hastyEnd },
  )
  await asked.promise
  expect(await store.end()).toBe(0)
})

test('what a node may take to end fits into its time, with two seconds for what is closed last', () => {
  const { shutdownGraceSecondsMax, dropReadsMs, endWithinMs, shutdownMs } = SERVER_LIMITS
  expect(shutdownGraceSecondsMax * 1_000 + dropReadsMs + endWithinMs + 2_000).toBeLessThan(shutdownMs)
})
