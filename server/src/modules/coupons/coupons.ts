import type { CouponReason } from '@olmos/contract/coupons'
import { one, parseDecimal } from '@olmos/contract/decimal'
import { Failure } from '@olmos/contract/failure'
import { toMajor } from '@olmos/contract/minor-units'
import { type Currency, priceIn } from '@olmos/contract/money'
import type { Context } from '../../platform/context.ts'
import { exists } from '../../platform/database/lists.ts'
import { type Queries, sql, type Tx } from '../../platform/database/queries.ts'

/** One who would use a coupon, for an order that may have been placed in this transaction already. */
interface Buyer {
  userId: number
  orderId?: string
  /** Whether the buyer only asks what it would take off. A use that an own unpaid order has taken counts as free then. */
  isAsking?: boolean
}

// Conditions over a row of `coupon`. What is asked about the buyer's other orders stays true until the transaction ends,
// because the caller has locked the buyer's cart.

const isStarted = sql`(starts_at IS NULL OR starts_at <= now())`
const isOpen = sql`(is_active AND (ends_at IS NULL OR ends_at > now()))`

const ownOrders = ({ userId, orderId = '' }: Buyer) => sql`
  SELECT FROM orders WHERE orders.user_id = ${userId} AND orders.id <> ${orderId}`

const isLeft = (buyer: Buyer) =>
  buyer.isAsking
    ? sql`(max_uses IS NULL OR used - (SELECT count(*) FROM (
        ${ownOrders(buyer)} AND coupon_id = coupon.id AND status = 'awaiting_payment') AS unpaid) < max_uses)`
    : sql`(max_uses IS NULL OR used < max_uses)`

const isLeftToBuyer = (buyer: Buyer) => sql`(max_uses_each IS NULL OR (SELECT count(*) FROM (
  ${ownOrders(buyer)} AND coupon_id = coupon.id
    AND status <> ALL (${buyer.isAsking ? ['expired', 'awaiting_payment'] : ['expired']}::text[])) AS own) < max_uses_each)`

/** Two unpaid orders at a time can't both be the first. */
const isFirstOrder = (buyer: Buyer) => sql`(NOT is_first_order OR NOT EXISTS (
  ${ownOrders(buyer)} AND purpose = 'goods' AND payment_method <> 'code' AND (
    status NOT IN ('awaiting_payment', 'expired')
    OR status = 'awaiting_payment' AND NOT ${buyer.isAsking ?? false}
      AND orders.coupon_id IN (SELECT id FROM coupon AS other WHERE other.is_first_order))))`

interface CouponRow {
  id: number
  version: number
  code: string
  /** In hundredths of a percent; null for an amount. */
  percent: number | null
  amount_usd: number | null
  amount_rub: number | null
  product_ids: number[] | null
  least_usd: number
  least_rub: number
  /** Why the buyer may not use it, whatever is bought. */
  refused: CouponReason | null
}

const findCoupon = (queries: Queries, code: string, buyer: Buyer) =>
  queries.maybe<CouponRow>(sql`
    SELECT id, version, code, percent, amount_usd, amount_rub, product_ids, least_usd, least_rub,
      CASE WHEN NOT ${isStarted} THEN 'not_started' WHEN NOT ${isOpen} THEN 'ended'
        WHEN NOT ${isLeftToBuyer(buyer)} THEN 'used_by_you' WHEN NOT ${isLeft(buyer)} THEN 'used_up'
        WHEN NOT ${isFirstOrder(buyer)} THEN 'not_first_order' END AS refused
    FROM coupon WHERE code = ${code} AND archived_at IS NULL`)

/** Finds the coupon that has the code now; null for none. */
export const findCouponId = async (queries: Queries, code: string): Promise<number | null> =>
  (await queries.maybe<{ id: number }>(sql`SELECT id FROM coupon WHERE code = ${code} AND archived_at IS NULL`))?.id ??
  null

interface OfferFloor {
  id: number
  product_id: number
  floor_usd: number | null
  floor_rub: number | null
}

/** Reads what offers cost the shop; null where that is unknown. */
const readFloors = (queries: Queries, offerIds: readonly number[]) =>
  queries.rows<OfferFloor>(sql`
    SELECT id, product_id, floor_usd, floor_rub FROM offer WHERE id = ANY (${offerIds}::int[])`)

/** A line as far as a coupon goes. Money is in minor units. */
export interface CouponLine {
  offer_id: number | null
  /** Set for lines without an offer. */
  product_id: number | null
  price_usd: number
  price_rub: number
  quantity: number
  target: { steam: { usd: number; rates: Readonly<Record<string, string>> } | null } | null
}

/** What a coupon takes off each unit of a line, and what the unit costs the shop; null where nobody knows. */
export interface UnitDiscount {
  unit_discount: number
  unit_floor: number | null
}

export interface AppliedDiscount {
  id: number
  version: number
  code: string
  /** What it takes off in all, in minor units: more than nothing. */
  discount: number
  /** Whether it would take off more if it were not for the floors. */
  isCut: boolean
}

/** An amount costs the shop what arrives of it, at the rates it is priced by. */
function amountFloor({ usd, rates }: { usd: number; rates: Readonly<Record<string, string>> }, currency: Currency) {
  if (currency === 'USD') return usd
  const rate = parseDecimal(rates[currency] ?? '')
  if (rate === undefined) throw new Error(`an amount was priced without a rate of ${currency}`)
  return Number((BigInt(usd) * rate + one - 1n) / one)
}

export interface Discountable {
  /** What one unit costs, in minor units. */
  price: number
  quantity: number
  /** A unit never costs less; null where the shop does not know what it pays. */
  floor: number | null
  /** Whether the coupon is for it. */
  isCovered: boolean
}

/** In hundredths of a percent, or in minor units of the order's currency. */
export type CouponTerms = { percent: number } | { amount: number }

/** How many units of a line get how much off each. */
interface DiscountPart {
  quantity: number
  discount: number
}

/** The most that may be taken off a unit: something is always left to be paid. */
const toRoom = ({ price, floor, isCovered }: Discountable): number =>
  isCovered ? Math.max(0, price - Math.max(floor ?? 0, 1)) : 0

/**
 * Computes what a coupon takes off each unit, line by line, never under a floor: a percentage of each price, rounded down,
 * or exactly the amount, in proportion to the prices, as far as the floors let it. An amount that can't be divided makes
 * two parts of one line, so that all units of a part cost the same and refunds of them are exact.
 */
export function shareDiscount(lines: readonly Discountable[], terms: CouponTerms): DiscountPart[][] {
  if ('percent' in terms) {
    const percent = BigInt(terms.percent)
    return lines.map((line) => {
      const wanted = Number((BigInt(line.price) * percent) / 10_000n)
      return [{ quantity: line.quantity, discount: Math.min(toRoom(line), wanted) }]
    })
  }
  const shared = lines.map((line) => ({ ...line, room: toRoom(line), discount: 0 }))
  const isOpenLine = (line: (typeof shared)[number]) => line.discount < line.room
  let left = Math.min(
    terms.amount,
    shared.reduce((sum, { room, quantity }) => sum + room * quantity, 0),
  )
  const takeOff = (line: (typeof shared)[number], each: number) => {
    line.discount += each
    left -= each * line.quantity
  }
  for (let before = 0; left !== before; ) {
    before = left
    const open = shared.filter(isOpenLine)
    const value = open.reduce((sum, { price, quantity }) => sum + BigInt(price) * BigInt(quantity), 0n)
    for (const line of open) {
      const share = Number((BigInt(before) * BigInt(line.price)) / value)
      takeOff(line, Math.min(share, line.room - line.discount))
    }
  }
  // What is left is less than one minor unit for each unit that still has room.
  for (let before = 0; left !== before; ) {
    before = left
    for (const line of shared) if (isOpenLine(line) && line.quantity <= left) takeOff(line, 1)
  }
  const last = left > 0 ? shared.find(isOpenLine) : undefined
  return shared.map((line) =>
    line === last
      ? [
          { quantity: left, discount: line.discount + 1 },
          { quantity: line.quantity - left, discount: line.discount },
        ]
      : [{ quantity: line.quantity, discount: line.discount }],
  )
}

const sumParts = (parts: readonly DiscountPart[][]): number =>
  parts.flat().reduce((sum, { quantity, discount }) => sum + quantity * discount, 0)

function toTerms(coupon: CouponRow, currency: Currency): CouponTerms {
  const amount = currency === 'USD' ? coupon.amount_usd : coupon.amount_rub
  if (coupon.percent !== null) return { percent: coupon.percent }
  if (amount === null) throw new Error(`coupon ${coupon.code} takes nothing off`)
  return { amount }
}

const toRefusal = (reason: CouponReason, more: { least?: number; currency?: Currency } = {}): Failure =>
  new Failure('COUPON_REFUSED', { reason, ...more })

/**
 * Takes what a coupon is worth off the lines of a purchase, in its currency. A line may become two. The use itself is taken
 * by `takeCoupon`. Refuses with COUPON_REFUSED what the coupon is not for.
 */
export async function applyCoupon<Line extends CouponLine>(
  tx: Tx,
  code: string,
  { lines, currency, ...buyer }: Buyer & { lines: readonly Line[]; currency: Currency },
): Promise<{ lines: readonly (Line & Partial<UnitDiscount>)[]; coupon: AppliedDiscount }> {
  const { coupon, offers } = await tx.pipeline({
    coupon: (tx) => findCoupon(tx, code, buyer),
    offers: (tx) =>
      readFloors(
        tx,
        lines.flatMap(({ offer_id }) => offer_id ?? []),
      ),
  })
  if (!coupon) throw toRefusal('unknown')
  if (coupon.refused) throw toRefusal(coupon.refused)

  const priced = lines.map((line): Discountable => {
    const offer = offers.find(({ id }) => id === line.offer_id)
    const productId = offer?.product_id ?? line.product_id
    const { steam } = line.target ?? { steam: null }
    const floor = currency === 'USD' ? offer?.floor_usd : offer?.floor_rub
    return {
      price: priceIn(line, currency),
      quantity: line.quantity,
      floor: steam ? amountFloor(steam, currency) : (floor ?? null),
      isCovered: coupon.product_ids === null || (productId !== null && coupon.product_ids.includes(productId)),
    }
  })
  if (!priced.some(({ isCovered }) => isCovered)) throw toRefusal('other_products')
  const least = currency === 'USD' ? coupon.least_usd : coupon.least_rub
  if (priced.reduce((sum, { price, quantity }) => sum + price * quantity, 0) < least)
    throw toRefusal('below_minimum', { least: toMajor(least), currency })

  const terms = toTerms(coupon, currency)
  const parts = shareDiscount(priced, terms)
  const discount = sumParts(parts)
  if (discount === 0) throw toRefusal('at_floor')
  const uncut = sumParts(
    shareDiscount(
      priced.map((line) => ({ ...line, floor: null })),
      terms,
    ),
  )
  const { id, version } = coupon
  return {
    lines: lines.flatMap((line, index) =>
      (parts[index] ?? []).map(({ quantity, discount: unit_discount }) => ({
        ...line,
        quantity,
        unit_discount,
        unit_floor: priced[index]?.floor ?? null,
      })),
    ),
    coupon: { id, version, code: coupon.code, discount, isCut: discount < uncut },
  }
}

/** Takes one use if there is one for the buyer; whether there was. One statement decides who gets the last. */
const takeUse = async (tx: Tx, couponId: number, buyer: Buyer, version: number | null): Promise<boolean> =>
  (await tx.run(sql`
    UPDATE coupon SET used = used + 1
    WHERE id = ${couponId} AND archived_at IS NULL AND version = coalesce(${version}::int, version)
      AND ${isStarted} AND ${isOpen} AND ${isLeft(buyer)} AND ${isLeftToBuyer(buyer)} AND ${isFirstOrder(buyer)}`)) ===
  1

/**
 * Takes one use of a coupon for the order that is being placed with it. It may be sent together with other statements of the
 * transaction, behind the order; the coupon is locked until the end. Refuses with COUPON_REFUSED when there is none left, or
 * with OVERLOADED, to be retried, when an admin has changed the coupon since it was applied.
 */
export async function takeCoupon(
  tx: Tx,
  { id, version, code }: AppliedDiscount,
  { userId, id: orderId }: { userId: number; id: string },
): Promise<void> {
  const buyer = { userId, orderId }
  if (await takeUse(tx, id, buyer, version)) return
  const now = await findCoupon(tx, code, buyer)
  if (now && !now.refused) throw new Failure('OVERLOADED', undefined, 'the coupon was changed meanwhile')
  throw toRefusal(now?.refused ?? 'unknown')
}

interface CouponOrder {
  id: string
  user_id: number
  coupon_id: number | null
}

/** Takes the use of an order that expired, and was paid since, again; whether it could. True for an order without coupon. */
export const retakeCoupon = async (tx: Tx, { id, user_id, coupon_id }: CouponOrder): Promise<boolean> =>
  coupon_id === null || takeUse(tx, coupon_id, { userId: user_id, orderId: id }, null)

/** Releases the use of a coupon by an order that ends unpaid, and was locked. */
export const releaseCoupon = (tx: Tx, couponId: number) =>
  tx.run(sql`UPDATE coupon SET used = used - 1 WHERE id = ${couponId}`)

/** Counts those who guess codes, by user and by address. A code that exists is not counted. */
export function createCouponGuard({ database, rateLimiter }: Context) {
  const ofUser = rateLimiter('couponsPerUser')
  const ofAddress = rateLimiter('couponsPerAddress')
  return async ({ userId, address, code }: { userId: number; address: string; code: string }): Promise<void> => {
    await ofUser.count(String(userId))
    await ofAddress.count(address)
    if (!(await exists(database, sql`SELECT FROM coupon WHERE code = ${code} AND archived_at IS NULL`))) return
    await ofUser.releaseTry(String(userId))
    await ofAddress.releaseTry(address)
  }
}
