import type { CartItem, cartApi } from '@olmos/contract/cart'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { useRef } from 'react'
import { isRefusal, isTransient } from '../../api/api-error.ts'
import { caller, randomKey } from '../../api/client.ts'
import { failureText } from '../../api/failure-text.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { useLanguage } from '../../i18n/use-language.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { WEB_LIMITS } from '../../limits.ts'
import { toastError, toastWarning } from '../../ui/toast.ts'

const list = caller<typeof cartApi.list>('GET /cart')
const add = caller<typeof cartApi.add>('POST /cart/add')
const update = caller<typeof cartApi.updateQuantity>('PUT /cart/update-quantity/:id')
const remove = caller<typeof cartApi.remove>('DELETE /cart/remove/:id')
const clear = caller<typeof cartApi.clear>('POST /cart/clear')

export const useCart = () =>
  useQuery({ queryKey: queryKeys.cart.items(useLanguage()), queryFn: async () => (await list({})).data, staleTime: 0 })

type Wanted = Parameters<typeof add>[0]['body']

interface Press {
  of: string
  key: string
  at: number
  isOpen: boolean
}

/**
 * Adds an offer to the cart once for each intended press: a press while another is under way, and the second tap of a
 * double tap, are ignored. A press again after a lost answer reuses the key, so that the store adds it only once.
 */
export function useAddToCart() {
  const client = useQueryClient()
  const last = useRef<Press>(undefined)
  const adding = useMutation({
    mutationFn: ({ body, key }: { body: Wanted; key: string }) =>
      add({ body }, { idempotencyKey: key, timeoutMs: WEB_LIMITS.moneyCallTimeoutMs }),
    retry: false,
    onSettled: (_answer, error) => {
      if (last.current) last.current.isOpen = false
      if (last.current && !(error && isTransient(error))) last.current.key = ''
      return client.invalidateQueries({ queryKey: queryKeys.cart.all })
    },
  })

  const press = (body: Wanted, told: { onSuccess(): void; onError(error: Error): void }) => {
    const [of, now, before] = [JSON.stringify(body), Date.now(), last.current]
    const isSame = before?.of === of
    if (before?.isOpen || (isSame && now - before.at < WEB_LIMITS.samePressMs)) return
    const isUnanswered = isSame && before.key !== '' && now - before.at < WEB_LIMITS.unansweredPressMs
    const key = isUnanswered ? before.key : randomKey()
    last.current = { of, key, at: now, isOpen: true }
    adding.mutate({ body, key }, told)
  }

  const { error, data: answer } = adding
  const refusedFor = isRefusal(error, 'OUT_OF_STOCK') ? (error.details.in_cart ?? 0) : 0
  return {
    press,
    isPending: adding.isPending,
    isSuccess: adding.isSuccess,
    sent: adding.variables?.body,
    inCart: answer?.data.quantity ?? refusedFor,
  }
}

/** Says why the cart stays as it was; that there is not as much is no fault. */
export const toastRefusal = (t: TFunction, error: Error): void =>
  (isRefusal(error, 'OUT_OF_STOCK') ? toastWarning : toastError)(failureText(t, error))

/**
 * Changes the cart optimistically, with rollback when the call fails. Changes are sent one after another, so that the
 * last press wins; the cart is refetched after the last of them.
 */
function useCartChange<Input>(
  change: (items: CartItem[], input: Input) => CartItem[],
  send: (input: Input) => Promise<unknown>,
) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const cartKey = queryKeys.cart.items(useLanguage())
  return useMutation({
    mutationKey: queryKeys.cart.change,
    scope: { id: 'cart' },
    mutationFn: send,
    onMutate: async (input: Input) => {
      await client.cancelQueries({ queryKey: cartKey })
      const before = client.getQueryData<CartItem[]>(cartKey)
      if (before) client.setQueryData(cartKey, change(before, input))
      return { before }
    },
    onError: (error, _input, context) => {
      client.setQueryData(cartKey, context?.before)
      toastRefusal(t, error)
    },
    onSettled: async () => {
      const isLast = client.isMutating({ mutationKey: queryKeys.cart.change }) === 1
      if (isLast) await client.invalidateQueries({ queryKey: queryKeys.cart.all })
    },
  })
}

export const useChangeQuantity = () =>
  useCartChange<{ id: number; quantity: number }>(
    (items, { id, quantity }) => items.map((item) => (item.id === id ? { ...item, quantity } : item)),
    ({ id, quantity }) => update({ params: { id: String(id) }, body: { quantity } }),
  )

export const useRemoveItem = () =>
  useCartChange<number>(
    (items, id) => items.filter((item) => item.id !== id),
    (id) => remove({ params: { id: String(id) } }),
  )

export const useClearCart = () =>
  useCartChange<void>(
    () => [],
    () => clear({ body: {} }),
  )
