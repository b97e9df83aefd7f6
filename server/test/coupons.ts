import type { NewCoupon } from '@olmos/contract/coupons'
import { sql } from '../src/platform/database/queries.ts'
import type { TestUser } from './factories.ts'
import type { TestShop } from './shop.ts'

let count = 0

/** A coupon as an admin adds it: ten percent, once for each customer, unless wished otherwise. Returns its code and its id. */
export async function aCoupon(
  shop: TestShop,
  admin: TestUser,
  wish: Partial<NewCoupon> = {},
): Promise<{ id: number; code: string }> {
  const code = wish.code ?? `COUPON-${++count}`
  const terms = wish.amount_usd ? {} : { percent: 10 }
  const added = await shop.call('POST', '/admin/coupons', { token: admin.token, body: { ...terms, ...wish, code } })
  if (added.status !== 201) throw new Error(`no coupon: ${added.text}`)
  return { id: added.body.data.id, code }
}

/** How many uses of it are counted. */
export const countUses = async (shop: Pick<TestShop, 'database'>, { id }: { id: number }): Promise<number> =>
  (await shop.database.one<{ used: number }>(sql`SELECT used FROM coupon WHERE id = ${id}`)).used
