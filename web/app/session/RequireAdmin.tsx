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
  const { data: profile, error, refetch } = useProfile()
  useEffect(() => {
    if (error === null || isPasswordAskedFor(error)) return
    // The call has ended its session by itself, unless somebody has logged in meanwhile: then theirs is asked for.
    if (isRefused(error)) void refetch()
    // The specification: where the profile can't be had, the stored session is given up.
    else endSession()
  }, [error, refetch])
  if (!profile || error) return whileUnknown
  if (profile.role !== 'admin') return <Navigate to={paths.home} replace />
  return children
}

/** Whether another password has to be chosen first, which does not end the session. */
const isPasswordAskedFor = (error: Error): boolean =>
  error instanceof ApiError && error.code === 'PASSWORD_CHANGE_NEEDED'

const isRefused = (error: Error): boolean => error instanceof ApiError && error.status === 401
