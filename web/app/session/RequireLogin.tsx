import { type ReactNode, useEffect } from 'react'
import { useLocation, useNavigate, useNavigation } from 'react-router'
import { paths } from '../paths.ts'
import { useIsLoggedIn } from './session.ts'

/** Shows its children when somebody is logged in; otherwise leads to the login page, and back here afterwards. */
export function RequireLogin({ children, whileUnknown }: { children: ReactNode; whileUnknown: ReactNode }) {
  const isLoggedIn = useIsLoggedIn()
  const navigate = useNavigate()
  const isLeaving = useNavigation().state !== 'idle'
  const { pathname, search, state } = useLocation()

  // In an effect, not on every render: a second navigation would cancel the first, and none would arrive.
  useEffect(() => {
    // Logging out navigates elsewhere, while this page is still shown, or even before that page has come.
    if (isLoggedIn !== false || isLeaving || window.location.pathname !== pathname) return
    navigate(paths.login, { replace: true, state: { from: pathname + search, state } })
  }, [isLoggedIn, isLeaving, navigate, pathname, search, state])

  return isLoggedIn ? children : whileUnknown
}
