import { Failure } from '@olmos/contract/failure'
import { toMajor, toMinor } from '@olmos/contract/money'
import type { EditedOffer, NewOffer, OfferBelongings, OfferChange } from '@olmos/contract/offers'
import type { Queries, Tx } from '../../platform/database/database.ts'
import { orDuplicate, requireVersion } from '../../platform/database/lists.ts'
import { announce } from '../../platform/database/notify.ts'
import { record, recordChange } from '../../platform/security/audit.ts'
import {
  type EditedOfferRow,
  findOffer,
  insertNewOffer,
  lockOffer,
  readOfferBelongings,
  retireOffer,
  updateOffer,
} from './offers.store.ts'
import { requirePlace, requireUsualPrice } from './price-offers.ts'
import { holdProduct } from './products.ts'

export const shownOffer = (row: EditedOfferRow): EditedOffer => ({
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

/** A package, and what deleting it would take along. Refuses one that is not there: OFFER_NOT_FOUND. */
export async function readOffer(
  queries: Queries,
  offerId: number,
): Promise<EditedOffer & { belongings: OfferBelongings }> {
  const offer = found(await findOffer(queries, offerId))
  return { ...offer, belongings: await readOfferBelongings(queries, offerId) }
}

/** Packages of the top-up pages are denominations of their game and edited as such. */
async function requireCodes(tx: Tx, productId: number): Promise<void> {
  const product = await holdProduct(tx, productId)
  if (product.kind === 'topup') throw new Failure('STATE_CONFLICT', { product: 'built_in' })
}

/**
 * Adds a package that has no codes yet. Refuses a place that is not there (NOT_FOUND) or that has one of the amount
 * (DUPLICATE), and unusual prices that are not confirmed (PRICE_CHANGED).
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
  await record(tx, { actorId: adminId, action: 'offer.create', subject: `offer:${id}`, after: placed(after) })
  await announce(tx, 'catalogue', `product:${productId}`)
  return after
}

/** A package that is about to be deleted: nobody else changes it or puts codes behind it. */
export async function holdOfferForDeletion(tx: Tx, offerId: number): Promise<EditedOffer> {
  const offer = found(await lockOffer(tx, offerId))
  await requireCodes(tx, offer.product_id)
  return offer
}

/** Takes a package off the shelves for good; the caller has dealt with its codes. */
export async function retirePackage(tx: Tx, offer: EditedOffer): Promise<void> {
  await retireOffer(tx, offer.id)
  await announce(tx, 'catalogue', `product:${offer.product_id}`)
}

/**
 * Prices a package anew, marks it popular, takes it off sale or names it as its supplier does. What is in carts is charged
 * at the new price only once it was shown. Refuses unusual prices that are not confirmed: PRICE_CHANGED.
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
  await recordChange(tx, entry, edited(before), edited(after))
  await announce(tx, 'catalogue', `product:${after.product_id}`)
  return after
}
