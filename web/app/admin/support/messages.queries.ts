import type { SupportMessage, SupportMessageChange, supportApi } from '@olmos/contract/support'
import { caller } from '../../api/client.ts'
import { useAdminList } from '../list/use-admin-list.ts'

const list = caller<typeof supportApi.list>('GET /admin/support-messages')
const change = caller<typeof supportApi.change>('PUT /admin/support-messages/:id')

export const useMessages = () => useAdminList<SupportMessage>({ noun: 'support', load: list, filters: ['status'] })

export const answerMessage = (message: SupportMessage, body: SupportMessageChange) =>
  change({ params: { id: String(message.id) }, body })
