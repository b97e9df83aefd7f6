import type { Profile } from '@olmos/contract/accounts'
import { LIMITS } from '@olmos/contract/limits'
import { toMajor } from '@olmos/contract/money'
import type { Queries } from '../../platform/database.ts'
import type { Caller } from '../../platform/serve.ts'
import { readProfileRow } from './accounts.store.ts'

/** Who the user is, what the wallets hold, and how far it is to being a regular buyer. */
export async function readProfile(
  queries: Queries,
  { id, mustEnrol }: Pick<Caller, 'id' | 'mustEnrol'>,
): Promise<Profile> {
  const row = await readProfileRow(queries, id)
  const total = LIMITS.regularBuyerOrders
  return {
    id: row.id,
    nickname: row.nickname,
    role: row.role,
    ...(mustEnrol && { must_enrol: true as const }),
    balanceUsd: toMajor(row.balance_usd),
    balanceRub: toMajor(row.balance_rub),
    created_at: row.created_at.toISOString(),
    purchase_status: {
      key: row.completed_orders >= total ? 'regular_buyer' : 'new_buyer',
      current: row.completed_orders,
      total,
    },
  }
}
