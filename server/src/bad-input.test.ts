import { failureStatus } from '@olmos/contract/failure-codes'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { accessTable, hasOwnReplies } from '../test/access.ts'
import { type BadRequest, refusable, strange, tooLarge, unauthorized } from '../test/bad-requests.ts'
import { endpoints, toName } from '../test/endpoints.ts'
import { inject } from '../test/inject.ts'
import { toSnapshot } from '../test/snapshot.ts'
import { useShop } from '../test/use-shop.ts'
import { aWorld, callers } from '../test/world.ts'

const shop = useShop({ RATES_SOURCE: 'fixed' })

const ours = endpoints.filter((endpoint) => !hasOwnReplies(toName(endpoint)))
const rows = ours.map((endpoint) => [toName(endpoint), endpoint] as const)
type Row = (typeof rows)[number][1]

/** Makes a request that succeeds, if one can, in a world of its own, by the first caller who may. */
async function toTarget(endpoint: Row) {
  const line = accessTable[toName(endpoint)]
  if (!line) throw new Error(`server/test/access-*.ts has no line for ${toName(endpoint)}`)
  const world = await aWorld(shop)
  const mayCall = { admin: 'admin', customer: 'owner', visitor: 'nobody' }[endpoint.access] as (typeof callers)[number]
  const caller = callers.find((name) => line.expected[name] < 400) ?? mayCall
  return { endpoint, sample: line.sample(world), token: world.tokens[caller] }
}

/** Sends all of them and returns a line for each answer that is not what the refusal must look like. */
async function complaints(requests: BadRequest[], isRight: (status: number) => boolean): Promise<string[]> {
  const wrong: string[] = []
  for (const { name, request } of requests) {
    const answer = await inject(shop.app, request)
    const isShaped = answer.statusCode < 400 || isRefusal(answer.statusCode, answer.body)
    if (!isRight(answer.statusCode) || !isShaped)
      wrong.push(`${name}: ${answer.statusCode} ${answer.body.slice(0, 200)}`)
  }
  return wrong
}

function isRefusal(status: number, text: string): boolean {
  if (/\n\s+at |node_modules|SELECT |\.ts:/.test(text)) return false
  const { success, error, ...more } = JSON.parse(text)
  const isKnown = failureStatus[error.code as keyof typeof failureStatus] === status
  return success === false && isKnown && typeof error.message === 'string' && Object.keys(more).length === 0
}

const isRefused = (status: number) => status >= 400 && status < 500
const isNoCrash = (status: number) => status < 500

describe.each(rows)('%s', (_name, endpoint) => {
  test('refuses what is wrong and changes nothing, and survives what is strange', async () => {
    const target = await toTarget(endpoint)
    const before = await toSnapshot(shop.database)
    const isReported = endpoint.path.endsWith('/codes/bulk')
    const [reported, refused] = [true, false].map((wanted) =>
      refusable(target).filter(({ name }) => (isReported && /^lines\.\d+ = "/.test(name)) === wanted),
    ) as [BadRequest[], BadRequest[]]
    expect(await complaints(refused, isRefused)).toEqual([])
    // An import answers with what is wrong in which line.
    expect(await complaints(reported, (status) => status === 200)).toEqual([])
    expect(await complaints(tooLarge(target), (status) => status === 413)).toEqual([])
    if (endpoint.access !== 'visitor') {
      expect(await complaints(unauthorized(target), (status) => status === 401)).toEqual([])
    }
    expect(await toSnapshot(shop.database)).toEqual(before)
    expect(await complaints(strange(target), isNoCrash)).toEqual([])
    if (endpoint.access === 'visitor') expect(await complaints(unauthorized(target), isNoCrash)).toEqual([])
  })
})

describe('whatever is sent', () => {
  // Fixed, so that a failure is about what was changed; SEED=… draws other input.
  const seed = Number(process.env.SEED ?? 20261121)

  test(`no body makes a call crash (SEED=${seed})`, { timeout: 300_000 }, async () => {
    const withBodies = ours.filter((endpoint) => endpoint.body)
    // One after the other: a hundred at once leave none a connection for long on a busy machine.
    const targets: Awaited<ReturnType<typeof toTarget>>[] = []
    for (const endpoint of withBodies) targets.push(await toTarget(endpoint))
    const anyTarget = fc.constantFrom(...targets)
    const anyBody = anyTarget.chain((target) => {
      const fields = Object.keys((target.sample.body ?? {}) as object)
      const byField = fc.record(Object.fromEntries(fields.map((name) => [name, fc.jsonValue({ maxDepth: 2 })])), {
        requiredKeys: [],
      })
      const body = fc.oneof(
        byField,
        byField.map((some) => ({ ...(target.sample.body as object), ...some })),
        fc.jsonValue(),
      )
      return fc.tuple(fc.constant(target), body)
    })
    const property = fc.asyncProperty(anyBody, async ([{ endpoint, sample, token }, body]) => {
      const answer = await shop.app.inject({
        method: endpoint.method,
        url: `/api${endpoint.path.replace(/:(\w+)/g, (_, name) => String(sample.params?.[name]))}`,
        headers: {
          'content-type': 'application/json',
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
        },
        payload: JSON.stringify(body),
      })
      expect(answer.statusCode).toBeLessThan(500)
      const isFine = endpoint.body?.safeParse(body).success
      if (!isFine) expect(isRefusal(answer.statusCode, answer.body)).toBe(true)
    })
    await fc.assert(property, { seed, numRuns: 1_000, interruptAfterTimeLimit: 4_000 })
  })
})
