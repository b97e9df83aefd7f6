import type { Sql } from '../../platform/database.ts'

/** Something that is always true of the database, whatever was killed in between. */
export interface Invariant {
  /** As in docs/reliability.md. */
  number: number
  name: string
  sentence: string
  /** Selects one `subject` for everything that breaks it. */
  offenders: Sql
}
