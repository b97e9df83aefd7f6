import { containing, type Queries, sql } from '../../platform/database.ts'

const few = 1_000

/**
 * The users whose nickname has this part; none where they are too many to name. Lists of what users did look for them
 * first: it decides whether it is quicker to go from the users to what they did or the other way.
 */
export async function findFewUsers(queries: Queries, part: string): Promise<number[] | undefined> {
  const rows = await queries.rows<{ id: number }>(
    sql`SELECT id FROM users WHERE nickname_key LIKE ${containing(part.toLowerCase())} LIMIT ${few + 1}`,
  )
  return rows.length > few ? undefined : rows.map((row) => row.id)
}
