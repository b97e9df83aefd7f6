import type { OfferEntry, Product } from '@olmos/contract/catalogue'
import * as LIMITS from '@olmos/contract/limits'
import { Suspense, useEffect, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { toastRefusal, useAddToCart } from '../../features/cart/cart.queries.ts'
import type { OfferChoice } from '../../features/catalogue/use-offer-choice.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { WEB_LIMITS } from '../../limits.ts'
import { GameAmount } from '../../money/GameAmount.tsx'
import { Price } from '../../money/Price.tsx'
import { RegionName } from '../../money/RegionName.tsx'
import { lineTotal } from '../../money/total.ts'
import { paths } from '../../paths.ts'
import { useIsLoggedIn } from '../../session/session.ts'
import { useLoginGate } from '../../session/use-login-gate.ts'
import { late } from '../../ui/late.ts'
import { Press } from '../../ui/Press.tsx'
import { Quantity } from '../../ui/Quantity.tsx'
import { toastSuccess } from '../../ui/toast.ts'
import { WaitBar } from '../layout/PendingBar.tsx'
import classes from './BuyPanel.module.css'
import frame from './ProductFrame.module.css'

interface BuyPanelProps {
  product: Product
  choice: OfferChoice
  /** Why nothing is chosen; undefined while the offers are being loaded. */
  missing: string | undefined
}

/** Asks for the quantity of the chosen offer, shows the total, and buys it now or adds it to the cart. */
export function BuyPanel({ product, choice, missing }: BuyPanelProps) {
  const { t } = useTranslation()
  const { chosen } = choice
  const most = chosen?.available_count ?? 1
  const quantity = Math.min(choice.quantity, Math.max(most, 1))
  const { addToCart, buyNow, sheet, isPending, wasAdded, inCart } = useBuy(product, chosen, quantity)
  const region = product.regions.find(({ id }) => id === chosen?.region_id)
  const mostText =
    most >= LIMITS.quantityMax ? t('cart.mostAtOnce', { count: LIMITS.quantityMax }) : t('product.maxQuantity')

  return (
    <>
      <div className={classes.top}>
        <div className={classes.sum}>
          {chosen && (
            <>
              <div className={classes.amount}>
                <GameAmount amount={chosen.game_amount} currency={chosen.game_currency} />
                {region && (
                  <>
                    {' · '}
                    <RegionName region={region} />
                  </>
                )}
              </div>
              <Price
                usd={lineTotal({ ...chosen, quantity }, 'USD')}
                rub={lineTotal({ ...chosen, quantity }, 'RUB')}
                size="lg"
              />
            </>
          )}
          {!chosen && (missing ? <span className={classes.missing}>{missing}</span> : <div className="coming" />)}
        </div>
        <Quantity
          value={quantity}
          min={1}
          max={most}
          onChange={choice.setQuantity}
          labels={{ group: t('product.quantity'), less: t('product.less'), more: t('product.more') }}
        />
      </div>
      <div className={classes.ways}>
        <Press
          onClick={(event) => {
            // Not every browser gives the focus to a button that is pressed, and the sheet returns it to what had it.
            event.currentTarget.focus()
            buyNow()
          }}
          disabled={!chosen}
          isBusy={isPending}
          className={frame.action}
        >
          {t('product.buyNow')}
        </Press>
        <Press look="plain" onClick={addToCart} disabled={!chosen || isPending}>
          {t('product.add')}
        </Press>
      </div>
      {chosen && (quantity >= most || inCart > 0 || wasAdded) && (
        <div className={classes.note} data-thumb-note>
          <span role="status">
            {[quantity >= most && mostText, inCart > 0 && t('product.inCart', { count: inCart })]
              .filter(Boolean)
              .join('. ')}
          </span>
          {wasAdded && (
            <Link
              to={paths.cart}
              className={classes.toCart}
              style={{ animationDuration: `${WEB_LIMITS.samePressMs}ms` }}
            >
              {t('product.toCart')}
            </Link>
          )}
        </div>
      )}
      {sheet && (
        <Suspense fallback={<WaitBar />}>
          <LateSheet product={product} {...sheet} />
        </Suspense>
      )}
    </>
  )
}

const LateSheet = late(async () => (await import('./BuyNowSheet.tsx')).BuyNowSheet)

/** Has the sheet open at once, for those who may see it: once the page is hydrated. */
function useSheetAtHand(): void {
  const isLoggedIn = useIsLoggedIn()
  useEffect(() => {
    if (isLoggedIn) LateSheet.fetch().catch(() => {})
  }, [isLoggedIn])
}

function useBuy(product: Product, chosen: OfferEntry | undefined, quantity: number) {
  const { t } = useTranslation()
  const requireLogin = useLoginGate()
  const navigate = useNavigate()
  const adding = useAddToCart()
  const [bought, setBought] = useState<{ offer: OfferEntry; quantity: number }>()
  useSheetAtHand()

  const press = (onAdded: () => void) => {
    if (!chosen || !requireLogin(t('product.loginRequired'))) return
    adding.press(
      {
        productId: product.id,
        gameAmount: chosen.game_amount,
        priceUsd: chosen.price_usd,
        priceRub: chosen.price_rub,
        gameCurrency: chosen.game_currency,
        regionId: chosen.region_id,
        quantity,
      },
      { onSuccess: onAdded, onError: (error) => toastRefusal(t, error) },
    )
  }

  const { sent } = adding
  const isForChosen = sent?.gameAmount === chosen?.game_amount && sent?.regionId === chosen?.region_id
  const inCart = isForChosen ? adding.inCart : 0
  const pay = () => navigate(paths.checkout)
  const close = () => setBought(undefined)
  const open = () => chosen && requireLogin(t('product.loginRequired')) && setBought({ offer: chosen, quantity })
  return {
    addToCart: () => press(() => toastSuccess(t('product.added'))),
    // What has just been put into the cart is not bought a second time.
    buyNow: () => (adding.isSuccess && inCart >= quantity ? pay() : open()),
    sheet: bought && {
      ...bought,
      onClose: close,
      onOtherWays: () => {
        close()
        press(pay)
      },
    },
    isPending: adding.isPending,
    wasAdded: adding.isSuccess,
    /** How many of the chosen offer are in the cart, by the last answer. */
    inCart,
  }
}
