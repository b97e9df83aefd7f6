import type { AuditAction } from '@olmos/contract/audit'
import type { ProductKind } from '@olmos/contract/catalogue'
import { Failure } from '@olmos/contract/failure'
import type { Belongings, CodeGame, EditedProduct, NewProduct, ProductChange } from '@olmos/contract/products'
import { topupServices } from '@olmos/contract/topup-data'
import type { Queries, Tx } from '../../platform/database/database.ts'
import { orDuplicate, requireVersion } from '../../platform/database/lists.ts'
import { announce } from '../../platform/database/notify.ts'
import { resolveAlert } from '../../platform/live/alert.ts'
import { writeAudit, writeAuditChange } from '../../platform/security/audit.ts'
import { mergeTexts, type ProductDraft, type ProductTexts, toSlug } from './product.rules.ts'
import {
  countKnownRegions,
  type EditedProductRow,
  findEditedProduct,
  insertProduct,
  insertProductRegion,
  insertProductText,
  lockProductRow,
  nextPosition,
  readBelongings,
  replaceRegions,
  replaceTexts,
  sellsOtherCodes,
  setRegionCurrency,
  touchProduct,
  updateProduct,
} from './products.store.ts'

const noTexts = { name: '', description: '', activationInstructions: '' }

export const shownEditedProduct = (row: EditedProductRow): EditedProduct => ({
  ...row,
  ...noTexts,
  ...row.translations.ru,
  created_at: row.created_at.toISOString(),
})

function found(row: EditedProductRow | undefined): EditedProduct {
  if (!row) throw new Failure('NOT_FOUND')
  return shownEditedProduct(row)
}

/** Reads a product for editing. Refuses a missing or deleted one with NOT_FOUND. */
export const readProduct = async (queries: Queries, productId: number): Promise<EditedProduct> =>
  found(await findEditedProduct(queries, productId))

/** Reads a product and locks it: nobody else changes it until the transaction ends. */
export const lockProduct = async (tx: Tx, productId: number): Promise<EditedProduct> =>
  found(await lockProductRow(tx, productId, 'toChange'))

/**
 * Reads a product and takes a shared lock: nobody changes it until the transaction ends, while others may use it too.
 */
export const lockProductToUse = async (tx: Tx, productId: number): Promise<EditedProduct> =>
  found(await lockProductRow(tx, productId, 'toUse'))

/** Adds a product, active by default, with its texts and regions; returns its id. */
export async function addProduct(tx: Tx, product: ProductDraft): Promise<number> {
  const id = await insertProduct(tx, product)
  for (const [language, text] of Object.entries(product.texts)) await insertProductText(tx, id, language, text)
  for (const region of product.regions) await insertProductRegion(tx, id, region)
  return id
}

const isSlugFree = <T>(write: Promise<T>): Promise<T> => orDuplicate(write, 'product_slug_key', 'slug')

function requireRussian(texts: ProductTexts) {
  if (!texts.ru) throw new Failure('VALIDATION_FAILED', { name: 'required' })
  return texts.ru
}

function slugFor(wanted: string, name: string): string {
  const slug = wanted || toSlug(name)
  if (slug === '') throw new Failure('VALIDATION_FAILED', { slug: 'required' })
  return slug
}

interface CodeFields {
  kind: ProductKind
  buysOnDemand?: boolean | undefined
  codeGame?: CodeGame | null | undefined
}

/** A top-up is always bought when it is ordered, and is what codes are activated for. */
function requireCodes({ kind, buysOnDemand, codeGame }: CodeFields): void {
  if (kind === 'code') return
  if (buysOnDemand) throw new Failure('STATE_CONFLICT', { reason: 'on_demand_not_codes', buysOnDemand: 'not_codes' })
  if (codeGame) throw new Failure('STATE_CONFLICT', { reason: 'code_game_not_codes', codeGame: 'not_codes' })
}

export async function createProduct(tx: Tx, adminId: number, wanted: NewProduct): Promise<EditedProduct> {
  requireCodes(wanted)
  const texts = mergeTexts({}, wanted)
  const ru = requireRussian(texts)
  const titled = Object.entries(texts).map(([language, { name, ...text }]) => [language, { title: name, ...text }])
  const added = addProduct(tx, {
    slug: slugFor(wanted.slug ?? '', ru.name),
    kind: wanted.kind,
    category: wanted.category ?? [],
    keywords: wanted.keywords ?? [],
    gameCurrency: wanted.gameCurrency ?? '',
    imageUrl: wanted.imageUrl ?? '',
    supportsCodeGeneration: wanted.supportsCodeGeneration ?? false,
    codePrefix: wanted.codePrefix || null,
    codeGame: wanted.codeGame ?? null,
    position: wanted.position ?? (await nextPosition(tx)),
    buysOnDemand: wanted.buysOnDemand ?? false,
    isActive: wanted.isActive ?? true,
    texts: Object.fromEntries(titled),
    regions: [],
  })
  const after = await readProduct(tx, await isSlugFree(added))
  await writeAudit(tx, { actorId: adminId, action: 'product.create', subject: `product:${after.id}`, after })
  await announce(tx, 'catalogue', `product:${after.id}`)
  return after
}

export async function changeProduct(
  tx: Tx,
  adminId: number,
  productId: number,
  change: ProductChange,
): Promise<EditedProduct> {
  const { version, name, description, activationInstructions, translations, slug, codePrefix, codeGame, ...fields } =
    change
  const before = await lockProduct(tx, productId)
  requireVersion(before, version)
  const texts = mergeTexts(before.translations, change)
  const ru = requireRussian(texts)
  const after = {
    ...before,
    ...fields,
    codePrefix: codePrefix === undefined ? before.codePrefix : (codePrefix ?? ''),
    codeGame: codeGame === undefined ? before.codeGame : codeGame,
    slug: slug === undefined ? before.slug : slugFor(slug ?? '', ru.name),
  }
  requireCodes(after)
  // The top-up pages find their product by its slug.
  if (before.kind === 'topup' && after.slug !== before.slug)
    throw new Failure('STATE_CONFLICT', { reason: 'slug_built_in', slug: 'built_in' })
  if (after.codeGame !== before.codeGame) await changeCodeGame(tx, productId, after.codeGame)
  await isSlugFree(updateProduct(tx, productId, after))
  await replaceTexts(tx, productId, texts)
  return written(tx, adminId, 'product.update', before)
}

/**
 * Refuses while codes that deliver something else are on sale; once its game is set, nothing is sold as something else.
 */
async function changeCodeGame(tx: Tx, productId: number, game: CodeGame | null): Promise<void> {
  if (await sellsOtherCodes(tx, productId, game))
    throw new Failure('STATE_CONFLICT', { reason: 'codes_on_sale', codeGame: 'codes_on_sale' })
  if (game) await resolveAlert(tx, 'codes.other_game', `product:${productId}`)
}

/** Reads a changed product, writes the audit entry and notifies the nodes. */
async function written(tx: Tx, adminId: number, action: AuditAction, before: EditedProduct): Promise<EditedProduct> {
  const after = await readProduct(tx, before.id)
  await writeAuditChange(tx, { actorId: adminId, action, subject: `product:${before.id}` }, before, after)
  await announce(tx, 'catalogue', `product:${before.id}`)
  return after
}

/**
 * Locks a product for its deletion: nobody else changes it or adds codes to it. The products of the top-up pages can't
 * be deleted, nor one of top-ups that has packages: STATE_CONFLICT.
 */
export async function lockProductToDelete(
  tx: Tx,
  productId: number,
): Promise<{ product: EditedProduct; belongings: Belongings }> {
  const product = await lockProduct(tx, productId)
  const belongings = await readBelongings(tx, productId)
  if (product.kind === 'topup') {
    if (topupServices.some((service) => service === product.slug)) {
      throw new Failure('STATE_CONFLICT', { reason: 'product_built_in', product: 'built_in' })
    }
    if (belongings.offers_count > 0)
      throw new Failure('STATE_CONFLICT', { reason: 'product_has_offers', product: 'has_packages' })
  }
  return { product, belongings }
}

/** Sells a product in exactly these regions. Packages of a removed region stay, and are not sold. */
export async function setProductRegions(
  tx: Tx,
  adminId: number,
  productId: number,
  wanted: { regionIds: readonly number[]; version?: number | undefined },
): Promise<EditedProduct> {
  const before = await lockProduct(tx, productId)
  requireVersion(before, wanted.version)
  const regionIds = [...new Set(wanted.regionIds)]
  if ((await countKnownRegions(tx, regionIds)) < regionIds.length) {
    throw new Failure('NOT_FOUND', { regionIds: 'not_found' })
  }
  await replaceRegions(tx, productId, regionIds)
  await touchProduct(tx, productId)
  return written(tx, adminId, 'product.regions', before)
}

/** Sets the game currency of a product in one of its regions; blank means the product's own. */
export async function setProductCurrency(
  tx: Tx,
  adminId: number,
  place: { productId: number; regionId: number },
  wanted: { gameCurrency: string | null; version?: number | undefined },
): Promise<EditedProduct> {
  const before = await lockProduct(tx, place.productId)
  requireVersion(before, wanted.version)
  const found = await setRegionCurrency(tx, place.productId, place.regionId, wanted.gameCurrency || null)
  if (found === 0) throw new Failure('NOT_FOUND', { regionId: 'not_found' })
  await touchProduct(tx, place.productId)
  return written(tx, adminId, 'product.currency', before)
}
