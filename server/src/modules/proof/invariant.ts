import type { InvariantName } from '@olmos/contract/operations'
import type { Sql } from 'sql-template-tag'

/** Something that is always true of the database, whatever was killed in between. */
export interface Invariant {
  /** As in docs/reliability.md. */
  number: number
  name: InvariantName
  sentence: string
  /** Selects a `subject` for everything that violates it. */
  offenders: Sql
}

/** It needs the key, which no query has, so audit.ts checks it. Its number is not among those that queries check. */
export const auditSeals: Omit<Invariant, 'offenders'> = {
  number: 30,
  name: 'audit-seals',
  sentence: 'The audit trail is as it was when it was sealed with the key of this shop',
}
