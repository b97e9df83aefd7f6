import { record } from '../../platform/audit.ts'
import type { Tx } from '../../platform/database.ts'
import { holdOfferForDeletion, retirePackage } from '../catalogue/change-offer.ts'
import { removeCodesOf } from './remove-codes-of.ts'

/** Deletes a package of a product of codes, with all its codes that nobody has bought or seen; receipts go on working. */
export async function removeOffer(
  tx: Tx,
  adminId: number,
  id: number,
): Promise<{ id: number; deleted_codes: number; kept_codes: number }> {
  const offer = await holdOfferForDeletion(tx, id)
  const { deleted, kept } = await removeCodesOf(tx, 'package', id)
  await retirePackage(tx, offer)
  const { product_id, region_id, game_amount, price_usd, price_rub, is_active } = offer
  await record(tx, {
    actorId: adminId,
    action: 'offer.delete',
    subject: `offer:${id}`,
    before: {
      product_id,
      region_id,
      game_amount,
      price_usd,
      price_rub,
      is_active,
      deleted_codes: deleted,
      kept_codes: kept,
    },
  })
  return { id, deleted_codes: deleted, kept_codes: kept }
}
