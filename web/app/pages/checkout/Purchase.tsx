import { Text, Title } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import type { CartItem } from '@olmos/contract/cart'
import type { Currency } from '@olmos/contract/money'
import { type CSSProperties, useRef, useState } from 'react'
import { isConflict } from '../../api/api-error.ts'
import classes from '../../features/checkout/Checkout.module.css'
import { PayBarSkeleton, PayPanelSkeleton } from '../../features/checkout/CheckoutSkeleton.tsx'
import { CouponEntry, forgetCoupon, useCoupon } from '../../features/checkout/CouponEntry.tsx'
import { type Bought, type PurchaseOutcome, usePurchase, type Wish } from '../../features/checkout/checkout.queries.ts'
import { seenFee } from '../../features/checkout/method.rules.ts'
import { usePaymentMethods } from '../../features/checkout/methods.queries.ts'
import { PartFromBalance, usePart } from '../../features/checkout/PartFromBalance.tsx'
import { PayBar, PayPanel } from '../../features/checkout/PayPanel.tsx'
import { partFieldName } from '../../features/checkout/part.rules.ts'
import { emailFieldName, ReceiptEmail, useReceiptEmail } from '../../features/checkout/ReceiptEmail.tsx'
import { paymentRefusalText, toldFee } from '../../features/checkout/refusal.ts'
import { useBalance } from '../../features/wallet/balance.queries.ts'
import { toOpenCurrencies } from '../../features/wallet/open-currencies.ts'
import { useLanguage } from '../../i18n/use-language.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { WEB_LIMITS } from '../../limits.ts'
import { Amount } from '../../money/Amount.tsx'
import { useConversion } from '../../money/conversion.ts'
import { toOrderCurrency } from '../../money/currency.ts'
import { OfferName } from '../../money/OfferName.tsx'
import { TopupTarget } from '../../money/TopupTarget.tsx'
import { lineTotal, toTotal } from '../../money/total.ts'
import { Confirm } from '../../ui/Confirm.tsx'
import { ThumbFrame } from '../../ui/ThumbFrame.tsx'
import { Thumbnail } from '../../ui/Thumbnail.tsx'
import { PayNotes, usePromise } from './PayNotes.tsx'

interface PurchaseProps extends Bought, PurchaseOutcome {
  /** What to say of a failure that nobody explains. */
  failed: string
  /** Asks about a top-up that was bought a moment ago. */
  repeatText: string
}

const isRepeat = (error: Error | null): boolean => isConflict(error, 'repeat')

/**
 * What is bought, in which currency, from where; the press that buys it, and why it did not. A top-up like one of a
 * moment ago is bought only when it is meant.
 */
export function Purchase({ items, topup, failed, repeatText, onPaid, ...outcome }: PurchaseProps) {
  const { t } = useTranslation()
  const language = useLanguage()
  const { shown, choices } = useConversion()
  const balance = useBalance()
  const currencies = toOpenCurrencies(choices, balance.data)
  const payable = currencies.filter((one) => toTotal(items, one) > 0)
  const [chosen, setChosen] = useState<Currency>()
  const wanted = chosen ?? toOrderCurrency(shown)
  const currency = payable.includes(wanted) ? wanted : (payable[0] ?? wanted)
  const coupon = useCoupon({ items, topup, currency })
  const total = coupon.applied?.total ?? toTotal(items, currency)
  const [available, reserved] = [balance.data?.[currency] ?? 0, balance.data?.reserved[currency] ?? 0]
  const part = usePart(total, { available, reserved })
  // Nobody is asked while a sum is being typed.
  const [rest] = useDebouncedValue(part.rest, WEB_LIMITS.steamCalculationDelayMs)
  const offered = usePaymentMethods({ currency, amount: rest, shown })
  const methods = { ...offered, isStale: offered.isStale || rest !== part.rest }
  const email = useReceiptEmail(methods.chosen)
  const { fromBalance, byCard } = usePurchase(
    { items, topup },
    {
      ...outcome,
      onPaid(orderId) {
        forgetCoupon()
        onPaid(orderId)
      },
    },
  )
  const [wasShown, setWasShown] = useState(false)
  const ways = [fromBalance, byCard] as const
  const refused = ways.find(({ error }) => error && !isRepeat(error))
  const asked = ways.find(({ error }) => isRepeat(error))
  // Which button comes first depends on the balance: they would change places under a finger, and lose the focus.
  const isAwaited = methods.isPending || balance.isPending || (coupon.isChecking && !wasShown)
  if (!isAwaited && !wasShown) setWasShown(true)
  const isLeaving = byCard.isPending || byCard.isSuccess

  const forgetRefusal = () => {
    for (const way of ways) way.reset()
  }

  // The button is busy only from the next render on; a double press comes before that.
  const isPaying = useRef(false)
  const press = (way: typeof fromBalance | typeof byCard, wish: Wish) => {
    if (isPaying.current) return
    isPaying.current = true
    forgetRefusal()
    way.mutate(wish, {
      onSettled: () => {
        isPaying.current = false
      },
    })
  }

  const withCoupon = coupon.applied && { coupon: { code: coupon.applied.code, total } }
  const isBusy = isLeaving || fromBalance.isPending
  const panel = {
    total,
    coupon: coupon.applied,
    rest: part.rest,
    isPartOn: part.isOn,
    currency,
    currencies,
    payable,
    onCurrency: (one: Currency) => {
      setChosen(one)
      part.reset()
      forgetRefusal()
    },
    balances: balance.data,
    methods: {
      ...methods,
      choose: (name: string) => {
        methods.choose(name)
        forgetRefusal()
      },
    },
    isChecking: coupon.isChecking,
    busy: fromBalance.isPending ? ('balance' as const) : isLeaving ? ('card' as const) : undefined,
    refusal: refused?.error
      ? paymentRefusalText(t, language, refused.error, refused === byCard ? t('checkout.createPaymentFailed') : failed)
      : undefined,
    promise: usePromise(items),
    onPayFromBalance: () => press(fromBalance, { currency, ...withCoupon }),
    part: <PartFromBalance part={part} currency={currency} isDisabled={isBusy} />,
    email: <ReceiptEmail email={email} />,
    onPayByCard: () => {
      const receiptEmail = email.take()
      // The field may be far from the button at the thumb.
      if (part.amount === undefined) return document.getElementsByName(partFieldName)[0]?.focus()
      if (receiptEmail === null) return document.getElementsByName(emailFieldName)[0]?.focus()
      const method = methods.chosen?.name
      // Where the methods could not be read, the store's refusal is what tells the fee.
      const fee = methods.chosen ? seenFee(methods) : toldFee(byCard.error)
      const seen = { method, fee, email: receiptEmail, fromBalance: part.amount }
      press(byCard, { currency, ...seen, ...withCoupon })
    },
  }

  return (
    <>
      <ThumbFrame
        panel={isAwaited ? <PayPanelSkeleton /> : <PayPanel {...panel} />}
        bar={isAwaited ? <PayBarSkeleton /> : <PayBar {...panel} />}
        // Below the panel nothing stands before the panel does: it would be moved by its height.
        notes={!isAwaited && <PayNotes promise={panel.promise} items={items} methods={methods.methods} />}
      >
        <OrderSummary items={items} currency={currency} />
        <CouponEntry
          coupon={{
            ...coupon,
            apply(code) {
              forgetRefusal()
              coupon.apply(code)
            },
            remove() {
              forgetRefusal()
              coupon.remove()
            },
          }}
          currency={currency}
          isDisabled={isBusy}
        />
      </ThumbFrame>
      <Confirm
        isOpen={asked !== undefined}
        onClose={forgetRefusal}
        onConfirm={() => {
          const wish = asked?.variables
          if (asked && wish) press(asked, { ...wish, confirmRepeat: true })
        }}
        tone="wish"
        texts={{
          title: t('checkout.repeatTitle'),
          text: repeatText,
          confirm: t('checkout.repeatBuy'),
          cancel: t('checkout.repeatCancel'),
        }}
      />
    </>
  )
}

/** What is bought and for whom, each line at its price as the customer sees prices. */
function OrderSummary({ items, currency }: { items: CartItem[]; currency: Currency }) {
  const { t } = useTranslation()
  const { convert } = useConversion()
  return (
    <section>
      <Title order={2} size="h3" mb="xs">
        {t('checkout.order')}
      </Title>
      <ul className={classes.lines}>
        {items.map((item) => (
          <li key={item.id} className={classes.line} style={{ '--olmos-product': item.color } as CSSProperties}>
            <Thumbnail src={item.image_url} width={64} />
            <div className={classes.named}>
              <Text fw={600} lineClamp={4}>
                {item.product_title}
              </Text>
              <Text size="sm" c="dimmed">
                <OfferName item={item} />
              </Text>
              {item.region && (
                <Text size="sm" c="dimmed">
                  {t('product.regionOnly', { region: item.region.name })}
                </Text>
              )}
              <TopupTarget topup={item.topup_data} />
            </div>
            <Text fw={600} miw={0}>
              <Amount {...convert(lineTotal(item, currency), currency)} />
            </Text>
          </li>
        ))}
      </ul>
    </section>
  )
}
