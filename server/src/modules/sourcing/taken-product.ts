import type { GameRefusal, TakenGame, TakenOver } from '@olmos/contract/take-over'
import { orDuplicate } from '../../platform/database/lists.ts'
import { sql, type Tx } from '../../platform/database/queries.ts'
import { addProduct, nextPosition } from '../catalogue/change-product.ts'
import { toSlug } from '../catalogue/product.rules.ts'
import type { VendorField } from '../topups/supplier.ts'
import { type AskedFields, toAskedFields } from './fields.rules.ts'
import { fitService } from './sources.ts'
import { readUnit } from './take-over.rules.ts'

/** A game of a supplier as it is taken over. */
export interface TakenService {
  id: number
  title: string
  kind: 'topup' | 'code'
  check_reference: string | null
  fields: VendorField[]
  field_names: Record<string, string>
}

interface ProductRow {
  id: number
  slug: string
  kind: 'topup' | 'code'
  pricing: string
  /** What it asks its customers for. */
  keys: string[]
}

const lockProduct = (tx: Tx, productId: number) =>
  tx.maybe<ProductRow>(sql`
    SELECT id, slug, kind, pricing, ARRAY(SELECT key FROM account_field
      WHERE product_id = product.id AND retired_at IS NULL) AS keys
    FROM product WHERE id = ${productId} AND deleted_at IS NULL FOR NO KEY UPDATE`)

/** Finds the product that a supplier's game was taken over as. */
const findLinked = (tx: Tx, serviceId: number) =>
  tx.maybe<{ id: number }>(sql`
    SELECT product.id FROM product_service JOIN product ON product.id = product_id AND product.deleted_at IS NULL
    WHERE service_id = ${serviceId} ORDER BY product.id LIMIT 1`)

const findBySlug = (tx: Tx, slug: string) =>
  tx.maybe<{ id: number; kind: 'topup' | 'code' }>(
    sql`SELECT id, kind FROM product WHERE slug = ${slug} AND deleted_at IS NULL`,
  )

const setFieldNames = (tx: Tx, serviceId: number, names: Record<string, string>) =>
  tx.run(sql`UPDATE supplier_service SET field_names = ${JSON.stringify(names)} WHERE id = ${serviceId}`)

/** Why a game is not taken over, which undoes what was written of it. */
export class GameRefused extends Error {
  readonly reason: GameRefusal
  readonly details: Pick<TakenOver, 'product_id' | 'fields' | 'offers'>
  constructor(reason: GameRefusal, details: Partial<GameRefused['details']> = {}) {
    super(reason)
    this.reason = reason
    this.details = { product_id: null, fields: [], offers: [], ...details }
  }
}

/**
 * Finds the product that the game is added to: the one that is named, or the one it was taken over as. Refuses one that can't
 * be delivered by it; learns how its fields are called there, where nobody has said so.
 */
export async function findTaken(tx: Tx, game: TakenGame, service: TakenService): Promise<ProductRow | undefined> {
  const productId = game.productId ?? (await findLinked(tx, service.id))?.id
  if (productId === undefined) return undefined
  const product = await lockProduct(tx, productId)
  if (!product) throw new GameRefused('product_not_found')
  if (product.kind !== service.kind || product.pricing === 'amount')
    throw new GameRefused('other_kind', { product_id: product.id })
  if (product.kind === 'code') return product
  const fields = await fitService(tx, service.id, product)
  if (fields.length > 0) throw new GameRefused('fields_missing', { product_id: product.id, fields })
  return product
}

/** Makes a product of the game that is not on sale yet. */
export async function makeProduct(tx: Tx, game: TakenGame, service: TakenService, names: readonly string[]) {
  if (names.length === 0) throw new GameRefused('nothing_left')
  const title = game.name ?? service.title
  const slug = await findFreeSlug(tx, game, service, title)
  const asked = service.kind === 'topup' ? requireAsked(toAskedFields(service.fields, service.field_names)) : undefined
  if (asked) await setFieldNames(tx, service.id, asked.fieldNames)
  const added = addProduct(tx, {
    slug,
    kind: service.kind,
    category: game.category,
    keywords: [],
    gameCurrency: game.gameCurrency ?? readUnit(names),
    imageUrl: '',
    supportsCodeGeneration: false,
    codePrefix: null,
    position: await nextPosition(tx),
    isActive: false,
    ...(asked
      ? { fields: asked.fields, playerCheck: service.check_reference === null ? 'none' : 'offered' }
      : { buysOnDemand: true }),
    texts: { ru: { title, description: '', activationInstructions: '' } },
    regions: [],
  })
  return { id: await orDuplicate(added, 'product_slug_key', 'slug'), slug }
}

function requireAsked(asked: AskedFields): Extract<AskedFields, { fieldNames: unknown }> {
  if ('refused' in asked) throw new GameRefused(asked.refused, { fields: asked.fields })
  return asked
}

/** A name that something of the other kind has is told apart; of its own kind it may be the game itself. */
async function findFreeSlug(tx: Tx, game: TakenGame, { kind }: TakenService, title: string): Promise<string> {
  const slug = game.slug ?? toSlug(title)
  if (slug === '') throw new GameRefused('slug_needed')
  const holder = await findBySlug(tx, slug)
  if (!holder) return slug
  if (game.slug !== undefined || holder.kind === kind) throw new GameRefused('slug_taken', { product_id: holder.id })
  const apart = `${slug.slice(0, 90)}-${kind === 'code' ? 'codes' : 'topup'}`
  const other = await findBySlug(tx, apart)
  if (other) throw new GameRefused('slug_taken', { product_id: other.id })
  return apart
}
