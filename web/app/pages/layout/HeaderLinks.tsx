import {
  IconHome,
  IconLayoutGrid,
  IconLogin2,
  IconMessage,
  IconReceipt,
  IconShoppingCart,
  IconUser,
} from '@tabler/icons-react'
import { NavLink, useLocation } from 'react-router'
import classes from '../../features/frame/links.module.css'
import { useTranslation } from '../../i18n/use-translation.ts'
import { paths } from '../../paths.ts'
import { useIsLoggedIn } from '../../session/session.ts'

interface HeaderLinksProps {
  /** Closes the menu around the links when one is followed; shows them as rows. */
  onFollow?(): void
}

/** Where one can go; the cart stands beside them with its count. */
export function HeaderLinks({ onFollow }: HeaderLinksProps) {
  const { t } = useTranslation()
  const isLoggedIn = useIsLoggedIn()
  const { pathname, search } = useLocation()

  const link = (to: string, text: string, Icon: typeof IconHome, state?: object) => (
    <NavLink
      key={to}
      to={to}
      end={to === paths.home}
      state={state}
      prefetch="intent"
      className={classes.link}
      data-row={onFollow && true}
      onClick={onFollow}
    >
      {onFollow && <Icon size={20} aria-hidden />}
      {text}
    </NavLink>
  )

  return (
    <>
      {link(paths.home, t('header.home'), IconHome)}
      {link(paths.products, t('products.title'), IconLayoutGrid)}
      {link(paths.support, t('support.title'), IconMessage)}
      {isLoggedIn && link(paths.orders, t('orders.title'), IconReceipt)}
      {isLoggedIn && link(paths.profile, t('profile.title'), IconUser)}
      {isLoggedIn && onFollow && link(paths.cart, t('cart.title'), IconShoppingCart)}
      {isLoggedIn === false && link(paths.login, t('header.logIn'), IconLogin2, { from: pathname + search })}
    </>
  )
}
