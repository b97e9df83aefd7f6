import { Button } from '@mantine/core'
import { useState } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import { QueryView } from '../api/QueryView.tsx'
import { useCart } from '../features/cart/cart.queries.ts'
import { CheckoutSkeleton } from '../features/checkout/CheckoutSkeleton.tsx'
import { topupIn } from '../features/topups/checkout-topup.ts'
import { useTranslation } from '../i18n/use-translation.ts'
import { paths } from '../paths.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { CustomerPage } from './CustomerPage.tsx'
import { Purchase } from './checkout/Purchase.tsx'
import { TopupCheckout } from './checkout/TopupCheckout.tsx'

export default function Checkout() {
  const { t } = useTranslation()
  return (
    <CustomerPage title={t('checkout.title')} skeleton={<CheckoutSkeleton />}>
      <Contents />
    </CustomerPage>
  )
}

/** A page of top-ups hands over one in the navigation state, which a reload keeps; without it, it is the cart. */
function Contents() {
  const topup = topupIn(useLocation().state)
  return topup ? <TopupCheckout topup={topup} /> : <CartCheckout />
}

function CartCheckout() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const cart = useCart()
  const [isPaid, setIsPaid] = useState(false)

  const leave = (paid: string) => {
    setIsPaid(true)
    navigate(paths.orders, { state: { paid } })
  }

  if (isPaid) return <CheckoutSkeleton />
  return (
    <QueryView query={cart} skeleton={<CheckoutSkeleton />} failed={t('cart.failed')} empty={<NothingToPay />}>
      {(items) => (
        <Purchase
          items={items}
          failed={t('checkout.paymentFailed')}
          repeatText={t('checkout.repeatInCart')}
          onPaid={leave}
        />
      )}
    </QueryView>
  )
}

function NothingToPay() {
  const { t } = useTranslation()
  return (
    <EmptyState title={t('checkout.empty')} text={t('checkout.emptyText')}>
      <Button component={Link} to={paths.orders}>
        {t('checkout.toOrders')}
      </Button>
      <Button component={Link} to={paths.products} variant="default">
        {t('cart.continue')}
      </Button>
    </EmptyState>
  )
}
