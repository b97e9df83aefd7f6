import type { ItemType } from '@olmos/contract/cart'
import type { AccountValues, SteamCurrency, TopupPricing } from '@olmos/contract/topup-data'
import { type Queries, type Sql, sql, type Tx } from '../../platform/database/queries.ts'
import {
  isOnSale,
  isTopupSold,
  type KeptNames,
  keptNames,
  offerPlace,
  offersOnDemand,
} from '../catalogue/availability.ts'
import type { PlayerCheck } from '../topups/player-check.ts'
import { priceSteamAgain } from '../topups/price-steam.ts'
import { accountValues, isAccountAsked, type SteamCredit, type TopupTarget } from '../topups/topups.ts'

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

export const ownAccount = {
  values: sql`cart_item.account_fields`,
  text: sql`cart_item.account`,
  isAmount: sql`cart_item.steam_amount IS NOT NULL`,
}

export const topupColumns = sql`
  cart_item.service, cart_item.account, cart_item.player_name, cart_item.steam_amount, cart_item.steam_currency`

/** Both queries of an item share these columns. */
export const soldColumns = sql`
  CASE WHEN cart_item.service IS NULL THEN 'code' ELSE 'topup' END AS item_type, cart_item.quantity,
  coalesce(offer.game_amount, cart_item.steam_amount / 100.0)::float8 AS game_amount,
  coalesce(upper(cart_item.steam_currency), nullif(product_region.game_currency, ''), product.game_currency)
    AS game_currency,
  coalesce(offer.price_usd, 0) AS price_usd, coalesce(offer.price_rub, 0) AS price_rub, ${topupColumns}`

export const itemOffer = sql`
  LEFT JOIN offer ON offer.id = cart_item.offer_id
  JOIN product ON product.id = coalesce(cart_item.product_id, offer.product_id)
  ${offerPlace}`

/** Whether a top-up can be ordered: somebody delivers it, and its account is one that the product asks for. */
export const isOrderable = sql`(${isTopupSold} AND ${isAccountAsked(ownAccount)})`

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

/** Locks the cart: nobody changes or buys it until the transaction ends. */
const lockCartRow = (tx: Tx, userId: number) =>
  tx.one<{ version: number }>(sql`SELECT version FROM cart WHERE user_id = ${userId} FOR UPDATE`)

interface LineRow extends TopupColumns, Prices {
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
  /** Whether a top-up is on sale depends on its account too. */
  is_on_sale: boolean
  /** Whether codes out of stock are bought, if a supplier sells them. */
  buys_on_demand: boolean
  kept: KeptNames
}

/** Reads the lines as they would be charged now, in the order in which their codes are taken. */
const readLines = (tx: Tx, userId: number) =>
  tx.rows<LineRow>(sql`
    SELECT cart_item.id, cart_item.offer_id, offer.price_version, cart_item.product_id, texts.title, ${soldColumns},
      cart_item.seen_usd, cart_item.seen_rub, ${isOnSale} AS is_on_sale,
      cart_item.service IS NULL AND product.buys_on_demand AS buys_on_demand, ${keptNames} AS kept
    FROM cart_item ${itemOffer}
    JOIN product_text AS texts ON texts.product_id = product.id AND texts.language = 'ru'
    WHERE cart_item.user_id = ${userId} ORDER BY cart_item.offer_id`)

interface TopupRow {
  id: number
  is_orderable: boolean
  /** What was filled in. */
  account_fields: AccountValues
  /** Whether the account can be looked for, though it need not be found. */
  is_offered_check: boolean
}

/** Reads what only top-ups of the cart have. */
const readTopups = (tx: Tx, userId: number) =>
  tx.rows<TopupRow>(sql`
    SELECT cart_item.id, ${isOrderable} AS is_orderable, ${accountValues(ownAccount)} AS account_fields,
      product.player_check = 'offered' AS is_offered_check
    FROM cart_item ${itemOffer} WHERE cart_item.user_id = ${userId} AND cart_item.service IS NOT NULL`)

export interface CartLine extends Omit<LineRow, keyof TopupColumns | 'buys_on_demand'> {
  /** For codes: whether those out of stock can be bought. */
  is_on_demand: boolean
  /** The recipient of a top-up. */
  target: TopupTarget | null
  /** Whether the recipient can be looked for, though they need not be found. */
  is_offered_check: boolean
}

interface LockedCart {
  version: number
  lines: CartLine[]
}

/**
 * Locks the cart and reads it as it would be charged now; nobody changes or buys it until the transaction ends. What only
 * top-ups and codes bought on demand need is asked for them alone: PostgreSQL prepares for each part of a statement, also
 * for one that no row comes to.
 */
export async function lockCart(tx: Tx, userId: number): Promise<LockedCart> {
  const { cart, lines } = await tx.pipeline({
    cart: (tx) => lockCartRow(tx, userId),
    lines: (tx) => readLines(tx, userId),
  })
  const bought = lines.flatMap(({ buys_on_demand, offer_id }) =>
    buys_on_demand && offer_id !== null ? [offer_id] : [],
  )
  const onDemand = await offersOnDemand(tx, bought)
  const topups = lines.some(({ service }) => service) ? await readTopups(tx, userId) : []
  const priced = await withSteamPrices(tx, lines)
  return {
    version: cart.version,
    lines: priced.map((line) =>
      toLine(line, {
        isOnDemand: line.offer_id !== null && onDemand.has(line.offer_id),
        topup: topups.find(({ id }) => id === line.id),
      }),
    ),
  }
}

function toLine(
  {
    service,
    account,
    player_name: playerName,
    steam_amount: _amount,
    steam_currency: _currency,
    buys_on_demand: _buys,
    steam,
    ...line
  }: LineRow & { steam: SteamCredit | null },
  { isOnDemand: is_on_demand, topup }: { isOnDemand: boolean; topup: TopupRow | undefined },
): CartLine {
  if (!service || !account || !topup) return { ...line, is_on_demand, target: null, is_offered_check: false }
  return {
    ...line,
    is_on_demand,
    is_on_sale: line.is_on_sale && topup.is_orderable,
    target: { service, account, values: topup.account_fields, playerName, steam },
    is_offered_check: topup.is_offered_check,
  }
}

/** Removes what was bought from the cart. Its version stays: that version has become an order. */
export const emptyCart = (userId: number): Sql => sql`DELETE FROM cart_item WHERE user_id = ${userId}`

/** An account of the cart, and what it is looked for by. */
interface OfferedAccount {
  slug: string
  pricing: TopupPricing
  account: string
  account_fields: AccountValues
}

/** Reads the accounts of the cart that can be looked for, though they need not be found. */
const readOfferedAccounts = (queries: Queries, userId: number) =>
  queries.rows<OfferedAccount>(sql`
    SELECT DISTINCT ON (product.id, cart_item.account) product.slug, product.pricing, cart_item.account,
      ${accountValues(ownAccount)} AS account_fields
    FROM cart_item LEFT JOIN offer ON offer.id = cart_item.offer_id
    JOIN product ON product.id = coalesce(cart_item.product_id, offer.product_id)
    WHERE cart_item.user_id = ${userId} AND cart_item.service IS NOT NULL AND product.player_check = 'offered'`)

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
