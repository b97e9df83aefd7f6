import { mix } from '@olmos/contract/color'
import { useState } from 'react'
import { Link } from 'react-router'
import { isHydrated } from '../../hydration.ts'
import { paths } from '../../paths.ts'
import classes from './CatalogueGem.module.css'
import { gemFacets, gemTable } from './gem-facets.ts'
import type { TileData } from './tiles.ts'

const lightest = 0.34

/** Lighter where it faces the light, darker where it does not. */
const shade = (color: string, tone: number) => mix(color, tone > 0 ? '#ffffff' : '#000000', Math.abs(tone) * lightest)

/**
 * One stone whose facets are the catalogue: each is a product in its colour, and leads to it; the table leads to all. The
 * tiles below are those links for keyboards and screen readers.
 */
export function CatalogueGem({ tiles, allTitle }: { tiles: readonly TileData[]; allTitle: string }) {
  const [arrives] = useState(isHydrated)
  if (tiles.length === 0) return null
  return (
    <svg viewBox="-101 -101 202 202" aria-hidden data-arrives={arrives || undefined} className={classes.gem}>
      {gemFacets.map(({ path, tone }, at) => {
        const tile = tiles[at % tiles.length]
        return (
          tile && (
            <Link key={path} to={paths.product(tile.slug)} tabIndex={-1} viewTransition>
              <title>{tile.title}</title>
              <path d={path} fill={shade(tile.color, tone)} />
            </Link>
          )
        )
      })}
      <Link to={paths.products} tabIndex={-1} viewTransition>
        <title>{allTitle}</title>
        <path d={gemTable} className={classes.table} />
      </Link>
    </svg>
  )
}
