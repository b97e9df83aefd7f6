import { randomInt } from 'node:crypto'
import type { Language } from '@olmos/contract/fields'
import { toMajor } from '@olmos/contract/minor-units'
import type { DemoProduct } from '../../demo/demo.ts'
import { demoGameCodes, demoMoreGameCodes } from '../../demo/products/game-codes.ts'
import { demoAdventureTopups, demoArenaTopups } from '../../demo/products/game-topups.ts'
import { demoGiftCards } from '../../demo/products/gift-cards.ts'
import { demoMoreTopups, demoStrategyTopups } from '../../demo/products/more-topups.ts'
import { demoShooterTopups, demoTopups } from '../../demo/products/topups.ts'
import type { Database } from '../../platform/database/database.ts'
import { raw, sql, type Tx } from '../../platform/database/queries.ts'
import type { Vault } from '../../platform/security/vault.ts'
import { addProduct } from '../catalogue/change-product.ts'
import { denominationByAmount } from '../catalogue/denominations.ts'
import { hasProducts, insertOffer } from '../catalogue/products.ts'
import { generateCodes } from '../codes/generated-codes.ts'
import { importCodes } from '../codes/import-codes.ts'
import { importPool } from '../codes/pool-codes.ts'
import { addPromotion } from '../promotions/promotions.ts'
import { insertRegion } from '../regions/regions.ts'

interface DemoRegion {
  /** ISO 3166 alpha-2, or EU. */
  code: string
  /** In Russian; the other languages are beside it. */
  name: string
  translations: { en: string; uz: string }
  /** The address of a picture. */
  flag: string
}

interface DemoPromotion {
  text: Record<Language, string>
  /** #rrggbb, dark enough for white letters. */
  backgroundColor: string
}

/** The products of an empty shop's demonstration, in the order they are listed. */
export const demoProducts: DemoProduct[] = [
  ...demoTopups,
  ...demoGameCodes,
  ...demoMoreGameCodes,
  ...demoGiftCards,
  ...demoArenaTopups,
  ...demoShooterTopups,
  ...demoMoreTopups,
  ...demoAdventureTopups,
  ...demoStrategyTopups,
]

export const demoRegions: DemoRegion[] = [
  { code: 'TR', name: 'Турция', translations: { en: 'Turkey', uz: 'Turkiya' }, flag: '/art/flags/tr.svg' },
  { code: 'RU', name: 'Россия', translations: { en: 'Russia', uz: 'Rossiya' }, flag: '/art/flags/ru.svg' },
  { code: 'KZ', name: 'Казахстан', translations: { en: 'Kazakhstan', uz: 'Qozogʻiston' }, flag: '/art/flags/kz.svg' },
  { code: 'UZ', name: 'Узбекистан', translations: { en: 'Uzbekistan', uz: 'Oʻzbekiston' }, flag: '/art/flags/uz.svg' },
  { code: 'US', name: 'США', translations: { en: 'USA', uz: 'AQSh' }, flag: '/art/flags/us.svg' },
  { code: 'EU', name: 'Европа', translations: { en: 'Europe', uz: 'Yevropa' }, flag: '/art/flags/eu.svg' },
]

export const demoPromotions: DemoPromotion[] = [
  {
    text: {
      en: 'Codes arrive right after payment',
      ru: 'Коды приходят сразу после оплаты',
      uz: 'Kodlar toʻlovdan soʻng darhol keladi',
    },
    backgroundColor: '#0e6f8f',
  },
  {
    text: {
      en: 'Robux, V-Bucks and UC in one place',
      ru: 'Robux, в-баксы и UC в одном месте',
      uz: 'Robux, V-Bucks va UC bir joyda',
    },
    backgroundColor: '#b3203d',
  },
  {
    text: {
      en: 'New: iTunes cards for Kazakhstan',
      ru: 'Новинка: карты iTunes для Казахстана',
      uz: 'Yangilik: Qozogʻiston uchun iTunes kartalari',
    },
    backgroundColor: '#5b3fd6',
  },
]

const letters = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789'
const digits = '0123456789'
const pickChar = (chars: string): string => chars[randomInt(chars.length)] as string

/** How many codes of each package wait to be published. */
const unpublished = 5

/** Makes up a code that looks real: X becomes a letter or digit that can't be confused, 9 a digit. */
const inventCode = (pattern: string): string =>
  pattern.replace(/[X9]/g, (char) => pickChar(char === 'X' ? letters : digits))

/** Fills an empty catalogue with a demonstration shop: regions, products, prices, promotions and codes in stock. */
export async function fillDemo(database: Database, vault: Vault): Promise<void> {
  const isFilled = await database.transaction(async (tx) => {
    await tx.run(sql`SELECT pg_advisory_xact_lock(hashtext('demo'))`)
    if (await hasProducts(tx)) return false
    const regions = new Map<string, number>()
    for (const region of demoRegions) regions.set(region.code, await insertRegion(tx, region))
    for (const [index, product] of demoProducts.entries()) await fillProduct(tx, vault, product, index, regions)
    for (const promotion of demoPromotions) await addPromotion(tx, promotion)
    return true
  })
  if (isFilled) await analyzeFilled(database)
}

/**
 * Has PostgreSQL count the tables that have rows. Plans made for empty tables are bad for full ones, and connections keep
 * them; a table that was never counted is taken for a small one, but one that was counted while it was empty for empty.
 */
export async function analyzeFilled(database: Database): Promise<void> {
  const { tables } = await database.one<{ tables: string }>(sql`
    SELECT string_agg(oid::regclass::text, ', ') AS tables FROM pg_class
    WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND pg_relation_size(oid) > 0`)
  await database.run(raw(`ANALYZE ${tables}`))
}

async function fillProduct(
  tx: Tx,
  vault: Vault,
  product: DemoProduct,
  position: number,
  regions: ReadonlyMap<string, number>,
): Promise<void> {
  const regionId = (code: string) => regions.get(code) as number
  const productId = await addProduct(tx, {
    ...product,
    category: [product.category],
    position,
    regions: product.regions.map((region) => ({ regionId: regionId(region.code), gameCurrency: region.gameCurrency })),
  })
  for (const offer of product.offers) {
    const place = { productId, regionId: offer.region === null ? null : regionId(offer.region) }
    const offerId = await insertOffer(tx, place, offer)
    const poolSize = product.pool?.[offer.gameAmount]
    if (poolSize) await fillPool(tx, vault, { ...product, offerId, poolSize })
    if (offer.stock === 0) continue
    if (product.codeGame) {
      await generateStock(tx, vault, { productId, game: product.codeGame }, offer)
      continue
    }
    const tail = `${toMajor(offer.priceUsd)},${toMajor(offer.priceRub)},${offer.gameAmount}`
    const lines = Array.from({ length: offer.stock }, () => `${inventCode(product.codePattern)},${tail}`)
    await importCodes(tx, vault, { ...place, lines, dryRun: false, adminId: null, mayPrice: true })
  }
}

/** Generates codes on sale, and a few that wait to be published. */
async function generateStock(
  tx: Tx,
  vault: Vault,
  { productId, game }: { productId: number; game: NonNullable<DemoProduct['codeGame']> },
  offer: DemoProduct['offers'][number],
): Promise<void> {
  const denominationId = await denominationByAmount(tx, game, offer.gameAmount)
  const codes = { productId, denominationId, adminId: null, mayPrice: true }
  await generateCodes(tx, vault, { ...codes, count: offer.stock, published: true })
  await generateCodes(tx, vault, { ...codes, count: unpublished, published: false })
}

async function fillPool(
  tx: Tx,
  vault: Vault,
  { offerId, poolSize, codePattern }: { offerId: number; poolSize: number; codePattern: string },
): Promise<void> {
  const lines = Array.from({ length: poolSize }, () => inventCode(codePattern))
  await importPool(tx, vault, { denominationId: offerId, lines, dryRun: false, adminId: null })
}
