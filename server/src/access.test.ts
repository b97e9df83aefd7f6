import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accessTable, hasOwnReplies } from '../test/access.ts'
import { endpoints, nameOf } from '../test/endpoints.ts'
import { send } from '../test/send.ts'
import { startShop, type TestShop } from '../test/shop.ts'
import { snapshotOf } from '../test/snapshot.ts'
import { aWorld, type CallerName, callers, type World } from '../test/world.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await startShop({ RATES_SOURCE: 'fixed' })
})
afterAll(() => shop.close())

const aRefusal = { success: false, error: { code: expect.any(String), message: expect.any(String) } }
const others = ['nobody', 'expired', 'stranger', 'demoted'] as const

/** Routes that describe the calls and are none themselves. */
const description = ['GET /openapi.json', 'GET /docs', 'GET /docs/js/scalar.js']

/** For a machine, which sees who it answers by itself: server/src/platform/metrics.test.ts. */
const forMachines = ['GET /metrics']

/** Every route that Fastify knows below /api, from the tree it prints; those of HEAD apart. */
function registeredRoutes({ ofHead = false } = {}): string[] {
  const routes: string[] = []
  const parents: string[] = []
  for (const line of shop.app.printRoutes({ commonPrefix: false }).split('\n')) {
    const [, indent = '', path = '', methods = ''] = /^([│ ]*)[├└]── (\S+) \((.+)\)$/.exec(line) ?? []
    if (path === '') continue
    const depth = indent.length / 4
    parents.splice(depth, parents.length, path)
    for (const method of methods.split(', ')) {
      if ((method === 'HEAD') === ofHead) routes.push(`${method} ${parents.slice(0, depth + 1).join('')}`)
    }
  }
  return routes.map((route) => route.replace(/ \/api(?=\/)/, ' '))
}

/** What a customer has; nobody but the customer and an admin may change it. */
const belongings = (world: World) =>
  Promise.all(
    ['/profile', '/cart', '/orders', '/balance', '/balance/history'].map(
      async (path) => (await shop.call('GET', path, { token: world.owner.token })).text,
    ),
  )

describe('the table', () => {
  test('has a line for every endpoint of the contract, and for nothing else', () => {
    expect(Object.keys(accessTable).toSorted()).toEqual(endpoints.map(nameOf).toSorted())
  })

  test('speaks of every route that is registered, and of no other', () => {
    expect(registeredRoutes().toSorted()).toEqual(
      [...Object.keys(accessTable), ...description, ...forMachines].toSorted(),
    )
  })
})

test('HEAD is answered for reads that need no token, and for no other: they may write, or stay open', () => {
  const reads = endpoints.filter(({ method, access, stream }) => method === 'GET' && access === 'visitor' && !stream)
  const answered = [...reads.map(nameOf), ...description, ...forMachines].map((name) => name.replace('GET', 'HEAD'))
  expect(registeredRoutes({ ofHead: true }).toSorted()).toEqual(answered.toSorted())
})

describe.each(endpoints.map((endpoint) => [nameOf(endpoint), endpoint] as const))('%s', (name, endpoint) => {
  test('lets in who may, refuses who may not, and refuses before anything happened', async () => {
    const line = accessTable[name]
    if (!line) throw new Error(`server/test/access-*.ts has no line for ${name}`)
    const { expected, sample } = line
    const world = await aWorld(shop)
    const statuses: Record<string, number> = {}
    const sendAs = async (caller: CallerName) => {
      const answer = await send(shop, endpoint, sample(world), world.tokens[caller])
      statuses[caller] = answer.status
      if (answer.status >= 400 && !hasOwnReplies(name)) expect(answer.body).toMatchObject(aRefusal)
      if (caller === 'owner' || caller === 'admin') return
      expect(world.offer.codes.filter((code) => answer.text.includes(code))).toEqual([])
    }

    const isRefused = (caller: CallerName) => expected[caller] >= 400
    const before = await snapshotOf(shop.database)
    for (const caller of callers) if (isRefused(caller)) await sendAs(caller)
    expect(await snapshotOf(shop.database)).toEqual(before)

    const letIn = others.filter((caller) => !isRefused(caller))
    const owned = letIn.length > 0 && (await belongings(world))
    for (const caller of letIn) await sendAs(caller)
    expect(letIn.length > 0 && (await belongings(world))).toEqual(owned)

    for (const caller of ['owner', 'admin'] as const) if (!isRefused(caller)) await sendAs(caller)
    expect(statuses).toEqual(expected)
  })
})
