import type { AuditAction } from '@olmos/contract/audit'
import { BUSINESS } from '@olmos/contract/business'
import type { ProductKind } from '@olmos/contract/catalogue'
import { Failure } from '@olmos/contract/failure'
import type { Language } from '@olmos/contract/fields'
import type { ReceiptMode, ReceiptSubject, ReceiptTax } from '@olmos/contract/fiscal'
import type { CodeGame, EditedProduct, NewProduct, ProductChange } from '@olmos/contract/products'
import type { PlayerCheckRule, TopupPricing } from '@olmos/contract/topup-data'
import { exists, orDuplicate, requireVersion } from '../../platform/database/lists.ts'
import { type Queries, sql, type Tx } from '../../platform/database/queries.ts'
import { resolveAlert } from '../../platform/live/alert.ts'
import { writeAudit, writeAuditChange } from '../../platform/security/audit.ts'
import { usePicture } from '../pictures/pictures.ts'
import { lockPrices, repriceOffers } from '../pricing/reprice.ts'
import { mergeTexts, type ProductTexts, toSlug } from './product.rules.ts'
import {
  type EditedProductRow,
  type FieldDraft,
  insertFields,
  lockProduct,
  readProduct,
  touchProduct,
} from './products.ts'

interface DraftText {
  title: string
  description: string
  activationInstructions: string
}

interface ServiceDraft {
  supplier: string
  /** The supplier's name of the game. */
  reference: string
  /** The name under which the supplier looks players up; none where it checks no players of this game. */
  checkReference?: string
  /** Its fields as templates over the shop's: { server_id: '{zone_id}' }; none where the names are the same. */
  fieldNames?: Readonly<Record<string, string>>
}

interface ProductDraft {
  slug: string
  kind: ProductKind
  category: readonly string[]
  keywords: readonly string[]
  gameCurrency: string
  imageUrl: string
  /** #rrggbb; grey where nobody has chosen one. */
  color?: string | undefined
  supportsCodeGeneration: boolean
  codePrefix: string | null
  /** The game on whose page its generated codes are activated. */
  codeGame?: CodeGame | null
  position: number
  /** Whether codes that are out of stock are bought from a supplier. */
  buysOnDemand?: boolean
  isActive?: boolean
  /** For top-ups: how they are priced, checked and promised, and what they ask for. */
  pricing?: TopupPricing
  playerCheck?: PlayerCheckRule
  promisedMinutes?: number
  presets?: readonly number[]
  /** What its line of a fiscal receipt says, where that is not what the shop's settings say. */
  receiptTax?: ReceiptTax | null
  receiptSubject?: ReceiptSubject | null
  receiptMode?: ReceiptMode | null
  receiptIkpu?: string | null
  receiptPackageCode?: string | null
  receiptVatPercent?: number | null
  fields?: readonly FieldDraft[]
  /** What suppliers call the game. */
  services?: readonly ServiceDraft[]
  texts: Partial<Record<Language, DraftText>> & { ru: DraftText }
  /** A `gameCurrency` of null means the product's own. */
  regions: readonly { regionId: number; gameCurrency: string | null }[]
}

const defaultColor = '#6b7280'

async function insertProduct(queries: Queries, product: ProductDraft): Promise<number> {
  const { id } = await queries.one<{ id: number }>(sql`
    INSERT INTO product (slug, kind, category, keywords, game_currency, image_url, color, supports_code_generation,
      code_prefix, code_game, position, buys_on_demand, is_active, pricing, player_check, promised_minutes, presets,
      receipt_tax, receipt_subject, receipt_mode, receipt_ikpu, receipt_package_code, receipt_vat_percent)
    VALUES (${product.slug}, ${product.kind}, ${product.category}, ${product.keywords}, ${product.gameCurrency},
      ${product.imageUrl}, ${product.color ?? defaultColor}, ${product.supportsCodeGeneration}, ${product.codePrefix}, ${product.codeGame ?? null}, ${product.position},
      ${product.buysOnDemand ?? false}, ${product.isActive ?? true}, ${product.pricing ?? 'offers'},
      ${product.playerCheck ?? 'none'}, ${product.promisedMinutes ?? BUSINESS.topupMinutes}, ${product.presets ?? []},
      ${product.receiptTax ?? null}, ${product.receiptSubject ?? null}, ${product.receiptMode ?? null},
      ${product.receiptIkpu ?? null}, ${product.receiptPackageCode ?? null}, ${product.receiptVatPercent ?? null})
    RETURNING id`)
  return id
}

const insertProductRegion = (
  queries: Queries,
  productId: number,
  region: { regionId: number; gameCurrency: string | null },
) =>
  queries.run(sql`
    INSERT INTO product_region (product_id, region_id, game_currency)
    VALUES (${productId}, ${region.regionId}, ${region.gameCurrency})`)

type ProductFields = Omit<EditedProductRow, 'id' | 'kind' | 'regions' | 'offers_count' | 'created_at' | 'version'>

const updateProduct = (tx: Tx, productId: number, product: Omit<ProductFields, 'translations'>) =>
  tx.run(sql`
    UPDATE product SET slug = ${product.slug}, category = ${product.category}, keywords = ${product.keywords},
      game_currency = ${product.gameCurrency}, image_url = ${product.imageUrl}, color = ${product.color},
      supports_code_generation = ${product.supportsCodeGeneration}, code_prefix = ${product.codePrefix || null},
      code_game = ${product.codeGame},      buys_on_demand = ${product.buysOnDemand}, is_active = ${product.isActive}, position = ${product.position},
      pricing = ${product.pricing}, player_check = ${product.playerCheck}, promised_minutes = ${product.promisedMinutes},
      presets = ${product.presets}, receipt_tax = ${product.receiptTax}, receipt_subject = ${product.receiptSubject},
      receipt_mode = ${product.receiptMode}, receipt_ikpu = ${product.receiptIkpu},
      receipt_package_code = ${product.receiptPackageCode}, receipt_vat_percent = ${product.receiptVatPercent}
    WHERE id = ${productId}`)

const putText = (tx: Tx, productId: number, language: string, text: DraftText) =>
  tx.run(sql`
    INSERT INTO product_text (product_id, language, title, description, activation_instructions)
    VALUES (${productId}, ${language}, ${text.title}, ${text.description}, ${text.activationInstructions})
    ON CONFLICT (product_id, language) DO UPDATE SET title = excluded.title, description = excluded.description,
      activation_instructions = excluded.activation_instructions`)

async function replaceTexts(tx: Tx, productId: number, texts: ProductTexts): Promise<void> {
  await tx.run(sql`
    DELETE FROM product_text WHERE product_id = ${productId} AND language <> ALL (${Object.keys(texts)})`)
  for (const [language, { name, ...text }] of Object.entries(texts))
    await putText(tx, productId, language, { ...text, title: name })
}

/** Reads the position after the last product. */
export async function nextPosition(tx: Tx): Promise<number> {
  const { position } = await tx.one<{ position: number }>(
    sql`SELECT coalesce(max(position) + 1, 0) AS position FROM product WHERE deleted_at IS NULL`,
  )
  return position
}

/** Whether codes made for another game than this are on sale, or about to be bought. */
const sellsOtherCodes = (tx: Tx, productId: number, game: CodeGame | null) =>
  exists(
    tx,
    sql`
      SELECT FROM code JOIN offer ON offer.id = code.offer_id JOIN offer AS denomination ON denomination.id = denomination_id
      JOIN product AS other ON other.id = denomination.product_id
      WHERE offer.product_id = ${productId} AND code.status IN ('available', 'reserved')
        AND other.slug IS DISTINCT FROM ${game}`,
  )

/** Counts those that are not deleted, and locks them: none is deleted until the transaction ends. */
const countKnownRegions = (tx: Tx, regionIds: readonly number[]): Promise<number> =>
  tx.run(sql`
    SELECT FROM region WHERE id = ANY (${regionIds}::int[]) AND deleted_at IS NULL ORDER BY id FOR KEY SHARE`)

/** A region that stays keeps its game currency. */
const replaceRegions = (tx: Tx, productId: number, regionIds: readonly number[]) =>
  tx.pipeline({
    gone: (tx) =>
      tx.run(sql`DELETE FROM product_region WHERE product_id = ${productId} AND region_id <> ALL (${regionIds})`),
    added: (tx) =>
      tx.run(sql`
        INSERT INTO product_region (product_id, region_id)
        SELECT ${productId}, region_id FROM unnest(${regionIds}::int[]) AS region_id ON CONFLICT DO NOTHING`),
  })

/** Returns how many regions it found: one or none. */
const setRegionCurrency = (tx: Tx, productId: number, regionId: number, gameCurrency: string | null) =>
  tx.run(sql`
    UPDATE product_region SET game_currency = ${gameCurrency}
    WHERE product_id = ${productId} AND region_id = ${regionId}`)

/** Says which game of a supplier a product is; one that the shop has from another product, or a sync, is known already. */
const insertService = (tx: Tx, productId: number, title: string, service: ServiceDraft) =>
  tx.run(sql`
    WITH known AS (
      INSERT INTO supplier_service (supplier, reference, title, check_reference, field_names)
      VALUES (${service.supplier}, ${service.reference}, ${title}, ${service.checkReference ?? null},
        ${JSON.stringify(service.fieldNames ?? {})})
      ON CONFLICT (supplier, reference) DO UPDATE
        SET check_reference = coalesce(supplier_service.check_reference, excluded.check_reference)
      RETURNING id)
    INSERT INTO product_service (product_id, service_id) SELECT ${productId}, id FROM known`)

/** Adds a product, active by default, with its texts, regions, fields and services; returns its id. */
export async function addProduct(tx: Tx, product: ProductDraft): Promise<number> {
  const id = await insertProduct(tx, product)
  for (const [language, text] of Object.entries(product.texts)) await putText(tx, id, language, text)
  for (const region of product.regions) await insertProductRegion(tx, id, region)
  await insertFields(tx, id, product.fields ?? [])
  const { title } = product.texts.en ?? product.texts.ru
  for (const service of product.services ?? []) await insertService(tx, id, title, service)
  return id
}

const refuseTakenSlug = <T>(write: Promise<T>): Promise<T> => orDuplicate(write, 'product_slug_key', 'slug')

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

interface CodedFields {
  receiptIkpu?: string | null | undefined
  receiptPackageCode?: string | null | undefined
}

/** A code of goods and that of their package belong together. */
function requireBothCodes({ receiptIkpu, receiptPackageCode }: CodedFields): void {
  if (receiptIkpu && !receiptPackageCode) throw new Failure('VALIDATION_FAILED', { receiptPackageCode: 'required' })
  if (receiptPackageCode && !receiptIkpu) throw new Failure('VALIDATION_FAILED', { receiptIkpu: 'required' })
}

export async function createProduct(tx: Tx, adminId: number, wanted: NewProduct): Promise<EditedProduct> {
  requireCodes(wanted)
  requireBothCodes(wanted)
  await usePicture(tx, 'imageUrl', wanted.imageUrl ?? null)
  const texts = mergeTexts({}, wanted)
  const ru = requireRussian(texts)
  const titled = Object.entries(texts).map(([language, { name, ...text }]) => [language, { title: name, ...text }])
  const added = addProduct(tx, {
    ...wanted,
    slug: slugFor(wanted.slug ?? '', ru.name),
    category: wanted.category ?? [],
    keywords: wanted.keywords ?? [],
    gameCurrency: wanted.gameCurrency ?? '',
    imageUrl: wanted.imageUrl ?? '',
    supportsCodeGeneration: wanted.supportsCodeGeneration ?? false,
    codePrefix: wanted.codePrefix || null,
    position: wanted.position ?? (await nextPosition(tx)),
    texts: Object.fromEntries(titled),
    regions: [],
  })
  const after = await readProduct(tx, await refuseTakenSlug(added))
  await writeAudit(tx, { actorId: adminId, action: 'product.create', subject: `product:${after.id}`, after })
  tx.notify('catalogue', `product:${after.id}`)
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
  if (fields.category || fields.buysOnDemand !== undefined) await lockPrices(tx)
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
  requireBothCodes(after)
  // The top-up pages find their product by its slug.
  if (before.kind === 'topup' && after.slug !== before.slug)
    throw new Failure('STATE_CONFLICT', { reason: 'slug_built_in', slug: 'built_in' })
  if (after.imageUrl !== before.imageUrl) await usePicture(tx, 'imageUrl', after.imageUrl)
  if (after.codeGame !== before.codeGame) await changeCodeGame(tx, productId, after.codeGame)
  await refuseTakenSlug(updateProduct(tx, productId, after))
  await replaceTexts(tx, productId, texts)
  // In another category another rule may be the nearest, and what is bought on demand costs no more than its share of the price.
  if (fields.category || after.buysOnDemand !== before.buysOnDemand)
    await repriceOffers(tx, { productId }, { adminId, because: 'rule' })
  return finishChange(tx, adminId, 'product.update', before)
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
async function finishChange(
  tx: Tx,
  adminId: number,
  action: AuditAction,
  before: EditedProduct,
): Promise<EditedProduct> {
  const after = await readProduct(tx, before.id)
  await writeAuditChange(tx, { actorId: adminId, action, subject: `product:${before.id}` }, before, after)
  tx.notify('catalogue', `product:${before.id}`)
  return after
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
  return finishChange(tx, adminId, 'product.regions', before)
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
  return finishChange(tx, adminId, 'product.currency', before)
}
