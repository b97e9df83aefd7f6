import type { CartItem, cartApi } from '@olmos/contract/cart'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../api/api-error.ts'
import { caller } from '../../api/client.ts'
import { failureText } from '../../api/failure-text.ts'
import type { Language } from '../../i18n/languages.ts'
import { useLanguage } from '../../i18n/use-language.ts'
import { noticeError, noticeWarning } from '../../ui/notice.ts'

const list = caller<typeof cartApi.list>('GET /cart')
const add = caller<typeof cartApi.add>('POST /cart/add')
const update = caller<typeof cartApi.updateQuantity>('PUT /cart/update-quantity/:id')
const remove = caller<typeof cartApi.remove>('DELETE /cart/remove/:id')
const clear = caller<typeof cartApi.clear>('POST /cart/clear')

/** Titles come in the customer's language. */
const cartKeyIn = (language: Language) => ['cart', 'items', language]
const everythingOfCart = ['cart']

export const useCart = () =>
  useQuery({ queryKey: cartKeyIn(useLanguage()), queryFn: async () => (await list({})).data, staleTime: 0 })

export function useAddToCart() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: Parameters<typeof add>[0]['body']) => add({ body }),
    retry: false,
    onSettled: () => client.invalidateQueries({ queryKey: everythingOfCart }),
  })
}

const changeKey = ['cart', 'change']

/**
 * A change of the cart shows at once and is taken back when the call fails. Changes are sent one after another, so that
 * the last press is the last the store hears; only after it the cart is asked for again.
 */
function useCartChange<Input>(
  change: (items: CartItem[], input: Input) => CartItem[],
  send: (input: Input) => Promise<unknown>,
) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const cartKey = cartKeyIn(useLanguage())
  return useMutation({
    mutationKey: changeKey,
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
      const isTooMany = error instanceof ApiError && error.code === 'OUT_OF_STOCK'
      const notice = isTooMany ? noticeWarning : noticeError
      notice(failureText(t, error))
    },
    onSettled: async () => {
      const isLast = client.isMutating({ mutationKey: changeKey }) === 1
      if (isLast) await client.invalidateQueries({ queryKey: everythingOfCart })
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
