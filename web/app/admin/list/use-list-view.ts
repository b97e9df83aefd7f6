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

/**
 * What the address will be once it has followed every change: a busy page follows late, and what is pressed meanwhile is
 * about what was chosen last. A change builds on the one before it.
 */
function useAddress(): [URLSearchParams, (toNext: (wanted: URLSearchParams) => URLSearchParams) => void] {
  const [params, setParams] = useSearchParams()
  const [ahead, setAhead] = useState<readonly URLSearchParams[]>([])
  const address = params.toString()
  const [followed, setFollowed] = useState(address)
  if (followed !== address) {
    setFollowed(address)
    // Where a link or the browser led elsewhere, nothing is ahead any more.
    const place = ahead.findIndex((each) => each.toString() === address)
    setAhead(place === -1 ? [] : ahead.slice(place + 1))
  }
  const shown = ahead.at(-1) ?? params
  const wanted = useRef(shown)
  useEffect(() => {
    wanted.current = shown
  }, [shown])
  const go = (toNext: (wanted: URLSearchParams) => URLSearchParams) => {
    const next = toNext(wanted.current)
    wanted.current = next
    setAhead((before) => (next.toString() === address ? [] : [...before, next]))
    setParams(next, replaced)
  }
  return [shown, go]
}

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
      go((wanted) => new URLSearchParams([...wanted].filter(([name]) => place.includes(name))))
    },
    change: ({ ...change }) => {
      if (isSearchSecret && change.search !== undefined) {
        setSecret(String(change.search))
        delete change.search
      }
      go((wanted) => {
        const next = new URLSearchParams(wanted)
        for (const [name, value] of Object.entries({ page: undefined, ...change })) {
          if (value === undefined || value === '') next.delete(name)
          else next.set(name, String(value))
        }
        return next
      })
    },
  }
}

/** Which thing of a list is open, by the address; the part of the list that is shown stays. */
export function useChosen(view: ListView, name: string): [string, (chosen: string | undefined) => void] {
  const page = view.page === 1 ? undefined : view.page
  return [view.filter(name), (chosen) => view.change({ [name]: chosen, page })]
}
