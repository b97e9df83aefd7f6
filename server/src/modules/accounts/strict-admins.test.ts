import { beforeAll, describe, expect, test } from 'vitest'
import { accessTable } from '../../../test/access.ts'
import { endpoints, toName } from '../../../test/endpoints.ts'
import { aUser } from '../../../test/factories.ts'
import { anApp } from '../../../test/second-factor.ts'
import { send } from '../../../test/send.ts'
import { type Answer, startShop } from '../../../test/shop.ts'
import { toSnapshot } from '../../../test/snapshot.ts'
import { useShop } from '../../../test/use-shop.ts'
import { aWorld, type World } from '../../../test/world.ts'
import { sql } from '../../platform/database/queries.ts'
import { codeAt, toStep } from './second-factor.ts'

const shop = useShop({ STRICT_ADMINS: 'on', RATES_SOURCE: 'fixed' })
let world: World
beforeAll(async () => {
  world = await aWorld(shop)
})

const said = ({ status, body }: Answer) => [status, body?.error?.code]
const password = 'lola-pal0ma'

/** The only admin calls open to an admin without a second factor. */
const theWayIn = ['GET /auth/second-factor', 'POST /auth/second-factor/enrol', 'POST /auth/second-factor/confirm']

const adminRows = endpoints.filter(({ access }) => access === 'admin')
const closed = adminRows.filter((row) => !theWayIn.includes(toName(row)))

describe('where every admin needs a second factor, one without it', () => {
  test('is refused by every call of admins but those of enrolling, and nothing happens', async () => {
    expect(closed.length).toBeGreaterThan(80)
    const { token } = await aUser(shop, { role: 'admin' })
    const before = await toSnapshot(shop.database)
    const answers: Record<string, unknown> = {}
    for (const row of closed) {
      answers[toName(row)] = said(await send(shop, row, accessTable[toName(row)]?.sample(world) ?? {}, token))
    }
    const refused = closed.map((row) => [toName(row), [403, 'SECOND_FACTOR_NEEDED_FIRST']])
    expect(answers).toEqual(Object.fromEntries(refused))
    expect(await toSnapshot(shop.database)).toEqual(before)
  })

  test('reads who they are, sees that they must enrol, changes the own password and logs out', async () => {
    const nickname = 'unenrolled'
    const { body } = await shop.call('POST', '/auth/register', { body: { nickname, password } })
    await shop.database.run(sql`UPDATE users SET role = 'admin' WHERE id = ${body.userId}`)
    const asThem = { token: body.token }
    expect((await shop.call('GET', '/profile', asThem)).body).toMatchObject({ role: 'admin', must_enrol: true })
    const change = { currentPassword: password, password: 'tarvuz-2-qovun' }
    expect((await shop.call('PUT', '/profile/password', { ...asThem, body: change })).status).toBe(204)
    expect((await shop.call('POST', '/auth/logout', asThem)).status).toBe(204)
  })

  test('enrols, and then may do everything', async () => {
    const { body } = await shop.call('POST', '/auth/register', { body: { nickname: 'enroller', password } })
    await shop.database.run(sql`UPDATE users SET role = 'admin' WHERE id = ${body.userId}`)
    const post = (path: string, sent: object) =>
      shop.call('POST', `/auth/second-factor${path}`, { token: body.token, body: sent })
    const list = () => shop.call('GET', '/admin/users', { token: body.token })
    expect((await list()).status).toBe(403)
    const { uri } = (await post('/enrol', { password })).body.data
    expect((await list()).status).toBe(403)
    const secret = new URL(uri).searchParams.get('secret') ?? ''
    const bits = [...secret].map((sign) =>
      'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(sign).toString(2).padStart(5, '0'),
    )
    const bytes = Buffer.from((bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
    expect((await post('/confirm', { otp: codeAt(bytes, toStep(new Date())) })).status).toBe(200)
    expect((await list()).status).toBe(200)
    expect((await shop.call('GET', '/profile', { token: body.token })).body).not.toHaveProperty('must_enrol')
  })

  test('is shut out again after giving the second factor up', async () => {
    const { id, token } = await aUser(shop, { role: 'admin' })
    const app = await anApp(shop, id)
    expect((await shop.call('GET', '/admin/users', { token })).status).toBe(200)
    const body = { otp: app.code() }
    expect((await shop.call('POST', '/auth/second-factor/disable', { token, body })).status).toBe(204)
    expect(said(await shop.call('GET', '/admin/users', { token }))).toEqual([403, 'SECOND_FACTOR_NEEDED_FIRST'])
  })

  test('buys as a customer does, and a customer is asked for nothing', async () => {
    const [admin, customer] = [await aUser(shop, { role: 'admin' }), await aUser(shop)]
    expect((await shop.call('GET', '/cart', { token: admin.token })).status).toBe(200)
    expect((await shop.call('GET', '/profile', { token: customer.token })).body).not.toHaveProperty('must_enrol')
    expect(said(await shop.call('GET', '/admin/users', { token: customer.token }))).toEqual([403, 'FORBIDDEN'])
  })
})

test('in production every admin needs one, and elsewhere none', async () => {
  const production = { NODE_ENV: 'production', RATE_LIMITS: 'on', PAYMENT_PROVIDERS: 'none', SUPPLIERS: 'manual' }
  for (const [settings, expected] of [
    [production, 403],
    [{}, 200],
  ] as const) {
    const own = await startShop(settings)
    const { token } = await aUser(own, { role: 'admin' })
    expect((await own.call('GET', '/admin/users', { token })).status).toBe(expected)
    await own.close()
  }
})
