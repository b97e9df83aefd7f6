import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import openapiTS, { astToString } from 'openapi-typescript'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { anOffer } from '../test/factories.ts'
import { startShop, type TestShop } from '../test/shop.ts'
import { credit } from './modules/wallet/wallet.ts'

/** What somebody else writes with the types generated from the description. */
const buyer = `
import createClient from 'openapi-fetch'
import type { components, paths } from './api.js'

type Wanted = components['schemas']['Package'] & { product_id: number; nickname: string; password: string }

export async function buy(baseUrl: string, wanted: Wanted) {
  const client = createClient<paths>({ baseUrl })
  const session = await client.POST('/api/auth/login', { body: { nickname: wanted.nickname, password: wanted.password } })
  if (!session.data) throw new Error(session.error.error.code)
  const headers = { authorization: 'Bearer ' + session.data.token }

  const add = (quantity: number) =>
    client.POST('/api/cart/add', {
      headers,
      params: { header: { 'Idempotency-Key': 'add-' + quantity } },
      body: {
        productId: wanted.product_id,
        regionId: wanted.region_id,
        gameAmount: wanted.game_amount,
        gameCurrency: wanted.game_currency,
        priceUsd: wanted.price_usd,
        priceRub: wanted.price_rub,
        quantity,
      },
    })
  const pay = (key: string) =>
    client.POST('/api/payment/from-balance', {
      headers,
      params: { header: { 'Idempotency-Key': key } },
      body: { currency: 'usd' },
    })

  const added = await add(1)
  if (!added.data) throw new Error(added.error.error.code)
  const inCart: number = added.data.data.quantity
  const first = await pay('first')
  const repeated = await pay('first')
  if (!first.data || !repeated.data) throw new Error('not paid')
  const params = { path: { id: first.data.order.id } }
  const receipt = await client.GET('/api/orders/{id}', { headers, params })
  const codes: (string | null)[] | undefined = receipt.data?.items.map(({ code }) => code)

  await add(4)
  const { error } = await pay('second')
  let refusal: { code: string; missing?: number } | undefined
  if (error) refusal = { code: error.error.code }
  if (error?.error.code === 'INSUFFICIENT_BALANCE') {
    const { required, available, currency } = error.error.details
    const known: 'USD' | 'RUB' = currency
    refusal = { code: error.error.code, missing: required - available }
    // @ts-expect-error: a detail this code does not have
    void [known, error.error.details.available_count]
  }
  if (error?.error.code === 'OUT_OF_STOCK') void (error.error.details.available_count satisfies number)
  // @ts-expect-error: a code this call does not refuse with
  if (error?.error.code === 'NICKNAME_TAKEN') void error
  return { inCart, isSame: repeated.data.order.id === first.data.order.id, codes, refusal }
}
`

let shop: TestShop
let folder: string
beforeAll(async () => {
  shop = await startShop()
  // Below node_modules, so that the client's imports are found.
  const cache = join(import.meta.dirname, '../../node_modules/.cache')
  await mkdir(cache, { recursive: true })
  folder = await mkdtemp(join(cache, 'client-'))
})
afterAll(async () => {
  await shop.close()
  await rm(folder, { recursive: true })
})

const run = promisify(execFile)
const compilerOptions = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  target: 'es2022',
  lib: ['es2022', 'dom', 'dom.iterable'],
  module: 'esnext',
  moduleResolution: 'bundler',
  types: [],
}

test('a client made of the description compiles strictly, buys once for a key, and reads why it was refused', {
  timeout: 180_000,
}, async () => {
  const url = await shop.app.listen({ host: '127.0.0.1', port: 0 })
  const description = await (await fetch(`${url}/api/openapi.json`)).json()
  const types = astToString(await openapiTS(description, { defaultNonNullable: false, silent: true }))
  await Promise.all([
    writeFile(join(folder, 'api.d.ts'), types),
    writeFile(join(folder, 'buyer.ts'), buyer),
    writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' })),
    writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['buyer.ts'] })),
  ])
  const compiler = join(import.meta.dirname, '../../node_modules/typescript/bin/tsc')
  const complaints = await run(process.execPath, [compiler, '-p', folder]).then(
    () => '',
    (error: { stdout: string }) => error.stdout,
  )
  expect(complaints).toBe('')

  const offer = await anOffer(shop, { stock: 10 })
  const { nickname, password } = { nickname: 'reseller', password: 'reseller-pal0ma' }
  const { body: registered } = await shop.call('POST', '/auth/register', { body: { nickname, password } })
  const money = { currency: 'USD', amount: offer.priceUsd * 2, kind: 'adjustment', shopAccount: 'adjustments' } as const
  await shop.database.transaction((tx) => credit(tx, { userId: registered.userId, ...money }))
  const wanted = {
    nickname,
    password,
    offer_id: offer.id,
    product_id: offer.productId,
    region_id: 0,
    game_amount: offer.gameAmount,
    game_currency: 'coins',
    price_usd: offer.priceUsd / 100,
    price_rub: offer.priceRub / 100,
    available_count: 10,
    is_popular: false,
  }
  const program = `import { buy } from './buyer.js'; console.log(JSON.stringify(await buy(...${JSON.stringify([url, wanted])})))`
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', program], { cwd: folder })
  expect(JSON.parse(stdout)).toEqual({
    inCart: 1,
    isSame: true,
    codes: [expect.any(String)],
    refusal: { code: 'INSUFFICIENT_BALANCE', missing: (offer.priceUsd * 3) / 100 },
  })
})
