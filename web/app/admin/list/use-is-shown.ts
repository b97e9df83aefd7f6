import { useContext } from 'react'
import { UNSAFE_DataRouterContext as RouterContext, useLocation } from 'react-router'

/**
 * Makes a function that says whether the address is still this screen's, for what changes it later than the press that caused
 * it. Another screen may be on its way: a change of this one's address would call it off. Or the address is that screen's
 * already while this one still stands. The router is asked, because this screen may be rendered again only later.
 */
export function useIsShown(): () => boolean {
  const { pathname } = useLocation()
  const router = useContext(RouterContext)?.router
  return () => router?.state.navigation.state === 'idle' && window.location.pathname === pathname
}
