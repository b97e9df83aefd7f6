import type { accountsApi } from '@olmos/contract/accounts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { caller } from '../../api/client.ts'
import { forgetSession } from '../../api/token.ts'

const changePassword = caller<typeof accountsApi.changePassword>('PUT /profile/password')
const logOut = caller<typeof accountsApi.logOut>('POST /auth/logout')

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
