import { describe, expect, test } from 'vitest'
import { accessTable } from '../test/access.ts'
import { endpoints, toName } from '../test/endpoints.ts'
import { send } from '../test/send.ts'
import { useShop } from '../test/use-shop.ts'
import { aWorld, type World } from '../test/world.ts'
import { sql } from './platform/database/queries.ts'

const logLines: string[] = []
const shop = useShop({ RATES_SOURCE: 'fixed', LOG_LEVEL: 'info' }, { logLines })

/**
 * Calls that use a writing method but change nothing: a search is sent in the body, so that no code appears in an
 * address, what is tried is delivered by the sandbox alone, prices, take-overs and pages are shown before they happen, a
 * provider is only asked whether it knows the shop, and what a customer wrote is marked as seen.
 */
const reading = [
  'POST /admin/codes/search',
  'POST /admin/generated-codes/search',
  'POST /pubg-admin/codes/search',
  'POST /admin/products/:id/try',
  'POST /admin/price-rules/example',
  'POST /admin/pages/preview',
  'POST /admin/price-changes/preview',
  'POST /admin/offer-changes/preview',
  'POST /admin/suppliers/:name/take-over/preview',
  'POST /admin/payment-providers/:provider/try',
  'POST /admin/suppliers/:name/account/try',
  'PUT /admin/conversations/:id/read',
]

/** What the access table's sample can't do, and the test that covers its audit entry. */
const elsewhere: Readonly<Record<string, string>> = {
  'POST /auth/second-factor/enrol': 'offers a secret that nothing accepts yet',
  'POST /auth/second-factor/confirm': 'second-factor.test.ts',
  'POST /admin/card-refunds/:id/decide': 'decide-refund.test.ts',
  'POST /admin/fillings/:id/refund': 'refund-filling.test.ts',
  // A way back is a change as any other, and audited as that.
  'POST /admin/payment-methods/restore': 'payment-setup.test.ts',
  'POST /admin/payment-methods/:method/restore': 'payment-setup.test.ts',
  'POST /admin/suppliers/restore': 'supplier-setup.test.ts',
  'POST /admin/staff-roles/:id/restore': 'staff.test.ts',
  'POST /admin/answer-templates/:id/restore': 'conversations.test.ts',
  'POST /admin/offer-changes': 'change-offers.test.ts',
}

/** Done many times a day and about the admin's own session alone: the security log records it. */
const inSecurityLog = ['POST /auth/second-factor/confirm-again']

const writes = endpoints.filter(({ method, access }) => access === 'admin' && method !== 'GET')

const lastEntry = async (world: World): Promise<number> => {
  const { id } = await shop.database.one<{ id: number }>(
    sql`SELECT coalesce(max(id), 0) AS id FROM audit_entry WHERE actor_id = ${world.admin.id}`,
  )
  return id
}

const securityLines = (world: World) =>
  logLines.map((line) => JSON.parse(line)).filter((line) => line.security && line.user === world.admin.id)

test('what is excused is there to be excused', () => {
  const excused = [...reading, ...Object.keys(elsewhere), ...inSecurityLog]
  expect(excused.filter((name) => !writes.some((row) => toName(row) === name))).toEqual([])
})

describe.each(writes.map((row) => [toName(row), row] as const))('%s', (name, row) => {
  test('leaves a trace of who did it', async () => {
    const line = accessTable[name]
    if (!line) throw new Error(`server/test/access-*.ts has no line for ${name}`)
    const world = await aWorld(shop)
    const [entry, lines] = [await lastEntry(world), securityLines(world).length]
    const answer = await send(shop, row, line.sample(world), world.tokens.admin)
    const isAudited = (await lastEntry(world)) > entry
    if (elsewhere[name] !== undefined) return expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(answer.status).toBeLessThan(300)
    if (inSecurityLog.includes(name)) expect(securityLines(world).length).toBeGreaterThan(lines)
    else expect(isAudited).toBe(!reading.includes(name))
  })
})
