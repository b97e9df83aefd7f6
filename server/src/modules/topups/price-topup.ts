import { Failure } from '@olmos/contract/failure'
import * as LIMITS from '@olmos/contract/limits'
import { toMajor, toMinor } from '@olmos/contract/minor-units'
import { type Currency, lowerCurrency } from '@olmos/contract/money'
import type { AccountValues, ShownTopup, SteamCurrency, WantedTopup } from '@olmos/contract/topup-data'
import { type Queries, type Sql, sql } from '../../platform/database/queries.ts'
import { isAmountSent, isTopupSold } from '../catalogue/availability.ts'
import type { PlayerCheck } from './player-check.ts'
import { priceSteam } from './price-steam.ts'
import {
  findTopupProduct,
  type ReadAccount,
  readAccount,
  type SeenPrices,
  type TopupLine,
  type TopupProduct,
  type TopupTarget,
} from './topups.ts'

/** What is bought: an offer by its `item_id`, offers by their ids, or an amount in minor units. */
type WantedGoods =
  | { by: 'item'; itemId: string }
  | { by: 'offers'; quantities: readonly { id: number; quantity: number }[]; field: 'denominations' | 'offers' }
  | { by: 'amount'; amount: number; currency: SteamCurrency }

/** A top-up whose account was read and checked: what `priceTopup` prices. */
export interface CheckedTopup {
  product: TopupProduct
  account: ReadAccount
  /** The name that a supplier gave a moment ago; null where nobody tells names. */
  playerName: string | null
  goods: WantedGoods
  seen: SeenPrices
}

/** Reads what is wanted in any of its shapes: those of the specification have names of their own for the account. */
function readWish(topup: WantedTopup): { account: AccountValues; goods: WantedGoods } {
  if ('account' in topup) return { account: topup.account, goods: readGoods(topup) }
  if ('denominations' in topup) {
    const quantities = topup.denominations.map(({ denomination_id: id, quantity }) => ({ id, quantity }))
    return { account: { player_id: topup.player_id }, goods: { by: 'offers', quantities, field: 'denominations' } }
  }
  if (topup.service === 'freefire') {
    return { account: { player_id: topup.player_id }, goods: { by: 'item', itemId: topup.offer_id } }
  }
  const { login, amount, input_currency: currency } = topup
  return { account: { login }, goods: { by: 'amount', amount: toMinor(amount), currency } }
}

function readGoods({
  offers,
  amount,
  input_currency: currency,
}: Extract<WantedTopup, { account: unknown }>): WantedGoods {
  if (offers) {
    const quantities = offers.map(({ offer_id: id, quantity }) => ({ id, quantity }))
    return { by: 'offers', quantities, field: 'offers' }
  }
  if (amount === undefined) throw new Failure('VALIDATION_FAILED', { offers: 'required' })
  if (currency === undefined) throw new Failure('VALIDATION_FAILED', { input_currency: 'required' })
  return { by: 'amount', amount: toMinor(amount), currency }
}

/**
 * Reads a requested top-up and looks for its player, as its product wants it. Call it outside any transaction. Refuses with
 * OFFER_NOT_FOUND when there is no such top-up, VALIDATION_FAILED for an account that is not what the product asks for, and
 * as `PlayerCheck.check` does.
 */
export async function checkTopup(
  queries: Queries,
  players: PlayerCheck,
  topup: WantedTopup,
  callerIp: string,
): Promise<CheckedTopup> {
  const wish = readWish(topup)
  const product = await findTopupProduct(queries, topup.service)
  if (!product) throw new Failure('OFFER_NOT_FOUND')
  const goods = requirePricing(product, wish.goods)
  const account = readAccount(product.fields, wish.account)
  const playerName = await players.check(product, account, callerIp)
  return { product, account, playerName, goods, seen: topup }
}

function requirePricing({ pricing }: TopupProduct, goods: WantedGoods): WantedGoods {
  if ((pricing === 'amount') === (goods.by === 'amount')) return goods
  throw new Failure('VALIDATION_FAILED', pricing === 'amount' ? { amount: 'required' } : { offers: 'required' })
}

interface TopupOfferRow {
  id: number
  title: string
  game_amount: number
  game_currency: string
  price_version: number
  price_usd: number
  price_rub: number
  is_on_sale: boolean
}

const offersWhere = ({ id }: TopupProduct, condition: Sql): Sql => sql`
  SELECT offer.id, texts.title, offer.game_amount, product.game_currency, offer.price_version, offer.price_usd,
    offer.price_rub, offer.is_active AND product.is_active AND product.deleted_at IS NULL
      AND ${isTopupSold} AS is_on_sale
  FROM product JOIN offer ON offer.product_id = product.id AND offer.region_id IS NULL
  JOIN product_text AS texts ON texts.product_id = product.id AND texts.language = 'ru'
  WHERE product.id = ${id} AND ${condition}`

/** Finds an offer by the supplier's name for it; if several ever had the name, the one on sale. */
const findItemOffer = (queries: Queries, product: TopupProduct, itemId: string) =>
  queries.maybe<TopupOfferRow>(sql`
    ${offersWhere(product, sql`offer.item_id = ${itemId}`)} ORDER BY offer.is_active DESC, offer.id DESC LIMIT 1`)

/** Largest first. */
const findTopupOffers = (queries: Queries, product: TopupProduct, ids: readonly number[]) =>
  queries.rows<TopupOfferRow>(sql`
    ${offersWhere(product, sql`offer.id = ANY (${ids}::int[])`)} ORDER BY offer.game_amount DESC, offer.id`)

const isProductOnSale = (queries: Queries, { id }: TopupProduct) =>
  queries.maybe<{ is_on_sale: boolean }>(sql`
    SELECT is_active AND deleted_at IS NULL AND ${isAmountSent} AS is_on_sale FROM product WHERE id = ${id}`)

/**
 * Prices a checked top-up at the prices in force; of the request, only the account and the quantities are used. A line may
 * be of something that has gone off sale. Refuses with OFFER_NOT_FOUND, or an amount with INVALID_AMOUNT.
 */
export function priceTopup(queries: Queries, topup: CheckedTopup): Promise<TopupLine[]> {
  const { product, account, playerName, goods } = topup
  const target = { service: product.slug, account: account.text, values: account.values, playerName, steam: null }
  if (goods.by === 'item') return priceItem(queries, product, goods.itemId, target)
  if (goods.by === 'offers') return priceOffers(queries, product, goods, target)
  return priceAmount(queries, product, goods, target)
}

const toLine = ({ id, ...offer }: TopupOfferRow, quantity: number, target: TopupTarget): TopupLine => ({
  ...offer,
  item_type: 'topup',
  offer_id: id,
  product_id: null,
  quantity,
  target,
})

type GoodsBy<By extends WantedGoods['by']> = Extract<WantedGoods, { by: By }>

async function priceItem(queries: Queries, product: TopupProduct, itemId: string, target: TopupTarget) {
  const offer = await findItemOffer(queries, product, itemId)
  if (!offer) throw new Failure('OFFER_NOT_FOUND', { offer_id: itemId })
  return [toLine(offer, 1, target)]
}

async function priceOffers(
  queries: Queries,
  product: TopupProduct,
  { quantities: wanted, field }: GoodsBy<'offers'>,
  target: TopupTarget,
): Promise<TopupLine[]> {
  const quantities = new Map<number, number>()
  for (const { id, quantity } of wanted) quantities.set(id, (quantities.get(id) ?? 0) + quantity)
  if (Math.max(...quantities.values()) > LIMITS.topupUnitsMax) {
    throw new Failure('VALIDATION_FAILED', { [field]: 'invalid_quantity' })
  }
  const ids = [...quantities.keys()]
  const offers = await findTopupOffers(queries, product, ids)
  const missing = ids.filter((id) => !offers.some((offer) => offer.id === id))
  if (missing.length > 0) {
    throw new Failure('OFFER_NOT_FOUND', field === 'offers' ? { offers: missing } : { denominations: missing })
  }
  return offers.map((offer) => toLine(offer, quantities.get(offer.id) ?? 0, target))
}

async function priceAmount(
  queries: Queries,
  product: TopupProduct,
  { amount, currency }: GoodsBy<'amount'>,
  target: TopupTarget,
): Promise<TopupLine[]> {
  const now = await isProductOnSale(queries, product)
  const { priceUsd, priceRub, credit } = await priceSteam(queries, { amount, currency, productId: product.id })
  return [
    {
      item_type: 'topup',
      offer_id: null,
      price_version: null,
      product_id: product.id,
      title: product.title,
      game_amount: toMajor(amount),
      game_currency: currency.toUpperCase(),
      price_usd: priceUsd,
      price_rub: priceRub,
      quantity: 1,
      is_on_sale: now?.is_on_sale ?? false,
      target: { ...target, steam: credit },
    },
  ]
}

export interface StoredTopup {
  service: string
  account: string
  player_name: string | null
  /** The offer's own name; null when its amount is its name. */
  name: string | null
  /** What was filled in, under its labels. */
  shown_account: ShownTopup['account']
  /** Whether an amount arrives, and not an offer. */
  is_amount: boolean
}

interface ItemFields {
  game_amount: number
  game_currency: string
  image_url: string
  /** The currency it was, or will be, paid in; null in a cart. */
  currency: Currency | null
}

/** Formats the top-up of an item of a cart or an order. */
export function formatTopup(
  topup: StoredTopup,
  { game_amount, game_currency, image_url, currency }: ItemFields,
): ShownTopup {
  const paidIn = currency && lowerCurrency(currency)
  return {
    service: topup.service,
    login: topup.is_amount ? topup.account : '',
    player_id: topup.account,
    account: topup.shown_account,
    player_name: topup.player_name,
    offer_name: topup.name ?? `${game_amount} ${game_currency}`,
    image_url,
    currency: paidIn,
    user_balance_currency: topup.is_amount ? paidIn : null,
  }
}
