import { randomInt } from 'node:crypto'
import { Failure } from '@olmos/contract/failure'
import type { Language } from '@olmos/contract/fields'
import { toMajor } from '@olmos/contract/minor-units'
import type { Currency } from '@olmos/contract/money'
import { type ListedOrder, ordersApi, type PaidBy, type PartialRefund } from '@olmos/contract/orders'
import { sharedReceiptsApi } from '@olmos/contract/shared-receipts'
import { SERVER_LIMITS } from '../../limits.ts'
import type { Context } from '../../platform/context.ts'
import type { Database } from '../../platform/database/database.ts'
import { removeInBatches } from '../../platform/database/jobs.ts'
import { type Queries, sql } from '../../platform/database/queries.ts'
import { newToken, toDigest } from '../../platform/security/tokens.ts'
import { findKeptBack, revealCodes } from '../codes/reveal-codes.ts'
import { findMark } from '../payments/methods.ts'
import type { Providers } from '../payments/providers.ts'
import { formatTopup } from '../topups/price-topup.ts'
import {
  countOrders,
  findCardPayment,
  findOwnOrder,
  type ItemRow,
  listOrderedProducts,
  listOrders,
  type OwnOrderRow,
  type PartRow,
  readRefundParts,
  readSteps,
  refundedItems,
} from './orders.ts'

const shownItem = ({ position, unit_price, topup, ...item }: ItemRow, currency: Currency) => ({
  ...item,
  amount: toMajor(unit_price * item.quantity),
  topup_data: topup && formatTopup(topup, { ...item, image_url: item.product.image_url, currency }),
})

/** Formats what a coupon took off, which came in minor units. */
export const shownCoupon = (coupon: ListedOrder['coupon']): ListedOrder['coupon'] =>
  coupon && { ...coupon, discount: toMajor(coupon.discount) }

type ConfiguredProviders = Pick<Providers, 'configured'>

export const shownOrder = (
  { created_at, total, wallet_amount, coupon, items, paid_by, ...order }: OwnOrderRow,
  providers: ConfiguredProviders,
): ListedOrder => ({
  ...order,
  paid_by: paid_by && shownPaidBy(paid_by, providers),
  created_at: created_at.toISOString(),
  total_amount: toMajor(total),
  from_balance: toMajor(wallet_amount),
  coupon: shownCoupon(coupon),
  items: items.map((item) => shownItem(item, order.currency)),
})

const shownPaidBy = (paid: NonNullable<OwnOrderRow['paid_by']>, providers: ConfiguredProviders): PaidBy => ({
  method: paid.method ?? paid.provider,
  mark: findMark(providers, paid),
  charge:
    paid.charge_amount !== null && paid.charge_currency !== null
      ? { amount: toMajor(paid.charge_amount), currency: paid.charge_currency }
      : null,
  fee: toMajor(paid.fee),
  fee_refunded: toMajor(paid.fee_refunded),
})

/** Lists the partial refunds of an item. */
export const shownParts = (parts: readonly PartRow[], itemId: number): PartialRefund[] =>
  parts
    .filter((part) => part.order_item_id === itemId)
    .map(({ quantity, amount, destination }) => ({ quantity, amount: toMajor(amount), destination }))

export function ordersRoutes(context: Context & { providers: Providers }): void {
  const { serve, database, vault, live, providers, rateLimiter } = context
  const receiptsPerUser = rateLimiter('receiptsPerUser')

  serve(ordersApi.list, async ({ user, query, language }) => {
    const [rows, total] = await Promise.all([
      listOrders(database, user.id, query, language),
      countOrders(database, user.id, query),
    ])
    return { orders: rows.map((row) => shownOrder(row, providers)), total }
  })

  serve(ordersApi.products, async ({ user, language }) => ({
    data: await listOrderedProducts(database, user.id, language),
  }))

  serve.stream(ordersApi.events, async ({ user }) => live.open('orders', user.id))

  serve(ordersApi.receipt, async ({ user, params: { id }, query, language }) => {
    await receiptsPerUser.count(String(user.id))
    const row = await findOwnOrder(database, user.id, id, language)
    if (!row) throw new Failure('NOT_FOUND')
    const hasSteps = row.items.some((item) => item.item_type === 'topup' || item.status !== 'delivered')
    const [revealed, payment, refunds, parts, steps] = await Promise.all([
      query.codes === 'hidden'
        ? findKeptBack(database, id)
        : revealCodes(database, vault, id, { userId: user.id, place: 'receipt' }),
      row.payment_method === 'card' ? findCardPayment(database, id) : undefined,
      refundedItems(database, id),
      readRefundParts(database, id),
      hasSteps ? readSteps(database, id) : [],
    ])
    const refundedTo = new Map(refunds.map((refund) => [refund.order_item_id, refund.destination]))
    return {
      ...shownOrder(row, providers),
      payment: payment ? { ...payment, expires_at: payment.expires_at?.toISOString() ?? null } : null,
      items: row.items.map((item) => ({
        ...shownItem(item, row.currency),
        code: revealed.get(item.position)?.codes.join('\n') || null,
        codes: revealed.get(item.position)?.codes ?? [],
        withheld_codes: revealed.get(item.position)?.withheld ?? 0,
        held_codes: revealed.get(item.position)?.frozen ?? 0,
        refunded_to: item.status === 'refunded' ? (refundedTo.get(item.id) ?? null) : null,
        refunded_units: refunds.filter((refund) => refund.order_item_id === item.id && refund.is_unit).length,
        partial_refunds: shownParts(parts, item.id),
        promised_minutes: steps.find((step) => step.item_id === item.id)?.promised_minutes ?? null,
        steps: steps.filter((step) => step.item_id === item.id).map(({ name, at }) => ({ name, at: at.toISOString() })),
      })),
    }
  })
}

const { wrongPins, openings, forgottenDays } = SERVER_LIMITS.sharedReceipt
const pinDigits = 6

const newPin = (): string => String(randomInt(10 ** pinDigits)).padStart(pinDigits, '0')

/** Needs `shared_receipt` in scope. */
const isOpen = sql`(shared_receipt.expires_at > now() AND wrong_pins < ${wrongPins} AND openings < ${openings})`

interface ShareRow {
  expires_at: Date
  openings: number
  opened_at: Date | null
}

const findShare = (queries: Queries, userId: number, orderId: string) =>
  queries.maybe<ShareRow>(sql`
    SELECT shared_receipt.expires_at, openings, opened_at FROM shared_receipt
    JOIN orders ON orders.id = order_id WHERE order_id = ${orderId} AND user_id = ${userId}
      AND ${isOpen}`)

/** Replaces an earlier link of the order. Undefined for an order of somebody else. */
const putShare = (
  queries: Queries,
  share: { orderId: string; userId: number; token: string; pin: string; hours: number },
) =>
  queries.maybe<{ expires_at: Date }>(sql`
    INSERT INTO shared_receipt (order_id, link_digest, pin_digest, expires_at)
    SELECT id, ${toDigest(share.token)}, ${toDigest(`${share.token} ${share.pin}`)}, now() + make_interval(hours => ${share.hours})
    FROM orders WHERE id = ${share.orderId} AND user_id = ${share.userId}
    ON CONFLICT (order_id) DO UPDATE SET link_digest = EXCLUDED.link_digest, pin_digest = EXCLUDED.pin_digest,
      created_at = now(), expires_at = EXCLUDED.expires_at, wrong_pins = 0, openings = 0, opened_at = NULL
    RETURNING expires_at`)

const deleteShare = (queries: Queries, userId: number, orderId: string) =>
  queries.run(sql`
    DELETE FROM shared_receipt USING orders
    WHERE orders.id = order_id AND order_id = ${orderId} AND user_id = ${userId}`)

interface TryRow {
  is_right: boolean
  tries_left: number
  order_id: string
  user_id: number
  expires_at: Date
}

/**
 * Counts a try of a link, in one statement: however many guess at once, no more are answered than there are tries. None
 * for a link that nobody made, that is over, or whose owner is blocked.
 */
function countTry(queries: Queries, token: string, pin: string) {
  const isRight = sql`(pin_digest = ${toDigest(`${token} ${pin}`)})`
  return queries.maybe<TryRow>(sql`
    UPDATE shared_receipt SET
      wrong_pins = wrong_pins + (NOT ${isRight})::int,
      openings = openings + ${isRight}::int,
      opened_at = CASE WHEN ${isRight} THEN now() ELSE opened_at END
    FROM orders JOIN users ON users.id = orders.user_id
    WHERE link_digest = ${toDigest(token)} AND orders.id = order_id AND users.blocked_at IS NULL AND ${isOpen}
    RETURNING ${isRight} AS is_right, ${wrongPins} - wrong_pins AS tries_left,
      order_id, user_id, shared_receipt.expires_at`)
}

/** Deletes links that were over long ago; what was shown past them stays written down. */
export const forgetOldShares = (database: Database): Promise<number> =>
  removeInBatches(database, 'shared_receipt', sql`expires_at < now() - make_interval(days => ${forgottenDays})`)

const shownShare = ({ expires_at, openings, opened_at }: ShareRow) => ({
  expires_at: expires_at.toISOString(),
  openings,
  opened_at: opened_at?.toISOString() ?? null,
})

export function sharedReceiptsRoutes({ serve, database, vault, config, rateLimiter }: Context): void {
  const perUser = rateLimiter('receiptsPerUser')
  const perAddress = rateLimiter('sharedReceiptsPerAddress')

  async function requireOwnOrder(userId: number, id: string, language: Language) {
    const order = await findOwnOrder(database, userId, id, language)
    if (!order) throw new Failure('NOT_FOUND')
    return order
  }

  serve(sharedReceiptsApi.read, async ({ user, params, language }) => {
    const { id } = await requireOwnOrder(user.id, params.id, language)
    const share = await findShare(database, user.id, id)
    return { share: share ? shownShare(share) : null }
  })

  serve(sharedReceiptsApi.make, async ({ user, params, body, language }) => {
    await perUser.count(String(user.id))
    const { id, status, items } = await requireOwnOrder(user.id, params.id, language)
    if (!items.some((item) => item.item_type === 'code' && item.status === 'delivered')) {
      throw new Failure('STATE_CONFLICT', { reason: 'no_codes_to_share', status })
    }
    const [token, pin] = [newToken(), newPin()]
    const share = await putShare(database, { orderId: id, userId: user.id, token, pin, hours: body.hours })
    if (!share) throw new Failure('NOT_FOUND')
    return { link: `${config.publicUrl}/shared#${token}`, pin, expires_at: share.expires_at.toISOString() }
  })

  serve(sharedReceiptsApi.end, async ({ user, params, language }) => {
    const { id } = await requireOwnOrder(user.id, params.id, language)
    await deleteShare(database, user.id, id)
  })

  serve(sharedReceiptsApi.open, async ({ body: { token, pin }, address, language }) => {
    await perAddress.count(address)
    const tried = await countTry(database, token, pin)
    if (!tried) throw new Failure('NOT_FOUND')
    if (!tried.is_right) throw new Failure('WRONG_PIN', { triesLeft: tried.tries_left })
    const order = await findOwnOrder(database, tried.user_id, tried.order_id, language)
    if (!order) throw new Failure('NOT_FOUND')
    const revealed = await revealCodes(database, vault, order.id, { userId: tried.user_id, place: 'link' })
    return {
      expires_at: tried.expires_at.toISOString(),
      items: order.items.flatMap((item) => {
        if (item.item_type !== 'code') return []
        const { id, item_type, quantity, game_amount, game_currency, status, region, product } = item
        const shown = revealed.get(item.position)
        return {
          ...{ id, item_type, quantity, game_amount, game_currency, status, region, product },
          code: shown?.codes.join('\n') || null,
          codes: shown?.codes ?? [],
          withheld_codes: shown?.withheld ?? 0,
          held_codes: shown?.frozen ?? 0,
        }
      }),
    }
  })
}
