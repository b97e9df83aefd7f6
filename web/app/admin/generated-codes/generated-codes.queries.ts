import type { freefireDenominationsApi } from '@olmos/contract/denominations'
import type { SentBody } from '@olmos/contract/endpoint'
import type { GeneratedCode, generatedCodesApi } from '@olmos/contract/generated-codes'
import type { EditedProduct, productsApi } from '@olmos/contract/products'
import { caller } from '../../api/client.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { listOrSearch, toFilter } from '../codes/search-codes.ts'
import { useAdminChange } from '../list/use-admin-change.ts'
import { readAllPages, useAdminList, useAdminQuery } from '../list/use-admin-list.ts'
import type { ListView } from '../list/use-list-view.ts'

const list = caller<typeof generatedCodesApi.list>('GET /admin/generated-codes')
const search = caller<typeof generatedCodesApi.search>('POST /admin/generated-codes/search')
const generate = caller<typeof generatedCodesApi.generate>('POST /admin/generated-codes/generate')
const change = caller<typeof generatedCodesApi.change>('PUT /admin/generated-codes/:id')
const publish = caller<typeof generatedCodesApi.publish>('POST /admin/generated-codes/publish')
const copy = caller<typeof generatedCodesApi.copy>('POST /admin/generated-codes/copy')
const products = caller<typeof productsApi.list>('GET /admin/products')
const denominations = caller<typeof freefireDenominationsApi.list>('GET /freefire-admin/denominations')

const filters = ['productId', 'denominationId', 'status', 'published', 'activated', 'batch'] as const

export const useGeneratedCodes = () =>
  useAdminList<GeneratedCode>({
    noun: 'generatedCodes',
    load: listOrSearch(list, search),
    filters,
    isSearchSecret: true,
  })

/**
 * Turns one of the two switches of a code. `popular` belongs to its whole offer, whose other codes follow once the store
 * has answered.
 */
export const useGeneratedSwitch = () =>
  useAdminChange<GeneratedCode, { published?: boolean; popular?: boolean }>({
    noun: 'generatedCodes',
    send: (code, body) => change({ params: { id: String(code.id) }, body }),
    shown: (code, changed) => ({ ...code, ...changed }),
  })

/** Generates codes once, however often an unanswered call is retried. */
export const generateCodes = (body: SentBody<typeof generatedCodesApi.generate>) =>
  generate({ body }, { once: `generate:${JSON.stringify(body)}` })

export const publishBatch = ({ batch, published }: { batch: number; published: boolean }) =>
  publish({ body: { batch, published } })

/** Fetches in plain text all codes of the filtered list, on every page of it. */
export const copyCodes = (view: ListView, format: 'text' | 'csv') => {
  const shown = Object.fromEntries(filters.map((name) => [name, view.filter(name)]))
  return copy({ body: { filter: toFilter({ ...shown, search: view.search }), format } })
}

/** Products whose codes the store makes itself, and what such a code may deliver. */
export const useGenerationChoices = () =>
  useAdminQuery(queryKeys.admin.noun('generatedCodes', 'choices'), async (signal) => {
    const [known, offered] = await Promise.all([
      readAllPages((place) => products({ query: { ...place, kind: 'code' } }, { signal })),
      readAllPages((query) => denominations({ query }, { signal })),
    ])
    // Denominations of the game whose page activates the codes, and products that sell nothing else.
    const isForGame = (product: EditedProduct) => product.supportsCodeGeneration && product.codeGame !== null
    return { products: known.filter(isForGame), denominations: offered }
  })
