import type { Currency } from '@olmos/contract/money'
import type { paymentsApi } from '@olmos/contract/payments'
import type { TopupData } from '@olmos/contract/topup-data'
import type { topupsApi } from '@olmos/contract/topups'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { caller } from '../../api/client.ts'
import { withPurchaseKey } from '../../api/one-purchase.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { WEB_LIMITS } from '../../limits.ts'
import { lowerCode } from '../../money/currency.ts'
import { refetchAfterPurchase, useResetOnReturn } from './checkout.queries.ts'

const order = caller<typeof topupsApi.order>('POST /orders/topup')
const openPayment = caller<typeof paymentsApi.create>('POST /payment/create')

export interface TopupPurchase {
  currency: Currency
  /** The customer knows that an equal top-up was bought a moment ago. */
  confirmRepeat?: boolean
}

/** A Steam top-up also says what it is paid in. */
const paidIn = (topup: TopupData, currency: Currency): TopupData =>
  topup.service === 'steam'
    ? { ...topup, currency: lowerCode(currency), user_balance_currency: lowerCode(currency) }
    : { ...topup, currency: lowerCode(currency) }

/** Buys one top-up from the balance, and refetches the balance whatever the answer. */
export function useBuyTopup(topup: TopupData, onRefused: (error: Error) => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ currency, confirmRepeat = false }: TopupPurchase) => {
      const body = { topupData: paidIn(topup, currency), currency, confirmRepeat }
      return withPurchaseKey(`topup:${JSON.stringify(body)}`, (idempotencyKey) =>
        order({ body }, { idempotencyKey, timeoutMs: WEB_LIMITS.moneyCallTimeoutMs }),
      )
    },
    onSuccess: () => client.removeQueries({ queryKey: queryKeys.orders.all }),
    onError: onRefused,
    onSettled: () => refetchAfterPurchase(client),
  })
}

/** Opens a payment by card for one top-up and leaves for its pay page. */
export function usePayTopupByCard(topup: TopupData, onRefused: (error: Error) => void) {
  const client = useQueryClient()
  const pay = useMutation({
    mutationFn: ({ currency, confirmRepeat = false }: TopupPurchase) => {
      const amount = currency === 'USD' ? topup.price_usd : topup.price_rub
      const topupData = paidIn(topup, currency)
      const body = { amount, currency, type: 'order' as const, topupData, confirmRepeat }
      return withPurchaseKey(`card:${JSON.stringify(body)}`, (idempotencyKey) =>
        openPayment({ body }, { idempotencyKey, timeoutMs: WEB_LIMITS.moneyCallTimeoutMs }),
      )
    },
    onSuccess: ({ pay_url }) => {
      client.removeQueries({ queryKey: queryKeys.orders.all })
      window.location.assign(pay_url)
    },
    onError: (error) => {
      refetchAfterPurchase(client)
      onRefused(error)
    },
  })
  useResetOnReturn(pay.reset)
  return pay
}
