import { Failure } from '@olmos/contract/failure'
import { LIMITS } from '@olmos/contract/limits'
import { toMajor, toMinor } from '@olmos/contract/minor-units'
import { type Currency, lowerCurrency } from '@olmos/contract/money'
import type { ShownTopup, TopupService, WantedTopup } from '@olmos/contract/topup-data'
import type { Sql } from 'sql-template-tag'
import { type Queries, sql } from '../../platform/database/database.ts'
import { priceSteam } from './price-steam.ts'
import { isServiceProduct, type TopupLine, type TopupTarget } from './topups.store.ts'

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

const offersWhere = (service: TopupService, condition: Sql): Sql => sql`
  SELECT offer.id, texts.title, offer.game_amount, product.game_currency, offer.price_version, offer.price_usd,
    offer.price_rub, offer.is_active AND product.is_active AS is_on_sale
  FROM product JOIN offer ON offer.product_id = product.id AND offer.region_id IS NULL
  JOIN product_text AS texts ON texts.product_id = product.id AND texts.language = 'ru'
  WHERE ${isServiceProduct(service)} AND ${condition}`

/** Finds an offer by the supplier's name for it; if several ever had the name, the one on sale. */
const findItemOffer = (queries: Queries, service: TopupService, itemId: string) =>
  queries.maybe<TopupOfferRow>(sql`
    ${offersWhere(service, sql`offer.item_id = ${itemId}`)} ORDER BY offer.is_active DESC, offer.id DESC LIMIT 1`)

/** Largest first. */
const findTopupOffers = (queries: Queries, service: TopupService, ids: readonly number[]) =>
  queries.rows<TopupOfferRow>(sql`
    ${offersWhere(service, sql`offer.id = ANY (${ids}::int[])`)} ORDER BY offer.game_amount DESC, offer.id`)

const findProduct = (queries: Queries, service: TopupService) =>
  queries.maybe<{ id: number; title: string; is_on_sale: boolean }>(sql`
    SELECT product.id, texts.title, product.is_active AS is_on_sale
    FROM product JOIN product_text AS texts ON texts.product_id = product.id AND texts.language = 'ru'
    WHERE ${isServiceProduct(service)}`)

type Wanted<Service extends WantedTopup['service']> = Extract<WantedTopup, { service: Service }>

/**
 * Prices a requested top-up at the prices in force; of the request, only the player and the quantities are used. A line
 * may be of something that has gone off sale. Refuses with OFFER_NOT_FOUND, or an amount for Steam with INVALID_AMOUNT.
 */
export function priceTopup(queries: Queries, wanted: WantedTopup, playerName: string | null): Promise<TopupLine[]> {
  const target = { service: wanted.service, account: wanted.player_id, playerName, steam: null }
  if (wanted.service === 'freefire') return priceFreefire(queries, wanted, target)
  if (wanted.service === 'pubg') return pricePubg(queries, wanted, target)
  return priceAmount(queries, wanted, target)
}

const toLine = ({ id, ...offer }: TopupOfferRow, quantity: number, target: TopupTarget): TopupLine => ({
  ...offer,
  item_type: 'topup',
  offer_id: id,
  product_id: null,
  quantity,
  target,
})

async function priceFreefire(queries: Queries, wanted: Wanted<'freefire'>, target: TopupTarget): Promise<TopupLine[]> {
  const offer = await findItemOffer(queries, 'freefire', wanted.offer_id)
  if (!offer) throw new Failure('OFFER_NOT_FOUND', { offer_id: wanted.offer_id })
  return [toLine(offer, 1, target)]
}

async function pricePubg(queries: Queries, wanted: Wanted<'pubg'>, target: TopupTarget): Promise<TopupLine[]> {
  const quantities = new Map<number, number>()
  for (const { denomination_id: id, quantity } of wanted.denominations) {
    quantities.set(id, (quantities.get(id) ?? 0) + quantity)
  }
  if (Math.max(...quantities.values()) > LIMITS.topupUnitsMax) {
    throw new Failure('VALIDATION_FAILED', { denominations: 'invalid_quantity' })
  }
  const ids = [...quantities.keys()]
  const offers = await findTopupOffers(queries, 'pubg', ids)
  const missing = ids.filter((id) => !offers.some((offer) => offer.id === id))
  if (missing.length > 0) throw new Failure('OFFER_NOT_FOUND', { denominations: missing })
  return offers.map((offer) => toLine(offer, quantities.get(offer.id) ?? 0, target))
}

async function priceAmount(queries: Queries, wanted: Wanted<'steam'>, target: TopupTarget): Promise<TopupLine[]> {
  const product = await findProduct(queries, 'steam')
  if (!product) throw new Failure('OFFER_NOT_FOUND')
  const steam = { amount: toMinor(wanted.amount), currency: wanted.input_currency }
  const { priceUsd, priceRub, credit } = await priceSteam(queries, steam)
  return [
    {
      item_type: 'topup',
      offer_id: null,
      price_version: null,
      product_id: product.id,
      title: product.title,
      game_amount: toMajor(steam.amount),
      game_currency: steam.currency.toUpperCase(),
      price_usd: priceUsd,
      price_rub: priceRub,
      quantity: 1,
      is_on_sale: product.is_on_sale,
      target: { ...target, steam: credit },
    },
  ]
}

interface Topup {
  service: TopupService
  account: string
  player_name: string | null
  /** The offer's own name; null when its amount is its name. */
  name: string | null
}

interface ItemFields {
  game_amount: number
  game_currency: string
  image_url: string
  /** The currency it was, or will be, paid in; null in a cart. */
  currency: Currency | null
}

/** Formats the top-up of an item of a cart or an order. */
export function formatTopup(topup: Topup, { game_amount, game_currency, image_url, currency }: ItemFields): ShownTopup {
  const isSteam = topup.service === 'steam'
  const paidIn = currency && lowerCurrency(currency)
  return {
    service: topup.service,
    login: isSteam ? topup.account : '',
    player_id: topup.account,
    player_name: topup.player_name,
    offer_name: topup.name ?? `${game_amount} ${game_currency}`,
    image_url,
    currency: paidIn,
    user_balance_currency: isSteam ? paidIn : null,
  }
}
