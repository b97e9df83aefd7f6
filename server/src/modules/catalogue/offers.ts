import type { CodeStatus } from '@olmos/contract/codes'
import { Failure } from '@olmos/contract/failure'
import * as LIMITS from '@olmos/contract/limits'
import { toMajor, toMinor } from '@olmos/contract/minor-units'
import type { EditedOffer, NewOffer, OfferBelongings, OfferChange, offersApi } from '@olmos/contract/offers'
import {
  allConditions,
  countAll,
  direction,
  orDuplicate,
  requireVersion,
  type SortedList,
  toPage,
  withTotal,
} from '../../platform/database/lists.ts'
import { containing, type Queries, type Sql, sql, type Tx } from '../../platform/database/queries.ts'
import { writeAudit, writeAuditChange } from '../../platform/security/audit.ts'
import { lockPrices } from '../pricing/reprice.ts'
import { type OfferPricingRow, setCosting, shownPricing, typePrice } from '../pricing/typed-prices.ts'
import { pricingColumns, withCost, withRubRate } from '../pricing/wanted-prices.ts'
import { withoutBlank } from '../regions/regions.ts'
import { availableCount } from './availability.ts'
import { lockShelf, requirePlace, requireUsualPrice } from './price-offers.ts'
import type { OfferPrice, WantedPrice } from './product.rules.ts'

/** Prices are in minor units. */
interface EditedOfferRow extends Omit<EditedOffer, 'created_at' | keyof OfferPricingRow>, OfferPricingRow {
  created_at: Date
}

const offersWhere = (condition: Sql) => sql`
  SELECT offer.id, offer.product_id, coalesce(offer.region_id, 0) AS region_id, coalesce(region.name, '') AS region_name,
    coalesce(offer.name, '') AS name, offer.translations, offer.item_id, offer.game_amount,
    coalesce(nullif(product_region.game_currency, ''), product.game_currency) AS game_currency,
    offer.price_usd, offer.price_rub, ${availableCount} AS available_count, offer.is_popular,
    offer.is_active, offer.low_stock, ${pricingColumns}, offer.created_at, offer.version
  FROM offer JOIN product ON product.id = offer.product_id AND product.deleted_at IS NULL
  LEFT JOIN region ON region.id = offer.region_id
  LEFT JOIN product_region ON product_region.product_id = offer.product_id AND product_region.region_id = offer.region_id
  ${withRubRate} ${withCost}
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

interface OfferList extends SortedList<typeof offersApi.list> {
  productId: number
}

/** A search is by game amount, or by a part of a name in some language or of the supplier's name. */
const isListed = ({ productId, search }: OfferList) =>
  allConditions(
    sql`offer.product_id = ${productId}`,
    sql`offer.deleted_at IS NULL`,
    search
      ? sql`(offer.game_amount::text = ${search} OR offer.name ILIKE ${containing(search)}
          OR EXISTS (SELECT FROM jsonb_each_text(offer.translations) WHERE value ILIKE ${containing(search)})
          OR offer.item_id ILIKE ${containing(search)})`
      : undefined,
  )

/** Reads a page of a product's packages as the admin area shows them, and how many there are in all. */
export async function listEditedOffers(
  queries: Queries,
  list: OfferList,
): Promise<{ data: EditedOffer[]; total: number }> {
  const { rows, total } = await withTotal(
    list,
    queries.rows<EditedOfferRow>(sql`
      ${offersWhere(isListed(list))}
      ORDER BY ${toColumn[list.sort]} ${direction(list.order)} NULLS FIRST, offer.id ${toPage(list)}`),
    () => countAll(queries, sql`SELECT FROM offer WHERE ${isListed(list)}`),
  )
  return { data: rows.map(shownOffer), total }
}

const findOffer = (queries: Queries, offerId: number) =>
  queries.maybe<EditedOfferRow>(offersWhere(sql`offer.id = ${offerId}`))

/** Reads and locks an offer until the transaction ends. Simultaneous buyers only need it to exist. */
const lockOffer = (tx: Tx, offerId: number) =>
  tx.maybe<EditedOfferRow>(sql`${offersWhere(sql`offer.id = ${offerId}`)} FOR NO KEY UPDATE OF offer`)

interface OfferFields extends OfferPrice {
  name: string | null
  translations: EditedOffer['translations']
  itemId: string | null
  isPopular: boolean
  isActive: boolean
  lowStock: number | null
}

/** Makes one in each region that lacks the amount. A deleted one stays deleted: orders keep what they were for. */
const insertNewOffers = (tx: Tx, productId: number, regionIds: readonly number[], offer: OfferFields) =>
  tx.rows<{ id: number; region_id: number }>(sql`
    INSERT INTO offer (product_id, region_id, game_amount, name, translations, item_id, price_usd, price_rub, is_popular,
      is_active, low_stock)
    SELECT ${productId}, nullif(region_id, 0), ${offer.gameAmount}, ${offer.name}, ${offer.translations}, ${offer.itemId},
      ${offer.priceUsd}, ${offer.priceRub}, ${offer.isPopular}, ${offer.isActive}, ${offer.lowStock}
    FROM unnest(${regionIds}::int[]) AS region_id
    ORDER BY region_id -- Two admins who add to several regions wait for each other in one order.
    ON CONFLICT (product_id, region_id, game_amount) WHERE deleted_at IS NULL DO NOTHING
    RETURNING id, coalesce(region_id, 0) AS region_id`)

/** Those on its own shelf, and those that deliver it when they are spent: each has an index, both together have none. */
const codesIn = (offerId: number, statuses: CodeStatus[]) => sql`
  SELECT FROM code WHERE offer_id = ${offerId} AND status = ANY (${statuses})
  UNION ALL
  SELECT FROM code WHERE denomination_id = ${offerId} AND offer_id <> ${offerId} AND status = ANY (${statuses})`

/** Counts every unsold code: a deletion is refused when there are more than its admin saw. */
const readOfferBelongings = (queries: Queries, offerId: number) =>
  queries.one<OfferBelongings>(sql`
    SELECT
      (SELECT count(*)::int FROM (${codesIn(offerId, ['available', 'unpublished', 'archived'])}) AS code) AS unsold_codes,
      (SELECT count(*)::int FROM (
        ${codesIn(offerId, ['reserved', 'used', 'quarantined'])} LIMIT ${LIMITS.listCountMax}) AS code) AS sold_codes,
      (SELECT count(*)::int FROM cart_item WHERE offer_id = ${offerId}) AS cart_items`)

type OfferValues = Pick<
  EditedOffer,
  | 'name'
  | 'translations'
  | 'price_usd'
  | 'price_rub'
  | 'price_mode'
  | 'base_cost'
  | 'base_currency'
  | 'is_popular'
  | 'is_active'
  | 'item_id'
  | 'low_stock'
>

const updateOffer = (
  tx: Tx,
  offerId: number,
  typed: Sql,
  offer: Pick<OfferFields, 'name'> & Pick<OfferValues, 'translations' | 'is_popular' | 'item_id' | 'low_stock'>,
) =>
  tx.run(sql`
    UPDATE offer SET ${typed}, name = ${offer.name}, translations = ${offer.translations},
      is_popular = ${offer.is_popular}, item_id = ${offer.item_id}, low_stock = ${offer.low_stock}
    WHERE id = ${offerId}`)

const shownOffer = (row: EditedOfferRow): EditedOffer => ({
  ...row,
  ...shownPricing(row),
  price_usd: toMajor(row.price_usd),
  price_rub: toMajor(row.price_rub),
  created_at: row.created_at.toISOString(),
})

function found(row: EditedOfferRow | undefined): EditedOffer {
  if (!row) throw new Failure('OFFER_NOT_FOUND')
  return shownOffer(row)
}

const edited = (offer: OfferValues): OfferValues => ({
  name: offer.name,
  translations: offer.translations,
  price_usd: offer.price_usd,
  price_rub: offer.price_rub,
  price_mode: offer.price_mode,
  base_cost: offer.base_cost,
  base_currency: offer.base_currency,
  is_popular: offer.is_popular,
  is_active: offer.is_active,
  item_id: offer.item_id,
  low_stock: offer.low_stock,
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

/** What is called by its amount has no names. */
const toNames = ({ name, translations }: Pick<NewOffer, 'name' | 'translations'>) => ({
  name: name || null,
  translations: name ? withoutBlank(translations ?? {}) : {},
})

/**
 * Adds a package without codes, in each of the regions or in none. Refuses a missing place (NOT_FOUND), an existing amount, of
 * which it names the regions, or supplier's name (DUPLICATE), and unusual prices that are not confirmed (PRICE_CHANGED).
 */
export async function createOffers(
  tx: Tx,
  adminId: number,
  productId: number,
  wanted: NewOffer,
): Promise<[EditedOffer, ...EditedOffer[]]> {
  const regionIds = wanted.regionIds ?? [wanted.regionId ?? 0]
  for (const regionId of regionIds) await requirePlace(tx, { productId, regionId: regionId || null })
  const { gameAmount, isPopular, isActive } = wanted
  const [priceUsd, priceRub] = [toMinor(wanted.priceUsd), toMinor(wanted.priceRub)]
  const texts = { ...toNames(wanted), itemId: wanted.itemId || null, lowStock: wanted.lowStock ?? null }
  const made = await refuseTakenItem(
    insertNewOffers(tx, productId, regionIds, { ...texts, gameAmount, priceUsd, priceRub, isPopular, isActive }),
  )
  const ids = new Map(made.map(({ id, region_id }) => [region_id, id]))
  const taken = regionIds.flatMap((regionId, at) => (ids.has(regionId) ? [] : [`regionIds.${at}`]))
  if (taken.length > 0) {
    const fields = wanted.regionIds ? taken : ['gameAmount']
    throw new Failure('DUPLICATE', Object.fromEntries(fields.map((field) => [field, 'duplicate' as const])))
  }
  await requireUsualPrice(tx, { gameAmount, priceUsd, priceRub, was: undefined }, wanted.confirmPrices)
  const offers: EditedOffer[] = []
  for (const regionId of regionIds) offers.push(await noteNew(tx, adminId, ids.get(regionId) ?? 0))
  tx.notify('catalogue', `product:${productId}`)
  return offers as [EditedOffer, ...EditedOffer[]]
}

async function noteNew(tx: Tx, adminId: number, id: number): Promise<EditedOffer> {
  const after = found(await findOffer(tx, id))
  await writeAudit(tx, { actorId: adminId, action: 'offer.create', subject: `offer:${id}`, after: placed(after) })
  return after
}

/** Locks a package for its deletion: nobody else changes it or adds codes to it. */
export async function lockOfferToDelete(tx: Tx, offerId: number): Promise<EditedOffer> {
  await lockShelf(tx, offerId)
  return found(await lockOffer(tx, offerId))
}

const refuseTakenItem = <T>(write: Promise<T>): Promise<T> => orDuplicate(write, 'offer_item_id', 'itemId')

/** Takes a package off sale for good; the caller has dealt with its codes. */
export async function retireOffer(tx: Tx, { id, product_id }: Pick<EditedOffer, 'id' | 'product_id'>): Promise<void> {
  await tx.run(sql`UPDATE offer SET deleted_at = now(), is_active = false WHERE id = ${id}`)
  tx.notify('catalogue', `product:${product_id}`)
}

/**
 * Changes how a package is priced, its name, popularity, availability or its supplier's name for it. Carts are only charged a
 * new price once it was shown. Refuses unusual prices that are not confirmed with PRICE_CHANGED, and one under its cost that
 * nobody has agreed to with FLOOR_PRICE.
 */
export async function changeOffer(tx: Tx, adminId: number, offerId: number, change: OfferChange): Promise<EditedOffer> {
  const { priceMode, base, confirmPrices: isConfirmed, underFloor } = change
  const isCosted = priceMode !== undefined || base !== undefined
  if (isCosted) await lockPrices(tx)
  const before = found(await lockOffer(tx, offerId))
  requireVersion(before, change.version)
  if (isCosted) await setCosting(tx, adminId, offerId, { priceMode, base, isConfirmed })
  const now = isCosted ? found(await findOffer(tx, offerId)) : before
  await requireUsualPrice(tx, typedPrice(now, change), isConfirmed)
  const [priceUsd, priceRub] = [toPrice(change.priceUsd), toPrice(change.priceRub)]
  const typed = await typePrice(tx, adminId, offerId, { priceUsd, priceRub, isActive: change.isActive, underFloor })
  const names = toNames({
    name: change.name ?? before.name,
    translations: { ...before.translations, ...change.translations },
  })
  const update = updateOffer(tx, offerId, typed, {
    ...names,
    is_popular: change.isPopular ?? before.is_popular,
    item_id: change.itemId === undefined ? before.item_id : change.itemId || null,
    low_stock: change.lowStock === undefined ? before.low_stock : change.lowStock,
  })
  await refuseTakenItem(update)
  const after = found(await findOffer(tx, offerId))
  if (before.under_floor_since === null && after.under_floor_since !== null) refuseUnderFloor(after)
  const entry = { actorId: adminId, action: 'offer.update', subject: `offer:${offerId}` } as const
  await writeAuditChange(tx, entry, edited(before), edited(after))
  tx.notify('catalogue', `product:${after.product_id}`)
  return after
}

const toPrice = (price: number | undefined) => (price === undefined ? undefined : toMinor(price))

/** The price that is typed, in minor units, beside the one in force. */
function typedPrice(offer: EditedOffer, { priceUsd, priceRub }: OfferChange): WantedPrice {
  const was = { priceUsd: toMinor(offer.price_usd), priceRub: toMinor(offer.price_rub) }
  return {
    gameAmount: offer.game_amount,
    priceUsd: toPrice(priceUsd) ?? was.priceUsd,
    priceRub: toPrice(priceRub) ?? was.priceRub,
    was,
  }
}

/** Refuses a cost that would take the package off sale, because nobody has agreed to sell it for less. */
function refuseUnderFloor({ game_amount, price_usd, price_rub, floor_usd, floor_rub }: EditedOffer): never {
  const floors = { floor_usd: floor_usd ?? 0, floor_rub: floor_rub ?? 0 }
  throw new Failure('FLOOR_PRICE', { prices: [{ game_amount, price_usd, price_rub, ...floors }] })
}
