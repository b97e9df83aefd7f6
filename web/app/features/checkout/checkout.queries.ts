import { useWindowEvent } from '@mantine/hooks'
import type { CartItem } from '@olmos/contract/cart'
import type { checkoutApi } from '@olmos/contract/checkout'
import type { Currency } from '@olmos/contract/money'
import type { paymentsApi } from '@olmos/contract/payments'
import type { AnyTopup } from '@olmos/contract/topup-data'
import type { topupsApi } from '@olmos/contract/topups'
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { caller } from '../../api/client.ts'
import { withPurchaseKey } from '../../api/one-purchase.ts'
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
  /** The name of the method that pays past the balance; without one the store chooses. */
  method?: string | undefined
  /** What the method costs on top, as the customer sees it; none by default. */
  fee?: number | undefined
  /** How much of it the balance pays, beside the method. */
  fromBalance?: number | undefined
  /** The customer knows that an equal top-up was bought a moment ago. */
  confirmRepeat?: boolean
  /** Where the fiscal receipt goes, where the method needs one. */
  email?: string | undefined
}

type DecidedWish = Wish & { confirmRepeat: boolean }

/** What is bought and how it is paid: another cart is another purchase, and so is one that is meant though it repeats another. */
const toPurchase = (items: CartItem[], { currency, confirmRepeat }: DecidedWish, way: string) =>
  [way, currency, confirmRepeat, ...items.map((item) => `${item.id}x${item.quantity}`)].join(':')

const paidIn = (topup: AnyTopup, currency: Currency) => ({ ...topup, currency: lowerCode(currency) })

/** Refetches what a purchase may have changed, whatever came of it. */
const refetchAfterPurchase = (client: QueryClient) => {
  const { cart, balance, profile, offers } = queryKeys
  for (const queryKey of [cart.all, balance.all, profile, offers.all]) client.invalidateQueries({ queryKey })
}

/** Buys the cart from the balance; `onPaid` is told the order. */
export function usePayFromBalance(items: CartItem[], onPaid: (orderId: string) => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ currency, confirmRepeat = false }: Wish) =>
      withPurchaseKey(toPurchase(items, { currency, confirmRepeat }, 'balance'), (idempotencyKey) =>
        payFromBalance(
          { body: { currency, amount: toTotal(items, currency), confirmRepeat } },
          { idempotencyKey, timeoutMs },
        ),
      ),
    onSuccess: ({ order: { id } }) => {
      client.removeQueries({ queryKey: queryKeys.orders.all })
      onPaid(id)
    },
    onSettled: () => refetchAfterPurchase(client),
  })
}

/** Buys one offer from the balance, past the cart, for the total that is given to it. */
export function useBuyNow(wanted: { offerId: number; quantity: number; currency: Currency }) {
  const client = useQueryClient()
  const purchase = `now:${wanted.offerId}x${wanted.quantity}:${wanted.currency}`
  return useMutation({
    mutationFn: (amount: number) =>
      withPurchaseKey(purchase, (idempotencyKey) =>
        buyNow({ body: { ...wanted, amount } }, { idempotencyKey, timeoutMs }),
      ),
    onSuccess: () => client.removeQueries({ queryKey: queryKeys.orders.all }),
    onSettled: () => refetchAfterPurchase(client),
  })
}

interface TopupOutcome {
  onPaid(orderId: string): void
  onRefused(error: Error): void
}

/** Buys one top-up from the balance. */
export function useBuyTopup(topup: AnyTopup, { onPaid, onRefused }: TopupOutcome) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ currency, confirmRepeat = false }: Wish) => {
      const body = { topupData: paidIn(topup, currency), currency, confirmRepeat }
      return withPurchaseKey(`topup:${JSON.stringify(body)}`, (idempotencyKey) =>
        order({ body }, { idempotencyKey, timeoutMs }),
      )
    },
    onSuccess: ({ order: { id } }) => {
      client.removeQueries({ queryKey: queryKeys.orders.all })
      onPaid(id)
    },
    onError: onRefused,
    onSettled: () => refetchAfterPurchase(client),
  })
}

type PaymentBody = Parameters<typeof openPayment>[0]['body']

/** Opens a payment by card and leaves for its pay page. */
function useCardPayment(
  toPayment: (wish: DecidedWish) => { purchase: string; body: PaymentBody },
  onRefused?: (error: Error) => void,
) {
  const client = useQueryClient()
  const pay = useMutation({
    mutationFn: ({ confirmRepeat = false, ...wish }: Wish) => {
      const { purchase, body } = toPayment({ ...wish, confirmRepeat })
      return withPurchaseKey(purchase, (idempotencyKey) => openPayment({ body }, { idempotencyKey, timeoutMs }))
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

const toContact = (email: string | undefined) => email && { contact: { email } }
const toPart = (fromBalance: number | undefined) => fromBalance && { from_balance: fromBalance }
const toFee = (fee: number | undefined) => fee && { fee }

export const usePayByCard = (items: CartItem[]) =>
  useCardPayment(({ currency, method, fee, confirmRepeat, email, fromBalance }) => ({
    purchase: [
      toPurchase(items, { currency, confirmRepeat }, `card:${method}`),
      email ?? '',
      fromBalance ?? 0,
      fee ?? 0,
    ].join(':'),
    body: {
      amount: toTotal(items, currency),
      currency,
      type: 'order',
      method,
      confirmRepeat,
      ...toContact(email),
      ...toPart(fromBalance),
      ...toFee(fee),
    },
  }))

/** Fills the customer's own balance with an amount in major units. */
export const useFillBalance = (amount: number) =>
  useCardPayment(({ currency, method, fee, email }) => {
    const body = { amount, currency, type: 'balance' as const, method, ...toContact(email), ...toFee(fee) }
    return { purchase: `fill:${JSON.stringify(body)}`, body }
  })

export const usePayTopupByCard = (topup: AnyTopup, onRefused: (error: Error) => void) =>
  useCardPayment(({ currency, method, fee, confirmRepeat, email, fromBalance }) => {
    const amount = currency === 'USD' ? topup.price_usd : topup.price_rub
    const topupData = paidIn(topup, currency)
    const more = { ...toContact(email), ...toPart(fromBalance), ...toFee(fee) }
    const body = { amount, currency, type: 'order' as const, topupData, method, confirmRepeat, ...more }
    return { purchase: `card:${JSON.stringify(body)}`, body }
  }, onRefused)
