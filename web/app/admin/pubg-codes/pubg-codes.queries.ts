import type { SentBought } from '@olmos/contract/costs'
import type { PubgCode, PubgCodeChange, pubgCodesApi } from '@olmos/contract/pubg-codes'
import { caller } from '../../api/client.ts'
import { listOrSearch } from '../codes/search-codes.ts'
import { viewParam } from '../denominations/denominations.queries.ts'
import { useAdminList } from '../list/use-admin-list.ts'

const list = caller<typeof pubgCodesApi.list>('GET /pubg-admin/codes')
const search = caller<typeof pubgCodesApi.search>('POST /pubg-admin/codes/search')
const importMany = caller<typeof pubgCodesApi.importMany>('POST /pubg-admin/codes/bulk')
const change = caller<typeof pubgCodesApi.change>('PUT /pubg-admin/codes/:id')
const remove = caller<typeof pubgCodesApi.remove>('DELETE /pubg-admin/codes/:id')

export const usePubgCodes = () =>
  useAdminList<PubgCode>({
    noun: 'pubgCodes',
    load: listOrSearch(list, search),
    filters: ['denominationId', 'status', 'batch'],
    place: [viewParam],
    isSearchSecret: true,
  })

export interface PoolLines {
  denominationId: number
  lines: string
  bought: SentBought | undefined
}

/** What an import would do, or with `dryRun` false what it did. */
export const importPool = ({ denominationId, lines, bought }: PoolLines, dryRun: boolean) =>
  importMany({
    query: { dryRun: dryRun ? 'true' : 'false' },
    body: { denomination_id: denominationId, lines, ...(bought && { bought }) },
  })

export const changePubgCode = ({ id, version }: PubgCode, body: PubgCodeChange) =>
  change({ params: { id: String(id) }, body: { ...body, version } })

export const removePubgCode = (code: PubgCode) => remove({ params: { id: String(code.id) } })
