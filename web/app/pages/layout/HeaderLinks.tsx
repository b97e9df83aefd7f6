import { Badge, Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { NavLink, useLocation } from 'react-router'
import { useCartCount } from '../../features/cart/cart-count.queries.ts'
import { paths } from '../../paths.ts'
import { useIsLoggedIn } from '../../session/session.ts'
import classes from './HeaderLinks.module.css'

interface HeaderLinksProps {
  /** Closes the menu around the links when one is followed; shows them as rows. */
  onFollow?(): void
}

export function HeaderLinks({ onFollow }: HeaderLinksProps) {
  const { t } = useTranslation()
  const isLoggedIn = useIsLoggedIn()
  const { pathname, search } = useLocation()

  const link = (to: string, text: string, extra?: React.ReactNode, state?: object) => (
    <Button
      key={to}
      component={NavLink}
      to={to}
      end={to === paths.home}
      state={state}
      variant="subtle"
      color="gray"
      size={onFollow ? 'md' : 'compact-md'}
      justify={onFollow ? 'space-between' : 'center'}
      className={classes.link}
      onClick={onFollow}
      rightSection={extra}
    >
      {text}
    </Button>
  )

  return (
    <>
      {link(paths.home, t('header.home'))}
      {link(paths.products, t('products.title'))}
      {link(paths.support, t('support.title'))}
      {isLoggedIn && link(paths.orders, t('orders.title'))}
      {isLoggedIn && link(paths.profile, t('profile.title'))}
      {isLoggedIn && link(paths.cart, t('cart.title'), <CartCount />)}
      {isLoggedIn === false && link(paths.login, t('header.logIn'), undefined, { from: pathname + search })}
    </>
  )
}

function CartCount() {
  const { data, isError } = useCartCount()
  if (isError && data === undefined) return null
  return (
    <Badge size="sm" circle={(data ?? 0) < 10} variant="filled">
      {data ?? '...'}
    </Badge>
  )
}
