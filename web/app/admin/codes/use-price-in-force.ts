import { useDebouncedValue } from '@mantine/hooks'
import type { EditedOffer, offersApi } from '@olmos/contract/offers'
import { caller } from '../../api/client.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { useAdminQuery } from '../list/use-admin-list.ts'

const offers = caller<typeof offersApi.list>('GET /admin/products/:id/offers')

/** Of an amount that is still being typed nothing is asked. */
const typingPauseMs = 300

interface Place {
  productId: string
  /** `0` is none. */
  regionId: string
  gameAmount: number | string
}

/** The package of an amount in a place: none yet while it is not known, null when there is no such package. */
export function usePackage({ productId, regionId, gameAmount }: Place): EditedOffer | null | undefined {
  const [amount] = useDebouncedValue(String(gameAmount), typingPauseMs)
  const { data: found } = useAdminQuery(
    queryKeys.admin.noun('offers', 'with-amount', productId, amount),
    async (signal) => {
      const sent = { params: { id: productId }, query: { search: amount, pageSize: '200' } }
      return (await offers(sent, { signal })).data
    },
    { enabled: productId !== '' && amount !== '' },
  )
  if (!found || amount !== String(gameAmount)) return undefined
  return found.find((offer) => String(offer.region_id) === regionId) ?? null
}
