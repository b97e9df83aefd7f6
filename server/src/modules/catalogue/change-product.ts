import type { AuditAction } from '@olmos/contract/audit'
import type { ProductKind } from '@olmos/contract/catalogue'
import { Failure } from '@olmos/contract/failure'
import type { Belongings, CodeGame, EditedProduct, NewProduct, ProductChange } from '@olmos/contract/products'
import { topupServices } from '@olmos/contract/topup-data'
import { resolveAlert } from '../../platform/alert.ts'
import { announce } from '../../platform/announce.ts'
import { record, recordChange } from '../../platform/audit.ts'
import type { Tx } from '../../platform/database.ts'
import { orDuplicate, requireVersion } from '../../platform/edits.ts'
import { addProduct } from './add-product.ts'
import {
  deleteProduct,
  nextPosition,
  readBelongings,
  replaceTexts,
  sellsCodesOfOther,
  updateProduct,
} from './edited-product.store.ts'
import { holdProduct, readProduct } from './hold-product.ts'
import { mergeTexts, type ProductTexts } from './product-texts.rules.ts'
import { slugOf } from './slug.rules.ts'

const isSlugFree = <T>(write: Promise<T>): Promise<T> => orDuplicate(write, 'product_slug_key', 'slug')

function requireRussian(texts: ProductTexts) {
  if (!texts.ru) throw new Failure('VALIDATION_FAILED', { name: 'required' })
  return texts.ru
}

function slugFor(wanted: string, name: string): string {
  const slug = wanted || slugOf(name)
  if (slug === '') throw new Failure('VALIDATION_FAILED', { slug: 'required' })
  return slug
}

interface CodeFields {
  kind: ProductKind
  buysOnDemand?: boolean | undefined
  codeGame?: CodeGame | null | undefined
}

/** A top-up is always bought when it was ordered, and is what codes are activated for. */
function requireCodes({ kind, buysOnDemand, codeGame }: CodeFields): void {
  if (kind === 'code') return
  if (buysOnDemand) throw new Failure('STATE_CONFLICT', { buysOnDemand: 'not_codes' })
  if (codeGame) throw new Failure('STATE_CONFLICT', { codeGame: 'not_codes' })
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
  await record(tx, { actorId: adminId, action: 'product.create', subject: `product:${after.id}`, after })
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
  const before = await holdProduct(tx, productId)
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
  if (before.kind === 'topup' && after.slug !== before.slug) throw new Failure('STATE_CONFLICT', { slug: 'built_in' })
  if (after.codeGame !== before.codeGame) await changeCodeGame(tx, productId, after.codeGame)
  await isSlugFree(updateProduct(tx, productId, after))
  await replaceTexts(tx, productId, texts)
  return written(tx, adminId, 'product.update', before)
}

/** Refuses while codes that deliver something else are on sale; with its game named, nothing is sold as something else. */
async function changeCodeGame(tx: Tx, productId: number, game: CodeGame | null): Promise<void> {
  if (await sellsCodesOfOther(tx, productId, game)) throw new Failure('STATE_CONFLICT', { codeGame: 'codes_on_sale' })
  if (game) await resolveAlert(tx, 'codes.other_game', `product:${productId}`)
}

/** Reads a product that was changed, writes the change down and tells the nodes. */
export async function written(
  tx: Tx,
  adminId: number,
  action: AuditAction,
  before: EditedProduct,
): Promise<EditedProduct> {
  const after = await readProduct(tx, before.id)
  await recordChange(tx, { actorId: adminId, action, subject: `product:${before.id}` }, before, after)
  await announce(tx, 'catalogue', `product:${before.id}`)
  return after
}

/**
 * A product that is about to be deleted: nobody else changes it or puts codes behind it. The products of the top-up pages
 * stay, and so does one of top-ups that has packages: STATE_CONFLICT.
 */
export async function holdProductForDeletion(
  tx: Tx,
  productId: number,
): Promise<{ product: EditedProduct; belongings: Belongings }> {
  const product = await holdProduct(tx, productId)
  const belongings = await readBelongings(tx, productId)
  if (product.kind === 'topup') {
    if (topupServices.some((service) => service === product.slug)) {
      throw new Failure('STATE_CONFLICT', { product: 'built_in' })
    }
    if (belongings.offers_count > 0) throw new Failure('STATE_CONFLICT', { product: 'has_packages' })
  }
  return { product, belongings }
}

/** The caller has written down who did it, and deals with its codes. */
export const retireProduct = (tx: Tx, productId: number) => deleteProduct(tx, productId)
