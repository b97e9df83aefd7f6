import type { NewReview, ReviewedItem, reviewsApi } from '@olmos/contract/reviews'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { caller } from '../../api/client.ts'
import { queryKeys } from '../../api/query-keys.ts'

const ownReviews = caller<typeof reviewsApi.own>('GET /orders/:id/reviews')
const write = caller<typeof reviewsApi.write>('PUT /orders/:id/items/:itemId/review')
const withdraw = caller<typeof reviewsApi.withdraw>('DELETE /orders/:id/items/:itemId/review')

/** What was said of one line. All lines of an order share one call; a line that is delivered later asks again. */
export const useOwnReview = (orderId: string, itemId: number): ReviewedItem | undefined =>
  useQuery({
    queryKey: queryKeys.orders.reviews(orderId),
    queryFn: async () => (await ownReviews({ params: { id: orderId } })).data,
    staleTime: 0,
    refetchOnWindowFocus: false,
  }).data?.find((item) => item.item_id === itemId)

/** Writes or changes the review of a line. A second press waits for nothing: the store knows one review a line. */
export function useWriteReview(orderId: string, itemId: number) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (review: NewReview) => write({ params: { id: orderId, itemId: String(itemId) }, body: review }),
    retry: false,
    onSuccess: ({ data }) =>
      client.setQueryData<ReviewedItem[]>(queryKeys.orders.reviews(orderId), (items) =>
        items?.map((item) => (item.item_id === itemId ? data : item)),
      ),
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.orders.reviews(orderId) }),
  })
}

export function useWithdrawReview(orderId: string, itemId: number) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => withdraw({ params: { id: orderId, itemId: String(itemId) } }),
    retry: false,
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.orders.reviews(orderId) }),
  })
}
