import { sql } from '../src/platform/database/queries.ts'
import { type CardOrder, openedBy } from './card-orders.ts'
import { aUser, type TestUser } from './factories.ts'
import type { Answer, TestShop } from './shop.ts'

/** A filling of a balance that waits for its payment at the sandbox; the amount is in minor units. */
export type TestFilling = Omit<CardOrder, 'offer'>

export interface FillingWish {
  buyer?: TestUser
  /** In minor units. */
  amount?: number
  currency?: 'USD' | 'RUB'
  method?: string
  key?: string
  /** The fee of the method that the customer saw, in minor units. */
  fee?: number
}

/** Lets the customers of a test's store fill their balance. */
export const allowFillings = (shop: TestShop, isOn = true) =>
  shop.database.run(sql`UPDATE filling_settings SET is_on = ${isOn}`)

export const pressFill = (
  shop: TestShop,
  buyer: TestUser,
  { amount = 2_000, currency = 'USD', method, key, fee = 0 }: Omit<FillingWish, 'buyer'> = {},
): Promise<Answer> =>
  shop.call('POST', '/payment/create', {
    token: buyer.token,
    body: { amount: amount / 100, currency, type: 'balance', method, ...(fee > 0 && { fee: fee / 100 }) },
    headers: key ? { 'idempotency-key': key } : {},
  })

export async function aFilling(shop: TestShop, { buyer: given, ...wish }: FillingWish = {}): Promise<TestFilling> {
  const buyer = given ?? (await aUser(shop))
  const pressed = await pressFill(shop, buyer, wish)
  if (pressed.status !== 201) throw new Error(`not opened: ${pressed.text}`)
  return { buyer, amount: (wish.amount ?? 2_000) + (wish.fee ?? 0), ...(await openedBy(shop, pressed)) }
}

/** What a user has, in minor units. */
export const readWallet = async (shop: TestShop, { id }: TestUser, currency: 'USD' | 'RUB' = 'USD'): Promise<number> =>
  (
    await shop.database.one<{ balance: number }>(
      sql`SELECT balance FROM account WHERE user_id = ${id} AND currency = ${currency}`,
    )
  ).balance
