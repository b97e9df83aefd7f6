import type { ProductKind } from '@olmos/contract/catalogue'
import { LIMITS } from '@olmos/contract/limits'
import type { Belongings, CodeGame, EditedProduct } from '@olmos/contract/products'
import { containing, type Queries, sql, type Tx } from '../../platform/database/database.ts'
import { allConditions, countAll, direction, type ListPage, toPage } from '../../platform/database/lists.ts'
import type { OfferDraft, OfferPlace } from './prices.rules.ts'
import type { DraftText, ProductDraft, ProductTexts } from './product.rules.ts'

export async function insertProduct(queries: Queries, product: ProductDraft): Promise<number> {
  const { id } = await queries.one<{ id: number }>(sql`
    INSERT INTO product (slug, kind, category, keywords, game_currency, image_url, supports_code_generation,
      code_prefix, code_game, position, buys_on_demand, is_active)
    VALUES (${product.slug}, ${product.kind}, ${product.category}, ${product.keywords}, ${product.gameCurrency},
      ${product.imageUrl}, ${product.supportsCodeGeneration}, ${product.codePrefix}, ${product.codeGame ?? null}, ${product.position},
      ${product.buysOnDemand ?? false}, ${product.isActive ?? true})
    RETURNING id`)
  return id
}

export const insertProductText = (queries: Queries, productId: number, language: string, text: DraftText) =>
  queries.run(sql`
    INSERT INTO product_text (product_id, language, title, description, activation_instructions)
    VALUES (${productId}, ${language}, ${text.title}, ${text.description}, ${text.activationInstructions})`)

export const insertProductRegion = (
  queries: Queries,
  productId: number,
  region: { regionId: number; gameCurrency: string | null },
) =>
  queries.run(sql`
    INSERT INTO product_region (product_id, region_id, game_currency)
    VALUES (${productId}, ${region.regionId}, ${region.gameCurrency})`)

/** Adds an active offer to a product; returns its id. */
export async function insertOffer(queries: Queries, place: OfferPlace, offer: OfferDraft): Promise<number> {
  const { id } = await queries.one<{ id: number }>(sql`
    INSERT INTO offer (product_id, region_id, game_amount, price_usd, price_rub, is_popular, item_id)
    VALUES (${place.productId}, ${place.regionId}, ${offer.gameAmount}, ${offer.priceUsd}, ${offer.priceRub},
      ${offer.isPopular}, ${offer.itemId ?? null}) RETURNING id`)
  return id
}

export async function hasProducts(queries: Queries): Promise<boolean> {
  const { found } = await queries.one<{ found: boolean }>(sql`SELECT EXISTS (SELECT FROM product) AS found`)
  return found
}

export interface EditedProductRow
  extends Omit<EditedProduct, 'name' | 'description' | 'activationInstructions' | 'created_at'> {
  translations: ProductTexts
  created_at: Date
}

const columns = sql`
  product.id, product.slug, product.kind, product.image_url AS "imageUrl", product.keywords, product.category,
  product.game_currency AS "gameCurrency", product.supports_code_generation AS "supportsCodeGeneration",
  coalesce(product.code_prefix, '') AS "codePrefix", product.code_game AS "codeGame", product.buys_on_demand AS "buysOnDemand",
  product.is_active AS "isActive", product.position,
  product.created_at, product.version,
  (SELECT json_object_agg(language, json_build_object('name', title, 'description', description,
      'activationInstructions', activation_instructions))
    FROM product_text WHERE product_id = product.id) AS translations,
  (SELECT coalesce(json_agg(json_build_object('id', region.id, 'name', region.name, 'code', region.code,
      'flag', region.flag, 'is_active', region.is_active,
      'game_currency', coalesce(product_region.game_currency, ''),
      'offers_count', (SELECT count(*) FROM offer WHERE product_id = product.id AND region_id = region.id))
      ORDER BY region.id), '[]')
    FROM product_region JOIN region ON region.id = product_region.region_id
    WHERE product_region.product_id = product.id) AS regions,
  (SELECT count(*)::int FROM offer WHERE product_id = product.id AND deleted_at IS NULL) AS offers_count`

const toColumn = {
  position: sql`product.position`,
  id: sql`product.id`,
  name: sql`(SELECT lower(title) FROM product_text WHERE product_id = product.id AND language = 'ru')`,
  slug: sql`product.slug`,
  is_active: sql`product.is_active`,
  created_at: sql`product.created_at`,
}

interface ProductList extends ListPage {
  search: string
  sort: keyof typeof toColumn
  kind?: ProductKind | undefined
}

const isListed = ({ search, kind }: ProductList) =>
  allConditions(
    sql`product.deleted_at IS NULL`,
    kind && sql`product.kind = ${kind}`,
    search
      ? sql`(product.slug ILIKE ${containing(search)}
          OR EXISTS (SELECT FROM unnest(product.keywords) AS word WHERE word ILIKE ${containing(search)})
          OR EXISTS (SELECT FROM product_text WHERE product_id = product.id AND title ILIKE ${containing(search)}))`
      : undefined,
  )

export const listEditedProducts = (queries: Queries, list: ProductList) =>
  queries.rows<EditedProductRow>(sql`
    SELECT ${columns} FROM product WHERE ${isListed(list)}
    ORDER BY ${toColumn[list.sort]} ${direction(list.order)}, product.id ${toPage(list)}`)

export const countEditedProducts = (queries: Queries, list: ProductList) =>
  countAll(queries, sql`SELECT FROM product WHERE ${isListed(list)}`)

export const findEditedProduct = (queries: Queries, productId: number) =>
  queries.maybe<EditedProductRow>(sql`
    SELECT ${columns} FROM product WHERE product.id = ${productId} AND product.deleted_at IS NULL`)

const locked = { toChange: sql`FOR UPDATE`, toUse: sql`FOR SHARE` }

/**
 * Locks a product until the transaction ends, then reads it: a single statement that waits would return the texts from
 * before the wait.
 */
export async function lockProductRow(
  tx: Tx,
  productId: number,
  lock: keyof typeof locked,
): Promise<EditedProductRow | undefined> {
  await tx.run(sql`SELECT FROM product WHERE id = ${productId} ${locked[lock]}`)
  return findEditedProduct(tx, productId)
}

type ProductFields = Omit<EditedProductRow, 'id' | 'kind' | 'regions' | 'offers_count' | 'created_at' | 'version'>

export const updateProduct = (tx: Tx, productId: number, product: Omit<ProductFields, 'translations'>) =>
  tx.run(sql`
    UPDATE product SET slug = ${product.slug}, category = ${product.category}, keywords = ${product.keywords},
      game_currency = ${product.gameCurrency}, image_url = ${product.imageUrl},
      supports_code_generation = ${product.supportsCodeGeneration}, code_prefix = ${product.codePrefix || null},
      code_game = ${product.codeGame},      buys_on_demand = ${product.buysOnDemand}, is_active = ${product.isActive}, position = ${product.position}
    WHERE id = ${productId}`)

/** Counts a change beside the product's row as a change of the product. */
export const touchProduct = (tx: Tx, productId: number) =>
  tx.run(sql`UPDATE product SET position = position WHERE id = ${productId}`)

export async function replaceTexts(tx: Tx, productId: number, texts: ProductTexts): Promise<void> {
  await tx.run(sql`
    DELETE FROM product_text WHERE product_id = ${productId} AND language <> ALL (${Object.keys(texts)})`)
  for (const [language, text] of Object.entries(texts)) {
    await tx.run(sql`
      INSERT INTO product_text (product_id, language, title, description, activation_instructions)
      VALUES (${productId}, ${language}, ${text.name}, ${text.description}, ${text.activationInstructions})
      ON CONFLICT (product_id, language) DO UPDATE SET title = excluded.title, description = excluded.description,
        activation_instructions = excluded.activation_instructions`)
  }
}

export async function nextPosition(tx: Tx): Promise<number> {
  const { position } = await tx.one<{ position: number }>(
    sql`SELECT coalesce(max(position) + 1, 0) AS position FROM product WHERE deleted_at IS NULL`,
  )
  return position
}

/** The caller has written the audit entry, and deals with its codes. */
export const deleteProductRow = (tx: Tx, productId: number) =>
  tx.run(sql`UPDATE product SET deleted_at = now() WHERE id = ${productId}`)

const codesIn = (productId: number, status: 'available' | 'used') => sql`
  (SELECT count(*)::int FROM (
    SELECT FROM code JOIN offer ON offer.id = code.offer_id
    WHERE offer.product_id = ${productId} AND code.status = ${status} LIMIT ${LIMITS.listCountMax}) AS code)`

export const readBelongings = (queries: Queries, productId: number) =>
  queries.one<Belongings>(sql`
    SELECT (SELECT count(*)::int FROM offer WHERE product_id = ${productId} AND deleted_at IS NULL) AS offers_count,
      ${codesIn(productId, 'available')} AS available_codes, ${codesIn(productId, 'used')} AS sold_codes,
      (SELECT count(*)::int FROM cart_item LEFT JOIN offer ON offer.id = cart_item.offer_id
        WHERE coalesce(cart_item.product_id, offer.product_id) = ${productId}) AS cart_items`)

/** Whether codes made for another game than this are on sale, or about to be bought. */
export async function sellsOtherCodes(tx: Tx, productId: number, game: CodeGame | null): Promise<boolean> {
  const { found } = await tx.one<{ found: boolean }>(sql`
    SELECT EXISTS (
      SELECT FROM code JOIN offer ON offer.id = code.offer_id JOIN offer AS denomination ON denomination.id = denomination_id
      JOIN product AS other ON other.id = denomination.product_id
      WHERE offer.product_id = ${productId} AND code.status IN ('available', 'reserved')
        AND other.slug IS DISTINCT FROM ${game}) AS found`)
  return found
}

export async function countKnownRegions(queries: Queries, regionIds: readonly number[]): Promise<number> {
  const { count } = await queries.one<{ count: number }>(
    sql`SELECT count(*)::int AS count FROM region WHERE id = ANY (${regionIds})`,
  )
  return count
}

/** A region that stays keeps its game currency. */
export const replaceRegions = (tx: Tx, productId: number, regionIds: readonly number[]) =>
  tx.pipeline({
    gone: (tx) =>
      tx.run(sql`DELETE FROM product_region WHERE product_id = ${productId} AND region_id <> ALL (${regionIds})`),
    added: (tx) =>
      tx.run(sql`
        INSERT INTO product_region (product_id, region_id)
        SELECT ${productId}, region_id FROM unnest(${regionIds}::int[]) AS region_id ON CONFLICT DO NOTHING`),
  })

/** Returns how many regions it found: one or none. */
export const setRegionCurrency = (tx: Tx, productId: number, regionId: number, gameCurrency: string | null) =>
  tx.run(sql`
    UPDATE product_region SET game_currency = ${gameCurrency}
    WHERE product_id = ${productId} AND region_id = ${regionId}`)
