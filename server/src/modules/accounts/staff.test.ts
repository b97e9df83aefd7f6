import { builtInPermissions, limitedPermissions, permissions } from '@olmos/contract/permissions'
import { beforeAll, describe, expect, test } from 'vitest'
import { aUser, type TestUser } from '../../../test/factories.ts'
import { anApp } from '../../../test/second-factor.ts'
import { startShop } from '../../../test/shop.ts'
import { useShop, useUser } from '../../../test/use-shop.ts'
import { sql } from '../../platform/database/queries.ts'

const shop = useShop()
const owner = useUser(shop, { staff: 'owner' })

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
const call = (method: Method, path: string, body?: unknown, by: TestUser = owner) =>
  shop.call(method, `/admin${path}`, { token: by.token, body })
const refusal = ({ status, body }: Awaited<ReturnType<typeof call>>) => [status, body.error.code, body.error.details]
const lacking = (permission: string) => [403, 'FORBIDDEN', { permission }]

const noLimits = { rub_once: null, rub_daily: null, usd_once: null, usd_daily: null }
const little = { rub_once: 500, rub_daily: 1_000, usd_once: 5, usd_daily: 10 }

let count = 0
/** Makes a set of permissions with those limits, and somebody who has it. */
async function somebodyWho(allowed: readonly string[], limits: object = little) {
  const { body } = await call('POST', '/staff-roles', { name: `Set ${++count}`, permissions: allowed, limits })
  const user = await aUser(shop)
  const given = await call('POST', '/staff', { nickname: user.nickname, role_id: body.data.id })
  expect(given.status).toBe(201)
  return { user, roleId: body.data.id as number }
}
const roleIdFor = async (builtIn: string) =>
  (await shop.database.one<{ id: number }>(sql`SELECT id FROM staff_role WHERE built_in = ${builtIn}`)).id
const audited = (subject: string) =>
  shop.database.rows<{ actor_id: number; action: string; before: unknown; after: unknown }>(
    sql`SELECT actor_id, action, before, after FROM audit_entry WHERE subject = ${subject} ORDER BY id`,
  )

describe('roles', () => {
  test('are the built-in ones and the sets of the shop, with who has them', async () => {
    const { user, roleId } = await somebodyWho(['orders.read', 'codes.replace'])
    const { body } = await call('GET', '/staff-roles')
    expect(body.data.slice(0, 5).map((role: { built_in: string }) => role.built_in)).toEqual([
      'owner',
      'manager',
      'stock',
      'finance',
      'support',
    ])
    expect(body.data[0]).toMatchObject({ permissions, limits: noLimits })
    expect(body.data[4]).toMatchObject({
      permissions: builtInPermissions.support,
      limits: { rub_once: 500, rub_daily: 2_000, usd_once: 5, usd_daily: 20 },
    })
    const own = body.data.find((role: { id: number }) => role.id === roleId)
    expect(own).toMatchObject({
      built_in: null,
      permissions: ['orders.read', 'codes.replace'],
      limits: little,
      people: 1,
    })
    expect((await call('GET', `/staff?roleId=${roleId}`)).body.data).toEqual([
      {
        id: user.id,
        nickname: user.nickname,
        staff_role: { id: roleId, built_in: null, name: own.name },
        is_blocked: false,
        has_second_factor: false,
        last_seen_at: expect.any(String),
        sessions: 1,
      },
    ])
  })

  test('are made, renamed, narrowed and deleted, which the audit trail tells', async () => {
    const made = await call('POST', '/staff-roles', { name: 'Night', permissions: ['orders.read'], limits: little })
    expect(made.status).toBe(201)
    const { id } = made.body.data
    const again = await call('POST', '/staff-roles', { name: 'NIGHT', permissions: [], limits: little })
    expect(refusal(again)).toEqual([409, 'DUPLICATE', { name: 'duplicate' }])
    const changed = await call('PUT', `/staff-roles/${id}`, { name: 'Day', permissions: [], version: 1 })
    expect(changed.body.data).toMatchObject({ name: 'Day', permissions: [], limits: little, version: 2 })
    const late = await call('PUT', `/staff-roles/${id}`, { name: 'Noon', version: 1 })
    expect(refusal(late)).toMatchObject([409, 'STATE_CONFLICT', { reason: 'changed_meanwhile' }])
    expect((await call('DELETE', `/staff-roles/${id}`)).status).toBe(204)
    expect((await call('DELETE', `/staff-roles/${id}`)).status).toBe(404)
    expect((await audited(`staff-role:${id}`)).map(({ action }) => action)).toEqual([
      'staff_role.create',
      'staff_role.update',
      'staff_role.delete',
    ])
  })

  test('that every shop has keep their permissions; their limits can be set, but not an owner’s', async () => {
    const [support, ownerRole] = [await roleIdFor('support'), await roleIdFor('owner')]
    const fixed = [409, 'STATE_CONFLICT', { reason: 'role_built_in' }]
    expect(refusal(await call('PUT', `/staff-roles/${support}`, { permissions: [] }))).toEqual(fixed)
    expect(refusal(await call('PUT', `/staff-roles/${support}`, { name: 'Helpers' }))).toEqual(fixed)
    expect(refusal(await call('DELETE', `/staff-roles/${support}`))).toEqual(fixed)
    const limits = { ...little, rub_once: 700 }
    expect((await call('PUT', `/staff-roles/${support}`, { limits })).body.data.limits).toEqual(limits)
    const { user } = await somebodyWho(['staff.write'])
    const refused = await call('PUT', `/staff-roles/${ownerRole}`, { limits: little }, user)
    expect(refusal(refused)).toEqual(lacking('reports.read'))
    const own = await call('PUT', `/staff-roles/${ownerRole}`, { limits: little })
    expect(refusal(own)).toEqual([409, 'STATE_CONFLICT', { reason: 'own_role' }])
  })

  test('are brought back as they were, by who may give all that they allowed', async () => {
    const back = (roleId: number, restored: number, by?: TestUser) =>
      call('POST', `/staff-roles/${roleId}/restore`, { restored }, by)
    const { roleId } = await somebodyWho(['orders.read', 'orders.refund'])
    await call('PUT', `/staff-roles/${roleId}`, { permissions: ['orders.read'], limits: { ...little, rub_once: 100 } })
    const { body } = await call('GET', `/staff-roles/${roleId}/versions`)
    expect(body.data).toMatchObject([
      { version: 2, value: { permissions: ['orders.read'], limits: { rub_once: 100 } }, changed_by: owner.nickname },
      { version: 1, value: { permissions: ['orders.read', 'orders.refund'], limits: little } },
    ])

    const { user: manager } = await somebodyWho(['staff.write', 'orders.read'])
    expect(refusal(await back(roleId, 1, manager))).toEqual(lacking('orders.refund'))
    const { user: generous } = await somebodyWho(['staff.write', 'orders.read', 'orders.refund'], {
      ...little,
      rub_once: 200,
    })
    expect(refusal(await back(roleId, 1, generous))).toEqual([403, 'FORBIDDEN', { limit: 'rub_once' }])
    expect((await back(roleId, 1)).body.data).toMatchObject({
      permissions: ['orders.read', 'orders.refund'],
      limits: little,
    })
    expect(refusal(await back(await roleIdFor('owner'), 1)).slice(0, 2)).toEqual([409, 'STATE_CONFLICT'])

    await shop.database.run(sql`
      INSERT INTO shop_setting (section, version, value)
      VALUES (${`staff-role:${roleId}`}, 4, ${JSON.stringify({ name: 'Old', permissions: ['codes.print'], limits: little })}::jsonb)`)
    expect(refusal(await back(roleId, 4))).toEqual([400, 'VALIDATION_FAILED', { 'permissions.0': 'invalid' }])

    const support = await roleIdFor('support')
    const limits = { rub_once: 500, rub_daily: 2_000, usd_once: 5, usd_daily: 20 }
    await call('PUT', `/staff-roles/${support}`, { limits: noLimits })
    expect((await back(support, 1)).body.data).toMatchObject({ built_in: 'support', limits })
  })

  test('come back after they were deleted, by the id they had and by who may give all that they allowed', async () => {
    const role = { name: 'Deleted', permissions: ['orders.read', 'orders.refund'], limits: little }
    const { id } = (await call('POST', '/staff-roles', role)).body.data
    expect((await call('DELETE', `/staff-roles/${id}`)).status).toBe(204)
    const { body } = await call('GET', '/staff-roles/removed')
    expect(body.data[0]).toMatchObject({ id, version: 1, value: role, changed_by: owner.nickname })
    const back = (by?: TestUser) => call('POST', `/staff-roles/${id}/restore`, { restored: 1, version: 1 }, by)
    const { user: manager } = await somebodyWho(['staff.write', 'orders.read'])
    expect(refusal(await back(manager))).toEqual(lacking('orders.refund'))
    const answers = await Promise.all(Array.from({ length: 10 }, () => back()))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array.from({ length: 9 }, () => 409)])
    expect(answers.find(({ status }) => status === 200)?.body.data).toMatchObject({
      id,
      ...role,
      people: 0,
      version: 1,
    })
    expect((await call('GET', '/staff-roles/removed')).body.data).not.toContainEqual(expect.objectContaining({ id }))
    expect((await call('PUT', `/staff-roles/${id}`, { name: 'Back again', version: 1 })).status).toBe(200)
  })

  test('that somebody has are not deleted', async () => {
    const { user, roleId } = await somebodyWho(['orders.read'])
    const inUse = [409, 'STATE_CONFLICT', { reason: 'role_in_use', people: 1 }]
    expect(refusal(await call('DELETE', `/staff-roles/${roleId}`))).toEqual(inUse)
    await call('PUT', `/staff/${user.id}/role`, { role_id: null })
    expect((await call('DELETE', `/staff-roles/${roleId}`)).status).toBe(204)
  })

  test('never hold what only owners have', async () => {
    const body = { name: 'Almost an owner', permissions: ['staff.second_factor'], limits: little }
    expect((await call('POST', '/staff-roles', body)).status).toBe(400)
  })
})

describe('an open session', () => {
  test('follows the role of its user at the next call, and the page learns what is allowed', async () => {
    const { user, roleId } = await somebodyWho(['orders.read'])
    const profile = async () => (await shop.call('GET', '/profile', { token: user.token })).body
    expect(await profile()).toMatchObject({ role: 'admin', permissions: ['orders.read'] })
    expect((await call('GET', '/orders', undefined, user)).status).toBe(200)
    await call('PUT', `/staff-roles/${roleId}`, { permissions: ['customers.read'] })
    expect(refusal(await call('GET', '/orders', undefined, user))).toEqual(lacking('orders.read'))
    expect((await call('GET', '/users', undefined, user)).status).toBe(200)
    await call('PUT', `/staff/${user.id}/role`, { role_id: await roleIdFor('stock') })
    expect(refusal(await call('GET', '/users', undefined, user))).toEqual(lacking('customers.read'))
    await call('PUT', `/staff/${user.id}/role`, { role_id: null })
    expect(refusal(await call('GET', '/codes', undefined, user))).toEqual([403, 'FORBIDDEN', undefined])
    expect(await profile()).toMatchObject({ role: 'customer' })
    expect(await profile()).not.toHaveProperty('permissions')
  })

  test('can’t download what it asked for before its permission ended', async () => {
    const { user, roleId } = await somebodyWho(['exports.read'])
    const { body } = await call('POST', '/exports', { what: 'customers', format: 'csv' }, user)
    await call('PUT', `/staff-roles/${roleId}`, { permissions: [] })
    expect((await shop.call('GET', body.data.path.replace('/api', ''))).status).toBe(404)
  })
})

describe('who may manage the staff', () => {
  let head: TestUser
  let headRole: number
  beforeAll(async () => {
    const made = await somebodyWho(['staff.write', 'customers.write', 'orders.read', 'orders.refund'])
    head = made.user
    headRole = made.roleId
  })

  test('gives no permission and no limit beyond the own ones', async () => {
    const role = (allowed: string[], limits: object) => ({ name: `Gift ${++count}`, permissions: allowed, limits })
    const more = await call('POST', '/staff-roles', role(['orders.read', 'codes.reveal'], little), head)
    expect(refusal(more)).toEqual(lacking('codes.reveal'))
    const richer = await call('POST', '/staff-roles', role(['orders.refund'], { ...little, usd_daily: 10.01 }), head)
    expect(refusal(richer)).toEqual([403, 'FORBIDDEN', { limit: 'usd_daily' }])
    const endless = await call('POST', '/staff-roles', role([], { ...little, rub_once: null }), head)
    expect(refusal(endless)).toEqual([403, 'FORBIDDEN', { limit: 'rub_once' }])
    const within = await call('POST', '/staff-roles', role(['orders.refund'], little), head)
    expect(within.status).toBe(201)
    const widened = { permissions: ['orders.refund', 'audit.read'] }
    expect(refusal(await call('PUT', `/staff-roles/${within.body.data.id}`, widened, head))).toEqual(
      lacking('audit.read'),
    )
    const customer = await aUser(shop)
    const ownerRole = { nickname: customer.nickname, role_id: await roleIdFor('owner') }
    expect(refusal(await call('POST', '/staff', ownerRole, head))).toMatchObject([403, 'FORBIDDEN', {}])
    const specified = await call('PUT', `/users/${customer.id}/role`, { role: 'admin' }, head)
    expect(refusal(specified)).toMatchObject([403, 'FORBIDDEN', {}])
    const harmless = await call('POST', '/staff-roles', role(['orders.read'], little), head)
    const given = { nickname: customer.nickname.toUpperCase(), role_id: harmless.body.data.id }
    expect((await call('POST', '/staff', given, head)).status).toBe(201)
  })

  test('and has limits, gives nobody what limits bind: a second account would have the day’s limit again', async () => {
    const second = await aUser(shop)
    const limited = (permission: string) => [403, 'FORBIDDEN', { limited: permission }]
    const giveTo = (roleId: number, by = head, nickname = second.nickname) =>
      call('POST', '/staff', { nickname, role_id: roleId }, by)
    const role = async (...allowed: string[]) => {
      const made = await call('POST', '/staff-roles', { name: `Own ${++count}`, permissions: allowed, limits: little })
      return made.body.data.id as number
    }
    expect(refusal(await giveTo(headRole))).toEqual(limited('orders.refund'))
    const bound = limitedPermissions
    expect(bound).toHaveLength(5)
    const everything = await somebodyWho(['staff.write', 'orders.read', ...bound], { ...noLimits, usd_daily: 10 })
    for (const permission of bound) {
      const roleId = await role('orders.read', permission)
      await call('PUT', `/staff-roles/${roleId}`, { limits: { ...little, rub_once: 0 } })
      expect(refusal(await giveTo(roleId, everything.user))).toEqual(limited(permission))
    }

    const harmless = await role('orders.read')
    expect((await giveTo(harmless)).status).toBe(201)
    expect(refusal(await call('PUT', `/staff/${second.id}/role`, { role_id: headRole }, head))).toEqual(
      limited('orders.refund'),
    )
    const widened = { permissions: ['orders.read', 'orders.refund'] }
    expect(refusal(await call('PUT', `/staff-roles/${harmless}`, widened, head))).toEqual(limited('orders.refund'))
    expect((await call('PUT', `/staff-roles/${await role('orders.read')}`, widened, head)).status).toBe(200)

    const { user: lead } = await somebodyWho(
      ['staff.write', 'customers.write', 'orders.read', 'orders.refund'],
      noLimits,
    )
    expect((await call('PUT', `/staff-roles/${harmless}`, widened, lead)).status).toBe(200)
    // What somebody has already is not given by another change of the role.
    expect((await call('PUT', `/staff-roles/${harmless}`, { name: 'Renamed' }, head)).status).toBe(200)
    expect((await giveTo(headRole, lead, (await aUser(shop)).nickname)).status).toBe(201)
  })

  test('and has limits, raises none of a role that people have: what it adds would be a second day’s limit', async () => {
    const least = { rub_once: 0, rub_daily: 1, usd_once: 0, usd_daily: 1 }
    const { roleId: crew } = await somebodyWho(['orders.read', 'orders.refund'], least)
    const change = (roleId: number, body: object, by = head) => call('PUT', `/staff-roles/${roleId}`, body, by)
    const refused = [403, 'FORBIDDEN', { limited: 'orders.refund' }]
    expect(refusal(await change(crew, { limits: little }))).toEqual(refused)
    expect(refusal(await change(crew, { limits: { ...least, usd_daily: 1.01 } }))).toEqual(refused)
    expect((await change(crew, { limits: { ...least, rub_daily: 0 } })).status).toBe(200)

    const { user: partly } = await somebodyWho(['staff.write', 'orders.read', 'orders.refund'], {
      ...noLimits,
      usd_daily: 10,
    })
    expect(refusal(await change(crew, { limits: { ...least, rub_once: null } }, partly))).toEqual(refused)

    // The role stops allowing what limits bind, nobody has it, or no limit binds what it allows.
    expect((await change(crew, { limits: little, permissions: ['orders.read'] })).status).toBe(200)
    const made = await call('POST', '/staff-roles', {
      ...{ name: `Free ${++count}`, permissions: ['orders.refund'], limits: least },
    })
    expect((await change(made.body.data.id, { limits: little })).status).toBe(200)
    const { roleId: readers } = await somebodyWho(['orders.read'], least)
    expect((await change(readers, { limits: little })).status).toBe(200)
  })

  test('and has limits, sets no password of a colleague who may do what they bind: that would be a second account', async () => {
    const setPassword = (colleague: TestUser, by = head) =>
      call('PUT', `/users/${colleague.id}/password`, { password: 'tarvuz-2-qovun' }, by)
    const least = { rub_once: 0, rub_daily: 1, usd_once: 0, usd_daily: 1 }
    for (const limits of [little, least]) {
      const { user } = await somebodyWho(['orders.read', 'orders.refund'], limits)
      expect(refusal(await setPassword(user))).toEqual([403, 'FORBIDDEN', { limited: 'orders.refund' }])
      expect((await call('GET', '/orders', undefined, user)).status).toBe(200)
    }
    const { user: reader } = await somebodyWho(['orders.read'])
    expect((await setPassword(reader)).status).toBe(200)
    expect((await setPassword(await aUser(shop))).status).toBe(200)

    const allowed = ['staff.write', 'customers.write', 'orders.read', 'orders.refund']
    const { user: peer } = await somebodyWho(allowed)
    const { user: partly } = await somebodyWho(allowed, { ...noLimits, usd_daily: 10 })
    expect((await setPassword(peer, partly)).status).toBe(403)
    const { user: lead } = await somebodyWho(allowed, noLimits)
    expect((await setPassword(peer, lead)).status).toBe(200)
  })

  test('does nothing to a colleague who may do more, whichever way', async () => {
    const lead = await aUser(shop, { staff: 'manager' })
    const refused = await Promise.all([
      call('PUT', `/staff/${lead.id}/role`, { role_id: null }, head),
      call('PUT', `/users/${lead.id}/role`, { role: 'customer' }, head),
      call('PUT', `/users/${lead.id}/password`, { password: 'six666' }, head),
      call('PUT', `/users/${lead.id}/blocked`, { blocked: true }, head),
      call('POST', `/staff/${lead.id}/sessions/end`, {}, head),
      call('POST', `/staff/${lead.id}/second-factor/reset`, {}, head),
    ])
    for (const answer of refused)
      expect(refusal(answer)).toMatchObject([403, 'FORBIDDEN', { permission: expect.any(String) }])
    expect((await call('GET', '/orders', undefined, lead)).status).toBe(200)
  })

  test('is not who may only help customers', async () => {
    const { user: helper } = await somebodyWho(['customers.write'])
    const { user: colleague } = await somebodyWho([], { ...little, rub_once: 0 })
    for (const path of ['password', 'blocked']) {
      const body = path === 'password' ? { password: 'six666' } : { blocked: true }
      expect(refusal(await call('PUT', `/users/${colleague.id}/${path}`, body, helper))).toEqual(lacking('staff.write'))
      const customer = await aUser(shop)
      expect((await call('PUT', `/users/${customer.id}/${path}`, body, helper)).status).toBe(200)
    }
  })

  test('changes neither the own role nor the role one has', async () => {
    const support = { role_id: await roleIdFor('support') }
    const self = [409, 'STATE_CONFLICT', { reason: 'own_account', user: 'self' }]
    const other = await aUser(shop, { staff: 'owner' })
    expect(refusal(await call('PUT', `/staff/${other.id}/role`, support, other))).toEqual(self)
    expect(refusal(await call('POST', `/staff/${other.id}/sessions/end`, {}, other))).toEqual(self)
    const own = await call('PUT', `/staff-roles/${headRole}`, { permissions: ['staff.write'] }, head)
    expect(refusal(own)).toEqual([409, 'STATE_CONFLICT', { reason: 'own_role' }])
    expect((await call('PUT', `/staff/${other.id}/role`, support)).body.data).toMatchObject({
      id: other.id,
      staff_role: { built_in: 'support' },
    })
    expect((await audited(`user:${other.id}`)).at(-1)).toMatchObject({
      actor_id: owner.id,
      action: 'user.role',
      before: { staff_role: { built_in: 'owner' } },
      after: { staff_role: { built_in: 'support' } },
    })
  })
})

test('of two owners who demote each other at once, twenty times over, one is left', async () => {
  const own = await startShop()
  const [one, other] = [await aUser(own, { staff: 'owner' }), await aUser(own, { staff: 'owner' })]
  const roleId = (await own.database.one<{ id: number }>(sql`SELECT id FROM staff_role WHERE built_in = 'support'`)).id
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => {
      const [by, target] = index % 2 === 0 ? [one, other] : [other, one]
      return own.call('PUT', `/admin/staff/${target.id}/role`, { token: by.token, body: { role_id: roleId } })
    }),
  )
  const owners = await own.database.rows(sql`
    SELECT users.id FROM users JOIN staff_role ON staff_role.id = staff_role_id WHERE built_in = 'owner'`)
  await own.close()
  expect(owners).toHaveLength(1)
  // The one who was demoted is refused from then on, and the one who is left may say it again.
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 403]))
})

describe('a colleague', () => {
  test('has sessions that are listed and ended, one or all', async () => {
    const { user } = await somebodyWho(['orders.read'])
    const [{ id }] = (await call('GET', `/staff/${user.id}/sessions`)).body.data
    expect((await call('POST', `/staff/${user.id}/sessions/end`, { session_id: id })).status).toBe(204)
    expect((await shop.call('GET', '/profile', { token: user.token })).status).toBe(401)
    expect((await call('POST', `/staff/${user.id}/sessions/end`, { session_id: id })).status).toBe(404)
    expect((await call('POST', `/staff/${user.id}/sessions/end`, {})).status).toBe(204)
    expect((await audited(`user:${user.id}`)).slice(1)).toMatchObject([
      { action: 'staff.sessions', after: { ended: 1 } },
      { action: 'staff.sessions', after: { ended: 0 } },
    ])
    const customer = await aUser(shop)
    expect((await call('GET', `/staff/${customer.id}/sessions`)).body.error.code).toBe('USER_NOT_FOUND')
    expect((await call('POST', `/staff/${customer.id}/sessions/end`, {})).body.error.code).toBe('USER_NOT_FOUND')
    expect((await shop.call('GET', '/profile', { token: customer.token })).status).toBe(200)
  })

  test('is given a way back by an owner who has a second factor himself', async () => {
    const { user } = await somebodyWho(['orders.read'])
    await anApp(shop, user.id)
    const path = `/staff/${user.id}/second-factor/reset`
    expect((await call('POST', path, {})).body.error.code).toBe('SECOND_FACTOR_NEEDED_FIRST')
    const careful = await aUser(shop, { staff: 'owner' })
    const app = await anApp(shop, careful.id)
    expect((await call('POST', path, {}, careful)).body.error.code).toBe('SECOND_FACTOR_REQUIRED')
    await shop.call('POST', '/auth/second-factor/confirm-again', { token: careful.token, body: { otp: app.code() } })
    expect((await call('POST', `/staff/${careful.id}/second-factor/reset`, {}, careful)).body.error.details).toEqual({
      reason: 'own_account',
      user: 'self',
    })
    expect((await call('POST', path, {}, careful)).status).toBe(204)
    expect((await shop.call('GET', '/profile', { token: user.token })).status).toBe(401)
    expect((await call('GET', `/staff?search=${user.nickname}`)).body.data[0]).toMatchObject({
      has_second_factor: false,
      sessions: 0,
    })
    expect((await audited(`user:${user.id}`)).at(-1)).toMatchObject({
      actor_id: careful.id,
      action: 'second_factor.reset',
    })
    expect((await call('POST', path, {}, careful)).body.error.details).toMatchObject({ reason: 'no_second_factor' })
  })

  test('is last seen when a call was made, also after logging out', async () => {
    const { user } = await somebodyWho(['orders.read'])
    await shop.database.run(sql`
      UPDATE session SET created_at = now() - interval '2 hours', renewed_at = now() - interval '5 minutes'
      WHERE user_id = ${user.id}`)
    await call('GET', '/orders', undefined, user)
    await shop.call('POST', '/auth/logout', { token: user.token })
    const [{ last_seen_at }] = (await call('GET', `/staff?search=${user.nickname}`)).body.data
    expect(Date.now() - Date.parse(last_seen_at)).toBeLessThan(60_000)
  })
})

test('an admin made by a program that knows no roles is an owner, and a customer has no role', async () => {
  const user = await aUser(shop)
  const role = () =>
    shop.database.one<{ built_in: string | null }>(sql`
      SELECT built_in FROM users LEFT JOIN staff_role ON staff_role.id = staff_role_id WHERE users.id = ${user.id}`)
  await shop.database.run(sql`UPDATE users SET role = 'admin' WHERE id = ${user.id}`)
  expect(await role()).toEqual({ built_in: 'owner' })
  await shop.database.run(sql`UPDATE users SET role = 'customer' WHERE id = ${user.id}`)
  expect(await role()).toEqual({ built_in: null })
})
