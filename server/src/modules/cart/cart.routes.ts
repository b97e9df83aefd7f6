import { type CartItem, cartApi } from '@olmos/contract/cart'
import { Failure } from '@olmos/contract/failure'
import type { Language } from '@olmos/contract/fields'
import { toMajor } from '@olmos/contract/money'
import type { Context } from '../../platform/context.ts'
import type { Queries } from '../../platform/database.ts'
import { type CartRow, countItems, readCart, rememberSeenPrices } from './cart.store.ts'
import { addToCart, changeQuantity, clearCart, removeFromCart } from './change-cart.ts'

const succeeded = { success: true } as const

const shownItem = (row: CartRow): CartItem => ({
  ...row,
  price_usd: toMajor(row.price_usd),
  price_rub: toMajor(row.price_rub),
  topup_data: null,
})

export function cartRoutes({ serve, database }: Context): void {
  const readItem = async (queries: Queries, userId: number, itemId: number, language: Language) => {
    const row = (await readCart(queries, userId, language)).find((item) => item.id === itemId)
    if (!row) throw new Failure('NOT_FOUND')
    return { ...succeeded, data: shownItem(row) }
  }

  serve(cartApi.list, async ({ user, language }) => {
    await rememberSeenPrices(database, user.id)
    return { ...succeeded, data: (await readCart(database, user.id, language)).map(shownItem) }
  })

  serve(cartApi.count, async ({ user }) => ({ count: await countItems(database, user.id) }))

  serve(cartApi.add, ({ user, body, language }) =>
    database.transaction(async (tx) => readItem(tx, user.id, await addToCart(tx, user.id, body), language)),
  )

  serve(cartApi.updateQuantity, ({ user, params, body, language }) =>
    database.transaction(async (tx) => {
      await changeQuantity(tx, user.id, params.id, body.quantity)
      return readItem(tx, user.id, params.id, language)
    }),
  )

  serve(cartApi.remove, async ({ user, params }) => {
    await database.transaction((tx) => removeFromCart(tx, user.id, params.id))
    return succeeded
  })

  serve(cartApi.clear, async ({ user }) => {
    await database.transaction((tx) => clearCart(tx, user.id))
    return succeeded
  })
}
