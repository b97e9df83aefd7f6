import { useWindowEvent } from '@mantine/hooks'
import type { CartItem } from '@olmos/contract/cart'
import type { checkoutApi } from '@olmos/contract/checkout'
import type { Currency } from '@olmos/contract/money'
import type { paymentsApi } from '@olmos/contract/payments'
import type { AnyTopup } from '@olmos/contract/topup-data'
import type { topupsApi } from '@olmos/contract/topups'
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { caller } from '../../api/client.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { WEB_LIMITS } from '../../limits.ts'
import { lowerCode } from '../../money/currency.ts'
import { toTotal } from '../../money/total.ts'

const openPayment = caller<typeof paymentsApi.create>('POST /payment/create')
const payFromBalance = caller<typeof checkoutApi.payFromBalance>('POST /payment/from-balance')
const buyNow = caller<typeof checkoutApi.buyNow>('POST /payment/buy-now')
const order = caller<typeof topupsApi.order>('POST /orders/topup')
const { moneyCallTimeoutMs: timeoutMs } = WEB_LIMITS

export interface Wish {
  currency: Currency
  /** The name of the method that pays what the balance does not; without one the store chooses. */
  method?: string | undefined
  /** What the method costs on top, as the customer sees it; none by default. */
  fee?: number | undefined
  /** How much of it the balance pays, beside the method. */
  fromBalance?: number | undefined
  /** The customer knows that an equal top-up was bought a moment ago. */
  confirmRepeat?: boolean
  /** Where the fiscal receipt goes, where the method needs one. */
  email?: string | undefined
  /** The coupon, and what it leaves to be paid. */
  coupon?: { code: string; total: number } | undefined
}

type DecidedWish = Wish & { confirmRepeat: boolean }

/** Refetches what a purchase may have changed, whatever came of it. */
const refetchAfterPurchase = (client: QueryClient) => {
  const { cart, coupon, balance, profile, offers } = queryKeys
  for (const queryKey of [cart.all, coupon.all, balance.all, profile, offers.all])
    client.invalidateQueries({ queryKey })
}

/** Both are told even if the page shows something else by then, such as a cart that has become empty. */
export interface PurchaseOutcome {
  onPaid(orderId: string): void
  onRefused?(error: Error): void
}

/** Buys one offer from the balance, past the cart, for the total that is given to it. */
export function useBuyNow(
  wanted: { offerId: number; quantity: number; currency: Currency },
  { onPaid, onRefused }: PurchaseOutcome,
) {
  const client = useQueryClient()
  const purchase = `now:${wanted.offerId}x${wanted.quantity}:${wanted.currency}`
  return useMutation({
    mutationFn: (amount: number) => buyNow({ body: { ...wanted, amount } }, { once: purchase, timeoutMs }),
    onSuccess: ({ order: { id } }) => {
      client.removeQueries({ queryKey: queryKeys.orders.all })
      onPaid(id)
    },
    onError: (error) => onRefused?.(error),
    onSettled: () => refetchAfterPurchase(client),
  })
}

type PaymentBody = Parameters<typeof openPayment>[0]['body']

/** Opens a payment by card and leaves for its pay page. */
function useCardPayment(
  toPayment: (wish: DecidedWish) => { once: string; body: PaymentBody },
  onRefused?: (error: Error) => void,
) {
  const client = useQueryClient()
  const pay = useMutation({
    mutationFn: ({ confirmRepeat = false, ...wish }: Wish) => {
      const { once, body } = toPayment({ ...wish, confirmRepeat })
      return openPayment({ body }, { once, timeoutMs })
    },
    onSuccess: ({ pay_url }) => {
      client.removeQueries({ queryKey: queryKeys.orders.all })
      // A part of it may be reserved now.
      client.invalidateQueries({ queryKey: queryKeys.balance.all })
      window.location.assign(pay_url)
    },
    onError: (error) => {
      refetchAfterPurchase(client)
      // What was offered may be offered no longer, or at another rate.
      client.invalidateQueries({ queryKey: queryKeys.paymentMethods.all })
      onRefused?.(error)
    },
  })
  // On the way back from the pay page the browser restores the page, still busy.
  useWindowEvent('pageshow', ({ persisted }) => persisted && pay.reset())
  return pay
}

/** With a coupon the total that was seen is another one. */
const toCoupon = (coupon: Wish['coupon']) => coupon && { coupon: coupon.code, amount: coupon.total }

/** What a method is told besides the amount: only what was asked for. */
const toMethodPart = ({ method, fee, email, fromBalance }: Wish) => ({
  method,
  ...(email && { contact: { email } }),
  ...(fromBalance && { from_balance: fromBalance }),
  ...(fee && { fee }),
})

/** Fills the customer's own balance with an amount in major units. */
export const useFillBalance = (amount: number) =>
  useCardPayment((wish) => {
    const body = { amount, currency: wish.currency, type: 'balance' as const, ...toMethodPart(wish) }
    return { once: `fill:${JSON.stringify(body)}`, body }
  })

/** What a checkout buys: the cart as it is shown, or one top-up past it, which is then its only line. */
export interface Bought {
  items: CartItem[]
  topup?: AnyTopup | undefined
}

/** The top-up as the store is told it, to be paid in a currency. */
export const toTopupData = (topup: AnyTopup, currency: Currency) => ({ ...topup, currency: lowerCode(currency) })

/** Another cart is another purchase, and so is one that is meant though it repeats another. */
const toPurchaseName = (way: 'balance' | 'card', { items, topup }: Bought, body: object): string =>
  [way, ...(topup ? [] : items.map((item) => `${item.id}x${item.quantity}`)), JSON.stringify(body)].join(':')

/**
 * The two ways to pay for what a checkout shows: from the balance, at once, and by a method, on its pay page. The total is
 * sent along as it is shown, and refused where the store has another one.
 */
export function usePurchase(bought: Bought, { onPaid, onRefused }: PurchaseOutcome) {
  const client = useQueryClient()
  const { items, topup } = bought
  const fromBalance = useMutation({
    mutationFn: ({ currency, confirmRepeat = false, coupon }: Wish) => {
      if (topup) {
        const body = { topupData: toTopupData(topup, currency), currency, confirmRepeat, ...toCoupon(coupon) }
        return order({ body }, { once: toPurchaseName('balance', bought, body), timeoutMs })
      }
      const body = { currency, amount: toTotal(items, currency), confirmRepeat, ...toCoupon(coupon) }
      return payFromBalance({ body }, { once: toPurchaseName('balance', bought, body), timeoutMs })
    },
    onSuccess: ({ order: { id } }) => {
      client.removeQueries({ queryKey: queryKeys.orders.all })
      onPaid(id)
    },
    onError: (error) => onRefused?.(error),
    onSettled: () => refetchAfterPurchase(client),
  })
  const byCard = useCardPayment((wish) => {
    const { currency, confirmRepeat, coupon } = wish
    const topupData = topup && { topupData: toTopupData(topup, currency) }
    const total = { amount: toTotal(items, currency), currency, type: 'order' as const }
    const body = { ...total, ...topupData, confirmRepeat, ...toMethodPart(wish), ...toCoupon(coupon) }
    return { once: toPurchaseName('card', bought, body), body }
  }, onRefused)
  return { fromBalance, byCard }
}
