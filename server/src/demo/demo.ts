import type { ProductKind } from '@olmos/contract/catalogue'
import type { Language } from '@olmos/contract/fields'
import type { CodeGame } from '@olmos/contract/products'

export interface DemoProduct {
  slug: string
  kind: ProductKind
  category: string
  /** What people type to find it, in lower case and three languages. */
  keywords: string[]
  gameCurrency: string
  imageUrl: string
  /** Whether its stock is generated, for the denominations of Free Fire with the amounts of its offers. */
  supportsCodeGeneration: boolean
  codeGame?: CodeGame
  codePrefix: string | null
  texts: Record<Language, DemoTexts>
  /** Empty when the product is only sold without regions. */
  regions: { code: string; gameCurrency: string | null }[]
  offers: DemoOffer[]
  /** The format of demo codes: X is an unambiguous letter or digit, 9 a digit, anything else is literal. */
  codePattern: string
  /** For PUBG: how many codes the pool of an amount has. */
  pool?: Readonly<Record<number, number>>
}

interface DemoTexts {
  title: string
  description: string
  /** Numbered lines. */
  activationInstructions: string
}

interface DemoOffer {
  /** A region's code; null for codes that work everywhere. */
  region: string | null
  gameAmount: number
  /** In cents. */
  priceUsd: number
  /** In kopecks. */
  priceRub: number
  isPopular: boolean
  stock: number
  /** The supplier's name for a top-up. */
  itemId?: string
}

/** Game amount, cents, kopecks, stock. */
type OfferRow = [gameAmount: number, priceUsd: number, priceRub: number, stock: number, popular?: 'popular']

/** Makes the offers of one region from a table. */
export function offersIn(region: string | null, rows: OfferRow[]): DemoOffer[] {
  return rows.map(([gameAmount, priceUsd, priceRub, stock, popular]) => ({
    region,
    gameAmount,
    priceUsd,
    priceRub,
    isPopular: popular !== undefined,
    stock,
  }))
}

/** Makes the offers of a game that is topped up: they have no stock, and a name at the supplier. */
export function topupOffers(
  toItemId: (gameAmount: number) => string,
  rows: [gameAmount: number, priceUsd: number, priceRub: number, popular?: 'popular'][],
): DemoOffer[] {
  const offers = offersIn(
    null,
    rows.map(([gameAmount, priceUsd, priceRub, popular]) => [gameAmount, priceUsd, priceRub, 0, popular]),
  )
  return offers.map((offer) => ({ ...offer, itemId: toItemId(offer.gameAmount) }))
}

/** Numbers steps as the lines a receipt shows. */
export function steps(...lines: string[]): string {
  return lines.map((line, i) => `${i + 1}. ${line}`).join('\n')
}
