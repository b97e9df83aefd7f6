import { type ReactNode, useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { paths } from '../paths.ts'
import { useIsLoggedIn } from './session.ts'

/** Shows its children to who is logged in; sends others to log in, and back here afterwards. */
export function RequireLogin({ children, whileUnknown }: { children: ReactNode; whileUnknown: ReactNode }) {
  const isLoggedIn = useIsLoggedIn()
  const navigate = useNavigate()
  const { pathname, search, state } = useLocation()

  // Once, not with every picture: going again while one is on the way starts anew and never arrives.
  useEffect(() => {
    // Who logs out is on the way to another page already, though this one is still shown.
    if (isLoggedIn !== false || window.location.pathname !== pathname) return
    navigate(paths.login, { replace: true, state: { from: pathname + search, state } })
  }, [isLoggedIn, navigate, pathname, search, state])

  return isLoggedIn ? children : whileUnknown
}
