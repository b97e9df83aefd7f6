import type {
  FreefireDenomination,
  freefireDenominationsApi,
  PubgDenomination,
  pubgDenominationsApi,
} from '@olmos/contract/denominations'
import { caller } from '../../api/client.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { useAdminChange } from '../list/use-admin-change.ts'
import { useAdminList, useAdminQuery } from '../list/use-admin-list.ts'

const pubgList = caller<typeof pubgDenominationsApi.list>('GET /pubg-admin/denominations')
const pubgAdd = caller<typeof pubgDenominationsApi.add>('POST /pubg-admin/denominations')
const pubgChange = caller<typeof pubgDenominationsApi.change>('PUT /pubg-admin/denominations/:id')
const pubgRemove = caller<typeof pubgDenominationsApi.remove>('DELETE /pubg-admin/denominations/:id')
const freefireList = caller<typeof freefireDenominationsApi.list>('GET /freefire-admin/denominations')
const freefireAdd = caller<typeof freefireDenominationsApi.add>('POST /freefire-admin/denominations')
const freefireChange = caller<typeof freefireDenominationsApi.change>('PUT /freefire-admin/denominations/:id')
const freefireRemove = caller<typeof freefireDenominationsApi.remove>('DELETE /freefire-admin/denominations/:id')

/** The nouns cover the codes of denominations too: a change of either changes the counts of the other. */
export const nouns = { pubg: 'pubgDenominations', freefire: 'freefireDenominations' } as const

/** The parameter that says which list of the PUBG tab is shown. */
export const viewParam = 'view'

export const usePubgDenominations = () =>
  useAdminList<PubgDenomination>({ noun: nouns.pubg, load: pubgList, place: [viewParam] })

export const useFreefireDenominations = () =>
  useAdminList<FreefireDenomination>({ noun: nouns.freefire, load: freefireList })

/** All of PUBG to choose from, smallest first. */
export const useAllPubgDenominations = () =>
  useAdminQuery(
    queryKeys.admin.noun(nouns.pubg, 'all'),
    async (signal) => (await pubgList({ query: { pageSize: '200' } }, { signal })).data,
  )

export interface PubgValues extends Record<string, unknown> {
  uc_amount: number | string
  price_usd: number | string
  price_rub: number | string
  is_active: boolean
}

export interface FreefireValues extends Record<string, unknown> {
  name: string
  item_id: string
  game_amount: number | string
  price_usd: number | string
  price_rub: number | string
  is_active: boolean
}

const toPrices = ({ price_usd, price_rub }: Pick<PubgValues, 'price_usd' | 'price_rub'>, isConfirmed: boolean) => ({
  price_usd: Number(price_usd),
  price_rub: Number(price_rub),
  ...(isConfirmed && { confirmPrices: true }),
})

/** What is known of a row that is saved. */
interface Saving {
  version: number | undefined
  isConfirmed: boolean
}

export function savePubg(row: PubgDenomination | undefined, values: PubgValues, { version, isConfirmed }: Saving) {
  const body = { ...values, uc_amount: Number(values.uc_amount), ...toPrices(values, isConfirmed) }
  return row ? pubgChange({ params: toId(row), body: { ...body, ...(version && { version }) } }) : pubgAdd({ body })
}

export function saveFreefire(
  row: FreefireDenomination | undefined,
  values: FreefireValues,
  { version, isConfirmed }: Saving,
) {
  const body = { ...values, game_amount: Number(values.game_amount), ...toPrices(values, isConfirmed) }
  return row
    ? freefireChange({ params: toId(row), body: { ...body, ...(version && { version }) } })
    : freefireAdd({ body })
}

const toId = (row: { id: number }) => ({ id: String(row.id) })

export const removeDenomination = {
  pubg: (row: { id: number }) => pubgRemove({ params: toId(row) }),
  freefire: (row: { id: number }) => freefireRemove({ params: toId(row) }),
}

/** One field at a time, so that the second of two admins is refused only at the same field. */
interface Change {
  price_usd?: number
  price_rub?: number
  is_active?: boolean
}

const changed = ({ version }: { version: number }, change: Change, isConfirmed: boolean) => ({
  ...change,
  version,
  ...(isConfirmed && { confirmPrices: true }),
})

export const usePubgChange = () =>
  useAdminChange<PubgDenomination, Change>({
    noun: nouns.pubg,
    send: (row, body, isConfirmed) => pubgChange({ params: toId(row), body: changed(row, body, isConfirmed) }),
    shown: (row, change) => ({ ...row, ...change }),
  })

export const useFreefireChange = () =>
  useAdminChange<FreefireDenomination, Change>({
    noun: nouns.freefire,
    send: (row, body, isConfirmed) => freefireChange({ params: toId(row), body: changed(row, body, isConfirmed) }),
    shown: (row, change) => ({ ...row, ...change }),
  })
