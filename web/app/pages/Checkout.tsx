import { Button, Grid } from '@mantine/core'
import type { CartItem } from '@olmos/contract/cart'
import { IconShoppingCart } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { useCart } from '../features/cart/cart.queries.ts'
import { CheckoutSkeleton } from '../features/checkout/CheckoutSkeleton.tsx'
import { usePayByCard, usePayFromBalance } from '../features/checkout/checkout.queries.ts'
import { OrderSummary } from '../features/checkout/OrderSummary.tsx'
import { PayPanel } from '../features/checkout/PayPanel.tsx'
import { refusalText } from '../features/checkout/refusal.ts'
import { useBalance } from '../features/wallet/wallet.queries.ts'
import { useLanguage } from '../i18n/use-language.ts'
import { useCurrency } from '../money/currency.ts'
import { totalOf } from '../money/total.ts'
import { paths } from '../paths.ts'
import { RequireLogin } from '../session/RequireLogin.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { LoadFailed } from '../ui/LoadFailed.tsx'
import { noticeSuccess } from '../ui/notice.ts'
import { Page } from '../ui/Page.tsx'
import { PrivateTitle } from '../ui/PrivateTitle.tsx'

export default function Checkout() {
  const { t } = useTranslation()
  return (
    <Page title={t('checkout.title')}>
      <PrivateTitle title={t('checkout.title')} />
      <RequireLogin whileUnknown={<CheckoutSkeleton />}>
        <CartCheckout />
      </RequireLogin>
    </Page>
  )
}

function CartCheckout() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { data: items, isPending, isFetching, refetch } = useCart()
  const [isPaid, setIsPaid] = useState(false)

  const leave = () => {
    setIsPaid(true)
    noticeSuccess(t('checkout.paid'))
    navigate(paths.orders)
  }

  if (isPending || isPaid) return <CheckoutSkeleton />
  if (!items) {
    return (
      <LoadFailed
        title={t('cart.failed')}
        text={t('loading.failedText')}
        retry={{ label: t('loading.retry'), isBusy: isFetching, onClick: refetch }}
      />
    )
  }
  if (items.length === 0) {
    return (
      <EmptyState icon={IconShoppingCart} title={t('checkout.empty')} text={t('checkout.emptyText')}>
        <Button component={Link} to={paths.orders}>
          {t('checkout.toOrders')}
        </Button>
        <Button component={Link} to={paths.products} variant="default">
          {t('cart.continue')}
        </Button>
      </EmptyState>
    )
  }
  return <Purchase items={items} onPaid={leave} />
}

function Purchase({ items, onPaid }: { items: CartItem[]; onPaid(): void }) {
  const { t } = useTranslation()
  const language = useLanguage()
  const [currency, setCurrency] = useState(useCurrency())
  const balance = useBalance()
  const fromBalance = usePayFromBalance()
  const byCard = usePayByCard()
  const isLeaving = byCard.isPending || byCard.isSuccess
  const refusal = fromBalance.error ?? byCard.error

  const forgetRefusal = () => {
    fromBalance.reset()
    byCard.reset()
  }

  // The button shows that it is busy only with the next picture; a double press comes before that.
  const isPaying = useRef(false)
  const pressedOnce = (pay: (whenOver: { onSettled(): void }) => void) => () => {
    if (isPaying.current) return
    isPaying.current = true
    forgetRefusal()
    pay({
      onSettled: () => {
        isPaying.current = false
      },
    })
  }

  return (
    <Grid gap="lg">
      <Grid.Col span={{ base: 12, md: 7 }}>
        <OrderSummary items={items} currency={currency} />
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 5 }}>
        <PayPanel
          total={totalOf(items, currency)}
          currency={currency}
          onCurrency={(chosen) => {
            setCurrency(chosen)
            forgetRefusal()
          }}
          balances={balance.data}
          busy={fromBalance.isPending ? 'balance' : isLeaving ? 'card' : undefined}
          refusal={refusal ? refusalText(t, language, refusal) : undefined}
          onPayFromBalance={pressedOnce((whenOver) =>
            fromBalance.mutate({ currency, items }, { onSuccess: onPaid, ...whenOver }),
          )}
          onPayByCard={pressedOnce((whenOver) => byCard.mutate({ currency, items }, whenOver))}
        />
      </Grid.Col>
    </Grid>
  )
}
