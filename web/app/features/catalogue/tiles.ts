import { BUSINESS } from '@olmos/contract/business'
import type { Product, ProductKind, Rating } from '@olmos/contract/catalogue'

/** What a list shows of a product; the whole one would make the page several times as heavy. */
export interface TileData {
  slug: string
  kind: ProductKind
  title: string
  image: string
  /** #rrggbb */
  color: string
  keywords: readonly string[]
  /** The price of the cheapest package that can be bought; none where the buyer names the amount, or all is sold out. */
  from?: { usd: number; rub: number } | undefined
  isSoldOut: boolean
  /** None while too few have rated it. */
  rating?: Rating | undefined
  regions: readonly { id: number; name: string; flag: string }[]
}

const toTile = ({
  slug,
  kind,
  title,
  image_url: image,
  color,
  keywords,
  prices,
  rating,
  regions,
}: Product): TileData => {
  const cheapest = kind === 'topup' ? prices[0] : prices.find((entry) => entry.available_count > 0)
  return {
    slug,
    kind,
    title,
    image,
    color,
    keywords,
    ...(cheapest && { from: { usd: cheapest.price_usd, rub: cheapest.price_rub } }),
    isSoldOut: kind === 'code' && !cheapest,
    ...(rating && rating.count >= BUSINESS.ratingShownFrom && { rating }),
    regions: regions.map(({ id, name, flag }) => ({ id, name, flag })),
  }
}

const builtIn = (slug: string, title: string, color: string, keywords: readonly string[]): TileData => ({
  slug,
  kind: 'topup',
  title,
  image: `/art/${slug}.svg`,
  color,
  keywords,
  isSoldOut: false,
  regions: [],
})

/** The three of the specification are there whatever is listed, in an order of their own. */
export const builtInTiles: readonly TileData[] = [
  builtIn('pubg', 'PUBG Mobile', '#f2a81d', ['pubg', 'uc', 'пабг', 'юс']),
  builtIn('steam', 'Steam', '#2f7de1', ['steam', 'стим', 'кошелёк', 'hamyon']),
  builtIn('freefire', 'Free Fire', '#ff5a1f', ['free fire', 'фри фаер', 'алмазы', 'olmos']),
]

const isBuiltIn = ({ slug }: { slug: string }) => builtInTiles.some((tile) => tile.slug === slug)

/** Puts the top-ups into the order of lists: those of the specification, under titles of their own, then the others. */
export function topupTiles(listed: readonly Product[] = []): TileData[] {
  const first = builtInTiles.map((tile) => {
    const product = listed.find(({ slug }) => slug === tile.slug)
    return product ? { ...toTile(product), title: tile.title, keywords: [...tile.keywords, ...product.keywords] } : tile
  })
  return [...first, ...listed.filter((product) => !isBuiltIn(product)).map(toTile)]
}

export const codeTiles = (listed: readonly Product[] = []): TileData[] => listed.map(toTile)
