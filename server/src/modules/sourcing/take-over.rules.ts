import { one, parseDecimal } from '@olmos/contract/decimal'
import * as LIMITS from '@olmos/contract/limits'
import { toMinor } from '@olmos/contract/minor-units'
import type { TakenOffer, TakenRefusal } from '@olmos/contract/take-over'
import { doubtsAbout } from '../catalogue/product.rules.ts'
import type { DollarRates } from '../rates/rates.ts'

/** '1,000' and '1 000' are a thousand; '9.99' is no amount. */
const amount = /(?<![\d.,])(\d{1,3}(?:[ ,.\u00a0]\d{3})+|\d{1,10})(?![.,]?\d)/
const sum = new RegExp(`${amount.source}(?:\\s*\\+\\s*${amount.source})?`)

const toNumber = (digits: string | undefined): number => Number((digits ?? '').replace(/\D/g, ''))

/** Reads how much of a game's currency a package has from its name: '325 + 25 UC' has 350. Undefined where it doesn't say. */
export function readAmount(name: string): number | undefined {
  const match = sum.exec(name)
  if (!match) return undefined
  const value = toNumber(match[1]) + toNumber(match[2])
  return value > 0 && value <= LIMITS.gameAmountMax ? value : undefined
}

/** Reads what a game's currency is called from the names of its packages, where all that have an amount agree. */
export function readUnit(names: readonly string[]): string {
  const units = names.filter((name) => sum.test(name)).map((name) => name.replace(sum, '').replace(/\s+/g, ' ').trim())
  const [unit = ''] = units
  return unit.length <= 40 && units.every((one) => one === unit) ? unit : ''
}

interface Cost {
  /** A decimal. */
  cost: string
  currency: string
}

interface Prices {
  /** In minor units. */
  priceUsd: number
  priceRub: number
}

const hundredths = 10_000n
const ceil = (dividend: bigint, divisor: bigint): number => Number((dividend + divisor - 1n) / divisor)

/**
 * Prices what costs so much with a margin in percent on top, at these rates, rounded up to the cent and the kopeck.
 * `no_rate` without a rate of its currency, or of the rouble; `price` when it is more than an offer may cost.
 */
export function priceByMargin(
  { cost, currency }: Cost,
  marginPercent: number,
  rates: DollarRates,
): Prices | 'no_rate' | 'price' {
  const [amount, rate, rubles] = [parseDecimal(cost), rates.get(currency), rates.get('RUB')]
  if (rate === undefined || rubles === undefined) return 'no_rate'
  if (amount === undefined) return 'price'
  const cents = amount * (hundredths + BigInt(Math.round(marginPercent * 100))) * 100n
  const priceUsd = ceil(cents, rate * hundredths)
  const priceRub = ceil(cents * rubles, rate * hundredths * one)
  return Math.max(priceUsd, priceRub) > LIMITS.amountMax ? 'price' : { priceUsd, priceRub }
}

/** Whether one of the prices does not pay for what is bought. */
export function isUnderCost({ priceUsd, priceRub }: Prices, cost: Cost, rates: DollarRates): boolean {
  const least = priceByMargin(cost, 0, rates)
  return typeof least === 'string' || priceUsd < least.priceUsd || priceRub < least.priceRub
}

/** Something that a supplier sells. */
export interface SoldRow {
  id: number
  reference: string
  service_id: number | null
  name: string
  cost: string
  currency: string
  quantity_min: number | null
  is_gone: boolean
}

/** What a product has already. */
export interface OfferRow {
  id: number
  region_id: number | null
  game_amount: number
  /** What its sources buy. */
  bought: number[]
}

/** What becomes of a supplier's product: a new offer, one more source of an offer, or nothing. */
export type Plan =
  | { outcome: 'make'; sold: SoldRow; gameAmount: number; priceUsd: number; priceRub: number }
  | { outcome: 'join'; sold: SoldRow; offerId: number }
  | { outcome: 'unchanged'; reference: string; offerId: number }
  | { outcome: 'refused'; reference: string; reason: TakenRefusal; offerId: number | null }

/** Where new prices come from. */
export interface TakenPricing {
  marginPercent: number | undefined
  /** Whether new offers are priced by the nearest rule, and not by the margin. */
  isByRule: boolean
  /** Whether prices in both currencies that are far apart are meant so. */
  isConfirmed: boolean
  rates: DollarRates
}

interface Ground {
  service: { id: number; kind: 'topup' | 'code' }
  offers: readonly OfferRow[]
  pricing: TakenPricing
}

/** Decides about each product. Amounts that are new in this call count for those that follow. */
export function planOffers(wanted: readonly TakenOffer[], sold: readonly SoldRow[], ground: Ground): Plan[] {
  const amounts = new Map<number, number | null>()
  for (const { id, region_id, game_amount } of ground.offers) if (region_id === null) amounts.set(game_amount, id)
  return wanted.map((offer) => {
    const plan = planOffer(
      offer,
      sold.find(({ reference }) => reference === offer.reference),
      amounts,
      ground,
    )
    if (plan.outcome === 'make') amounts.set(plan.gameAmount, null)
    return plan
  })
}

function planOffer(
  wanted: TakenOffer,
  sold: SoldRow | undefined,
  amounts: ReadonlyMap<number, number | null>,
  { service, offers, pricing }: Ground,
): Plan {
  const refuse = (reason: TakenRefusal, offerId: number | null = null): Plan => ({
    outcome: 'refused',
    reference: wanted.reference,
    reason,
    offerId,
  })
  if (!sold) return refuse('product_not_found')
  const known = offers.find(({ bought }) => bought.includes(sold.id))
  if (known) return { outcome: 'unchanged', reference: sold.reference, offerId: known.id }
  if (sold.is_gone) return refuse('gone')
  if (sold.service_id !== service.id) return refuse('other_service')
  if ((sold.quantity_min ?? 1) > 1) return refuse('quantity')
  if (wanted.offerId !== undefined) {
    const isThere = offers.some(({ id }) => id === wanted.offerId)
    return isThere ? { outcome: 'join', sold, offerId: wanted.offerId } : refuse('offer_not_found')
  }
  const gameAmount = wanted.gameAmount ?? readAmount(sold.name) ?? freeAmount(service, amounts)
  if (gameAmount === undefined) return refuse('amount_needed')
  if (amounts.has(gameAmount)) return refuse('amount_taken', amounts.get(gameAmount) ?? null)
  const prices = priceTaken(wanted, sold, pricing)
  return typeof prices === 'string' ? refuse(prices) : { outcome: 'make', sold, gameAmount, ...prices }
}

/** A pass of a game has a name and no amount, so any will do; a code is found by its amount. */
function freeAmount({ kind }: Ground['service'], amounts: ReadonlyMap<number, number | null>): number | undefined {
  if (kind === 'code') return undefined
  let amount = 1
  while (amounts.has(amount)) amount++
  return amount
}

/** Takes the given prices, or makes some by the margin. What a rule will price begins at its cost. */
function priceTaken({ priceUsd, priceRub }: TakenOffer, sold: SoldRow, pricing: TakenPricing) {
  const { marginPercent, isByRule, isConfirmed, rates } = pricing
  if (isByRule) return priceByMargin(sold, 0, rates)
  if (priceUsd === undefined || priceRub === undefined)
    return marginPercent === undefined ? 'price' : priceByMargin(sold, marginPercent, rates)
  if (!rates.has(sold.currency)) return 'no_rate'
  const prices = { priceUsd: toMinor(priceUsd), priceRub: toMinor(priceRub) }
  if (isUnderCost(prices, sold, rates)) return 'under_cost'
  if (isConfirmed) return prices
  const doubts = doubtsAbout({ gameAmount: 1, ...prices, was: undefined }, rates.get('RUB'))
  return doubts.length > 0 ? 'price_doubtful' : prices
}
