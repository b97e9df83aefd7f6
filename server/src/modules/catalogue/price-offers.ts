import { Failure } from '@olmos/contract/failure'
import { toMajor } from '@olmos/contract/minor-units'
import type { PriceChange } from '@olmos/contract/offers'
import { exists } from '../../platform/database/lists.ts'
import { type Queries, sql, type Tx } from '../../platform/database/queries.ts'
import { writeAudit, writeAuditChange } from '../../platform/security/audit.ts'
import { typePrice } from '../pricing/typed-prices.ts'
import { dollarRates } from '../rates/rates.ts'
import { readNumbers } from '../shop/shop.ts'
import { doubtsAbout, type OfferPlace, type OfferPrice, rubAtRate, type WantedPrice } from './product.rules.ts'

const isProductKnown = (queries: Queries, productId: number) =>
  exists(queries, sql`SELECT FROM product WHERE id = ${productId} AND deleted_at IS NULL FOR KEY SHARE`)

const hasProductRegion = (queries: Queries, productId: number, regionId: number) =>
  exists(
    queries,
    sql`
      SELECT FROM product_region JOIN region ON region.id = region_id AND region.deleted_at IS NULL
      WHERE product_id = ${productId} AND region_id = ${regionId} FOR KEY SHARE OF region`,
  )

interface PlacedOffer {
  id: number
  game_amount: number
  price_usd: number
  price_rub: number
}

const offersAt = (place: OfferPlace, gameAmounts: readonly number[]) => sql`
  SELECT id, game_amount, price_usd, price_rub FROM offer
  WHERE product_id = ${place.productId} AND region_id IS NOT DISTINCT FROM ${place.regionId}
    AND game_amount = ANY (${gameAmounts}::int[]) AND deleted_at IS NULL`

const findOffers = (queries: Queries, place: OfferPlace, gameAmounts: readonly number[]) =>
  queries.rows<PlacedOffer>(offersAt(place, gameAmounts))

/** Reads and locks offers: nobody else prices or deletes them until the transaction ends. */
const lockOffers = (tx: Tx, place: OfferPlace, gameAmounts: readonly number[]) =>
  tx.rows<PlacedOffer>(sql`${offersAt(place, gameAmounts)} ORDER BY id FOR NO KEY UPDATE`)

const shelf = sql`hashtext('offer_shelf')`
const keepShelf = (tx: Tx, { productId }: OfferPlace) =>
  tx.run(sql`SELECT pg_advisory_xact_lock_shared(${shelf}, ${productId}::int)`)

/**
 * Reads offers that codes are added to: none of the product is deleted until the transaction ends. Any number may add codes at
 * a time, and others may price them meanwhile. Shared locks of the rows would keep a price waiting for as long as there are
 * imports; this lock is given out in turn.
 */
async function keepOffers(tx: Tx, place: OfferPlace, gameAmounts: readonly number[]): Promise<PlacedOffer[]> {
  await keepShelf(tx, place)
  return findOffers(tx, place, gameAmounts)
}

/**
 * Waits until nobody adds codes to offers of the product of this one, and keeps others from it until the transaction ends. It
 * comes before the lock of an offer that is deleted, or gets another amount.
 */
export const lockShelf = (tx: Tx, offerId: number) =>
  tx.run(sql`SELECT pg_advisory_xact_lock(${shelf}, product_id) FROM offer WHERE id = ${offerId}`)

/** Finds the amounts of which there is a package in a place. */
export async function findPackages(
  queries: Queries,
  place: OfferPlace,
  gameAmounts: readonly number[],
): Promise<Set<number>> {
  return new Set((await findOffers(queries, place, gameAmounts)).map(({ game_amount }) => game_amount))
}

/** Leaves an existing offer as it is; a deleted one stays deleted, for its orders. Returns whether one was made. */
async function insertOfferIfMissing(
  tx: Tx,
  { productId, regionId }: OfferPlace,
  { gameAmount, priceUsd, priceRub }: OfferPrice,
): Promise<boolean> {
  const made = await tx.run(sql`
    INSERT INTO offer (product_id, region_id, game_amount, price_usd, price_rub)
    VALUES (${productId}, ${regionId}, ${gameAmount}, ${priceUsd}, ${priceRub})
    ON CONFLICT (product_id, region_id, game_amount) WHERE deleted_at IS NULL DO NOTHING`)
  return made === 1
}

/** Writes down who made an offer, unless the store itself did: last, since entries of the audit log wait for each other. */
async function noteMade(
  tx: Tx,
  { productId, regionId }: OfferPlace,
  { id, game_amount, price_usd, price_rub }: PlacedOffer,
  adminId: number | null,
): Promise<void> {
  if (adminId === null) return
  await writeAudit(tx, {
    actorId: adminId,
    action: 'offer.create',
    subject: `offer:${id}`,
    after: {
      product_id: productId,
      region_id: regionId ?? 0,
      game_amount,
      price_usd: toMajor(price_usd),
      price_rub: toMajor(price_rub),
    },
  })
}

interface Asking {
  /**
   * Whether every price other than the one in force is questioned: it came with something else and may not be meant.
   */
  aboutEveryChange: boolean
}

/** Lists the changes for the operator, each with the doubts about it, by the rate in force. */
async function weighPrices(
  queries: Queries,
  changes: readonly WantedPrice[],
  { aboutEveryChange }: Asking,
): Promise<PriceChange[]> {
  if (changes.length === 0) return []
  const [rates, numbers] = [await dollarRates(queries), await readNumbers(queries)]
  const rate = rates.get('RUB')
  return changes.map((change) => ({
    game_amount: change.gameAmount,
    price_usd: toMajor(change.priceUsd),
    price_rub: toMajor(change.priceRub),
    was_usd: change.was ? toMajor(change.was.priceUsd) : null,
    was_rub: change.was ? toMajor(change.was.priceRub) : null,
    rub_at_rate: rate === undefined ? null : toMajor(rubAtRate(change.priceUsd, rate)),
    doubts: [...(aboutEveryChange && change.was ? (['changed'] as const) : []), ...doubtsAbout(change, rate, numbers)],
  }))
}

/** Refuses doubtful prices that nobody has confirmed: PRICE_CHANGED with both prices of each. */
function requireConfirmed(changes: readonly PriceChange[], isConfirmed: boolean | undefined): void {
  const prices = changes.filter(({ doubts }) => doubts.length > 0)
  if (prices.length > 0 && !isConfirmed) throw new Failure('PRICE_CHANGED', { prices })
}

/**
 * Refuses an unusual price that somebody sets on purpose and has not confirmed: PRICE_CHANGED. An unchanged price is
 * never unusual.
 */
export async function requireUsualPrice(
  queries: Queries,
  change: WantedPrice,
  isConfirmed: boolean | undefined,
): Promise<void> {
  const { priceUsd, priceRub, was } = change
  if (was?.priceUsd === priceUsd && was.priceRub === priceRub) return
  requireConfirmed(await weighPrices(queries, [change], { aboutEveryChange: false }), isConfirmed)
}

/** Refuses a missing place with NOT_FOUND. Within a transaction its product and region are not deleted until that ends. */
export async function requirePlace(queries: Queries, { productId, regionId }: OfferPlace): Promise<void> {
  if (!(await isProductKnown(queries, productId))) throw new Failure('NOT_FOUND', { productId: 'not_found' })
  if (regionId === null) return
  if (!(await hasProductRegion(queries, productId, regionId))) throw new Failure('NOT_FOUND', { regionId: 'not_found' })
}

/**
 * Finds the price in force of a game amount in a place, if there is a package of it, and locks it until the transaction
 * ends.
 */
export async function lockPrice(tx: Tx, place: OfferPlace, gameAmount: number): Promise<OfferPrice | undefined> {
  await keepShelf(tx, place)
  const [offer] = await lockOffers(tx, place, [gameAmount])
  return offer && { gameAmount, ...toPrices(offer) }
}

const toPrices = ({ price_usd, price_rub }: PlacedOffer) => ({ priceUsd: price_usd, priceRub: price_rub })
const toAmounts = (prices: readonly OfferPrice[]) => prices.map(({ gameAmount }) => gameAmount)

/** Finds the prices that are not in force; `made` are amounts whose package these prices have just made. */
function toChanges(
  prices: readonly OfferPrice[],
  offers: readonly PlacedOffer[],
  made: ReadonlySet<number> = new Set(),
): WantedPrice[] {
  return prices
    .map((price) => {
      const offer = offers.find((known) => known.game_amount === price.gameAmount)
      return { ...price, was: offer && !made.has(price.gameAmount) ? toPrices(offer) : undefined }
    })
    .filter(({ was, priceUsd, priceRub }) => was?.priceUsd !== priceUsd || was.priceRub !== priceRub)
}

// Here prices come with codes, so a price that would change a whole package always needs to be confirmed.
const asking = { aboutEveryChange: true }

interface Rights {
  /** Whether who brings the codes may set prices. */
  mayPrice: boolean
}

/** Refuses who may not set prices: a package that is made, or that a code is moved to, gives it another price as well. */
export function requirePricing({ mayPrice }: Rights): void {
  if (!mayPrice) throw new Failure('FORBIDDEN', { permission: 'prices.write' })
}

/**
 * Compares prices with those in force: what would be made and changed, and what would have to be confirmed. Refuses with
 * FORBIDDEN what `priceOffers` would not make.
 */
export async function comparePrices(
  queries: Queries,
  place: OfferPlace,
  prices: readonly OfferPrice[],
  rights: Rights,
): Promise<PriceChange[]> {
  const changes = toChanges(prices, await findOffers(queries, place, toAmounts(prices)))
  if (changes.some(({ was }) => was === undefined)) requirePricing(rights)
  return weighPrices(queries, changes, asking)
}

interface Pricing extends Rights {
  /** Whether an operator has seen and confirmed what changes. */
  isConfirmed?: boolean | undefined
  /** Null when the store itself sets the price. */
  adminId: number | null
  /** Amounts whose packages keep their prices, and are only found. */
  kept?: readonly number[]
}

interface PricedOffers {
  /** The offer id of each game amount. */
  offers: ReadonlyMap<number, number>
  changes: PriceChange[]
}

/**
 * Makes the missing offers, which is refused with FORBIDDEN for who may not set prices, and sets these prices on all of
 * them. Refuses a price other than the one in force, and one whose USD and RUB are far apart, unless confirmed:
 * PRICE_CHANGED, and the caller changes nothing. Refuses a price under cost with FLOOR_PRICE.
 */
export async function priceOffers(
  tx: Tx,
  place: OfferPlace,
  prices: readonly OfferPrice[],
  { isConfirmed, adminId, mayPrice, kept = [] }: Pricing,
): Promise<PricedOffers> {
  const made = new Set<number>()
  const known = await findOffers(tx, place, toAmounts(prices))
  for (const price of prices) {
    if (known.some((offer) => offer.game_amount === price.gameAmount)) continue
    requirePricing({ mayPrice })
    if (await insertOfferIfMissing(tx, place, price)) made.add(price.gameAmount)
  }
  const amounts = [...toAmounts(prices), ...kept]
  let offers = await keepOffers(tx, place, amounts)
  // One that is as it was read needs no lock: who prices it comes after. Another is compared once nobody else can change it.
  if (toChanges(prices, offers, made).some(({ was }) => was)) offers = await lockOffers(tx, place, amounts)
  const changes = toChanges(prices, offers, made)
  const shown = await weighPrices(tx, changes, asking)
  requireConfirmed(shown, isConfirmed)
  const ids = new Map(offers.map(({ id, game_amount }) => [game_amount, id]))
  for (const offer of offers) if (made.has(offer.game_amount)) await noteMade(tx, place, offer, adminId)
  for (const change of changes) {
    if (change.was) await changePrice(tx, ids.get(change.gameAmount) as number, { ...change, was: change.was }, adminId)
  }
  tx.notify('catalogue', `product:${place.productId}`)
  return { offers: ids, changes: shown }
}

async function changePrice(
  tx: Tx,
  offerId: number,
  { was, ...price }: WantedPrice & { was: NonNullable<WantedPrice['was']> },
  adminId: number | null,
): Promise<void> {
  const typed = await typePrice(tx, adminId, offerId, price)
  await tx.run(sql`UPDATE offer SET ${typed} WHERE id = ${offerId}`)
  const entry = { actorId: adminId, action: 'offer.update', subject: `offer:${offerId}` } as const
  const shown = ({ priceUsd, priceRub }: typeof was) => ({ price_usd: toMajor(priceUsd), price_rub: toMajor(priceRub) })
  await writeAuditChange(tx, entry, shown(was), shown(price))
}

/**
 * Finds the offer of the amount; an existing one keeps its price. Makes a missing one at this price, which is refused with
 * FORBIDDEN for who may not set prices.
 */
export async function requireOffer(
  tx: Tx,
  place: OfferPlace,
  price: OfferPrice,
  { adminId, mayPrice }: Pick<Pricing, 'adminId' | 'mayPrice'>,
): Promise<number> {
  let [offer] = await lockOffers(tx, place, [price.gameAmount])
  if (!offer) {
    requirePricing({ mayPrice })
    const isMade = await insertOfferIfMissing(tx, place, price)
    ;[offer] = await lockOffers(tx, place, [price.gameAmount])
    if (isMade && offer) await noteMade(tx, place, offer, adminId)
  }
  if (!offer) throw new Error('an offer that was made is not there')
  tx.notify('catalogue', `product:${place.productId}`)
  return offer.id
}
