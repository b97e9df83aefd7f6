import type { AuditEntry, auditApi } from '@olmos/contract/audit'
import { caller } from '../../api/client.ts'
import { useAdminList } from '../list/use-admin-list.ts'

const list = caller<typeof auditApi.list>('GET /admin/audit')

export const useAudit = () =>
  useAdminList<AuditEntry>({ noun: 'audit', load: list, filters: ['action', 'subject', 'actorId', 'from', 'to'] })
