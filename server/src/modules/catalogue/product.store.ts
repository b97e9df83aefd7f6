import { type Queries, sql } from '../../platform/database.ts'
import type { OfferDraft, OfferPlace } from './offer.ts'
import type { DraftText, ProductDraft } from './product.ts'

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
