import { useState } from 'react'
import { useSearchParams } from 'react-router'
import type { TileData } from '../features/catalogue/tiles.ts'
import { useIsHydrated } from '../hydration.ts'

/** What of the catalogue somebody wants to see: a kind of product, a region, or everything. */
export interface ListFilter {
  kind?: 'topup' | 'code' | undefined
  region?: number | undefined
}

const readFilter = (params: URLSearchParams): ListFilter => {
  const [kind, region] = [params.get('kind'), params.get('region') ?? '']
  return {
    kind: kind === 'topup' || kind === 'code' ? kind : undefined,
    region: /^\d{1,9}$/.test(region) ? Number(region) : undefined,
  }
}

export const isShown = ({ kind, region }: ListFilter, tile: TileData): boolean =>
  (kind === undefined || tile.kind === kind) && (region === undefined || tile.regions.some(({ id }) => id === region))

/**
 * The filter in the address, beside the text that is searched for. The server's page is the same for every filter, so it is
 * read once the page is hydrated.
 */
export function useListFilter() {
  const [params, setParams] = useSearchParams()
  const isHydrated = useIsHydrated()
  // The address follows what is pressed; the next press can't wait for it.
  const [pressed, setPressed] = useState<ListFilter>()
  const filter = pressed ?? (isHydrated ? readFilter(params) : {})
  const choose = (next: ListFilter) => {
    setPressed(next)
    setParams(
      (current) => {
        const changed = new URLSearchParams(current)
        for (const name of ['kind', 'region'] as const) {
          if (next[name] === undefined) changed.delete(name)
          else changed.set(name, String(next[name]))
        }
        return changed
      },
      { replace: true, preventScrollReset: true },
    )
  }
  return [filter, choose] as const
}
