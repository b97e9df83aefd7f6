import type { accountsApi } from '@olmos/contract/accounts'
import { useQuery } from '@tanstack/react-query'
import { caller } from '../api/client.ts'

const profile = caller<typeof accountsApi.profile>('GET /profile')

export const profileKey = ['profile']

/** Who is logged in, with balances and the way to being a regular buyer. */
export const useProfile = () => useQuery({ queryKey: profileKey, queryFn: () => profile({}), staleTime: 0 })
