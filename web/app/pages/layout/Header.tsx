import { IconMenu2, IconSearch, IconShoppingCart } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { useCartCount } from '../../features/cart/cart-count.queries.ts'
import { LocalePicker } from '../../features/frame/LocalePicker.tsx'
import { Logo } from '../../features/frame/Logo.tsx'
import { ThemeToggle } from '../../features/frame/ThemeToggle.tsx'
import { useBalance } from '../../features/wallet/balance.queries.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Amount } from '../../money/Amount.tsx'
import { useConversion } from '../../money/conversion.ts'
import { toOrderCurrency } from '../../money/currency.ts'
import { paths } from '../../paths.ts'
import { storedCustomer, useIsLoggedIn } from '../../session/session.ts'
import { SideMenu } from '../../ui/SideMenu.tsx'
import classes from './Header.module.css'
import { HeaderLinks } from './HeaderLinks.tsx'

export function Header() {
  const { t } = useTranslation()
  const isLoggedIn = useIsLoggedIn()
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <header className={classes.header}>
      {/* Wraps where large text leaves no room for all of it in a row. */}
      <div className={classes.bar}>
        <Link to={paths.home} className={classes.mark}>
          <Logo />
          <span className="visually-hidden">{t('header.home')}</span>
        </Link>
        <nav aria-label={t('header.menu')} className={classes.links}>
          <HeaderLinks />
        </nav>
        <div className={classes.tools}>
          {/* First, so that nothing moves when the page learns who is there. */}
          {isLoggedIn && <CartLink />}
          <LocalePicker />
          <span className={classes.wideOnly}>
            <ThemeToggle />
          </span>
          <Link
            to={paths.products}
            state={{ isSearching: true }}
            prefetch="intent"
            className={classes.tool}
            aria-label={t('products.search')}
          >
            <IconSearch size={22} aria-hidden />
          </Link>
          <button
            type="button"
            className={`${classes.tool} ${classes.narrowOnly}`}
            onClick={() => setOpen(true)}
            aria-label={t('header.menu')}
            aria-haspopup="dialog"
          >
            <IconMenu2 size={24} aria-hidden />
          </button>
        </div>
      </div>
      {isOpen && (
        <SideMenu title={t('header.menu')} closeLabel={t('header.closeMenu')} onClose={close}>
          {isLoggedIn && <Customer />}
          <nav aria-label={t('header.menu')} className={classes.rows}>
            <HeaderLinks onFollow={close} />
          </nav>
          <div className={classes.foot}>
            <ThemeToggle isRow />
          </div>
        </SideMenu>
      )}
    </header>
  )
}

/** Who is logged in, and what there is to pay with. */
function Customer() {
  const { t } = useTranslation()
  const currency = toOrderCurrency(useConversion().shown)
  const { data: balances } = useBalance()
  return (
    <div className={classes.customer}>
      <b translate="no">{storedCustomer().nickname}</b>
      <div>
        {t('checkout.balance')}: {balances ? <Amount value={balances[currency]} currency={currency} /> : '...'}
      </div>
    </div>
  )
}

/** The cart with how many are in it. */
function CartLink() {
  const { t } = useTranslation()
  const { data: count, isError } = useCartCount()
  return (
    <Link to={paths.cart} className={classes.tool}>
      <IconShoppingCart size={22} aria-hidden />
      <span className="visually-hidden">{t('cart.title')}</span>
      {(count !== undefined || !isError) && <span className={classes.count}>{count ?? '...'}</span>}
    </Link>
  )
}
