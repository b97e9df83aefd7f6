import type { AddToCart } from '@olmos/contract/cart'
import { Failure } from '@olmos/contract/failure'
import type { Language } from '@olmos/contract/fields'
import { LIMITS } from '@olmos/contract/limits'
import { toMajor, toMinor } from '@olmos/contract/minor-units'
import { SERVER_LIMITS } from '../../limits.ts'
import type { Queries, Tx } from '../../platform/database/queries.ts'
import type { PlayerCheck } from '../topups/player-check.ts'
import { priceSteamAgain } from '../topups/price-steam.ts'
import { type CheckedTopup, priceTopup } from '../topups/price-topup.ts'
import { requireSeenPrices, type SteamCredit, type TopupLine, type TopupTarget } from '../topups/topup-lines.ts'
import {
  addItem,
  type CartRow,
  countLines,
  deleteItem,
  emptyCart,
  findItem,
  findOfferLine,
  findTopupItem,
  insertTopup,
  type LineRow,
  lockCartRow,
  type OfferLine,
  type Prices,
  readLines,
  readOfferedAccounts,
  setQuantity,
  type TopupColumns,
  touchCart,
} from './cart.store.ts'

/** Adds the prices of items that are amounts at the rates in force, and what arrives. */
export async function withSteamPrices<Item extends TopupColumns & Prices & { product_id: number | null }>(
  queries: Queries,
  items: readonly Item[],
): Promise<(Item & { steam: SteamCredit | null })[]> {
  const toWish = ({ steam_amount: amount, steam_currency: currency, product_id: productId }: Item) =>
    amount !== null && currency !== null && productId !== null ? { amount, currency, productId } : undefined
  const prices = await priceSteamAgain(
    queries,
    items.flatMap((item) => toWish(item) ?? []),
  )
  return items.map((item) => {
    const price = toWish(item) && prices.shift()
    if (!price) return { ...item, steam: null }
    return { ...item, price_usd: price.priceUsd, price_rub: price.priceRub, steam: price.credit }
  })
}

export interface CartLine extends Omit<LineRow, keyof TopupColumns | 'account_fields'> {
  /** The recipient of a top-up. */
  target: TopupTarget | null
}

interface LockedCart {
  version: number
  lines: CartLine[]
}

/** Locks the cart and reads it as it would be charged now; nobody changes or buys it until the transaction ends. */
export async function lockCart(tx: Tx, userId: number): Promise<LockedCart> {
  const { cart, lines } = await tx.pipeline({
    cart: (tx) => lockCartRow(tx, userId),
    lines: (tx) => readLines(tx, userId),
  })
  return { version: cart.version, lines: (await withSteamPrices(tx, lines)).map(toLine) }
}

function toLine({
  service,
  account,
  player_name: playerName,
  steam_amount: _amount,
  steam_currency: _currency,
  account_fields: values,
  steam,
  ...line
}: LineRow & { steam: SteamCredit | null }): CartLine {
  if (!service || !account || !values) return { ...line, target: null }
  return { ...line, target: { service, account, values, playerName, steam } }
}

/**
 * Refuses a cart with an account that certainly can't be topped up, as `PlayerCheck.check` does: it was fine when it was
 * added, or nobody could tell. It asks suppliers, about all accounts at once, so call it outside any transaction.
 */
export async function requireKnownAccounts(
  queries: Queries,
  players: PlayerCheck,
  { userId, address }: { userId: number; address: string },
): Promise<void> {
  const accounts = await readOfferedAccounts(queries, userId)
  await Promise.all(
    accounts.map(({ slug, pricing, account: text, account_fields: values }) =>
      players.check({ slug, pricing, player_check: 'offered' }, { text, values }, address),
    ),
  )
}

/** Locks a cart without reading its lines, so that changes of one customer's orders wait for each other. */
export async function lockCartVersion(tx: Tx, userId: number): Promise<number> {
  const { version } = await lockCartRow(tx, userId)
  return version
}

/** Adds an offer to the cart, or to the quantity of its line there; returns the line as it is then. */
export async function addToCart(tx: Tx, userId: number, wanted: AddToCart, language: Language): Promise<CartRow> {
  const { line } = await tx.pipeline({
    version: (tx) => touchCart(tx, userId),
    line: (tx) => findOfferLine(tx, userId, { ...wanted, regionId: wanted.regionId || null, language }),
  })
  if (!line) throw new Failure('OFFER_NOT_FOUND')
  refuseOtherPrice(line, wanted)
  const quantity = line.quantity + wanted.quantity
  refuseMoreThan(line.available_count, quantity, { offerId: line.offer_id, inCart: line.quantity })
  if (!line.is_in_cart) refuseFullCart(line.lines)
  tx.atCommit(line.is_in_cart ? setQuantity(line.id, quantity) : addItem(userId, line, quantity))
  return { ...line, quantity }
}

/**
 * Adds a top-up to the cart, a line per offer, or to the quantity of the player's lines there; returns the first line's
 * id.
 */
export async function addTopup(tx: Tx, userId: number, topup: CheckedTopup): Promise<number | undefined> {
  await touchCart(tx, userId)
  const lines = await priceTopup(tx, topup)
  const unavailable = lines.find((line) => !line.is_on_sale)
  if (unavailable)
    throw new Failure('OUT_OF_STOCK', {
      offer_id: unavailable.offer_id,
      requested: unavailable.quantity,
      available_count: 0,
    })
  requireSeenPrices(lines, topup.seen)
  const ids: number[] = []
  for (const line of lines) ids.push(await addTopupLine(tx, userId, line))
  return ids[0]
}

async function addTopupLine(tx: Tx, userId: number, line: TopupLine): Promise<number> {
  const item = await findTopupItem(tx, userId, line)
  const quantity = (item?.quantity ?? 0) + line.quantity
  refuseMoreThan(LIMITS.topupUnitsMax, quantity, { offerId: line.offer_id, inCart: item?.quantity ?? 0 })
  if (!item) {
    refuseFullCart(await countLines(tx, userId))
    return insertTopup(tx, userId, line)
  }
  await tx.run(setQuantity(item.id, quantity))
  return item.id
}

function refuseFullCart(lines: number): void {
  if (lines >= SERVER_LIMITS.cartLinesMax) throw new Failure('STATE_CONFLICT', { reason: 'cart_full', cart: 'full' })
}

function refuseOtherPrice(offer: OfferLine, seen: AddToCart): void {
  if (offer.price_usd === toMinor(seen.priceUsd) && offer.price_rub === toMinor(seen.priceRub)) return
  throw new Failure('PRICE_CHANGED', {
    offer_id: offer.offer_id,
    game_amount: seen.gameAmount,
    price_usd: toMajor(offer.price_usd),
    price_rub: toMajor(offer.price_rub),
  })
}

/** `in_cart` explains why adding as many as the page shows to an existing line is too many. */
function refuseMoreThan(
  available: number,
  quantity: number,
  { offerId, inCart }: { offerId: number | null; inCart: number },
): void {
  const limit = Math.min(available, LIMITS.quantityMax)
  if (quantity <= limit) return
  throw new Failure('OUT_OF_STOCK', {
    offer_id: offerId,
    requested: quantity,
    available_count: limit,
    in_cart: inCart,
  })
}

export async function changeQuantity(tx: Tx, userId: number, itemId: number, quantity: number): Promise<void> {
  await touchCart(tx, userId)
  const item = await findItem(tx, userId, itemId)
  if (!item) throw new Failure('NOT_FOUND')
  refuseMoreThan(item.available_count, quantity, { offerId: item.offer_id, inCart: 0 })
  await tx.run(setQuantity(itemId, quantity))
}

export async function removeFromCart(tx: Tx, userId: number, itemId: number): Promise<void> {
  await touchCart(tx, userId)
  if ((await deleteItem(tx, userId, itemId)) === 0) throw new Failure('NOT_FOUND')
}

export async function clearCart(tx: Tx, userId: number): Promise<void> {
  await tx.pipeline({ version: (tx) => touchCart(tx, userId), lines: (tx) => emptyCart(tx, userId) })
}
