import { Failure } from '@olmos/contract/failure'
import { toMajor } from '@olmos/contract/minor-units'
import type { Currency } from '@olmos/contract/money'
import { type ListedOrder, ordersApi, type PaidBy, type PartialRefund } from '@olmos/contract/orders'
import { SERVER_LIMITS } from '../../limits.ts'
import type { Context } from '../../platform/context.ts'
import { createRateLimiter } from '../../platform/http/rate-limit.ts'
import { type RevealedCodes, revealCodes } from '../codes/reveal-codes.ts'
import { findMark } from '../payments/methods.ts'
import type { Providers } from '../payments/providers.ts'
import { formatTopup } from '../topups/price-topup.ts'
import {
  countOrders,
  findCardPayment,
  findOwnOrder,
  type ItemRow,
  isOrderId,
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

type ConfiguredProviders = Pick<Providers, 'configured'>

export const shownOrder = (
  { created_at, total, wallet_amount, items, paid_by, ...order }: OwnOrderRow,
  providers: ConfiguredProviders,
): ListedOrder => ({
  ...order,
  paid_by: paid_by && shownPaidBy(paid_by, providers),
  created_at: created_at.toISOString(),
  total_amount: toMajor(total),
  from_balance: toMajor(wallet_amount),
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

const noCodes: ReadonlyMap<number, RevealedCodes> = new Map()

export function ordersRoutes(context: Context & { providers: Providers }): void {
  const { serve, database, vault, live, config, providers } = context
  const limit = { name: 'receiptsPerUser', ...SERVER_LIMITS.rates.receiptsPerUser }
  const receiptsPerUser = createRateLimiter(database, limit, config.rateLimits)

  serve(ordersApi.list, async ({ user, query, language }) => {
    const [rows, total] = await Promise.all([
      listOrders(database, user.id, query, language),
      countOrders(database, user.id, query),
    ])
    return { orders: rows.map((row) => shownOrder(row, providers)), total }
  })

  serve.stream(ordersApi.events, async ({ user }) => live.open(user.id))

  serve(ordersApi.receipt, async ({ user, params, query, language }) => {
    await receiptsPerUser.count(String(user.id))
    const id = params.id.toUpperCase()
    const row = isOrderId(id) ? await findOwnOrder(database, user.id, id, language) : undefined
    if (!row) throw new Failure('NOT_FOUND')
    const hasSteps = row.items.some((item) => item.item_type === 'topup' || item.status !== 'delivered')
    const [revealed, payment, refunds, parts, steps] = await Promise.all([
      query.codes === 'hidden' ? noCodes : revealCodes(database, vault, id, { userId: user.id, place: 'receipt' }),
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
