import { type ReactNode, useEffect } from 'react'
import { Navigate } from 'react-router'
import { ApiError } from '../api/api-error.ts'
import { endSession } from '../api/token.ts'
import { paths } from '../paths.ts'
import { useProfile } from './profile.ts'
import { RequireLogin } from './RequireLogin.tsx'

interface RequireAdminProps {
  children: ReactNode
  whileUnknown: ReactNode
}

/** Shows its children to admins. Other customers are led home, visitors to the login page and back here. */
export function RequireAdmin({ children, whileUnknown }: RequireAdminProps) {
  return (
    <RequireLogin whileUnknown={whileUnknown}>
      <AdminsOnly whileUnknown={whileUnknown}>{children}</AdminsOnly>
    </RequireLogin>
  )
}

function AdminsOnly({ children, whileUnknown }: RequireAdminProps) {
  const { data: profile, error } = useProfile()
  const isLost = error !== null && !isAnswered(error)
  useEffect(() => {
    // The specification: where the profile can't be had, the stored session is given up.
    if (isLost) endSession()
  }, [isLost])
  if (!profile || error) return whileUnknown
  if (profile.role !== 'admin') return <Navigate to={paths.home} replace />
  return children
}

/**
 * Whether the call has seen to it already: another password has to be chosen first, or the session of the call was ended,
 * unless somebody has logged in meanwhile, whose session this is not.
 */
const isAnswered = (error: Error): boolean =>
  error instanceof ApiError && (error.code === 'PASSWORD_CHANGE_NEEDED' || error.status === 401)
