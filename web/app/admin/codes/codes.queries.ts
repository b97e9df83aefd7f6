import type { codesApi, ListedCode } from '@olmos/contract/codes'
import type { SentBody } from '@olmos/contract/endpoint'
import { caller } from '../../api/client.ts'
import { useAdminList } from '../list/use-admin-list.ts'
import { listOrSearch } from './search-codes.ts'

const list = caller<typeof codesApi.list>('GET /admin/codes')
const search = caller<typeof codesApi.search>('POST /admin/codes/search')
const add = caller<typeof codesApi.add>('POST /admin/codes')
const change = caller<typeof codesApi.change>('PUT /admin/codes/:id')
const remove = caller<typeof codesApi.remove>('DELETE /admin/codes/:id')
const reveal = caller<typeof codesApi.reveal>('POST /admin/codes/:id/reveal')
export const importPart = caller<typeof codesApi.importMany>('POST /admin/codes/bulk')

export const useCodes = () =>
  useAdminList<ListedCode>({
    noun: 'codes',
    load: listOrSearch(list, search),
    filters: ['productId', 'regionId', 'offerId', 'status', 'batch'],
    isSearchSecret: true,
  })

export const addCode = (body: SentBody<typeof codesApi.add>) => add({ body })

export const changeCode = ({ id, version }: ListedCode, body: SentBody<typeof codesApi.change>) =>
  change({ params: { id: String(id) }, body: { ...body, version } })

export const removeCode = (code: ListedCode) => remove({ params: { id: String(code.id) } })

export const revealCode = (code: ListedCode) => reveal({ params: { id: String(code.id) }, body: {} })
