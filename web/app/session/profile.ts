import type { accountsApi } from '@olmos/contract/accounts'
import type { CallPermission } from '@olmos/contract/permissions'
import { useQuery } from '@tanstack/react-query'
import { caller } from '../api/client.ts'
import { queryKeys } from '../api/query-keys.ts'

const profile = caller<typeof accountsApi.profile>('GET /profile')

/** Who is logged in, with balances and the way to being a regular buyer. */
export const useProfile = () => useQuery({ queryKey: queryKeys.profile, queryFn: () => profile({}), staleTime: 0 })

/** Tells what the role of the caller allows, so that nothing is offered that the store would refuse. */
export function useMay(): (permission: CallPermission) => boolean {
  const allowed = useProfile().data?.permissions
  return (permission) => permission === 'own' || allowed?.some((one) => one === permission) === true
}
