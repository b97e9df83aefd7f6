import type { TestProject } from 'vitest/node'
import { forgetRecords } from './recorded-statements.ts'
import { startTestPostgres } from './test-postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The superuser's connection to the PostgreSQL of this run. */
    adminUrl: string
  }
}

/** One PostgreSQL for the whole run, with the migrated database that each test file clones. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  forgetRecords()
  const { adminUrl, stop } = await startTestPostgres()
  project.provide('adminUrl', adminUrl)
  return stop
}
