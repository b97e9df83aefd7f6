import type { accountsApi } from '@olmos/contract/accounts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { caller } from '../../api/client.ts'
import { forgetSession } from '../../api/token.ts'

const profile = caller<typeof accountsApi.profile>('GET /profile')
const changePassword = caller<typeof accountsApi.changePassword>('PUT /profile/password')
const logOut = caller<typeof accountsApi.logOut>('POST /auth/logout')

/** Who is logged in, with balances and the way to being a regular buyer. */
export const useProfile = () => useQuery({ queryKey: ['profile'], queryFn: () => profile({}), staleTime: 0 })

export const useChangePassword = () =>
  useMutation({
    mutationFn: (body: { currentPassword: string; password: string }) => changePassword({ body }),
    retry: false,
  })

/**
 * Leaves the page, then ends the session at the store and here: pages behind the login would send to it. Who wants out
 * is out, even when the store can't be told.
 */
export function useLogOut(leave: () => Promise<void> | void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async () => {
      await leave()
      await logOut({ body: {} })
    },
    retry: false,
    onSettled: () => {
      client.clear()
      forgetSession()
    },
  })
}
