import { useState } from 'react'
import { useNavigate } from 'react-router'
import { isRefusal } from '../../api/api-error.ts'
import { CheckoutSkeleton } from '../../features/checkout/CheckoutSkeleton.tsx'
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

  const leave = (paid: string) => {
    setIsPaid(true)
    forgetDraft(topup.topupData.service)
    navigate(paths.orders, { replace: true, state: { paid } })
  }

  if (isPaid) return <CheckoutSkeleton />
  return (
    <Purchase
      items={[toLine(topup)]}
      topup={topup.topupData}
      failed={t('checkout.topupFailed')}
      repeatText={t('checkout.repeatText')}
      onPaid={leave}
      onRefused={showNewPrices}
    />
  )
}
