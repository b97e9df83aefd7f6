import { auditApi } from '@olmos/contract/audit'
import type { Context } from '../../platform/context.ts'
import { withTotal } from '../../platform/database/lists.ts'
import { countAudit, listAudit } from './audit.ts'

export function auditAdmin({ serve, database }: Context): void {
  serve(auditApi.list, async ({ query }) => {
    const { rows, total } = await withTotal(query, listAudit(database, query), () => countAudit(database, query))
    return { data: rows.map((row) => ({ ...row, created_at: row.created_at.toISOString() })), total }
  })
}
