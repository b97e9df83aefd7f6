import { type Decimal, formatDecimal, one, parseDecimal } from '@olmos/contract/decimal'
import { Failure } from '@olmos/contract/failure'
import { toMajor, toMinor } from '@olmos/contract/minor-units'
import type { ShopNumbers } from '@olmos/contract/shop-numbers'
import type { SteamCurrency } from '@olmos/contract/topup-data'
import { SERVER_BUSINESS } from '../../business.ts'
import type { Resources } from '../../platform/context.ts'
import { type Queries, sql, type Tx } from '../../platform/database/queries.ts'
import { raiseAlert, resolveAlert } from '../../platform/live/alert.ts'
import { type Commission, readCommissions } from '../pricing/price-rules.ts'
import { inHundredths, isJump } from '../rates/rate-sources.ts'
import { type DollarRates, dollarRates } from '../rates/rates.ts'
import { readNumbers } from '../shop/shop.ts'
import type { Suppliers } from './suppliers.ts'
import type { SteamCredit } from './topups.ts'

/** A supplier's rates by currency: units per USD, and the row that says so. */
type SteamRates = ReadonlyMap<string, { id: number; rate: Decimal }>

interface SteamAmount {
  /** In minor units of `currency`, above zero. */
  amount: number
  currency: SteamCurrency
}

/** An amount, and what it is bought of: products may have commissions of their own. */
interface WantedAmount extends SteamAmount {
  productId: number
}

/** All in minor units. */
interface SteamSum {
  /** What arrives, in USD. */
  usd: number
  /** What it costs including the commission, in USD and in roubles. */
  priceUsd: number
  priceRub: number
  /** How much of `priceUsd` is commission. */
  commissionUsd: number
}

/** The least and the most that is sold, in minor units of the currency the buyer names the amount in. */
interface SteamRange {
  least: number
  most: number
}

const whole = 10_000n

const ceil = (dividend: bigint, divisor: bigint): number => Number((dividend + divisor - 1n) / divisor)

function toRate(rates: DollarRates, currency: string): Decimal {
  const rate = rates.get(currency)
  if (rate === undefined) throw new Error(`no rate of ${currency}`)
  return rate
}

/**
 * Computes what a Steam amount costs: converted to USD, if possible at the rate of the supplier who will charge for it,
 * plus the commission, which is a percentage of it or the least amount, converted to the currency of the payment. It
 * computes in whole numbers and rounds up once at the end, in the currency of the payment: the commission is three percent
 * to the kopeck, nothing above zero ever becomes zero, and the shop never pays for the rounding.
 */
export function steamSum(
  { amount, currency }: SteamAmount,
  rates: DollarRates,
  { hundredths, leastUsd, leastRub }: Pick<Commission, 'hundredths' | 'leastUsd' | 'leastRub'>,
  steamRate?: Decimal,
): SteamSum {
  const input = steamRate ?? toRate(rates, currency.toUpperCase())
  // Each sum is multiplied by `whole * input`, so that it stays a whole number until it is rounded.
  const inCurrency = (rate: Decimal, share: bigint) => BigInt(amount) * share * rate
  const commission = (rate: Decimal, least: number) => {
    const share = inCurrency(rate, BigInt(hundredths))
    const atLeast = BigInt(least) * whole * input
    return share > atLeast ? share : atLeast
  }
  const price = (rate: Decimal, least: number) => ceil(inCurrency(rate, whole) + commission(rate, least), whole * input)
  return {
    usd: ceil(inCurrency(one, whole), whole * input),
    priceUsd: price(one, leastUsd),
    priceRub: price(toRate(rates, 'RUB'), leastRub),
    commissionUsd: ceil(commission(one, leastUsd), whole * input),
  }
}

/**
 * Computes how much is sold at once: up to what arrives as `steam_most_usd`, at the rate the amount is converted by.
 */
export function steamRange(
  currency: SteamCurrency,
  rates: DollarRates,
  numbers: ShopNumbers,
  steamRate?: Decimal,
): SteamRange {
  const input = steamRate ?? toRate(rates, currency.toUpperCase())
  const most = BigInt(toMinor(numbers.steam_most_usd))
  return { least: toMinor(numbers[`steam_least_${currency}`]), most: Number((most * input) / one) }
}

export const isSteamAmount = ({ amount }: SteamAmount, { least, most }: SteamRange): boolean =>
  least <= amount && amount <= most

interface SteamRateRow {
  id: number
  currency: string
  /** Units of the currency per USD. */
  rate: string
}

/** Reads the suppliers' recent rates. */
const readSteamRates = (queries: Queries) =>
  queries.rows<SteamRateRow>(sql`
    SELECT DISTINCT ON (currency) id, currency, rate FROM steam_rate
    WHERE seen_at > now() - make_interval(mins => ${SERVER_BUSINESS.steamRateMinutes}) ORDER BY currency, id DESC`)

/** Stores a supplier's rate: confirms the last one, or begins a new one. */
const noteSteamRate = (tx: Tx, { supplier, currency, rate }: Omit<SteamRateRow, 'id'> & { supplier: string }) =>
  tx.run(sql`
    WITH again AS (
      UPDATE steam_rate SET seen_at = now()
      WHERE id = (SELECT max(id) FROM steam_rate WHERE currency = ${currency}) AND supplier = ${supplier}
        AND rate = ${rate}::numeric(20, 8)
        AND seen_at > now() - make_interval(mins => ${SERVER_BUSINESS.steamRateMinutes})
      RETURNING id)
    INSERT INTO steam_rate (supplier, currency, rate)
    SELECT ${supplier}, ${currency}, ${rate}::numeric WHERE NOT EXISTS (SELECT FROM again)`)

/** Keeps two nodes from storing one rate twice. */
const lockSteamRates = (tx: Tx) => tx.run(sql`SELECT pg_advisory_xact_lock(hashtext('steam_rate'))`)

/** Reads recent supplier's rates by currency; empty where the shop's own rates apply. */
async function steamRates(queries: Queries): Promise<SteamRates> {
  const rows = await readSteamRates(queries)
  return new Map(
    rows.flatMap(({ id, currency, rate }) => {
      const value = parseDecimal(rate)
      return value === undefined ? [] : [[currency, { id, rate: value }] as const]
    }),
  )
}

/**
 * Asks the preferred Steam supplier for its rates. While it does not answer, its last rates apply for
 * `SERVER_BUSINESS.steamRateMinutes`, then the shop's own do. A rate too far from those is rejected and raises an
 * alert.
 */
export async function keepSteamRates({
  database,
  log,
  suppliers,
}: Pick<Resources, 'database' | 'log'> & { suppliers: Suppliers }): Promise<void> {
  const supplier = suppliers.configured.find(({ sells }) => sells.includes('amount'))
  const answer = await supplier?.readSteamRates?.()
  if (!supplier || !answer) return
  if (answer.kind !== 'done') {
    log.warn({ supplier: supplier.name, answer }, 'steam rates not read')
    return
  }
  const { rub, kzt } = answer.value
  await database.transaction(async (tx) => {
    await lockSteamRates(tx)
    await note(tx, { supplier: supplier.name, currency: 'RUB', rate: rub })
    await note(tx, { supplier: supplier.name, currency: 'KZT', rate: kzt })
  })
}

async function note(tx: Tx, quote: { supplier: string; currency: string; rate: string }): Promise<void> {
  const own = (await dollarRates(tx)).get(quote.currency)
  const rate = parseDecimal(quote.rate)
  const [kind, subject] = ['supplier.steam_rate', `${quote.supplier}:${quote.currency}`] as const
  const isOff = !own || !rate || isJump(own, rate, inHundredths(String(SERVER_BUSINESS.steamRateOffPercent)))
  if (isOff) {
    const details = { held: quote.rate, in_force: own && formatDecimal(own) }
    return raiseAlert(tx, { kind, subject, details, whenChanged: 'refresh' })
  }
  await noteSteamRate(tx, quote)
  await resolveAlert(tx, kind, subject)
}

interface SteamPrice extends SteamSum {
  credit: SteamCredit
  range: SteamRange
}

interface TermsInForce {
  own: DollarRates
  supplier: SteamRates
  numbers: ShopNumbers
  commissionOn(productId: number): Commission
}

const termsInForce = async (queries: Queries): Promise<TermsInForce> => {
  const [own, supplier, numbers, commissionOn] = await Promise.all([
    dollarRates(queries),
    steamRates(queries),
    readNumbers(queries),
    readCommissions(queries),
  ])
  return { own, supplier, numbers, commissionOn }
}

function toPrice({ productId, ...wanted }: WantedAmount, terms: TermsInForce): SteamPrice {
  const { own: rates, supplier } = terms
  const steamRate = supplier.get(wanted.currency.toUpperCase())
  const commission = terms.commissionOn(productId)
  const sum = steamSum(wanted, rates, commission, steamRate?.rate)
  const range = steamRange(wanted.currency, rates, terms.numbers, steamRate?.rate)
  const used = ['RUB', wanted.currency.toUpperCase()].map((currency) => [
    currency,
    formatDecimal(rates.get(currency) ?? 0n),
  ])
  const credit = {
    ...wanted,
    usd: sum.usd,
    rates: Object.fromEntries(used),
    rateId: steamRate?.id ?? null,
    rule: commission.rule,
  }
  return { ...sum, credit, range }
}

/**
 * Prices an amount for Steam at the rates and the commission in force. Refuses one that is not sold: INVALID_AMOUNT with
 * the least and the most.
 */
export async function priceSteam(queries: Queries, wanted: WantedAmount): Promise<SteamPrice> {
  const price = toPrice(wanted, await termsInForce(queries))
  if (isSteamAmount(wanted, price.range)) return price
  throw new Failure('INVALID_AMOUNT', {
    amount: 'invalid_amount',
    least: toMajor(price.range.least),
    most: toMajor(price.range.most),
    currency: wanted.currency.toUpperCase() as Uppercase<typeof wanted.currency>,
  })
}

/** Prices amounts that were accepted before, whatever the rates have become. Reads no rates when there are none. */
export async function priceSteamAgain(queries: Queries, amounts: readonly WantedAmount[]): Promise<SteamPrice[]> {
  if (amounts.length === 0) return []
  const terms = await termsInForce(queries)
  return amounts.map((wanted) => toPrice(wanted, terms))
}
