import type { CodeStatus } from '@olmos/contract/codes'
import { Failure } from '@olmos/contract/failure'
import { LIMITS } from '@olmos/contract/limits'
import { toMajor, toMinor } from '@olmos/contract/minor-units'
import type { EditedOffer, NewOffer, OfferBelongings, OfferChange } from '@olmos/contract/offers'
import type { Sql } from 'sql-template-tag'
import { type Queries, sql, type Tx } from '../../platform/database/database.ts'
import {
  allConditions,
  countAll,
  direction,
  type ListPage,
  orDuplicate,
  requireVersion,
  toPage,
} from '../../platform/database/lists.ts'
import { writeAudit, writeAuditChange } from '../../platform/security/audit.ts'
import { availableCount } from './availability.ts'
import { requirePlace, requireUsualPrice } from './price-offers.ts'
import type { OfferPlace, OfferPrice } from './prices.rules.ts'
import { lockProduct } from './products.ts'

/** Prices are in minor units. */
interface EditedOfferRow extends Omit<EditedOffer, 'created_at'> {
  created_at: Date
}

const offersWhere = (condition: Sql) => sql`
  SELECT offer.id, offer.product_id, coalesce(offer.region_id, 0) AS region_id, coalesce(region.name, '') AS region_name,
    offer.item_id,    offer.game_amount, coalesce(nullif(product_region.game_currency, ''), product.game_currency) AS game_currency,
    offer.price_usd, offer.price_rub, ${availableCount} AS available_count, offer.is_popular,
    offer.is_active, offer.created_at, offer.version
  FROM offer JOIN product ON product.id = offer.product_id AND product.deleted_at IS NULL
  LEFT JOIN region ON region.id = offer.region_id
  LEFT JOIN product_region ON product_region.product_id = offer.product_id AND product_region.region_id = offer.region_id
  WHERE offer.deleted_at IS NULL AND ${condition}`

const toColumn = {
  game_amount: sql`offer.game_amount`,
  id: sql`offer.id`,
  region: sql`lower(region.name)`,
  price_usd: sql`offer.price_usd`,
  price_rub: sql`offer.price_rub`,
  is_popular: sql`offer.is_popular`,
  is_active: sql`offer.is_active`,
}

interface OfferList extends ListPage {
  productId: number
  search: string
  sort: keyof typeof toColumn
}

/** A search is by game amount. */
const isListed = ({ productId, search }: OfferList) =>
  allConditions(
    sql`offer.product_id = ${productId}`,
    sql`offer.deleted_at IS NULL`,
    search ? sql`offer.game_amount::text = ${search}` : undefined,
  )

/** Reads a page of a product's packages as the admin area shows them, and how many there are in all. */
export async function listEditedOffers(
  queries: Queries,
  list: OfferList,
): Promise<{ data: EditedOffer[]; total: number }> {
  const [rows, total] = await Promise.all([
    queries.rows<EditedOfferRow>(sql`
      ${offersWhere(isListed(list))}
      ORDER BY ${toColumn[list.sort]} ${direction(list.order)} NULLS FIRST, offer.id ${toPage(list)}`),
    countAll(queries, sql`SELECT FROM offer WHERE ${isListed(list)}`),
  ])
  return { data: rows.map(shownOffer), total }
}

const findOffer = (queries: Queries, offerId: number) =>
  queries.maybe<EditedOfferRow>(offersWhere(sql`offer.id = ${offerId}`))

/** Reads and locks an offer until the transaction ends. Simultaneous buyers only need it to exist. */
const lockOffer = (tx: Tx, offerId: number) =>
  tx.maybe<EditedOfferRow>(sql`${offersWhere(sql`offer.id = ${offerId}`)} FOR NO KEY UPDATE OF offer`)

interface OfferFields extends OfferPrice {
  isPopular: boolean
  isActive: boolean
}

/** Returns its id, or undefined when the amount exists. A deleted one stays deleted: orders keep what they were for. */
async function insertNewOffer(tx: Tx, place: OfferPlace, offer: OfferFields): Promise<number | undefined> {
  const row = await tx.maybe<{ id: number }>(sql`
    INSERT INTO offer (product_id, region_id, game_amount, price_usd, price_rub, is_popular, is_active)
    VALUES (${place.productId}, ${place.regionId}, ${offer.gameAmount}, ${offer.priceUsd}, ${offer.priceRub},
      ${offer.isPopular}, ${offer.isActive})
    ON CONFLICT (product_id, region_id, game_amount) WHERE deleted_at IS NULL DO NOTHING RETURNING id`)
  return row?.id
}

const readCodes = (offerId: number, statuses: CodeStatus[]) => sql`
  (SELECT count(*)::int FROM (
    SELECT FROM code WHERE offer_id = ${offerId} AND status = ANY (${statuses}) LIMIT ${LIMITS.listCountMax}) AS code)`

const readOfferBelongings = (queries: Queries, offerId: number) =>
  queries.one<OfferBelongings>(sql`
    SELECT ${readCodes(offerId, ['available', 'unpublished', 'archived'])} AS unsold_codes,
      ${readCodes(offerId, ['reserved', 'used', 'quarantined'])} AS sold_codes,
      (SELECT count(*)::int FROM cart_item WHERE offer_id = ${offerId}) AS cart_items`)

export const retireOfferRow = (tx: Tx, offerId: number) =>
  tx.run(sql`UPDATE offer SET deleted_at = now(), is_active = false WHERE id = ${offerId}`)

const updateOffer = (
  tx: Tx,
  offerId: number,
  offer: Pick<EditedOfferRow, 'price_usd' | 'price_rub' | 'is_popular' | 'is_active' | 'item_id'>,
) =>
  tx.run(sql`
    UPDATE offer SET price_usd = ${offer.price_usd}, price_rub = ${offer.price_rub},
      is_popular = ${offer.is_popular}, is_active = ${offer.is_active}, item_id = ${offer.item_id}
    WHERE id = ${offerId}`)

const shownOffer = (row: EditedOfferRow): EditedOffer => ({
  ...row,
  price_usd: toMajor(row.price_usd),
  price_rub: toMajor(row.price_rub),
  created_at: row.created_at.toISOString(),
})

function found(row: EditedOfferRow | undefined): EditedOffer {
  if (!row) throw new Failure('OFFER_NOT_FOUND')
  return shownOffer(row)
}

type Flags = Pick<EditedOffer, 'price_usd' | 'price_rub' | 'is_popular' | 'is_active' | 'item_id'>

const edited = ({ price_usd, price_rub, is_popular, is_active, item_id }: Flags) => ({
  price_usd,
  price_rub,
  is_popular,
  is_active,
  item_id,
})

const placed = ({ product_id, region_id, game_amount, ...offer }: EditedOffer) => ({
  product_id,
  region_id,
  game_amount,
  ...edited(offer),
})

/** Reads a package and what its deletion would delete. Refuses a missing one with OFFER_NOT_FOUND. */
export async function readOffer(
  queries: Queries,
  offerId: number,
): Promise<EditedOffer & { belongings: OfferBelongings }> {
  const offer = found(await findOffer(queries, offerId))
  return { ...offer, belongings: await readOfferBelongings(queries, offerId) }
}

/** Packages of the top-up pages are denominations of their game and edited as such. */
async function requireCodes(tx: Tx, productId: number): Promise<void> {
  const product = await lockProduct(tx, productId)
  if (product.kind === 'topup') throw new Failure('STATE_CONFLICT', { reason: 'product_built_in', product: 'built_in' })
}

/**
 * Adds a package without codes. Refuses a missing place (NOT_FOUND), an existing amount (DUPLICATE), and unusual prices
 * that are not confirmed (PRICE_CHANGED).
 */
export async function createOffer(tx: Tx, adminId: number, productId: number, wanted: NewOffer): Promise<EditedOffer> {
  await requireCodes(tx, productId)
  const place = { productId, regionId: wanted.regionId || null }
  await requirePlace(tx, place)
  const { gameAmount, isPopular, isActive } = wanted
  const [priceUsd, priceRub] = [toMinor(wanted.priceUsd), toMinor(wanted.priceRub)]
  const id = await insertNewOffer(tx, place, { gameAmount, priceUsd, priceRub, isPopular, isActive })
  if (id === undefined) throw new Failure('DUPLICATE', { gameAmount: 'duplicate' })
  await requireUsualPrice(tx, { gameAmount, priceUsd, priceRub, was: undefined }, wanted.confirmPrices)
  const after = found(await findOffer(tx, id))
  await writeAudit(tx, { actorId: adminId, action: 'offer.create', subject: `offer:${id}`, after: placed(after) })
  tx.notify('catalogue', `product:${productId}`)
  return after
}

/** Locks a package for its deletion: nobody else changes it or adds codes to it. */
export async function lockOfferToDelete(tx: Tx, offerId: number): Promise<EditedOffer> {
  const offer = found(await lockOffer(tx, offerId))
  await requireCodes(tx, offer.product_id)
  return offer
}

/** Takes a package off sale for good; the caller has dealt with its codes. */
export async function retireOffer(tx: Tx, offer: EditedOffer): Promise<void> {
  await retireOfferRow(tx, offer.id)
  tx.notify('catalogue', `product:${offer.product_id}`)
}

/**
 * Changes a package's price, popularity, availability or its supplier's name for it. Carts are only charged a new price
 * once it was shown. Refuses unusual prices that are not confirmed with PRICE_CHANGED.
 */
export async function changeOffer(tx: Tx, adminId: number, offerId: number, change: OfferChange): Promise<EditedOffer> {
  const before = found(await lockOffer(tx, offerId))
  requireVersion(before, change.version)
  const priceUsd = toMinor(change.priceUsd ?? before.price_usd)
  const priceRub = toMinor(change.priceRub ?? before.price_rub)
  const was = { priceUsd: toMinor(before.price_usd), priceRub: toMinor(before.price_rub) }
  await requireUsualPrice(tx, { gameAmount: before.game_amount, priceUsd, priceRub, was }, change.confirmPrices)
  const update = updateOffer(tx, offerId, {
    price_usd: priceUsd,
    price_rub: priceRub,
    is_popular: change.isPopular ?? before.is_popular,
    is_active: change.isActive ?? before.is_active,
    item_id: change.itemId === undefined ? before.item_id : change.itemId || null,
  })
  await orDuplicate(update, 'offer_item_id', 'itemId')
  const after = found(await findOffer(tx, offerId))
  const entry = { actorId: adminId, action: 'offer.update', subject: `offer:${offerId}` } as const
  await writeAuditChange(tx, entry, edited(before), edited(after))
  tx.notify('catalogue', `product:${after.product_id}`)
  return after
}
