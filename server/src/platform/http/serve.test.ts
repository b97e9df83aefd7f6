import { endpoint } from '@olmos/contract/endpoint'
import { Failure } from '@olmos/contract/failure'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { aUser, type TestUser } from '../../../test/factories.ts'
import { startShop, type TestShop } from '../../../test/shop.ts'
import { createSecurityLog } from '../security/audit.ts'
import { createHttp } from './http.ts'
import { createServe } from './serve.ts'

const row = (path: `/${string}`) =>
  endpoint(`POST ${path}`, {
    operationId: `call${path.replace('/', '_')}`,
    refusals: ['PLAYER_NOT_FOUND'],
    access: 'customer',
    summary: 'A call that asks others first',
    body: z.strictObject({ wanted: z.string() }),
    answer: z.object({ found: z.string(), work: z.int() }),
    idempotent: true,
    tag: 'test',
  })

let shop: TestShop
let user: TestUser
let app: FastifyInstance
let asked: string[] = []
let worked = 0
let started = 0
let trouble: Failure | undefined
const check = async ({ body }: { body: { wanted: string } }) => {
  asked.push(body.wanted)
  if (body.wanted === 'nobody') throw new Failure('PLAYER_NOT_FOUND')
  return `${body.wanted}!`
}
beforeAll(async () => {
  shop = await startShop()
  user = await aUser(shop)
  app = createHttp(pino({ level: 'silent' }), { trustProxy: false })
  const authenticate = () => async () => ({
    ...user,
    role: 'customer' as const,
    tokenHash: Buffer.alloc(0),
    permissions: new Set<never>(),
    mustConfirm: false,
    mustChangePassword: false,
    mustEnrol: false,
    ownNumber: 0,
  })
  const serve = createServe({
    app,
    database: shop.database,
    security: createSecurityLog(shop.database, shop.log),
    authenticate,
  })
  serve.afterCheck(row('/checked'), { check, work: async (_call, _tx, found) => ({ found, work: ++worked }) })
  serve.inPhases(row('/phases'), {
    check,
    start: async (_call, _tx, found) => found,
    finish: async (_call, found) => ({ found, work: ++worked }),
  })
  const troubled = {
    start: async (call: { body: { wanted: string } }) => `${call.body.wanted} ${++started}`,
    finish: async (_call: unknown, found: string) => {
      const failure = trouble
      trouble = undefined
      if (failure) throw failure
      return { found, work: ++worked }
    },
  }
  serve.inPhases(row('/moved'), troubled)
  serve.inPhases(row('/resumed'), { ...troubled, startsAgain: true })
})
afterAll(async () => {
  await app.close()
  await shop.close()
})

let keys = 0
const newKey = () => `key-${++keys}`
const send = (path: string, wanted: string, key?: string) =>
  app.inject({
    method: 'POST',
    url: `/api${path}`,
    headers: { authorization: 'Bearer token', ...(key && { 'idempotency-key': key }) },
    payload: { wanted },
  })

test.each(['/checked', '/phases'])('%s asks first, and not again for an answer that is kept', async (path) => {
  asked = []
  worked = 0
  const key = newKey()
  const first = await send(path, 'somebody', key)
  expect(first.json()).toEqual({ found: 'somebody!', work: 1 })
  const again = await send(path, 'somebody', key)
  expect(again.body).toBe(first.body)
  expect(asked).toEqual(['somebody'])
  const other = await send(path, 'somebody else', key)
  expect(other.json().error.code).toBe('IDEMPOTENCY_KEY_REUSED')
  expect(asked).toEqual(['somebody'])
  expect((await send(path, 'somebody', newKey())).json()).toEqual({ found: 'somebody!', work: 2 })
})

test.each(['/checked', '/phases'])(
  '%s does nothing when it is told no, and the key may be tried again',
  async (path) => {
    worked = 0
    const key = newKey()
    for (const _ of [1, 2]) {
      const refused = await send(path, 'nobody', key)
      expect([refused.statusCode, refused.json().error.code]).toEqual([404, 'PLAYER_NOT_FOUND'])
    }
    expect(worked).toBe(0)
    expect((await send(path, 'somebody', key)).json()).toEqual({ found: 'somebody!', work: 1 })
  },
)

test.each(['OVERLOADED', 'PLAYER_NOT_FOUND'] as const)(
  'what was started is finished by the next call with its key, and not started twice, after %s',
  async (code) => {
    started = 0
    worked = 0
    trouble = new Failure(code)
    const key = newKey()
    expect((await send('/moved', 'money', key)).json().error.code).toBe(code)
    expect((await send('/moved', 'money', key)).json()).toEqual({ found: 'money 1', work: 1 })
    expect((await send('/moved', 'money', key)).json()).toEqual({ found: 'money 1', work: 1 })
    expect(started).toBe(1)
  },
)

test('what its refusal ends is started again by the next call with the key', async () => {
  started = 0
  worked = 0
  trouble = new Failure('PLAYER_NOT_FOUND')
  const key = newKey()
  expect((await send('/resumed', 'page', key)).statusCode).toBe(404)
  expect((await send('/resumed', 'page', key)).json()).toEqual({ found: 'page 2', work: 1 })
})
