import { type AddToCart, type CartItem, cartApi } from '@olmos/contract/cart'
import { Failure } from '@olmos/contract/failure'
import type { Language } from '@olmos/contract/fields'
import * as LIMITS from '@olmos/contract/limits'
import { toMajor, toMinor } from '@olmos/contract/minor-units'
import { toSmallPicture } from '@olmos/contract/picture-address'
import type { ShownTopup } from '@olmos/contract/topup-data'
import { SERVER_LIMITS } from '../../limits.ts'
import type { Context } from '../../platform/context.ts'
import { type Queries, sql, type Tx } from '../../platform/database/queries.ts'
import {
  availableCount,
  isOnSale,
  nameInLanguage,
  offerPlace,
  onShelfUpTo,
  productTexts,
  readRoomOnDemand,
} from '../catalogue/availability.ts'
import { regionColumn } from '../regions/regions.ts'
import type { PlayerCheck } from '../topups/player-check.ts'
import { type CheckedTopup, checkTopup, formatTopup, priceTopup } from '../topups/price-topup.ts'
import { requireSeenPrices, shownAccount, type TopupLine } from '../topups/topups.ts'
import {
  emptyCart,
  isOrderable,
  itemOffer,
  ownAccount,
  type Prices,
  soldColumns,
  type TopupColumns,
  topupColumns,
  withSteamPrices,
} from './cart.ts'

interface CartRow extends TopupColumns, Prices, Omit<CartItem, keyof Prices | 'topup_data'> {
  /** The offer's name, if there is one. */
  name: string | null
  /** What was filled in for a top-up, under its labels. */
  shown_account: ShownTopup['account'] | null
}

/** A top-up is bought when it is ordered: there is as much as one order may have, or nobody who delivers it. */
const availableForItem = sql`
  CASE WHEN NOT ${isOnSale} THEN 0
    WHEN cart_item.service IS NOT NULL
      THEN CASE WHEN ${isOrderable} THEN ${LIMITS.topupUnitsMax}::int ELSE 0 END
    ELSE ${availableCount} END AS available_count`

/** What the customer is shown of a line's product. Needs `offer`, `product`, its place and `texts` in scope. */
const shownColumns = (language: Language) => sql`
  product.id AS product_id, product.slug AS product_slug, texts.title AS product_title, texts.description,
  product.image_url, product.color, coalesce(offer.region_id, 0) AS region_id, ${regionColumn(language)} AS region,
  ${nameInLanguage(language)} AS name`

/** What was filled in, in the customer's language. Needs `product` in scope. */
const accountColumn = (language: Language) => sql`
  CASE WHEN cart_item.service IS NOT NULL THEN ${shownAccount(language, ownAccount)} END AS shown_account`

const readCart = (queries: Queries, userId: number, language: Language) =>
  queries.rows<CartRow>(sql`
    SELECT cart_item.id, ${shownColumns(language)}, ${soldColumns}, ${availableForItem}, ${accountColumn(language)}
    FROM cart_item ${itemOffer} ${productTexts(language)}
    WHERE cart_item.user_id = ${userId} ORDER BY cart_item.id`)

/** Stores these as the prices that the customer saw. */
const rememberSeenPrices = (queries: Queries, userId: number, items: readonly (Prices & { id: number })[]) =>
  queries.run(sql`
    UPDATE cart_item SET seen_usd = shown.usd, seen_rub = shown.rub
    FROM unnest(
      ${items.map((item) => item.id)}::bigint[], ${items.map((item) => item.price_usd)}::bigint[],
      ${items.map((item) => item.price_rub)}::bigint[]) AS shown (id, usd, rub)
    WHERE cart_item.id = shown.id AND cart_item.user_id = ${userId}
      AND (cart_item.seen_usd, cart_item.seen_rub) IS DISTINCT FROM (shown.usd, shown.rub)`)

/** How much is in a customer's cart, which every page of a logged-in visitor asks for. Needs `users` in scope. */
const itemCount = sql`(
  SELECT coalesce(sum(quantity), 0)::int FROM cart_item WHERE user_id = users.id)`

async function countLines(tx: Tx, userId: number): Promise<number> {
  const { count } = await tx.one<{ count: number }>(
    sql`SELECT count(*)::int AS count FROM cart_item WHERE user_id = ${userId}`,
  )
  return count
}

/** How many more than are wanted are counted, so that the buttons of the line know that there are more. */
const countedBeyond = 100

/** An offer as the line that it would be, or add to, in a cart. */
interface OfferLine extends CartRow {
  offer_id: number
  /** Whether codes out of stock are bought, if a supplier sells them; `available_count` counts stock alone. */
  buys_on_demand: boolean
  /** Whether the cart has this line already. If not, `id` is drawn for it, and `quantity` is 0. */
  is_in_cart: boolean
  /** How many lines the cart has. */
  lines: number
}

/**
 * Reads an offer of codes that is on sale as a line of the customer's cart, to which `quantity` shall be added: stock is
 * counted only a little further than that. The caller has locked the cart.
 */
const findOfferLine = (
  tx: Tx,
  userId: number,
  {
    productId,
    regionId,
    gameAmount,
    quantity,
    language,
  }: { productId: number; regionId: number | null; gameAmount: number; quantity: number; language: Language },
) =>
  tx.maybe<OfferLine>(sql`
    SELECT coalesce(cart_item.id, nextval('cart_item_id_seq')) AS id, cart_item.id IS NOT NULL AS is_in_cart,
      (SELECT count(*)::int FROM cart_item WHERE user_id = ${userId}) AS lines,
      offer.id AS offer_id, ${shownColumns(language)}, coalesce(cart_item.quantity, 0) AS quantity, 'code' AS item_type,
      offer.game_amount::float8 AS game_amount, offer.price_usd, offer.price_rub, NULL::json AS shown_account,
      coalesce(nullif(product_region.game_currency, ''), product.game_currency) AS game_currency, ${topupColumns},
      product.buys_on_demand,
      ${onShelfUpTo(sql`coalesce(cart_item.quantity, 0) + ${quantity + countedBeyond}::int`)} AS available_count
    FROM offer JOIN product ON product.id = offer.product_id ${offerPlace} ${productTexts(language)}
    LEFT JOIN cart_item ON cart_item.user_id = ${userId} AND cart_item.offer_id = offer.id
      AND cart_item.service IS NULL
    WHERE offer.product_id = ${productId} AND offer.region_id IS NOT DISTINCT FROM ${regionId}
      AND offer.game_amount = ${gameAmount} AND product.kind = 'code' AND ${isOnSale}`)

interface ItemRow {
  id: number
  offer_id: number | null
  quantity: number
  available_count: number
}

const itemColumns = sql`cart_item.id, cart_item.offer_id, cart_item.quantity`

const findItem = (tx: Tx, userId: number, itemId: number) =>
  tx.maybe<ItemRow>(sql`
    SELECT ${itemColumns}, ${availableForItem}
    FROM cart_item ${itemOffer} WHERE cart_item.user_id = ${userId} AND cart_item.id = ${itemId}`)

/** Adds a line for an offer, with the prices that the customer saw. */
const addItem = (userId: number, { id, offer_id, price_usd, price_rub }: OfferLine, quantity: number) => sql`
  INSERT INTO cart_item (id, user_id, offer_id, quantity, seen_usd, seen_rub) OVERRIDING SYSTEM VALUE
  VALUES (${id}, ${userId}, ${offer_id}, ${quantity}, ${price_usd}, ${price_rub})`

const findTopupItem = (tx: Tx, userId: number, { offer_id, target }: TopupLine) =>
  tx.maybe<ItemRow>(sql`
    SELECT ${itemColumns}, 0 AS available_count FROM cart_item
    WHERE user_id = ${userId} AND service = ${target.service} AND account = ${target.account}
      AND offer_id IS NOT DISTINCT FROM ${offer_id}::int
      AND steam_amount IS NOT DISTINCT FROM ${target.steam?.amount ?? null}::bigint
      AND steam_currency IS NOT DISTINCT FROM ${target.steam?.currency ?? null}::text`)

async function insertTopup(tx: Tx, userId: number, line: TopupLine): Promise<number> {
  const { service, account, values, playerName, steam } = line.target
  const { id } = await tx.one<{ id: number }>(sql`
    INSERT INTO cart_item (user_id, offer_id, product_id, service, account, account_fields, player_name, steam_amount,
      steam_currency, quantity, seen_usd, seen_rub)
    VALUES (${userId}, ${line.offer_id}, ${line.product_id}, ${service}, ${account}, ${JSON.stringify(values)}, ${playerName},
      ${steam?.amount ?? null}, ${steam?.currency ?? null}, ${line.quantity}, ${line.price_usd}, ${line.price_rub})
    RETURNING id`)
  return id
}

const setQuantity = (itemId: number, quantity: number) =>
  sql`UPDATE cart_item SET quantity = ${quantity} WHERE id = ${itemId}`

/** Another quantity, of the account as it was filled in last: the fields may have been others before. */
const setTopup = (itemId: number, { target: { values, playerName } }: TopupLine, quantity: number) => sql`
  UPDATE cart_item SET quantity = ${quantity}, account_fields = ${JSON.stringify(values)}, player_name = ${playerName}
  WHERE id = ${itemId}`

const deleteItem = (tx: Tx, userId: number, itemId: number) =>
  tx.run(sql`DELETE FROM cart_item WHERE user_id = ${userId} AND id = ${itemId}`)

/** Locks the cart until the transaction ends and counts its version up. */
const touchCart = (tx: Tx, userId: number) =>
  tx.run(sql`UPDATE cart SET version = version + 1 WHERE user_id = ${userId}`)

/** Adds an offer to the cart, or to the quantity of its line there; returns the line as it is then. */
async function addToCart(tx: Tx, userId: number, wanted: AddToCart, language: Language): Promise<CartRow> {
  const { line } = await tx.pipeline({
    version: (tx) => touchCart(tx, userId),
    line: (tx) => findOfferLine(tx, userId, { ...wanted, regionId: wanted.regionId || null, language }),
  })
  if (!line) throw new Failure('OFFER_NOT_FOUND')
  refuseOtherPrice(line, wanted)
  const quantity = line.quantity + wanted.quantity
  const room = line.buys_on_demand ? await readRoomOnDemand(tx, line.offer_id) : 0
  const available_count = Math.min(line.available_count + room, LIMITS.stockShownMax)
  refuseMoreThan(available_count, quantity, { offerId: line.offer_id, inCart: line.quantity })
  if (!line.is_in_cart) refuseFullCart(line.lines)
  tx.atCommit(line.is_in_cart ? setQuantity(line.id, quantity) : addItem(userId, line, quantity))
  return { ...line, available_count, quantity }
}

/**
 * Adds a top-up to the cart, a line per offer, or to the quantity of the player's lines there; returns the first line's
 * id.
 */
async function addTopup(tx: Tx, userId: number, topup: CheckedTopup): Promise<number | undefined> {
  await touchCart(tx, userId)
  const lines = await priceTopup(tx, topup)
  const unavailable = lines.find((line) => !line.is_on_sale)
  if (unavailable)
    throw new Failure('OUT_OF_STOCK', {
      offer_id: unavailable.offer_id,
      requested: unavailable.quantity,
      available_count: 0,
    })
  requireSeenPrices(lines, { seen: topup.seen })
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
  await tx.run(setTopup(item.id, line, quantity))
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

async function changeQuantity(tx: Tx, userId: number, itemId: number, quantity: number): Promise<void> {
  await touchCart(tx, userId)
  const item = await findItem(tx, userId, itemId)
  if (!item) throw new Failure('NOT_FOUND')
  refuseMoreThan(item.available_count, quantity, { offerId: item.offer_id, inCart: 0 })
  await tx.run(setQuantity(itemId, quantity))
}

async function removeFromCart(tx: Tx, userId: number, itemId: number): Promise<void> {
  await touchCart(tx, userId)
  if ((await deleteItem(tx, userId, itemId)) === 0) throw new Failure('NOT_FOUND')
}

async function clearCart(tx: Tx, userId: number): Promise<void> {
  await tx.pipeline({ version: (tx) => touchCart(tx, userId), lines: (tx) => tx.run(emptyCart(userId)) })
}

const succeeded = { success: true } as const

const shownItem = ({ service, account, shown_account, player_name, name, ...row }: CartRow): CartItem => ({
  ...row,
  image_url: toSmallPicture(row.image_url),
  price_usd: toMajor(row.price_usd),
  price_rub: toMajor(row.price_rub),
  topup_data:
    service && account && shown_account
      ? formatTopup(
          { service, account, shown_account, player_name, name, is_amount: row.steam_amount !== null },
          { ...row, currency: null },
        )
      : null,
})

export function cartRoutes({ serve, database }: Context, players: PlayerCheck): void {
  const readItems = async (queries: Queries, userId: number, language: Language) =>
    withSteamPrices(queries, await readCart(queries, userId, language))

  const readItem = async (queries: Queries, userId: number, itemId: number | undefined, language: Language) => {
    const row = (await readItems(queries, userId, language)).find((item) => item.id === itemId)
    if (!row) throw new Failure('NOT_FOUND')
    return { ...succeeded, data: shownItem(row) }
  }

  serve(cartApi.list, async ({ user, language }) => {
    const items = await readItems(database, user.id, language)
    await rememberSeenPrices(database, user.id, items)
    return { ...succeeded, data: items.map(shownItem) }
  })

  serve.ownNumber(cartApi.count, itemCount, (count) => ({ count }))

  serve.once(
    cartApi.add,
    async ({ user, body, language }, tx) => ({
      ...succeeded,
      data: shownItem(await addToCart(tx, user.id, body, language)),
    }),
    { expectsNew: true },
  )

  serve.afterCheck(cartApi.addTopup, {
    check: ({ body, address }) => checkTopup(database, players, body.topupData, address),
    work: async ({ user, language }, tx, topup) => readItem(tx, user.id, await addTopup(tx, user.id, topup), language),
  })

  serve(cartApi.updateQuantity, ({ user, params, body, language }) =>
    database.transaction(async (tx) => {
      await changeQuantity(tx, user.id, params.id, body.quantity)
      return readItem(tx, user.id, params.id, language)
    }),
  )

  serve(cartApi.remove, async ({ user, params }) => {
    await database.transaction((tx) => removeFromCart(tx, user.id, params.id))
    return succeeded
  })

  serve(cartApi.clear, async ({ user }) => {
    await database.transaction((tx) => clearCart(tx, user.id))
    return succeeded
  })
}
