import type { Endpoint } from '@olmos/contract/endpoint'
import { builtInRoles } from '@olmos/contract/permissions'
import { beforeAll, describe, expect, test } from 'vitest'
import { accessTable, hasOwnReplies } from '../test/access.ts'
import { letIn } from '../test/access-lines.ts'
import { rolesByCall } from '../test/access-roles.ts'
import { unasked } from '../test/access-unasked.ts'
import { endpoints, toName } from '../test/endpoints.ts'
import { aUser, type TestUser } from '../test/factories.ts'
import { send } from '../test/send.ts'
import { toSnapshot } from '../test/snapshot.ts'
import { useShop } from '../test/use-shop.ts'
import { aWorld, type CallerName, callers, type World } from '../test/world.ts'
import { sql } from './platform/database/queries.ts'

const shop = useShop({ RATES_SOURCE: 'fixed' })

const aRefusal = { success: false, error: { code: expect.any(String), message: expect.any(String) } }
/** Callers who must not see another's data. */
const others = callers.filter((caller) => !['owner', 'admin'].includes(caller))
let checks = 0

/** Routes that describe the calls and are no calls themselves. */
const description = ['GET /openapi.json', 'GET /docs', 'GET /docs/js/scalar.js']

/**
 * Read by Prometheus, by those who look for weaknesses, by `olmos doctor` and, as files, by browsers; tested in
 * metrics.test.ts, well-known.test.ts, doctor.test.ts and pictures.test.ts.
 */
const forMachines = [
  'GET /metrics',
  'GET /.well-known/security.txt',
  'GET /.well-known/olmos-caller',
  'GET /pictures/:name',
]

/** Lists every route that Fastify has below /api, from the tree it prints; HEAD routes separately. */
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

const isAdmin = (caller: CallerName) => caller === 'admin' || caller === 'careless' || caller === 'factorless'

/** What a customer owns; only the customer and an admin may change it. */
const belongings = (world: World) =>
  Promise.all(
    ['/profile', '/cart', '/orders', '/balance', '/balance/history'].map(
      async (path) => (await shop.call('GET', path, { token: world.owner.token })).text,
    ),
  )

describe('the table', () => {
  test('has a line for every endpoint of the contract, and for nothing else', () => {
    expect(Object.keys(accessTable).toSorted()).toEqual(endpoints.map(toName).toSorted())
  })

  test('speaks of every route that is registered, and of no other', () => {
    expect(registeredRoutes().toSorted()).toEqual(
      [...Object.keys(accessTable), ...description, ...forMachines].toSorted(),
    )
  })
})

test('HEAD is answered for reads that need no token, and for no other: they may write, stay open, or answer once', () => {
  const reads = endpoints.filter(
    ({ method, access, stream, file }) => method === 'GET' && access === 'visitor' && !stream && !file,
  )
  const answered = [...reads.map(toName), ...description, ...forMachines].map((name) => name.replace('GET', 'HEAD'))
  expect(registeredRoutes({ ofHead: true }).toSorted()).toEqual(answered.toSorted())
})

describe.each(endpoints.map((endpoint) => [toName(endpoint), endpoint] as const))('%s', (name, endpoint) => {
  test('lets in who may, refuses who may not, and refuses before anything happened', async () => {
    const line = accessTable[name]
    if (!line) throw new Error(`server/test/access-*.ts has no line for ${name}`)
    const { expected, sample } = line
    const world = await aWorld(shop)
    const statuses: Record<string, number> = {}
    const sendAs = async (caller: CallerName) => {
      const answer = await send(shop, endpoint, sample(world), world.tokens[caller])
      checks++
      const isLetIn = expected[caller] === letIn && answer.status !== 401 && answer.status !== 403
      statuses[caller] = isLetIn ? letIn : answer.status
      if (answer.status >= 400 && !hasOwnReplies(name)) expect(answer.body).toMatchObject(aRefusal)
      if (answer.status === 401 && isAdmin(caller)) expect(answer.body.error.code).toBe('SECOND_FACTOR_REQUIRED')
      if (caller === 'owner' || isAdmin(caller)) return
      expect(world.offer.codes.filter((code) => answer.text.includes(code))).toEqual([])
    }

    const isRefused = (caller: CallerName) => expected[caller] >= 400
    const before = await toSnapshot(shop.database)
    for (const caller of callers) if (isRefused(caller)) await sendAs(caller)
    expect(await toSnapshot(shop.database)).toEqual(before)

    const welcome = others.filter((caller) => !isRefused(caller) && expected[caller] !== letIn)
    const owned = welcome.length > 0 && (await belongings(world))
    for (const caller of welcome) await sendAs(caller)
    expect(welcome.length > 0 && (await belongings(world))).toEqual(owned)

    for (const caller of ['owner', 'admin'] as const) if (!isRefused(caller)) await sendAs(caller)
    for (const caller of callers) if (expected[caller] === letIn) await sendAs(caller)
    expect(statuses).toEqual(expected)
  })
})

test('every endpoint was asked by every caller', () => {
  expect(checks).toBe(endpoints.length * callers.length)
  console.log(`${endpoints.length} calls x ${callers.length} callers: ${checks} checks`)
})

describe('the staff', () => {
  const ofAdmins = endpoints.filter(({ access }) => access === 'admin')
  const colleagues = builtInRoles.filter((role) => role !== 'owner')

  test('has a line for every call of admins, and for no other', () => {
    expect([...rolesByCall.keys()].toSorted()).toEqual(ofAdmins.map(toName).toSorted())
  })

  let world: World
  const people = {} as Record<(typeof builtInRoles)[number], TestUser>
  beforeAll(async () => {
    world = await aWorld(shop)
    for (const staff of builtInRoles) people[staff] = await aUser(shop, { staff })
  })

  /** Sends the call of a world in which others made it before, and tells whether the role was what it was refused for. */
  const isRefused = async (endpoint: Endpoint, staff: keyof typeof people) => {
    const { status, body } = await send(
      shop,
      endpoint,
      accessTable[toName(endpoint)]?.sample(world) ?? {},
      people[staff].token,
    )
    const isForbidden = status === 403 && body.error.code === 'FORBIDDEN'
    if (isForbidden) expect(body.error.details).toEqual({ permission: endpoint.permission })
    return isForbidden
  }

  test('of a role that may not is refused by each call before anything happened, and told what is lacking', async () => {
    const before = await toSnapshot(shop.database)
    for (const endpoint of ofAdmins) {
      const refused: string[] = []
      for (const staff of colleagues) {
        if (rolesByCall.get(toName(endpoint))?.includes(staff)) continue
        if (await isRefused(endpoint, staff)) refused.push(staff)
      }
      const expected = colleagues.filter((staff) => !rolesByCall.get(toName(endpoint))?.includes(staff))
      expect([toName(endpoint), refused]).toEqual([toName(endpoint), expected])
    }
    expect(await toSnapshot(shop.database)).toEqual(before)
  })

  test('of a role that may is let in by each call', async () => {
    for (const endpoint of ofAdmins) {
      for (const staff of ['owner', ...(rolesByCall.get(toName(endpoint)) ?? [])] as const) {
        expect([toName(endpoint), staff, await isRefused(endpoint, staff)]).toEqual([toName(endpoint), staff, false])
      }
    }
  })
})

describe('an admin whose second factor was not given lately', () => {
  const ofAdmins = endpoints.filter(({ access }) => access === 'admin')
  const aStaleWorld = async () => {
    const world = await aWorld(shop)
    await shop.database.run(sql`UPDATE session SET confirmed_until = now() WHERE user_id = ${world.admin.id}`)
    return world
  }
  const sendAsAdmin = (world: World, endpoint: (typeof ofAdmins)[number]) =>
    send(shop, endpoint, accessTable[toName(endpoint)]?.sample(world) ?? {}, world.tokens.admin)

  test('is asked for it by every call that is no mere read, or a sentence says why not', () => {
    const notAsked = ofAdmins.filter(({ method, confirmed }) => method !== 'GET' && !confirmed).map(toName)
    expect(notAsked.toSorted()).toEqual(Object.keys(unasked).toSorted())
    for (const reason of Object.values(unasked)) expect(reason).toMatch(/^[A-Z].{30,}\.$/)
  })

  test('is refused by each call that asks, before anything happened', async () => {
    const world = await aStaleWorld()
    const asking = ofAdmins.filter(({ confirmed }) => confirmed)
    const before = await toSnapshot(shop.database)
    const passed: string[] = []
    for (const endpoint of asking) {
      const { status, body } = await sendAsAdmin(world, endpoint)
      if (status !== 401 || body.error.code !== 'SECOND_FACTOR_REQUIRED') passed.push(toName(endpoint))
    }
    expect(passed).toEqual([])
    expect(await toSnapshot(shop.database)).toEqual(before)
  })

  test.each(ofAdmins.filter(({ confirmed }) => !confirmed).map((endpoint) => [toName(endpoint), endpoint] as const))(
    'is answered by %s, and shown no code',
    async (name, endpoint) => {
      const world = await aStaleWorld()
      const answer = await sendAsAdmin(world, endpoint)
      expect(answer.status).toBe(accessTable[name]?.expected.admin)
      const plain = [...world.offer.codes, ...world.generated.codes.map((code) => code.plain), ...world.pool.codes]
      expect(plain.filter((code) => answer.text.includes(code))).toEqual([])
    },
  )
})
