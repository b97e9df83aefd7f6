import { useLocation, useNavigate } from 'react-router'
import { storedToken } from '../api/token.ts'
import { paths } from '../paths.ts'
import { announceStored } from '../ui/stored.ts'
import { toastWarning } from '../ui/toast.ts'

/** Makes a guard for purchases: true when somebody is logged in; otherwise warns and leads to the login page, and back here. */
export function useLoginGate(): (warning: string) => boolean {
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  return (warning) => {
    if (storedToken() !== null) return true
    // The storage may have been cleared under the page.
    announceStored()
    toastWarning(warning)
    navigate(paths.login, { state: { from: pathname + search } })
    return false
  }
}
