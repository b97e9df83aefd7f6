import type { TileData } from '../features/catalogue/tiles.ts'
import { useIsHydrated } from '../hydration.ts'

/** The part of the catalogue that somebody wants to see: a kind of product, a region, or everything. */
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
 * The filter in the address. The server's page is the same for every filter, so it is read once the page is hydrated.
 */
export const useListFilter = (params: URLSearchParams): ListFilter => (useIsHydrated() ? readFilter(params) : {})
