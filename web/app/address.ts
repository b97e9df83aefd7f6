import { useEffect, useRef, useState } from 'react'
import { useLocation, useSearchParams } from 'react-router'

/** Parameters by their names; undefined and '' take one away. */
export type Params = Record<string, string | number | undefined>

/** Puts values into the parameters of an address and leaves the others alone. */
export function withParams(params: URLSearchParams, values: Params): URLSearchParams {
  const changed = new URLSearchParams(params)
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined || value === '') changed.delete(name)
    else changed.set(name, String(value))
  }
  return changed
}

export type Address = readonly [params: URLSearchParams, change: (values: Params) => void]

/**
 * The parameters of the address, as they will be once it has followed every change, and a function that changes some. A
 * busy page follows late, and what is pressed or typed meanwhile is about what was chosen last. Where a link or the browser
 * leads elsewhere, that counts. A page asks once: two would not know what the other has ahead. `state` is what a page keeps
 * beside its address through the changes.
 */
export function useAddress(state?: unknown): Address {
  const [params, setParams] = useSearchParams()
  const { key } = useLocation()
  const [ahead, setAhead] = useState<readonly URLSearchParams[]>([])
  const [followed, setFollowed] = useState(key)
  if (followed !== key) {
    setFollowed(key)
    const place = ahead.findIndex((each) => `${each}` === `${params}`)
    setAhead(place < 0 ? [] : ahead.slice(place + 1))
  }
  const shown = ahead.at(-1) ?? params
  // Several changes may come before the page is rendered again.
  const wanted = useRef(shown)
  useEffect(() => {
    wanted.current = shown
  }, [shown])
  const change = (values: Params) => {
    const next = withParams(wanted.current, values)
    wanted.current = next
    setAhead((before) => [...before, next])
    setParams(next, { replace: true, preventScrollReset: true, state })
  }
  return [shown, change]
}
