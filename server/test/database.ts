import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'

export interface TestDatabase {
  url: string
  drop(): Promise<void>
}

/** Makes an empty migrated database for the caller, cloned from the template. */
export const cloneDatabase = (): Promise<TestDatabase> => createDatabase('TEMPLATE olmos_template STRATEGY file_copy')

/** Makes a database without a schema. */
export const emptyDatabase = (): Promise<TestDatabase> => createDatabase('')

async function createDatabase(how: string): Promise<TestDatabase> {
  const adminUrl = inject('adminUrl')
  const name = `test_${randomBytes(6).toString('hex')}`
  await asAdmin(adminUrl, `CREATE DATABASE ${name} ${how}`)
  const url = new URL(adminUrl)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => asAdmin(adminUrl, `DROP DATABASE ${name} WITH (FORCE)`) }
}

async function asAdmin(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
