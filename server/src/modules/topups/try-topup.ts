import { randomUUID } from 'node:crypto'
import { accountFieldsApi } from '@olmos/contract/account-fields'
import { one } from '@olmos/contract/decimal'
import { Failure } from '@olmos/contract/failure'
import type { AccountValues } from '@olmos/contract/topup-data'
import type { Context } from '../../platform/context.ts'
import { type Queries, sql } from '../../platform/database/queries.ts'
import { type ReadAccount, readAccount } from './account.rules.ts'
import type { PlayerCheck } from './player-check.ts'
import type { Suppliers } from './suppliers.ts'
import { findTopupProductById, type TopupProduct } from './topup-products.ts'

/** More than any offer costs: nothing of the sandbox is real. */
const anyCost = 1_000_000_000n * one

const findItem = (queries: Queries, product: TopupProduct, offerId: number) =>
  queries.maybe<{ item_id: string | null }>(sql`
    SELECT item_id FROM offer WHERE id = ${offerId} AND product_id = ${product.id} AND deleted_at IS NULL`)

/** Registers the operator's trial of a top-up, published or not: nothing is sold, and only the sandbox delivers. */
export function tryTopupAdmin(
  { serve, database, suppliers }: Context & { suppliers: Suppliers },
  players: PlayerCheck,
): void {
  const deliver = async (product: TopupProduct, account: ReadAccount, offerId: number) => {
    const offer = await findItem(database, product, offerId)
    if (!offer) throw new Failure('OFFER_NOT_FOUND')
    if (!suppliers.sandbox) return { delivery: null, why: null }
    const order = { key: randomUUID(), wanted: 'topup' as const, account: account.values, item: offer.item_id }
    const answer = await suppliers.sandbox.order({ ...order, costAtMost: anyCost })
    if (answer.kind === 'done') return { delivery: answer.value.status, why: answer.value.why ?? null }
    return { delivery: answer.kind, why: answer.kind === 'rejected' ? answer.code : answer.why }
  }

  const attempt = async (productId: number, given: AccountValues, offerId: number | undefined, address: string) => {
    const product = await findTopupProductById(database, productId)
    if (!product) throw new Failure('NOT_FOUND')
    const account = readAccount(product.fields, given)
    const playerName = await players.check(product, account, address)
    const outcome = offerId === undefined ? { delivery: null, why: null } : await deliver(product, account, offerId)
    return { account: account.text, player_name: playerName, ...outcome }
  }

  serve(accountFieldsApi.try, async ({ params, body, address }) => ({
    data: await attempt(params.id, body.account, body.offerId, address),
  }))
}
