import type { accountsApi, Session } from '@olmos/contract/accounts'
import type { recoveryApi } from '@olmos/contract/recovery'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { caller } from '../../api/client.ts'
import { keepSession, storedDevice } from '../../api/token.ts'

const logIn = caller<typeof accountsApi.logIn>('POST /auth/login')
const setPasswordByLink = caller<typeof recoveryApi.setPassword>('POST /auth/recovery/password')
const register = caller<typeof accountsApi.register>('POST /auth/register')

/** Opens a session and clears the cache: nothing of an earlier user may remain. */
function useSessionOpener<Body>(open: (body: Body) => Promise<Session>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: open,
    retry: false,
    onSuccess: (session) => {
      client.clear()
      keepSession(session)
    },
  })
}

export const useLogIn = () =>
  useSessionOpener((body: Parameters<typeof logIn>[0]['body']) => logIn({ body: { ...body, device: storedDevice() } }))

/** Logs the same user in again, without clearing what the page has loaded. */
export const useLogInAgain = () =>
  useMutation({
    mutationFn: (body: Parameters<typeof logIn>[0]['body']) => logIn({ body: { ...body, device: storedDevice() } }),
    retry: false,
    onSuccess: keepSession,
  })

export const useRegister = () => useSessionOpener((body: Parameters<typeof register>[0]['body']) => register({ body }))

/** Sets a new password by a link, and logs in with that. */
export const useSetPasswordByLink = () =>
  useSessionOpener((body: Parameters<typeof setPasswordByLink>[0]['body']) => setPasswordByLink({ body }))
