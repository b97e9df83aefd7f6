import { Failure } from '@olmos/contract/failure'
import type { GenerateRequest } from '@olmos/contract/generated-codes'
import { record } from '../../platform/audit.ts'
import type { Tx } from '../../platform/database.ts'
import type { Vault } from '../../platform/vault.ts'
import { holdDenomination } from '../catalogue/change-denomination.ts'
import { holdProductToUse } from '../catalogue/hold-product.ts'
import { requireOffer, requirePlace } from '../catalogue/price-offers.ts'
import { codeRow, drawCodeIds, insertBatch, insertCodes, type NewCode } from './codes.store.ts'
import { newGeneratedCode } from './generated-code.rules.ts'

const rowsAtOnce = 5_000
/** The only one whose page activates codes of the store. */
const game = 'freefire'

export interface GeneratedBatch {
  batch_id: number
  offer_id: number
  count: number
  published: boolean
}

/**
 * Makes codes that are sold as a package of the product and deliver a denomination of Free Fire when they are spent. All
 * of them or none. A package that is new gets the prices of the denomination. `adminId` is none when the store itself
 * makes them. Refuses with NOT_FOUND, OFFER_NOT_FOUND, or STATE_CONFLICT for a product that has no generated codes, or
 * whose codes are not activated in the game.
 */
export async function generateCodes(
  tx: Tx,
  vault: Vault,
  wanted: GenerateRequest & { adminId: number | null },
): Promise<GeneratedBatch> {
  const { productId, denominationId, count, published, adminId } = wanted
  const product = await holdProductToUse(tx, productId)
  if (product.kind !== 'code' || !product.supportsCodeGeneration)
    throw new Failure('STATE_CONFLICT', { productId: 'no_code_generation' })
  if (product.codeGame !== game) throw new Failure('STATE_CONFLICT', { productId: 'other_game' })
  const denomination = await holdDenomination(tx, game, denominationId)
  const place = { productId, regionId: null }
  await requirePlace(tx, place)
  const offerId = await requireOffer(tx, place, {
    gameAmount: denomination.game_amount,
    priceUsd: denomination.price_usd,
    priceRub: denomination.price_rub,
  })
  const batchId = await insertBatch(tx, { ...place, importedBy: adminId })
  const prefix = (wanted.prefix ?? product.codePrefix).replace(/[^A-Za-z0-9]/g, '')
  const batch = { id: batchId, denominationId, status: published ? ('available' as const) : ('unpublished' as const) }
  for (let made = 0; made < count; made += rowsAtOnce) {
    const codes = await newCodes(tx, vault, { offerId, prefix, count: Math.min(rowsAtOnce, count - made) })
    const added = await insertCodes(tx, batch, codes)
    if (added.length < codes.length) throw new Error('a generated code was there before')
  }
  if (adminId !== null) {
    const after = { productId, denominationId, offerId, count, prefix, published }
    await record(tx, { actorId: adminId, action: 'codes.generate', subject: `batch:${batchId}`, after })
  }
  return { batch_id: batchId, offer_id: offerId, count, published }
}

async function newCodes(
  tx: Tx,
  vault: Vault,
  { offerId, prefix, count }: { offerId: number; prefix: string; count: number },
): Promise<NewCode[]> {
  const [ids, seal] = await Promise.all([drawCodeIds(tx, count), vault.sealer(tx)])
  return ids.map((id) => {
    const plain = newGeneratedCode(prefix)
    return { id, offerId, fingerprint: vault.fingerprint(plain), ...seal(plain, codeRow(id)) }
  })
}
