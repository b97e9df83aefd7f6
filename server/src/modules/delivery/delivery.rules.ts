import { type Decimal, formatDecimal, one, parseDecimal } from '@olmos/contract/decimal'
import type { Currency } from '@olmos/contract/money'
import type { ItemStatus, OrderStatus } from '@olmos/contract/orders'
import type { SourceKind } from '@olmos/contract/sourcing'
import { SERVER_LIMITS } from '../../limits.ts'
import type { Outcome, VendorDetails } from '../../platform/vendor/vendor.ts'
import type { UnitCost } from '../codes/purchases.ts'
import type { Supplier, SupplierOrder, Wanted } from '../topups/supplier.ts'

/** What a supplier's answer means for a delivery. */
export type Verdict =
  | { is: 'done' | 'pending'; supplierOrderId: string; codes: readonly string[]; cost?: UnitCost | undefined }
  | ({ is: 'rejected'; why: string } & VendorDetails)
  | ({ is: 'unknown'; why: string } & VendorDetails)
  /** It certainly never arrived: the order may be sent again under its key. */
  | { is: 'not_found' }

interface Asked {
  kind: 'submit' | 'look_up'
  /** Whether the order may have been sent before. */
  isRepeat: boolean
  /** The time since the order was last sent. */
  ageSeconds: number
  settlesWithinSeconds: number
}

/** What is not stated for certain is unknown; and a look-up too soon after sending is not certain of anything. */
export function toVerdict(
  answer: Outcome<SupplierOrder>,
  { kind, isRepeat, ageSeconds, settlesWithinSeconds }: Asked,
): Verdict {
  const besides = answer.kind === 'done' ? {} : { facts: answer.facts, retryAfterSeconds: answer.retryAfterSeconds }
  if (answer.kind === 'unknown') {
    const isUnsent = answer.isUnsent === true && kind === 'submit' && !isRepeat
    return isUnsent
      ? { is: 'rejected', why: answer.why, ...besides, isUnsent }
      : { is: 'unknown', why: answer.why, ...besides }
  }
  if (answer.kind === 'done') {
    const { supplierOrderId, status, why = 'failed', codes = [], cost } = answer.value
    return status === 'failed'
      ? { is: 'rejected', why }
      : { is: status, supplierOrderId, codes, cost: readUnitCost(cost) }
  }
  if (kind === 'submit') return { is: 'rejected', why: answer.code, ...besides }
  if (answer.code !== 'not_found') return { is: 'unknown', why: answer.code, ...besides }
  return ageSeconds >= settlesWithinSeconds ? { is: 'not_found' } : { is: 'unknown', why: 'not_found_yet' }
}

/** Reads what a supplier says it took; a cost that is none, or in something that is no currency, is unknown. */
export function readUnitCost(told: SupplierOrder['cost']): UnitCost | undefined {
  if (!told || !/^[A-Z]{3,5}$/.test(told.currency)) return undefined
  const amount = parseDecimal(told.amount)
  return amount === undefined ? undefined : { amount: formatDecimal(amount), currency: told.currency }
}

/** The pause before the next look-up, longer every time. */
export const lookUpBackoff = (lookUps: number): number =>
  Math.min(SERVER_LIMITS.lookUpSeconds * 2 ** Math.min(lookUps, 30), SERVER_LIMITS.lookUpSecondsMax)

/** An order at a supplier that came to nothing. */
export interface Tried {
  supplier: string
  /** What it was asked for. */
  item: string | null
  isPool: boolean
  why: string | null
}

/** One of those who deliver an offer by its own list. */
export interface Source {
  kind: SourceKind
  /** Whom it asks for what, for kind `supplier`. */
  supplier: string | null
  item: string | null
  isOpen: boolean
}

interface Ways<Own extends Source> {
  wanted: Wanted
  /** Who delivers the offer, the first to be asked first; none where all suppliers of the shop do. */
  sources: readonly Own[]
  suppliers: readonly Pick<Supplier, 'name' | 'sells' | 'redeemsCodes'>[]
  tried: readonly Tried[]
  /** Suppliers that get nothing new at the moment. */
  out: ReadonlySet<string>
  /** Whether the offer has codes left to be spent on players. */
  hasPool: boolean
}

type Route<Own> =
  /** `source` is one of the offer's own. */
  | { to: 'pool' | 'supplier'; supplier: string; source?: Own }
  /** Every supplier that could do it is out of service at the moment. */
  | { to: 'wait' }
  /** Nobody is left who could. */
  | { to: 'nobody' }

/**
 * Chooses whom to ask next, and nobody twice: the sources of the offer in their order, and nobody else; where it has none,
 * the pool of codes, the suppliers in the shop's order, then the operator.
 */
export function nextRoute<Own extends Source>(ways: Ways<Own>): Route<Own> {
  return ways.sources.length > 0 ? routeBySources(ways) : routeByShop(ways)
}

/**
 * Finds a supplier that may have a code of the pool, first of all one that is in; undefined when the pool has no use for this
 * unit.
 */
function findRedeemer({ wanted, suppliers, tried, out, hasPool }: Ways<Source>) {
  const ofPool = tried.filter((one) => one.isPool)
  // A rejected code says nothing about the next; any other rejection is about the player, or the supplier.
  const isCodeBad = ({ why }: Tried) => why === codeRefused || why === codeRecalled
  const isPoolLeft = hasPool && ofPool.length < SERVER_LIMITS.poolTries && ofPool.every(isCodeBad)
  const able = suppliers.filter(({ sells, redeemsCodes }) => isPoolLeft && sells.includes(wanted) && redeemsCodes)
  return able.find(({ name }) => !out.has(name)) ?? able[0]
}

/** A supplier that is out is passed over for another one, but the operator does not do what a machine soon can. */
function routeBySources<Own extends Source>(ways: Ways<Own>): Route<Own> {
  const { wanted, suppliers, tried, out, sources } = ways
  let isSomeoneOut = false
  for (const source of sources.filter(({ isOpen }) => isOpen)) {
    const redeemer = source.kind === 'pool' ? findRedeemer(ways) : undefined
    if (redeemer && !out.has(redeemer.name)) return { to: 'pool', supplier: redeemer.name, source }
    if (redeemer) isSomeoneOut = true
    const name = source.kind === 'operator' ? 'manual' : source.supplier
    const seller = suppliers.find((supplier) => supplier.name === name && supplier.sells.includes(wanted))
    if (!seller || tried.some((one) => !one.isPool && one.supplier === name && isAbout(one, source))) continue
    if (out.has(seller.name)) isSomeoneOut = true
    else if (!isSomeoneOut || source.kind !== 'operator') return { to: 'supplier', supplier: seller.name, source }
  }
  return { to: isSomeoneOut ? 'wait' : 'nobody' }
}

/** A supplier may sell the offer under several references; what it says of one is not said of the others. */
const isAbout = ({ item }: Tried, source: Source): boolean => source.kind === 'operator' || item === source.item

function routeByShop<Own extends Source>(ways: Ways<Own>): Route<Own> {
  const { wanted, suppliers, tried, out } = ways
  const sellers = suppliers.filter((supplier) => supplier.sells.includes(wanted))
  const left = sellers.filter(({ name }) => !tried.some((one) => one.supplier === name && !one.isPool))
  const machines = left.filter(({ name }) => name !== 'manual')

  const isIn = ({ name }: { name: string }) => !out.has(name)
  const redeemer = findRedeemer(ways)
  if (redeemer && isIn(redeemer)) return { to: 'pool', supplier: redeemer.name }
  const machine = machines.find(isIn)
  if (machine) return { to: 'supplier', supplier: machine.name }
  if (machines.length > 0) return { to: 'wait' }
  const operator = left.find(({ name }) => name === 'manual')
  return operator ? { to: 'supplier', supplier: operator.name } : { to: 'nobody' }
}

/** The supplier rejected the code itself, and nothing else. */
export const codeRefused = 'code_refused'

/** The code's batch was recalled before the supplier got it. */
export const codeRecalled = 'code_recalled'

/** How many units of an item are in which state. */
interface Units {
  waiting: number
  unknown: number
  done: number
  rejected: number
}

export function toItemStatus({ waiting, unknown, done }: Units): ItemStatus {
  if (unknown > 0) return 'unknown'
  if (waiting > 0) return 'pending'
  return done > 0 ? 'delivered' : 'refunded'
}

/** Undefined while something is still under way. */
export function toOrderStatus(
  items: readonly { status: ItemStatus; refunded_amount: number }[],
): OrderStatus | undefined {
  if (items.some(({ status }) => status !== 'delivered' && status !== 'refunded')) return undefined
  if (items.every(({ status }) => status === 'refunded')) return 'refunded'
  const isWhole = items.every((item) => item.status === 'delivered' && item.refunded_amount === 0)
  return isWhole ? 'completed' : 'partially_refunded'
}

interface PaidUnit {
  wanted: Wanted
  /** The order's currency. */
  currency: Currency
  /** What one costs a customer without a coupon, in minor units of `currency`. */
  full_price: number
  /** The offer's price in cents when it was ordered; null for an amount. */
  price_usd: number | null
  /** The most a code may cost, in percent of its price. */
  code_cost_percent: number
}

const least = (a: Decimal, b: Decimal): Decimal => (a < b ? a : b)

/**
 * Computes the most a unit may cost the shop, in USD; `rubles` is the present rate to one USD. No top-up may cost more
 * than a customer pays for it without a coupon, by what that money is worth today: for Steam that is the amount that arrives plus the
 * commission, so a supplier may take up to the whole commission. A code may cost `code_cost_percent`
 * of that, or of its list price in USD if that is less. An activated code was paid for when it was bought: it is worth
 * the list price of what it delivers. The percentage is taken before anything is divided, so that a price of which a cost is
 * exactly that much pays for it.
 */
export function costAtMost(
  { wanted, currency, full_price, price_usd, code_cost_percent }: PaidUnit,
  rubles: Decimal | undefined,
): Decimal {
  const percent = wanted === 'code' ? code_cost_percent : 100
  const listed = price_usd === null ? undefined : toDollars(price_usd, 'USD', percent)
  const worth = full_price === 0 ? (listed ?? 0n) : toDollars(full_price, currency, percent, rubles)
  return wanted === 'code' ? least(worth, listed ?? worth) : worth
}

/** Lowers what a unit may cost to the limit of its source, a decimal of USD. */
export function capCost(worth: Decimal, limit: string | null): Decimal {
  const most = limit === null ? undefined : parseDecimal(limit)
  return most === undefined ? worth : least(worth, most)
}

/** Converts a percentage of minor units, rounded down. Zero without a rate: what is not known is not spent. */
function toDollars(amount: number, currency: Currency, percent: number, rubles?: Decimal): Decimal {
  const hundredths = BigInt(amount) * BigInt(percent) * one
  if (currency === 'USD') return hundredths / 10_000n
  return rubles === undefined ? 0n : (hundredths * one) / (10_000n * rubles)
}
