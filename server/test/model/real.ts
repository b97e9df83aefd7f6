import type { Currency } from '@olmos/contract/money'
import type { OrderStatus } from '@olmos/contract/orders'
import fc from 'fast-check'
import { expect } from 'vitest'
import { type Sandbox, sandboxProvider } from '../../src/modules/payments/providers/sandbox.ts'
import { sql } from '../../src/platform/database/queries.ts'
import { sandboxSecret, settleRates, startCardShop } from '../card-orders.ts'
import { aUser, type TestUser } from '../factories.ts'
import type { Answer, CallOptions, TestShop } from '../shop.ts'
import { sellTopups } from '../topups.ts'
import { count, type Model } from './model.ts'

/** The store itself, and its operator. */
export interface Real {
  shop: TestShop
  admin: TestUser
  /** The bank the store asks; the store is not notified of what is done here. */
  bank: Sandbox
  /** How many commands have run. */
  commands: number
}

export async function startReal(): Promise<Real> {
  const shop = await startCardShop()
  await sellTopups(shop)
  await settleRates(shop)
  const admin = await aUser(shop, { role: 'admin' })
  const bank = sandboxProvider.create(
    { SANDBOX_SECRET: sandboxSecret },
    { database: shop.database, publicUrl: 'http://localhost:3000' },
  )
  return { shop, admin, bank, commands: 0 }
}

export type Command = fc.AsyncCommand<Model, Real>

/** Makes a command that prints its name and drawn values in a report. */
export const command = <T>(
  name: string,
  drawn: fc.Arbitrary<T>,
  canRun: (model: Model) => boolean,
  run: (model: Model, real: Real, values: T) => Promise<void>,
): fc.Arbitrary<Command> =>
  drawn.map((values) => ({
    check: canRun,
    run: async (model, real) => {
      real.commands++
      await run(model, real, values)
      await expectAgreement(model, real.shop)
    },
    toString: () => `${name} ${JSON.stringify(values)}`,
  }))

/** A number that selects one of the things that exist when the command runs. */
export const which = fc.nat({ max: 1_000 })
export const chosen = <T>(all: readonly T[], index: number): T => all[index % all.length] as T
export const currency = fc.constantFrom<Currency>('USD', 'RUB')

/** Makes a call that may be refused, but must not break. */
export async function call(
  { shop }: Real,
  method: Parameters<TestShop['call']>[0],
  path: string,
  options: CallOptions,
): Promise<Answer> {
  const answer = await shop.call(method, path, options)
  if (answer.status >= 500) throw new Error(`${method} ${path} answers ${answer.status}: ${answer.text}`)
  return answer
}

export const readRefusal = (answer: Answer): string | undefined => answer.body?.error?.code

/** Expects money, stock and orders to be what the model says. */
async function expectAgreement({ buyers, shelves, orders }: Model, { database }: TestShop): Promise<void> {
  const [money, stock, statuses] = await Promise.all([
    database.rows<{ user_id: number; currency: Currency; balance: number }>(sql`
      SELECT user_id, currency, balance FROM account
      WHERE kind = 'wallet' AND user_id = ANY (${buyers.map(({ user }) => user.id)}::int[])`),
    database.rows<{ id: number; available: number; reserved: number; used: number }>(sql`
      SELECT offer.id, count(*) FILTER (WHERE code.status = 'available')::int AS available,
        count(*) FILTER (WHERE code.status = 'reserved')::int AS reserved,
        count(*) FILTER (WHERE code.status = 'used')::int AS used
      FROM offer LEFT JOIN code ON code.offer_id = offer.id
      WHERE offer.id = ANY (${shelves.map(({ offer }) => offer.id)}::int[]) GROUP BY offer.id ORDER BY offer.id`),
    database.rows<{ id: string; status: OrderStatus }>(sql`
      SELECT id, status FROM orders WHERE user_id = ANY (${buyers.map(({ user }) => user.id)}::int[]) ORDER BY id`),
  ])
  const shownMoney = money.map(({ user_id, currency, balance }) => `user ${user_id}: ${balance} ${currency}`).sort()
  const wantedMoney = buyers.flatMap(({ user, money: wanted }) =>
    (['RUB', 'USD'] as const).map((currency) => `user ${user.id}: ${wanted[currency]} ${currency}`),
  )
  expect(shownMoney).toEqual(wantedMoney.sort())
  expect(stock).toEqual(
    shelves
      .map((shelf) => ({
        id: shelf.offer.id,
        available: count(shelf, 'available'),
        reserved: count(shelf, 'reserved'),
        used: count(shelf, 'used'),
      }))
      .sort((one, other) => one.id - other.id),
  )
  const byId = (one: { id: string }, other: { id: string }) => (one.id < other.id ? -1 : 1)
  expect([...statuses].sort(byId)).toEqual(orders.map(({ id, status }) => ({ id, status })).sort(byId))
}
