import { type ReactNode, useEffect } from 'react'
import { Navigate } from 'react-router'
import { endSession } from '../api/token.ts'
import { paths } from '../paths.ts'
import { useProfile } from './profile.ts'
import { RequireLogin } from './RequireLogin.tsx'

interface RequireAdminProps {
  children: ReactNode
  whileUnknown: ReactNode
}

/** Shows its children to admins; sends other customers home, and who is not logged in to log in, and back here. */
export function RequireAdmin({ children, whileUnknown }: RequireAdminProps) {
  return (
    <RequireLogin whileUnknown={whileUnknown}>
      <AdminsOnly whileUnknown={whileUnknown}>{children}</AdminsOnly>
    </RequireLogin>
  )
}

function AdminsOnly({ children, whileUnknown }: RequireAdminProps) {
  const { data: profile, isError } = useProfile()
  useEffect(() => {
    // The specification: where the profile can't be had, the stored session is given up.
    if (isError) endSession()
  }, [isError])
  if (!profile || isError) return whileUnknown
  if (profile.role !== 'admin') return <Navigate to={paths.home} replace />
  return children
}
