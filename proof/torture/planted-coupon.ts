import { setTimeout as sleep } from 'node:timers/promises'
import * as real from '../../server/src/modules/coupons/coupons.ts'
import { sql } from '../../server/src/platform/database/queries.ts'

export * from '../../server/src/modules/coupons/coupons.ts'

const thoughtMs = 400

/** Buying reads how often the coupon was used, thinks, and writes one more: whoever used it in between is forgotten. */
export const takeCoupon: typeof real.takeCoupon = async (tx, coupon, buyer) => {
  const { used, max_uses } = await tx.one<{ used: number; max_uses: number | null }>(
    sql`SELECT used, max_uses FROM coupon WHERE id = ${coupon.id}`,
  )
  if (max_uses !== null && used >= max_uses) return real.takeCoupon(tx, coupon, buyer)
  await sleep(thoughtMs)
  await tx.run(sql`UPDATE coupon SET used = ${used + 1} WHERE id = ${coupon.id}`)
}
