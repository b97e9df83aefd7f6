import type { accountsApi } from '@olmos/contract/accounts'
import { useQuery } from '@tanstack/react-query'
import { caller } from '../api/client.ts'
import { queryKeys } from '../api/query-keys.ts'

const profile = caller<typeof accountsApi.profile>('GET /profile')

/** Who is logged in, with balances and the way to being a regular buyer. */
export const useProfile = () => useQuery({ queryKey: queryKeys.profile, queryFn: () => profile({}), staleTime: 0 })
