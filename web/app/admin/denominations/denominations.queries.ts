import type {
  FreefireDenomination,
  freefireDenominationsApi,
  PubgDenomination,
  pubgDenominationsApi,
} from '@olmos/contract/denominations'
import { caller } from '../../api/client.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { gameNumber } from '../../i18n/digit-grouping.ts'
import { useAdminChange } from '../list/use-admin-change.ts'
import { readAllPages, useAdminList, useAdminQuery } from '../list/use-admin-list.ts'

const pubg = {
  list: caller<typeof pubgDenominationsApi.list>('GET /pubg-admin/denominations'),
  add: caller<typeof pubgDenominationsApi.add>('POST /pubg-admin/denominations'),
  change: caller<typeof pubgDenominationsApi.change>('PUT /pubg-admin/denominations/:id'),
  remove: caller<typeof pubgDenominationsApi.remove>('DELETE /pubg-admin/denominations/:id'),
}
const freefire = {
  list: caller<typeof freefireDenominationsApi.list>('GET /freefire-admin/denominations'),
  add: caller<typeof freefireDenominationsApi.add>('POST /freefire-admin/denominations'),
  change: caller<typeof freefireDenominationsApi.change>('PUT /freefire-admin/denominations/:id'),
  remove: caller<typeof freefireDenominationsApi.remove>('DELETE /freefire-admin/denominations/:id'),
}
const calls = { pubg, freefire }

export type DenominationGame = keyof typeof calls

/** What a game's calls name its own way: the amount is `uc_amount` for PUBG. */
export type Denomination = PubgDenomination | FreefireDenomination

/** The nouns cover the codes of denominations too: a change of either changes the counts of the other. */
export const nouns = { pubg: 'pubgDenominations', freefire: 'freefireDenominations' } as const

/** The parameter that says which list of the PUBG tab is shown. */
export const viewParam = 'view'

export const toAmount = (row: Denomination): number => ('uc_amount' in row ? row.uc_amount : row.game_amount)
export const toDenominationName = (row: Denomination): string =>
  'name' in row ? row.name : `${gameNumber(row.uc_amount)} UC`

export const useDenominations = (game: DenominationGame) =>
  useAdminList<Denomination>({ noun: nouns[game], load: calls[game].list, place: [viewParam] })

/** All of PUBG to choose from, smallest first. */
export const useAllPubgDenominations = () =>
  useAdminQuery(queryKeys.admin.noun(nouns.pubg, 'all'), (signal) =>
    readAllPages((query) => pubg.list({ query }, { signal })),
  )

/** The fields of the form; each game has its own, besides what both have. */
export interface DenominationValues extends Record<string, unknown> {
  uc_amount?: number | string
  name?: string
  item_id?: string
  game_amount?: number | string
  price_usd: number | string
  price_rub: number | string
  is_active: boolean
}

interface Saving {
  /** What the operator saw of it; undefined for a new one. */
  seen: Denomination | undefined
  isConfirmed: boolean
  underFloor: string | undefined
}

/**
 * Leaves out the fields that are as the operator saw them: whether it is sold, sent untouched, would put on sale for good what
 * is off until its cost falls.
 */
const toChanged = <Body extends object>(body: Body, seen: Denomination): Partial<Body> =>
  Object.fromEntries(
    Object.entries(body).filter(([field, value]) => value !== (seen as Readonly<Record<string, unknown>>)[field]),
  ) as Partial<Body>

/** Adds a denomination, or sends what the operator changed of one. */
export function saveDenomination(
  game: DenominationGame,
  values: DenominationValues,
  { seen, isConfirmed, underFloor }: Saving,
): Promise<{ data: Denomination }> {
  const { name = '', item_id = '', is_active } = values
  const common = { price_usd: Number(values.price_usd), price_rub: Number(values.price_rub), is_active }
  const confirmed = isConfirmed && { confirmPrices: true }
  const known = seen && {
    params: toId(seen),
    more: { version: seen.version, ...confirmed, ...(underFloor && { underFloor }) },
  }
  if (game === 'pubg') {
    const body = { ...common, uc_amount: Number(values.uc_amount) }
    return known
      ? pubg.change({ params: known.params, body: { ...toChanged(body, seen), ...known.more } })
      : pubg.add({ body: { ...body, ...confirmed } })
  }
  const body = { ...common, name: name.trim(), item_id: item_id.trim(), game_amount: Number(values.game_amount) }
  return known
    ? freefire.change({ params: known.params, body: { ...toChanged(body, seen), ...known.more } })
    : freefire.add({ body: { ...body, ...confirmed } })
}

const toId = (row: { id: number }) => ({ id: String(row.id) })

/** `seenCodes` is how many unsold codes the operator saw to go with it: the store deletes no more. */
export const removeDenomination = (game: DenominationGame, row: Denomination, seenCodes: number) =>
  calls[game].remove({ params: toId(row), query: { seenCodes: String(seenCodes) } })

/** One field at a time, so that the second of two admins is refused only at the same field. */
interface Change {
  price_usd?: number
  price_rub?: number
  is_active?: boolean
}

export const useDenominationChange = (game: DenominationGame) =>
  useAdminChange<Denomination, Change>({
    noun: nouns[game],
    send: ({ id, version }, change, isConfirmed, underFloor) =>
      calls[game].change({
        params: toId({ id }),
        body: {
          ...change,
          version,
          ...(isConfirmed && { confirmPrices: true }),
          ...(underFloor && { underFloor }),
        },
      }),
    shown: (row, change) => ({ ...row, ...change }),
  })
