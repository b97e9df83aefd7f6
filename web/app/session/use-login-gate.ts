import { useLocation, useNavigate } from 'react-router'
import { paths } from '../paths.ts'
import { noticeWarning } from '../ui/notice.ts'
import { useIsLoggedIn } from './session.ts'

/** Asks whether one may buy: lets through who is logged in; warns others, and sends them to log in and back here. */
export function useLoginGate(): (warning: string) => boolean {
  const isLoggedIn = useIsLoggedIn()
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  return (warning) => {
    if (isLoggedIn) return true
    noticeWarning(warning)
    navigate(paths.login, { state: { from: pathname + search } })
    return false
  }
}
