import type { Profile, Role } from '@olmos/contract/accounts'
import { toMajor } from '@olmos/contract/minor-units'
import { SERVER_BUSINESS } from '../../business.ts'
import { containing, type Queries, sql } from '../../platform/database/queries.ts'
import type { Caller } from '../../platform/http/route.ts'

interface ProfileRow {
  id: number
  nickname: string
  role: Role
  created_at: Date
  contact: string
  balance_usd: number
  balance_rub: number
  completed_orders: number
}

const balances = sql`
  (SELECT balance FROM account WHERE user_id = users.id AND currency = 'USD') AS balance_usd,
  (SELECT balance FROM account WHERE user_id = users.id AND currency = 'RUB') AS balance_rub`

const readProfileRow = (queries: Queries, userId: number) =>
  queries.one<ProfileRow>(sql`
    SELECT id, nickname, role, created_at, contact, ${balances},
      (SELECT count(*) FROM (
        SELECT FROM orders WHERE user_id = users.id AND purpose = 'goods' AND status = 'completed'
          AND payment_method <> 'code'
        LIMIT ${SERVER_BUSINESS.regularBuyerOrders}) AS completed)::int AS completed_orders
    FROM users WHERE id = ${userId}`)

/** Reads the user's name, balances and progress towards being a regular buyer. */
export async function readProfile(
  queries: Queries,
  { id, mustEnrol }: Pick<Caller, 'id' | 'mustEnrol'>,
): Promise<Profile> {
  const row = await readProfileRow(queries, id)
  const total = SERVER_BUSINESS.regularBuyerOrders
  return {
    id: row.id,
    nickname: row.nickname,
    role: row.role,
    ...(mustEnrol && { must_enrol: true as const }),
    balanceUsd: toMajor(row.balance_usd),
    balanceRub: toMajor(row.balance_rub),
    created_at: row.created_at.toISOString(),
    contact: row.contact,
    purchase_status: {
      key: row.completed_orders >= total ? 'regular_buyer' : 'new_buyer',
      current: row.completed_orders,
      total,
    },
  }
}

const few = 1_000

/**
 * Finds the users whose nickname contains this part, or undefined when they are many. Lists of what users did call it
 * first: the number decides whether to go from the users to what they did or the other way.
 */
export async function findFewUsers(queries: Queries, part: string): Promise<number[] | undefined> {
  const rows = await queries.rows<{ id: number }>(
    sql`SELECT id FROM users WHERE nickname_key LIKE ${containing(part.toLowerCase())} LIMIT ${few + 1}`,
  )
  return rows.length > few ? undefined : rows.map((row) => row.id)
}
