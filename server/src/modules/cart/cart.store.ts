import type { ItemType } from '@olmos/contract/cart'
import type { Language, ShownRegion } from '@olmos/contract/fields'
import { LIMITS } from '@olmos/contract/limits'
import type { AccountValues, ShownTopup, SteamCurrency, TopupPricing } from '@olmos/contract/topup-data'
import { type Queries, sql, type Tx } from '../../platform/database/queries.ts'
import {
  availableCount,
  availableUpTo,
  hasOpenSource,
  isOnDemand,
  isOnSale,
  offerPlace,
} from '../catalogue/availability.ts'
import { regionColumn } from '../regions/regions.ts'
import type { TopupLine } from '../topups/topup-lines.ts'
import { accountValues, areOptionsKnown, shownAccount } from '../topups/topup-products.ts'

/** An item's columns about a top-up: null for codes, the amount only where one arrives. */
export interface TopupColumns {
  service: string | null
  account: string | null
  player_name: string | null
  steam_amount: number | null
  steam_currency: SteamCurrency | null
}

/** Zero for an amount, whose price follows from the rates. */
export interface Prices {
  price_usd: number
  price_rub: number
}

export interface CartRow extends TopupColumns, Prices {
  id: number
  product_id: number
  product_slug: string
  product_title: string
  description: string
  image_url: string
  color: string
  region_id: number
  region: ShownRegion | null
  game_amount: number
  game_currency: string
  /** The offer's name, if there is one. */
  name: string | null
  quantity: number
  available_count: number
  item_type: ItemType
  /** What was filled in for a top-up, under its labels. */
  shown_account: ShownTopup['account'] | null
}

const ownAccount = {
  values: sql`cart_item.account_fields`,
  text: sql`cart_item.account`,
  isAmount: sql`cart_item.steam_amount IS NOT NULL`,
}

const topupColumns = sql`
  cart_item.service, cart_item.account, cart_item.player_name, cart_item.steam_amount, cart_item.steam_currency`

/** Both queries of an item share these columns. */
const soldColumns = sql`
  CASE WHEN cart_item.service IS NULL THEN 'code' ELSE 'topup' END AS item_type, cart_item.quantity,
  coalesce(offer.game_amount, cart_item.steam_amount / 100.0)::float8 AS game_amount,
  coalesce(upper(cart_item.steam_currency), nullif(product_region.game_currency, ''), product.game_currency)
    AS game_currency,
  coalesce(offer.price_usd, 0) AS price_usd, coalesce(offer.price_rub, 0) AS price_rub, ${topupColumns}`

const itemOffer = sql`
  LEFT JOIN offer ON offer.id = cart_item.offer_id
  JOIN product ON product.id = coalesce(cart_item.product_id, offer.product_id)
  ${offerPlace}`

/** Whether a top-up can be ordered: somebody delivers it, and its account is one that can be chosen. */
const isOrderable = sql`(coalesce(${hasOpenSource}, true) AND ${areOptionsKnown(ownAccount)})`

/** A top-up is bought when it is ordered, so it is never out of stock. */
const availableForItem = sql`
  CASE WHEN NOT ${isOnSale} THEN 0
    WHEN cart_item.service IS NOT NULL
      THEN CASE WHEN ${isOrderable} THEN ${LIMITS.topupUnitsMax}::int ELSE 0 END
    ELSE ${availableCount} END AS available_count`

/** What the customer is shown of a line's product. Needs `offer`, `product`, its place and `texts` in scope. */
const shownColumns = (language: Language) => sql`
  product.id AS product_id, product.slug AS product_slug, texts.title AS product_title, texts.description,
  product.image_url, product.color, coalesce(offer.region_id, 0) AS region_id, ${regionColumn(language)} AS region, offer.name`

/** What was filled in, in the customer's language. Needs `product` in scope. */
const accountColumn = (language: Language) => sql`
  CASE WHEN cart_item.service IS NOT NULL THEN ${shownAccount(language, ownAccount)} END AS shown_account`

const itemTexts = (language: Language) => sql`
  JOIN LATERAL (
    SELECT title, description FROM product_text WHERE product_id = product.id AND language IN (${language}, 'ru')
    ORDER BY language = ${language} DESC LIMIT 1) AS texts ON true`

export const readCart = (queries: Queries, userId: number, language: Language) =>
  queries.rows<CartRow>(sql`
    SELECT cart_item.id, ${shownColumns(language)}, ${soldColumns}, ${availableForItem}, ${accountColumn(language)}
    FROM cart_item ${itemOffer} ${itemTexts(language)}
    WHERE cart_item.user_id = ${userId} ORDER BY cart_item.id`)

/** Stores these as the prices that the customer saw. */
export const rememberSeenPrices = (queries: Queries, userId: number, items: readonly (Prices & { id: number })[]) =>
  queries.run(sql`
    UPDATE cart_item SET seen_usd = shown.usd, seen_rub = shown.rub
    FROM unnest(
      ${items.map((item) => item.id)}::bigint[], ${items.map((item) => item.price_usd)}::bigint[],
      ${items.map((item) => item.price_rub)}::bigint[]) AS shown (id, usd, rub)
    WHERE cart_item.id = shown.id AND cart_item.user_id = ${userId}
      AND (cart_item.seen_usd, cart_item.seen_rub) IS DISTINCT FROM (shown.usd, shown.rub)`)

/** How much is in a customer's cart, which every page of a logged-in visitor asks for. Needs `users` in scope. */
export const itemCount = sql`(
  SELECT coalesce(sum(quantity), 0)::int FROM cart_item WHERE user_id = users.id)`

/** An account of the cart, and what it is looked for by. */
export interface OfferedAccount {
  slug: string
  pricing: TopupPricing
  account: string
  account_fields: AccountValues
}

/** Reads the accounts of the cart that can be looked for, though they need not be found. */
export const readOfferedAccounts = (queries: Queries, userId: number) =>
  queries.rows<OfferedAccount>(sql`
    SELECT DISTINCT ON (product.id, cart_item.account) product.slug, product.pricing, cart_item.account,
      ${accountValues(ownAccount)} AS account_fields
    FROM cart_item LEFT JOIN offer ON offer.id = cart_item.offer_id
    JOIN product ON product.id = coalesce(cart_item.product_id, offer.product_id)
    WHERE cart_item.user_id = ${userId} AND cart_item.service IS NOT NULL AND product.player_check = 'offered'`)

export async function countLines(tx: Tx, userId: number): Promise<number> {
  const { count } = await tx.one<{ count: number }>(
    sql`SELECT count(*)::int AS count FROM cart_item WHERE user_id = ${userId}`,
  )
  return count
}

/** Locks the cart until the transaction ends and counts its version up. */
export const touchCart = (tx: Tx, userId: number) =>
  tx.run(sql`UPDATE cart SET version = version + 1 WHERE user_id = ${userId}`)

/** How many more than are wanted are counted, so that the buttons of the line know that there are more. */
const countedBeyond = 100

/** An offer as the line that it would be, or add to, in a cart. */
export interface OfferLine extends CartRow {
  offer_id: number
  /** Whether the cart has this line already. If not, `id` is drawn for it, and `quantity` is 0. */
  is_in_cart: boolean
  /** How many lines the cart has. */
  lines: number
}

/**
 * Reads an offer of codes that is on sale as a line of the customer's cart, to which `quantity` shall be added: stock is
 * counted only a little further than that. The caller has locked the cart.
 */
export const findOfferLine = (
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
      ${availableUpTo(sql`coalesce(cart_item.quantity, 0) + ${quantity + countedBeyond}::int`)} AS available_count
    FROM offer JOIN product ON product.id = offer.product_id ${offerPlace} ${itemTexts(language)}
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

export const findItem = (tx: Tx, userId: number, itemId: number) =>
  tx.maybe<ItemRow>(sql`
    SELECT ${itemColumns}, ${availableForItem}
    FROM cart_item ${itemOffer} WHERE cart_item.user_id = ${userId} AND cart_item.id = ${itemId}`)

/** Adds a line for an offer, with the prices that the customer saw. */
export const addItem = (userId: number, { id, offer_id, price_usd, price_rub }: OfferLine, quantity: number) => sql`
  INSERT INTO cart_item (id, user_id, offer_id, quantity, seen_usd, seen_rub) OVERRIDING SYSTEM VALUE
  VALUES (${id}, ${userId}, ${offer_id}, ${quantity}, ${price_usd}, ${price_rub})`

export const findTopupItem = (tx: Tx, userId: number, { offer_id, target }: TopupLine) =>
  tx.maybe<ItemRow>(sql`
    SELECT ${itemColumns}, 0 AS available_count FROM cart_item
    WHERE user_id = ${userId} AND service = ${target.service} AND account = ${target.account}
      AND offer_id IS NOT DISTINCT FROM ${offer_id}::int
      AND steam_amount IS NOT DISTINCT FROM ${target.steam?.amount ?? null}::bigint
      AND steam_currency IS NOT DISTINCT FROM ${target.steam?.currency ?? null}::text`)

export async function insertTopup(tx: Tx, userId: number, line: TopupLine): Promise<number> {
  const { service, account, values, playerName, steam } = line.target
  const { id } = await tx.one<{ id: number }>(sql`
    INSERT INTO cart_item (user_id, offer_id, product_id, service, account, account_fields, player_name, steam_amount,
      steam_currency, quantity, seen_usd, seen_rub)
    VALUES (${userId}, ${line.offer_id}, ${line.product_id}, ${service}, ${account}, ${JSON.stringify(values)}, ${playerName},
      ${steam?.amount ?? null}, ${steam?.currency ?? null}, ${line.quantity}, ${line.price_usd}, ${line.price_rub})
    RETURNING id`)
  return id
}

export const setQuantity = (itemId: number, quantity: number) =>
  sql`UPDATE cart_item SET quantity = ${quantity} WHERE id = ${itemId}`

export const deleteItem = (tx: Tx, userId: number, itemId: number) =>
  tx.run(sql`DELETE FROM cart_item WHERE user_id = ${userId} AND id = ${itemId}`)

/** Removes what was bought from the cart. Its version stays: that version has become an order. */
export const emptyCart = (tx: Tx, userId: number) => tx.run(sql`DELETE FROM cart_item WHERE user_id = ${userId}`)

/** Locks the cart: nobody changes or buys it until the transaction ends. */
export const lockCartRow = (tx: Tx, userId: number) =>
  tx.one<{ version: number }>(sql`SELECT version FROM cart WHERE user_id = ${userId} FOR UPDATE`)

export interface LineRow extends TopupColumns, Prices {
  id: number
  offer_id: number | null
  price_version: number | null
  /** Set for items without an offer. */
  product_id: number | null
  item_type: ItemType
  quantity: number
  title: string
  game_amount: number
  game_currency: string
  seen_usd: number
  seen_rub: number
  is_on_sale: boolean
  /** For codes: whether those out of stock can be bought. */
  is_on_demand: boolean
  /** What was filled in for a top-up. */
  account_fields: AccountValues | null
  /** Whether the account can be looked for, though it need not be found. */
  is_offered_check: boolean
}

/** Reads the lines as they would be charged now, in the order in which their codes are taken. */
export const readLines = (tx: Tx, userId: number) =>
  tx.rows<LineRow>(sql`
    SELECT cart_item.id, cart_item.offer_id, offer.price_version, cart_item.product_id, texts.title, ${soldColumns},
      cart_item.seen_usd, cart_item.seen_rub,
      ${isOnSale} AND (cart_item.service IS NULL OR ${isOrderable}) AS is_on_sale,
      cart_item.service IS NULL AND ${isOnDemand} AS is_on_demand,
      CASE WHEN cart_item.service IS NOT NULL THEN ${accountValues(ownAccount)} END AS account_fields,
      cart_item.service IS NOT NULL AND product.player_check = 'offered' AS is_offered_check
    FROM cart_item ${itemOffer}
    JOIN product_text AS texts ON texts.product_id = product.id AND texts.language = 'ru'
    WHERE cart_item.user_id = ${userId} ORDER BY cart_item.offer_id`)
