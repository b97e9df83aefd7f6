import type { Database } from '../src/platform/database/database.ts'
import { raw, sql } from '../src/platform/database/queries.ts'

/** Counts and digests every table: two snapshots are equal when nothing was changed in between. */
export async function toSnapshot(database: Database): Promise<Record<string, string>> {
  const names = await tableNames(database)
  const selects = names.map(
    (name) =>
      `SELECT '${name}' AS name, count(*) || ' ' || coalesce(sum(hashtextextended(t::text, 0)), 0) AS content FROM "${name}" t`,
  )
  const rows = await database.rows<{ name: string; content: string }>(raw(selects.join(' UNION ALL ')))
  return Object.fromEntries(rows.map((row) => [row.name, row.content]))
}

/** Finds the tables with a row that contains the text, in plain or as the bytes of a binary column. */
export async function tablesWith(database: Database, text: string): Promise<string[]> {
  const forms = [text, Buffer.from(text).toString('hex'), Buffer.from(text).toString('base64')]
  const found: string[] = []
  for (const name of await tableNames(database)) {
    const { isThere } = await database.one<{ isThere: boolean }>(sql`
      SELECT EXISTS (SELECT FROM ${raw(`"${name}"`)} t, unnest(${forms}::text[]) form
        WHERE position(form IN t::text) > 0) AS "isThere"`)
    if (isThere) found.push(name)
  }
  return found
}

async function tableNames(database: Database): Promise<string[]> {
  const rows = await database.rows<{ name: string }>(sql`
    SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename`)
  return rows.map((row) => row.name)
}
