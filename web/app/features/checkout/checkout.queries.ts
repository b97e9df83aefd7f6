import type { CartItem } from '@olmos/contract/cart'
import type { checkoutApi } from '@olmos/contract/checkout'
import type { Currency } from '@olmos/contract/money'
import type { OrderStatus } from '@olmos/contract/orders'
import type { paymentsApi } from '@olmos/contract/payments'
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { caller } from '../../api/client.ts'
import { withPurchaseKey } from '../../api/one-purchase.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { WEB_LIMITS } from '../../limits.ts'
import { toTotal } from '../../money/total.ts'

const openPayment = caller<typeof paymentsApi.create>('POST /payment/create')
const payFromBalance = caller<typeof checkoutApi.payFromBalance>('POST /payment/from-balance')

interface CartPurchase {
  currency: Currency
  /** The customer knows that a top-up in the cart was bought a moment ago. */
  confirmRepeat?: boolean
}

/** What is bought and how it is paid: another cart is another purchase, and so is one that is meant though it repeats another. */
const toPurchase = (items: CartItem[], { currency, confirmRepeat }: Required<CartPurchase>, method: string) =>
  [method, currency, confirmRepeat, ...items.map((item) => `${item.id}x${item.quantity}`)].join(':')

/** Refetches what a purchase may have changed, whatever came of it. */
export const refetchAfterPurchase = (client: QueryClient) => {
  const { cart, balance, profile, offers } = queryKeys
  for (const queryKey of [cart.all, balance.all, profile, offers.all]) client.invalidateQueries({ queryKey })
}

/** Buys the cart from the balance, and refetches the cart and the balance whatever the answer. */
export function usePayFromBalance(items: CartItem[], onPaid: (status: OrderStatus) => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ currency, confirmRepeat = false }: CartPurchase) =>
      withPurchaseKey(toPurchase(items, { currency, confirmRepeat }, 'balance'), (idempotencyKey) =>
        payFromBalance(
          { body: { currency, amount: toTotal(items, currency), confirmRepeat } },
          { idempotencyKey, timeoutMs: WEB_LIMITS.moneyCallTimeoutMs },
        ),
      ),
    onSuccess: ({ order }) => {
      client.removeQueries({ queryKey: queryKeys.orders.all })
      onPaid(order.status)
    },
    onSettled: () => refetchAfterPurchase(client),
  })
}

/** Opens a payment by card for the cart and leaves for its pay page. */
export function usePayByCard(items: CartItem[]) {
  const client = useQueryClient()
  const pay = useMutation({
    mutationFn: ({ currency, confirmRepeat = false }: CartPurchase) =>
      withPurchaseKey(toPurchase(items, { currency, confirmRepeat }, 'card'), (idempotencyKey) =>
        openPayment(
          { body: { amount: toTotal(items, currency), currency, type: 'order', confirmRepeat } },
          { idempotencyKey, timeoutMs: WEB_LIMITS.moneyCallTimeoutMs },
        ),
      ),
    onSuccess: ({ pay_url }) => {
      client.removeQueries({ queryKey: queryKeys.orders.all })
      window.location.assign(pay_url)
    },
    onError: () => refetchAfterPurchase(client),
  })
  useResetOnReturn(pay.reset)
  return pay
}

/** Resets a mutation when the browser restores the page, still busy, on the way back from the pay page. */
export function useResetOnReturn(reset: () => void): void {
  useEffect(() => {
    const comeBack = ({ persisted }: PageTransitionEvent) => persisted && reset()
    window.addEventListener('pageshow', comeBack)
    return () => window.removeEventListener('pageshow', comeBack)
  }, [reset])
}
