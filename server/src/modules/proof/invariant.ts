import type { InvariantName } from '@olmos/contract/operations'
import type { Sql } from 'sql-template-tag'

/** Something that is always true of the database, whatever was killed in between. */
export interface Invariant {
  /** As in docs/reliability.md. */
  number: number
  name: InvariantName
  sentence: string
  /** Selects one `subject` for everything that breaks it. */
  offenders: Sql
}

/** Needs the key, which no query has: audit-seals.ts looks at it. Numbered apart from what queries find. */
export const auditSeals: Omit<Invariant, 'offenders'> = {
  number: 30,
  name: 'audit-seals',
  sentence: 'The audit trail is as it was when it was sealed with the key of this shop',
}
