import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { adminEndpoint, type Endpoint, endpoint, listRefusals } from './endpoint.ts'
import { permissions } from './permissions.ts'

const modules = import.meta.glob<Record<string, unknown>>(['./*.ts', '!./*.test.ts'], { eager: true })
const endpoints = Object.values(modules).flatMap((module) =>
  Object.entries(module)
    .filter(([name]) => name.endsWith('Api'))
    .flatMap(([, table]) => Object.values(table as Record<string, Endpoint>)),
)
const rows = endpoints.map((row) => [`${row.method} ${row.path}`, row] as const)

test('no two calls have one address', () => {
  expect(rows.length).toBeGreaterThan(40)
  expect(new Set(rows.map(([name]) => name.replace(/:\w+/g, ':'))).size).toBe(rows.length)
})

test('no two calls have one operationId', () => {
  const seen = new Map<string, string>()
  for (const [name, { operationId }] of rows) {
    expect(seen.get(operationId), `${name} needs an operationId of its own, not '${operationId}'`).toBeUndefined()
    seen.set(operationId, name)
  }
})

describe.each(rows)('%s', (name, row) => {
  test('has an operationId in words of the trade, and refusals that do not follow from the rest of it', () => {
    const help = `${name}: put \`operationId: 'verbNoun'\` right below its call`
    expect(row.operationId, help).toMatch(/^[a-z]+([A-Z][a-z]+)+$|^(register)$/)
    const following = listRefusals({ ...row, refusals: (row.refusals ?? []).filter((code) => code.endsWith('_FOUND')) })
    const repeated = (row.refusals ?? []).filter((code) => !code.endsWith('_FOUND') && following.includes(code))
    expect(repeated, `${name}: these follow from the row, take them out of its \`refusals\``).toEqual([])
  })

  test('reads as the wire page says', () => {
    expect(row.path).toMatch(/^(\/([a-z][a-z-]*|:[a-zA-Z]+))+$/)
    expect(row.summary).toMatch(/^\S.*[^.\s]$/)
    const named = [...row.path.matchAll(/:(\w+)/g)].map(([, name]) => name)
    const described = row.params instanceof z.ZodObject ? Object.keys(row.params.shape) : []
    expect(described.toSorted()).toEqual(named.toSorted())
  })

  test('is for admins only when its address says so', () => {
    const isAdminPath =
      /^\/(admin|pubg-admin|freefire-admin|currency-settings|auth\/second-factor)(\/|$)/.test(row.path) ||
      row.path === '/balance/topup'
    expect(row.access === 'admin').toBe(isAdminPath)
  })

  test('takes a body only where one is sent, and only the fields it knows', () => {
    if (row.method === 'GET') expect(row.body).toBeUndefined()
    if (!row.body) return
    // Where a body has one of several shapes, each knows its own fields.
    const shapes = row.body instanceof z.ZodDiscriminatedUnion ? row.body.options : [row.body]
    for (const shape of shapes) {
      const unknown = z.safeParse(shape, { 'a field nobody knows': 1 })
      expect(JSON.stringify(unknown.error?.issues)).toContain('unrecognized_keys')
    }
  })

  test('moves money or codes only under an idempotency key', () => {
    const movesMoney =
      /^\/(payment\/(from-balance|buy-now|create)|orders\/topup|balance\/topup|admin\/users\/:id\/balance|admin\/.*\/refund)$/
    if (movesMoney.test(row.path)) expect(row.idempotent).toBe(true)
  })
})

describe('a call of admins', () => {
  const said = { operationId: 'readNothing', summary: 'Nothing', answer: z.undefined() } as const

  test('does not compile without a permission, nor a call of others with one', () => {
    const rows = [
      // @ts-expect-error: no permission
      adminEndpoint('GET /admin/nothing', said),
      // @ts-expect-error: no permission either
      endpoint('GET /admin/nothing', { ...said, access: 'admin', tag: 'admin' }),
      // @ts-expect-error: no such permission
      adminEndpoint('GET /admin/nothing', { ...said, permission: 'nothing.read' }),
      // @ts-expect-error: customers have none
      endpoint('GET /nothing', { ...said, access: 'customer', tag: 'orders', permission: 'orders.read' }),
    ]
    expect(rows).toHaveLength(4)
  })

  test('has one that is used, and each that there is is asked for by a call', () => {
    const asked = endpoints.flatMap(({ permission }) => (permission && permission !== 'own' ? [permission] : []))
    expect([...new Set(asked)].toSorted()).toEqual(permissions.toSorted())
  })
})
