import { useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { isRefusal } from '../../api/api-error.ts'
import { CheckoutSkeleton } from '../../features/checkout/CheckoutSkeleton.tsx'
import { useBuyTopup, usePayTopupByCard } from '../../features/checkout/checkout.queries.ts'
import { type CheckoutTopup, toLine } from '../../features/topups/checkout-topup.ts'
import { forgetDraft } from '../../features/topups/draft.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { paths } from '../../paths.ts'
import { Purchase } from './Purchase.tsx'

/** One top-up, past the cart. */
export function TopupCheckout({ topup }: { topup: CheckoutTopup }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [isPaid, setIsPaid] = useState(false)

  /** Shows the prices in force, when the store names them. */
  const showNewPrices = (error: Error) => {
    if (!isRefusal(error, 'PRICE_CHANGED') || !('price_usd' in error.details)) return
    const { price_usd, price_rub } = error.details
    const state: CheckoutTopup = { ...topup, topupData: { ...topup.topupData, price_usd, price_rub } }
    navigate(paths.checkout, { replace: true, state, preventScrollReset: true })
  }
  const paid = useRef<string>(undefined)
  const onPaid = (orderId: string) => {
    paid.current = orderId
  }
  const buy = useBuyTopup(topup.topupData, { onPaid, onRefused: showNewPrices })
  const byCard = usePayTopupByCard(topup.topupData, showNewPrices)

  const leave = () => {
    setIsPaid(true)
    forgetDraft(topup.topupData.service)
    navigate(paths.orders, { replace: true, state: { paid: paid.current } })
  }

  if (isPaid) return <CheckoutSkeleton />
  return (
    <Purchase
      items={[toLine(topup)]}
      fromBalance={{ payment: buy, failed: t('checkout.topupFailed') }}
      byCard={{ payment: byCard, failed: t('checkout.createPaymentFailed') }}
      onPaid={leave}
      repeatText={t('checkout.repeatText')}
    />
  )
}
