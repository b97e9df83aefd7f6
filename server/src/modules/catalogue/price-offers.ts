import { Failure } from '@olmos/contract/failure'
import { announce } from '../../platform/announce.ts'
import type { Queries, Tx } from '../../platform/database.ts'
import { findOffers, hasProductRegion, insertOfferIfMissing, isProductKnown, upsertOffer } from './catalogue.store.ts'
import type { OfferPlace, OfferPrice } from './offer.ts'

export interface PriceChange extends OfferPrice {
  /** None for an offer that is new. */
  was: { priceUsd: number; priceRub: number } | undefined
}

/** Refuses a place that is not there: NOT_FOUND. */
export async function requirePlace(queries: Queries, { productId, regionId }: OfferPlace): Promise<void> {
  if (!(await isProductKnown(queries, productId))) throw new Failure('NOT_FOUND', { productId: 'not_found' })
  if (regionId === null) return
  if (!(await hasProductRegion(queries, productId, regionId))) throw new Failure('NOT_FOUND', { regionId: 'not_found' })
}

/** The price in force of a game amount in a place, if there is a package of it. */
export async function priceAt(
  queries: Queries,
  place: OfferPlace,
  gameAmount: number,
): Promise<OfferPrice | undefined> {
  const [offer] = await findOffers(queries, place, [gameAmount])
  return offer && { gameAmount, priceUsd: offer.price_usd, priceRub: offer.price_rub }
}

/** What these prices would change. */
export async function comparePrices(
  queries: Queries,
  place: OfferPlace,
  prices: readonly OfferPrice[],
): Promise<PriceChange[]> {
  const offers = await findOffers(
    queries,
    place,
    prices.map((price) => price.gameAmount),
  )
  return prices
    .map((price) => {
      const offer = offers.find((known) => known.game_amount === price.gameAmount)
      return { ...price, was: offer && { priceUsd: offer.price_usd, priceRub: offer.price_rub } }
    })
    .filter(({ was, priceUsd, priceRub }) => was?.priceUsd !== priceUsd || was.priceRub !== priceRub)
}

/** Makes the offers that are missing and gives all of them these prices; answers the offer of each game amount. */
export async function priceOffers(
  tx: Tx,
  place: OfferPlace,
  prices: readonly OfferPrice[],
): Promise<Map<number, number>> {
  const offers = new Map<number, number>()
  for (const price of prices) offers.set(price.gameAmount, await upsertOffer(tx, place, price))
  await announce(tx, 'catalogue', `product:${place.productId}`)
  return offers
}

/** The offer of the amount, made at this price if there is none; one that is there keeps its own. */
export async function requireOffer(tx: Tx, place: OfferPlace, price: OfferPrice): Promise<number> {
  const id = await insertOfferIfMissing(tx, place, price)
  await announce(tx, 'catalogue', `product:${place.productId}`)
  return id
}
