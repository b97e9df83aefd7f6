import '../../i18n/all-texts.ts'
import type { OfferEntry, Product } from '@olmos/contract/catalogue'
import type { Currency } from '@olmos/contract/money'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { isRefusal } from '../../api/api-error.ts'
import { failureText } from '../../api/failure-text.ts'
import { useBuyNow } from '../../features/checkout/checkout.queries.ts'
import { paymentRefusalText } from '../../features/checkout/refusal.ts'
import { TermsNote } from '../../features/checkout/TermsNote.tsx'
import { useBalance } from '../../features/wallet/balance.queries.ts'
import { useLanguage } from '../../i18n/use-language.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Amount } from '../../money/Amount.tsx'
import { useConversion } from '../../money/conversion.ts'
import { toOrderCurrency } from '../../money/currency.ts'
import { formatAmount } from '../../money/format.ts'
import { GameAmount } from '../../money/GameAmount.tsx'
import { RegionName } from '../../money/RegionName.tsx'
import { lineTotal } from '../../money/total.ts'
import { paths } from '../../paths.ts'
import { Press } from '../../ui/Press.tsx'
import { SideMenu } from '../../ui/SideMenu.tsx'
import { toastError } from '../../ui/toast.ts'
import { WaitBar } from '../layout/PendingBar.tsx'
import classes from './BuyNowSheet.module.css'

interface BuyNowSheetProps {
  product: Product
  offer: OfferEntry
  quantity: number
  onClose(): void
  /** Leads to paying in another way, with the cart. */
  onOtherWays(): void
}

/**
 * Shows once more what is bought, and buys exactly that from the balance. A customer who has too little there, in the
 * currency of the page, never sees it, and is led to the other ways.
 */
export function BuyNowSheet(props: BuyNowSheetProps) {
  const { offer, quantity, onOtherWays } = props
  const currency = toOrderCurrency(useConversion().shown)
  const { data, isFetching } = useBalance()
  const [isShown, setIsShown] = useState(false)
  const total = lineTotal({ ...offer, quantity }, currency)
  const isEnough = data !== undefined && total > 0 && data[currency] >= total
  if (!isShown && !isFetching && isEnough) setIsShown(true)
  const isTooLittle = !isShown && !isFetching && !isEnough
  // biome-ignore lint/correctness/useExhaustiveDependencies: it leads there once
  useEffect(() => {
    if (isTooLittle) onOtherWays()
  }, [isTooLittle])
  return isShown && data ? (
    <Sheet key={currency} {...props} currency={currency} total={total} balance={data[currency]} />
  ) : (
    <WaitBar />
  )
}

interface SheetProps extends BuyNowSheetProps {
  currency: Currency
  /** Major units, as the page showed it. */
  total: number
  balance: number
}

function Sheet({ product, offer, quantity, onClose, onOtherWays, currency, total: seen, balance }: SheetProps) {
  const { t } = useTranslation()
  const language = useLanguage()
  const navigate = useNavigate()
  // The price in force, once the store has named another one.
  const [total, setTotal] = useState(seen)
  // It may be closed while it pays, which stops nothing.
  const isOpen = useRef(false)
  useEffect(() => {
    isOpen.current = true
    return () => {
      isOpen.current = false
    }
  }, [])
  const refusal = (error: Error): string => {
    if (isRefusal(error, 'PRICE_CHANGED'))
      return t('buyNow.priceChanged', { amount: formatAmount(toNewTotal(error) ?? total, currency, language) })
    if (isRefusal(error, 'OUT_OF_STOCK')) return `${failureText(t, error)}. ${t('checkout.nothingTaken')}`
    return paymentRefusalText(t, language, error, t('checkout.paymentFailed'))
  }
  const buying = useBuyNow(
    { offerId: offer.offer_id, quantity, currency },
    {
      onPaid: (id) => navigate(paths.orders, { state: { paid: id } }),
      onRefused(error) {
        if (!isOpen.current) return toastError(refusal(error))
        setTotal(toNewTotal(error) ?? total)
      },
    },
  )
  const region = product.regions.find(({ id }) => id === offer.region_id)
  const isBusy = buying.isPending || buying.isSuccess
  const isGone = isRefusal(buying.error, 'OUT_OF_STOCK') || isRefusal(buying.error, 'OFFER_NOT_FOUND')

  return (
    <SideMenu title={t('product.buyNow')} closeLabel={t('topups.close')} onClose={onClose} className={classes.sheet}>
      <dl className={classes.rows}>
        <Row name={product.title}>
          <GameAmount amount={offer.game_amount} currency={offer.game_currency} />
          {quantity > 1 && ` × ${quantity}`}
          {region && (
            <div>
              <RegionName region={region} />
              <div>{t('product.regionOnly', { region: region.name })}</div>
            </div>
          )}
        </Row>
        <Row name={t('checkout.total')} isLoud>
          <Amount value={total} currency={currency} />
        </Row>
        <Row name={t('buyNow.left')}>
          <Amount value={Math.max(0, Math.round((balance - total) * 100) / 100)} currency={currency} />
        </Row>
      </dl>
      <p role="alert" className={classes.refusal}>
        {buying.error && refusal(buying.error)}
      </p>
      <TermsNote />
      <div className={classes.ways}>
        {isGone ? (
          <Press onClick={onClose}>{t('buyNow.chooseElse')}</Press>
        ) : (
          <Press onClick={() => buying.mutate(total)} isBusy={isBusy}>
            {t('checkout.payFromBalance', { amount: formatAmount(total, currency, language) })}
          </Press>
        )}
        <button type="button" className={classes.quiet} onClick={onOtherWays} disabled={isBusy}>
          {t('buyNow.otherWays')}
        </button>
      </div>
    </SideMenu>
  )
}

/** What the store asks instead. */
const toNewTotal = (error: Error): number | undefined =>
  isRefusal(error, 'PRICE_CHANGED') && 'total' in error.details ? error.details.total : undefined

const Row = ({ name, isLoud = false, children }: { name: string; isLoud?: boolean; children: ReactNode }) => (
  <div className={classes.row} data-loud={isLoud || undefined}>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)
