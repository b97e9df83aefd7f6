import type { CartItem } from '@olmos/contract/cart'
import type { checkoutApi } from '@olmos/contract/checkout'
import { LIMITS } from '@olmos/contract/limits'
import type { paymentsApi } from '@olmos/contract/payments'
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { caller } from '../../api/client.ts'
import { asOnePurchase } from '../../api/one-purchase.ts'
import type { Currency } from '../../money/currency.ts'
import { totalOf } from '../../money/total.ts'

const openPayment = caller<typeof paymentsApi.create>('POST /payment/create')
const payFromBalance = caller<typeof checkoutApi.payFromBalance>('POST /payment/from-balance')

interface CartPurchase {
  currency: Currency
  items: CartItem[]
}

/** What is bought and how it is paid: another cart is another purchase. */
const purchaseOf = ({ currency, items }: CartPurchase, method: string) =>
  [method, currency, ...items.map((item) => `${item.id}x${item.quantity}`)].join(':')

const readAnew = (client: QueryClient) => {
  for (const queryKey of [['cart'], ['balance'], ['profile'], ['packages']]) client.invalidateQueries({ queryKey })
}

/** Buys the cart from the balance. Whatever comes of it, the cart and the balance are read anew. */
export function usePayFromBalance() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (purchase: CartPurchase) =>
      asOnePurchase(purchaseOf(purchase, 'balance'), (idempotencyKey) =>
        payFromBalance(
          { body: { currency: purchase.currency } },
          { idempotencyKey, timeoutMs: LIMITS.moneyCallTimeoutMs },
        ),
      ),
    onSuccess: () => client.removeQueries({ queryKey: ['orders'] }),
    onSettled: () => readAnew(client),
  })
}

/** Opens a payment by card for the cart and leaves for its pay page. */
export function usePayByCard() {
  const client = useQueryClient()
  const pay = useMutation({
    mutationFn: ({ currency, items }: CartPurchase) =>
      asOnePurchase(purchaseOf({ currency, items }, 'card'), (idempotencyKey) =>
        openPayment(
          { body: { amount: totalOf(items, currency), currency, type: 'order' } },
          { idempotencyKey, timeoutMs: LIMITS.moneyCallTimeoutMs },
        ),
      ),
    onSuccess: ({ pay_url }) => {
      client.removeQueries({ queryKey: ['orders'] })
      window.location.assign(pay_url)
    },
    onError: () => readAnew(client),
  })
  const { reset } = pay
  useEffect(() => {
    // Back from the pay page the browser may show this page as it was left, busy.
    const comeBack = ({ persisted }: PageTransitionEvent) => persisted && reset()
    window.addEventListener('pageshow', comeBack)
    return () => window.removeEventListener('pageshow', comeBack)
  }, [reset])
  return pay
}
