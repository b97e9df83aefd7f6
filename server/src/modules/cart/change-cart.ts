import type { AddToCart } from '@olmos/contract/cart'
import { Failure } from '@olmos/contract/failure'
import { LIMITS } from '@olmos/contract/limits'
import { toMajor, toMinor } from '@olmos/contract/money'
import type { Tx } from '../../platform/database.ts'
import {
  countLines,
  deleteItem,
  deleteItems,
  findItem,
  findItemOfOffer,
  findOfferToAdd,
  insertItem,
  type OfferToAdd,
  setQuantity,
  touchCart,
} from './cart.store.ts'

/** Puts a package into the cart, or adds to the quantity it has there; answers the line's id. */
export async function addToCart(tx: Tx, userId: number, wanted: AddToCart): Promise<number> {
  await touchCart(tx, userId)
  const offer = await findOfferToAdd(tx, { ...wanted, regionId: wanted.regionId || null })
  if (!offer) throw new Failure('OFFER_NOT_FOUND')
  refuseOtherPrice(offer, wanted)
  const item = await findItemOfOffer(tx, userId, offer.id)
  const quantity = (item?.quantity ?? 0) + wanted.quantity
  refuseMoreThan(offer.available_count, quantity, offer.id)
  if (!item && (await countLines(tx, userId)) >= LIMITS.cartLinesMax)
    throw new Failure('STATE_CONFLICT', { cart: 'full' })
  if (!item) return insertItem(tx, userId, offer, quantity)
  await setQuantity(tx, item.id, quantity)
  return item.id
}

function refuseOtherPrice(offer: OfferToAdd, seen: AddToCart): void {
  if (offer.price_usd === toMinor(seen.priceUsd) && offer.price_rub === toMinor(seen.priceRub)) return
  throw new Failure('PRICE_CHANGED', {
    offer_id: offer.id,
    game_amount: seen.gameAmount,
    price_usd: toMajor(offer.price_usd),
    price_rub: toMajor(offer.price_rub),
  })
}

function refuseMoreThan(available: number, quantity: number, offerId: number): void {
  const limit = Math.min(available, LIMITS.quantityMax)
  if (quantity > limit)
    throw new Failure('OUT_OF_STOCK', { offer_id: offerId, requested: quantity, available_count: limit })
}

export async function changeQuantity(tx: Tx, userId: number, itemId: number, quantity: number): Promise<void> {
  await touchCart(tx, userId)
  const item = await findItem(tx, userId, itemId)
  if (!item) throw new Failure('NOT_FOUND')
  refuseMoreThan(item.available_count, quantity, item.offer_id)
  await setQuantity(tx, itemId, quantity)
}

export async function removeFromCart(tx: Tx, userId: number, itemId: number): Promise<void> {
  await touchCart(tx, userId)
  if ((await deleteItem(tx, userId, itemId)) === 0) throw new Failure('NOT_FOUND')
}

export async function clearCart(tx: Tx, userId: number): Promise<void> {
  await Promise.all([touchCart(tx, userId), deleteItems(tx, userId)])
}
