import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { type Address, type Params, useAddress } from '../../address.ts'

/**
 * What part of a list is shown. It is in the address, so that it can be sent to somebody and found again; a search for a
 * secret is not, and is forgotten with the page.
 */
export interface ListView {
  /** From 1. */
  page: number
  search: string
  sort: string | undefined
  order: 'asc' | 'desc'
  /** A filter of this list; empty when it is not set. */
  filter(name: string): string
  /** Another search, order or filter begins at the first page. */
  change(change: Params): void
  /** Whether a search or a filter leaves things out. */
  isNarrowed: boolean
  /** Whether one of the filters leaves things out. */
  isFiltered: boolean
  /** Takes search and filters away. */
  clear(): void
}

const notNarrowing = ['sort', 'order']
const notFiltering = [...notNarrowing, 'page', 'search']

interface ViewOptions {
  /** The parameters that say which list it is: they stay when it is cleared. */
  place?: readonly string[]
  isSearchSecret?: boolean
}

export function useListView({ place = [], isSearchSecret = false }: ViewOptions = {}): ListView {
  const [secret, setSecret] = useState('')
  const [params, go] = useAddress()
  return {
    page: Number(params.get('page') ?? 1),
    search: isSearchSecret ? secret : (params.get('search') ?? ''),
    sort: params.get('sort') ?? undefined,
    order: params.get('order') === 'asc' ? 'asc' : 'desc',
    filter: (name) => params.get(name) ?? '',
    isNarrowed:
      secret !== '' || [...params.keys()].some((name) => !notNarrowing.includes(name) && !place.includes(name)),
    isFiltered: [...params.keys()].some((name) => !notFiltering.includes(name) && !place.includes(name)),
    clear: () => {
      setSecret('')
      const gone = [...params.keys()].filter((name) => !place.includes(name))
      go(Object.fromEntries(gone.map((name) => [name, undefined])))
    },
    change: ({ ...change }) => {
      if (isSearchSecret && change.search !== undefined) {
        setSecret(String(change.search))
        delete change.search
      }
      go({ page: undefined, ...change })
    },
  }
}

/** Which thing of a list is open, by the address; the part of the list that is shown stays. */
export function useChosen(view: ListView, name: string): [string, (chosen: string | undefined) => void] {
  const page = view.page === 1 ? undefined : view.page
  return [view.filter(name), (chosen) => view.change({ [name]: chosen, page })]
}

/**
 * The address for what decides which list is shown. It is not ahead: a list that is mounted sooner than the address has
 * followed would begin from the one before, and its first change would lead back there.
 */
export function useTabAddress(): Address {
  const [params] = useSearchParams()
  const [, change] = useAddress()
  return [params, change]
}

/**
 * Which of a tab's views is shown, by the address; the first goes without saying. Another one may be another list: it has
 * other columns to be sorted by, and begins at its first page.
 */
export function toView<View extends string>(
  [params, change]: Address,
  name: string,
  [usual, ...others]: readonly [View, ...View[]],
): [View, (view: View) => void] {
  const begun = { page: undefined, search: undefined, sort: undefined, order: undefined }
  const shown = others.find((known) => known === params.get(name)) ?? usual
  return [shown, (view) => change({ ...begun, [name]: view === usual ? undefined : view })]
}
