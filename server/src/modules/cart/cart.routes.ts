import { type CartItem, cartApi } from '@olmos/contract/cart'
import { Failure } from '@olmos/contract/failure'
import type { Language } from '@olmos/contract/fields'
import { toMajor } from '@olmos/contract/minor-units'
import type { Context } from '../../platform/context.ts'
import type { Queries } from '../../platform/database/queries.ts'
import type { PlayerCheck } from '../topups/player-check.ts'
import { checkTopup, formatTopup } from '../topups/price-topup.ts'
import { withSteamPrices } from './cart.ts'
import {
  addToCart,
  addTopup,
  type CartRow,
  changeQuantity,
  clearCart,
  itemCount,
  readCart,
  rememberSeenPrices,
  removeFromCart,
} from './change-cart.ts'

const succeeded = { success: true } as const

const shownItem = ({ service, account, shown_account, player_name, name, ...row }: CartRow): CartItem => ({
  ...row,
  price_usd: toMajor(row.price_usd),
  price_rub: toMajor(row.price_rub),
  topup_data:
    service && account && shown_account
      ? formatTopup(
          { service, account, shown_account, player_name, name, is_amount: row.steam_amount !== null },
          { ...row, currency: null },
        )
      : null,
})

export function cartRoutes({ serve, database }: Context, players: PlayerCheck): void {
  const readItems = async (queries: Queries, userId: number, language: Language) =>
    withSteamPrices(queries, await readCart(queries, userId, language))

  const readItem = async (queries: Queries, userId: number, itemId: number | undefined, language: Language) => {
    const row = (await readItems(queries, userId, language)).find((item) => item.id === itemId)
    if (!row) throw new Failure('NOT_FOUND')
    return { ...succeeded, data: shownItem(row) }
  }

  serve(cartApi.list, async ({ user, language }) => {
    const items = await readItems(database, user.id, language)
    await rememberSeenPrices(database, user.id, items)
    return { ...succeeded, data: items.map(shownItem) }
  })

  serve.ownNumber(cartApi.count, itemCount, (count) => ({ count }))

  serve.once(cartApi.add, async ({ user, body, language }, tx) => ({
    ...succeeded,
    data: shownItem(await addToCart(tx, user.id, body, language)),
  }))

  serve.afterCheck(cartApi.addTopup, {
    check: ({ body, address }) => checkTopup(database, players, body.topupData, address),
    work: async ({ user, language }, tx, topup) => readItem(tx, user.id, await addTopup(tx, user.id, topup), language),
  })

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
