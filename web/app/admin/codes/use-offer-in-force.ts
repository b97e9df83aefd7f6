import { useDebouncedValue } from '@mantine/hooks'
import type { EditedOffer, offersApi } from '@olmos/contract/offers'
import { caller } from '../../api/client.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { useAdminQuery } from '../list/use-admin-list.ts'

const offers = caller<typeof offersApi.list>('GET /admin/products/:id/offers')

/** The pause in typing after which the offer is looked up. */
const typingPauseMs = 300

interface Place {
  productId: string
  /** `0` is none. */
  regionId: string
  gameAmount: number | string
}

/** Finds the offer with an amount in a place: undefined until it is known, null when there is none. */
export function useOfferInForce({ productId, regionId, gameAmount }: Place): EditedOffer | null | undefined {
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
