import { Failure } from '@olmos/contract/failure'
import { toMajor, toMinor } from '@olmos/contract/money'
import type { EditedOffer, OfferChange } from '@olmos/contract/offers'
import { announce } from '../../platform/announce.ts'
import { recordChange } from '../../platform/audit.ts'
import type { Tx } from '../../platform/database.ts'
import { requireVersion } from '../../platform/edits.ts'
import { type EditedOfferRow, findOffer, lockOffer, updateOffer } from './offers.store.ts'

export const shownOffer = (row: EditedOfferRow): EditedOffer => ({
  ...row,
  price_usd: toMajor(row.price_usd),
  price_rub: toMajor(row.price_rub),
  created_at: row.created_at.toISOString(),
})

function found(row: EditedOfferRow | undefined): EditedOffer {
  if (!row) throw new Failure('OFFER_NOT_FOUND')
  return shownOffer(row)
}

const edited = ({ price_usd, price_rub, is_popular, is_active }: EditedOffer) => ({
  price_usd,
  price_rub,
  is_popular,
  is_active,
})

/** Prices a package anew, marks it popular or takes it off sale. What is in carts is charged at the new price only once it was shown. */
export async function changeOffer(tx: Tx, adminId: number, offerId: number, change: OfferChange): Promise<EditedOffer> {
  const before = found(await lockOffer(tx, offerId))
  requireVersion(before, change.version)
  await updateOffer(tx, offerId, {
    price_usd: toMinor(change.priceUsd ?? before.price_usd),
    price_rub: toMinor(change.priceRub ?? before.price_rub),
    is_popular: change.isPopular ?? before.is_popular,
    is_active: change.isActive ?? before.is_active,
  })
  const after = found(await findOffer(tx, offerId))
  const entry = { actorId: adminId, action: 'offer.update', subject: `offer:${offerId}` }
  await recordChange(tx, entry, edited(before), edited(after))
  await announce(tx, 'catalogue', `product:${after.product_id}`)
  return after
}
