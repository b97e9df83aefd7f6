import type { CodeBatch, codeBatchesApi } from '@olmos/contract/code-batches'
import type { SentBought } from '@olmos/contract/costs'
import { caller } from '../../api/client.ts'
import { paths } from '../../paths.ts'
import { useAdminList } from '../list/use-admin-list.ts'
import { useRates } from '../rates/rates.queries.ts'

const list = caller<typeof codeBatchesApi.list>('GET /admin/code-batches')
const change = caller<typeof codeBatchesApi.change>('PUT /admin/code-batches/:id')

/** Parameter of the address: which import is changed. */
export const batchParam = 'batch'

/** The address of an import, opened to be changed. */
export const batchPath = (id: number): string => `${paths.admin('batches')}?${batchParam}=${id}`

export const useBatches = () =>
  useAdminList<CodeBatch>({
    noun: 'codes',
    of: 'batches',
    place: [batchParam],
    load: list,
    filters: ['productId', 'cost'],
  })

export const changeBatch = (id: number, version: number | undefined, body: SentBought) =>
  change({ params: { id: String(id) }, body: { ...body, ...(version && { version }) } })

/** The currencies in which codes may have cost something: those that the shop has a rate for. */
export function useCostCurrencies(): string[] {
  const { data = [] } = useRates()
  return ['USD', ...data.filter(({ from_currency }) => from_currency === 'USD').map(({ to_currency }) => to_currency)]
}
