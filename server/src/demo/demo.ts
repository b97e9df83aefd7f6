import type { editedField } from '@olmos/contract/account-fields'
import type { ProductKind } from '@olmos/contract/catalogue'
import type { Language } from '@olmos/contract/fields'
import type { CodeGame } from '@olmos/contract/products'
import type { PlayerCheckRule, TopupPricing } from '@olmos/contract/topup-data'
import type { z } from 'zod'

export interface DemoProduct {
  slug: string
  kind: ProductKind
  category: string
  /** What people type to find it, in lower case and three languages. */
  keywords: string[]
  gameCurrency: string
  imageUrl: string
  /** #rrggbb, flat. */
  color: string
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
  /** From here on, for top-ups. */
  pricing?: TopupPricing
  playerCheck?: PlayerCheckRule
  promisedMinutes?: number
  /** Amounts that the page proposes, for pricing by combination. */
  presets?: number[]
  fields?: DemoField[]
  services?: DemoService[]
}

/** What a top-up asks its customers for. */
export type DemoField = z.input<typeof editedField>

/** The game as a supplier has it. */
interface DemoService {
  supplier: string
  reference: string
  /** Under which players are looked for; none where the supplier checks no players of this game. */
  checkReference?: string
  /** How its fields are filled in from the shop's: { server_id: '{zone_id}' }. */
  fieldNames?: Record<string, string>
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
  /** What customers call it, for a pass, which is no amount of the currency. */
  name?: string
  /** That in other languages than Russian. */
  translations?: Partial<Record<Exclude<Language, 'ru'>, string>>
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

/** Game amount, cents, kopecks. */
type TopupRow = [gameAmount: number, priceUsd: number, priceRub: number, popular?: 'popular']
/** Name by language, name at the supplier, cents, kopecks. */
type PassRow = [names: Record<Language, string>, item: string, priceUsd: number, priceRub: number, popular?: 'popular']

/**
 * Makes the offers of a game that is topped up: they have no stock, and names at the supplier, such as `game/60_gems` and
 * `game/gold_pass`. Passes bring no amount, so theirs only says where they stand: before the others.
 */
export function topupOffers(game: string, unit: string, rows: TopupRow[], passes: PassRow[] = []): DemoOffer[] {
  const toOffer = ([gameAmount, priceUsd, priceRub, popular]: TopupRow, item: string): DemoOffer => ({
    region: null,
    gameAmount,
    priceUsd,
    priceRub,
    isPopular: popular !== undefined,
    stock: 0,
    itemId: `${game}/${item}`,
  })
  return [
    ...rows.map((row) => toOffer(row, `${row[0]}_${unit}`)),
    ...passes.map(([{ ru, ...translations }, item, ...prices], i) => ({
      ...toOffer([i + 1, ...prices], item),
      name: ru,
      translations,
    })),
  ]
}

type DemoCodes = Pick<
  DemoProduct,
  'slug' | 'color' | 'category' | 'keywords' | 'gameCurrency' | 'texts' | 'offers' | 'codePattern'
> &
  Partial<DemoProduct>

/** Makes a product that is sold as codes, without regions unless it names some. */
export function codes(product: DemoCodes): DemoProduct {
  return {
    kind: 'code',
    imageUrl: `/art/${product.slug}.svg`,
    supportsCodeGeneration: false,
    codePrefix: null,
    regions: [],
    ...product,
  }
}

type DemoTopup = Pick<DemoProduct, 'slug' | 'color' | 'category' | 'keywords' | 'gameCurrency' | 'texts' | 'offers'> &
  Required<Pick<DemoProduct, 'playerCheck' | 'promisedMinutes' | 'fields'>> &
  Partial<DemoProduct>

/** Makes a game that is topped up, priced by its offers unless it says otherwise. */
export function topup(game: DemoTopup): DemoProduct {
  return {
    kind: 'topup',
    pricing: 'offers',
    presets: [],
    services: [],
    imageUrl: `/art/${game.slug}.svg`,
    supportsCodeGeneration: false,
    codePrefix: null,
    regions: [],
    codePattern: 'XXXXXXXXXXXXXXXXXX',
    ...game,
  }
}

/** Splits what people type to find a product: 'roblox, robux'. */
export const words = (...lists: string[]): string[] => lists.flatMap((list) => list.split(', '))

/** Names a field, or a choice of it. */
export const inLanguages = (ru: string, en: string, uz: string): Record<Language, string> => ({ ru, en, uz })

/** Makes the texts of a product in one language; the steps of activating it are numbered as a receipt shows them. */
export const texts = (title: string, description: string, ...steps: string[]): DemoTexts => ({
  title,
  description,
  activationInstructions: steps.map((step, i) => `${i + 1}. ${step}`).join('\n'),
})

/** Names a game of the sandbox's catalogue, whose fields are called as the demonstration's. */
export const atSandbox = (reference: string): DemoService => ({
  supplier: 'sandbox',
  reference,
  checkReference: reference,
})

/** Names a game of G2Bulk: `mlbb` is in the vendor's documents, the others are in its customers' code. */
export const atG2bulk = (reference: string, fieldNames: Record<string, string>): DemoService => ({
  supplier: 'g2bulk',
  reference,
  checkReference: reference,
  fieldNames,
})

/** Makes the field of a player's number, which has as many digits as the game gives it. */
export const userId = (lengthMin: number, lengthMax: number): DemoField => ({
  key: 'user_id',
  type: 'digits',
  labels: inLanguages('ID игрока', 'Player ID', 'Oʻyinchi ID raqami'),
  hints: inLanguages(
    'Цифры из профиля в игре',
    'Digits from the profile in the game',
    'Oʻyin profilingizdagi raqamlar',
  ),
  lengthMin,
  lengthMax,
})

/** A tag in the fourteen characters that Supercell uses for them, with its # or without. */
export const playerTag: DemoField = {
  key: 'player_tag',
  type: 'text',
  labels: inLanguages('Тег игрока', 'Player tag', 'Oʻyinchi tegi'),
  hints: inLanguages(
    'Под никнеймом в профиле, например #2PP0JCCL',
    'Under the name in the profile, such as #2PP0JCCL',
    'Profildagi nik ostida, masalan #2PP0JCCL',
  ),
  pattern: '#?[0289PYLQGRJCUVpylqgrjcuv]{3,14}',
  lengthMin: 3,
  lengthMax: 15,
}
