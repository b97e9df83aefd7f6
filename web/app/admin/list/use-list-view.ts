import { useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'

type Change = Record<string, string | number | undefined>

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
  change(change: Change): void
  /** Whether a search or a filter leaves things out. */
  isNarrowed: boolean
  /** Whether one of the filters leaves things out. */
  isFiltered: boolean
  /** Takes search and filters away. */
  clear(): void
}

const notNarrowing = ['sort', 'order']
const notFiltering = [...notNarrowing, 'page', 'search']

const replaced = { replace: true, preventScrollReset: true }

interface ViewOptions {
  /** The parameters that say which list it is: they stay when it is cleared. */
  place?: readonly string[]
  isSearchSecret?: boolean
}

export function useListView({ place = [], isSearchSecret = false }: ViewOptions = {}): ListView {
  const [secret, setSecret] = useState('')
  const [params, setParams] = useSearchParams()
  // A change may come before the address shows the last one; it builds on that one all the same.
  const wanted = useRef(params)
  useEffect(() => {
    wanted.current = params
  }, [params])
  const go = (next: URLSearchParams) => {
    wanted.current = next
    setParams(next, replaced)
  }
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
      go(new URLSearchParams([...wanted.current].filter(([name]) => place.includes(name))))
    },
    change: ({ ...change }) => {
      if (isSearchSecret && change.search !== undefined) {
        setSecret(String(change.search))
        delete change.search
      }
      const next = new URLSearchParams(wanted.current)
      for (const [name, value] of Object.entries({ page: undefined, ...change })) {
        if (value === undefined || value === '') next.delete(name)
        else next.set(name, String(value))
      }
      go(next)
    },
  }
}

/** Which thing of a list is open, by the address; the part of the list that is shown stays. */
export function useChosen(view: ListView, name: string): [string, (chosen: string | undefined) => void] {
  const page = view.page === 1 ? undefined : view.page
  return [view.filter(name), (chosen) => view.change({ [name]: chosen, page })]
}
