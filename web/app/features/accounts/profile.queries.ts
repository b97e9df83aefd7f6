import type { accountsApi } from '@olmos/contract/accounts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { caller } from '../../api/client.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { forgetSession } from '../../api/token.ts'

const changePassword = caller<typeof accountsApi.changePassword>('PUT /profile/password')
const changeContact = caller<typeof accountsApi.changeContact>('PUT /profile/contact')
const sessions = caller<typeof accountsApi.sessions>('GET /profile/sessions')
const endSession = caller<typeof accountsApi.endSession>('DELETE /profile/sessions/:id')
const endOthers = caller<typeof accountsApi.endOtherSessions>('POST /profile/sessions/end-others')
const logOut = caller<typeof accountsApi.logOut>('POST /auth/logout')

/** A new password ends the other sessions, too. */
export function useChangePassword() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: { currentPassword: string; password: string }) => changePassword({ body }),
    retry: false,
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.sessions }),
  })
}

/** How the shop reaches the customer; the password is asked for, because it opens the way to a new one. */
export function useChangeContact() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: { currentPassword: string; contact: string }) => changeContact({ body }),
    retry: false,
    onSuccess: () => {
      for (const queryKey of [queryKeys.profile, queryKeys.notifications]) client.invalidateQueries({ queryKey })
    },
  })
}

/** Where one is logged in, this device first. */
export const useSessions = () =>
  useQuery({ queryKey: queryKeys.sessions, queryFn: async () => (await sessions({})).data, staleTime: 0 })

/** Ends one of the own sessions, or all but this one. */
export function useEndSessions() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (which: number | 'others') =>
      which === 'others' ? endOthers({ body: {} }) : endSession({ params: { id: String(which) } }),
    retry: false,
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.sessions }),
  })
}

/** For as long the page that is left may take, before the session ends all the same. */
const leaveMs = 1_000

/**
 * Leaves the page, then ends the session here and at the store: a page behind the login would redirect to it. It ends here
 * before anything answers, because whoever closes the page now is logged out.
 */
export function useLogOut(leave: () => Promise<void> | void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async () => {
      const left = Promise.resolve(leave()).catch(() => {})
      await Promise.race([left, new Promise((resolve) => setTimeout(resolve, leaveMs))])
      // It has read whose session it ends before it waits for anything.
      const ended = logOut({ body: {} })
      client.clear()
      forgetSession()
      await ended
    },
    retry: false,
  })
}
