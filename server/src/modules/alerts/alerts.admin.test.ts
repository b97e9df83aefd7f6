import type { AlertKind } from '@olmos/contract/alerts'
import { describe, expect, test } from 'vitest'
import { aUser } from '../../../test/factories.ts'
import { useShop, useUser } from '../../../test/use-shop.ts'
import { sql } from '../../platform/database/queries.ts'
import { raiseAlert, resolveAlert } from '../../platform/live/alert.ts'

const shop = useShop()
const admin = useUser(shop, { role: 'admin' })

const list = async (query = '') =>
  (await shop.call('GET', `/admin/alerts${query}`, { token: admin.token })).body.data as { id: number; kind: string }[]
const answer = (id: number | undefined, state: string) =>
  shop.call('PUT', `/admin/alerts/${id}`, { token: admin.token, body: { state } })
const openCount = async () => (await shop.call('GET', '/admin/alerts/count', { token: admin.token })).body.data.open
const raise = (kind: AlertKind, subject = 'supplier') =>
  raiseAlert(shop.database, { kind, subject, details: { order: 'ABC' } })

test('what is open comes first and is counted until somebody takes it on; it ends by itself or by a word', async () => {
  await raise('supplier.out')
  await raise('supplier.float')
  await raise('invariant', 'zero-sum')
  await resolveAlert(shop.database, 'invariant', 'zero-sum')
  expect(await list()).toMatchObject([
    { kind: 'supplier.float', state: 'open', details: { order: 'ABC' } },
    { kind: 'supplier.out', state: 'open' },
    { kind: 'invariant', state: 'resolved', resolved_by: null },
  ])
  expect(await openCount()).toBe(2)
  expect(await list('?state=resolved')).toHaveLength(1)
  expect(await list('?search=float')).toHaveLength(1)

  const [float, out] = await list()
  const taken = await answer(float?.id, 'acknowledged')
  expect([taken.status, taken.body.data]).toMatchObject([
    200,
    { state: 'acknowledged', acknowledged_by: admin.nickname, resolved_at: null },
  ])
  expect(await openCount()).toBe(1)
  // A lasting trouble has one alert.
  await raise('supplier.float')
  expect(await list('?search=float')).toHaveLength(1)

  expect((await answer(out?.id, 'resolved')).body.data).toMatchObject({
    state: 'resolved',
    resolved_by: admin.nickname,
    acknowledged_by: null,
  })
  const again = await answer(out?.id, 'acknowledged')
  expect([again.status, again.body.error.details.current.state]).toEqual([409, 'resolved'])
  await raise('supplier.out')
  expect(await openCount()).toBe(1)
  expect((await answer(999_999, 'resolved')).status).toBe(404)
})

test('of many who take one on at once the first is kept, and each answer is in the trail', async () => {
  await raise('rates.failed', 'cbr')
  const [alert] = await list('?search=rates.failed')
  const others = await Promise.all(Array.from({ length: 20 }, () => aUser(shop, { role: 'admin' })))
  const answers = await Promise.all(
    others.map(({ token }) =>
      shop.call('PUT', `/admin/alerts/${alert?.id}`, { token, body: { state: 'acknowledged' } }),
    ),
  )
  expect(new Set(answers.map(({ status, body }) => `${status} ${body.data.acknowledged_by}`)).size).toBe(1)
  await answer(alert?.id, 'resolved')
  const trail = await shop.database.rows(
    sql`SELECT action, actor_id FROM audit_entry WHERE subject = ${`alert:${alert?.id}`} ORDER BY id`,
  )
  expect(trail).toMatchObject([{ action: 'alert.acknowledged' }, { action: 'alert.resolved', actor_id: admin.id }])
})

describe('an alert that is raised again', () => {
  const raised = (details: object, whenChanged?: 'refresh') =>
    raiseAlert(shop.database, { kind: 'rate.held', subject: 'again', details, ...(whenChanged && { whenChanged }) })
  const shown = async () =>
    (await list('?search=again'))[0] as unknown as { id: number; state: string; details: object }
  const taken = async () => {
    await shop.database.run(sql`DELETE FROM alert WHERE subject = 'again'`)
    await raised({ held: 120 })
    return answer((await shown()).id, 'acknowledged')
  }

  test('with other details tells them, and is nobody’s once more', async () => {
    await taken()
    await raised({ held: 125 })
    expect(await shown()).toMatchObject({ state: 'open', details: { held: 125 }, acknowledged_by: null })
    expect(await list('?search=again')).toHaveLength(1)
  })

  test('with the same details stays with whom has taken it on', async () => {
    await taken()
    await raised({ held: 120 })
    expect(await shown()).toMatchObject({ state: 'acknowledged', details: { held: 120 } })
  })

  test('that only knows more precisely is told, and stays with whom has taken it on', async () => {
    await taken()
    await raised({ held: 125 }, 'refresh')
    expect(await shown()).toMatchObject({ state: 'acknowledged', details: { held: 125 } })
  })

  test('by many at once is there once', async () => {
    await shop.database.run(sql`DELETE FROM alert WHERE subject = 'again'`)
    await Promise.all(Array.from({ length: 30 }, (_, index) => raised({ held: index % 3 })))
    expect(await list('?search=again')).toHaveLength(1)
  })
})
