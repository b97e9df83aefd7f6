import { Failure } from '@olmos/contract/failure'
import type { EditedProduct } from '@olmos/contract/products'
import type { Tx } from '../../platform/database.ts'
import { requireVersion } from '../../platform/edits.ts'
import { written } from './change-product.ts'
import { touchProduct } from './edited-product.store.ts'
import { holdProduct } from './hold-product.ts'
import { countKnownRegions, replaceRegions, setRegionCurrency } from './product-regions.store.ts'

/** Sells a product in these regions and no others. Packages of a region that goes stay, and are not sold. */
export async function setProductRegions(
  tx: Tx,
  adminId: number,
  productId: number,
  wanted: { regionIds: readonly number[]; version?: number | undefined },
): Promise<EditedProduct> {
  const before = await holdProduct(tx, productId)
  requireVersion(before, wanted.version)
  const regionIds = [...new Set(wanted.regionIds)]
  if ((await countKnownRegions(tx, regionIds)) < regionIds.length) {
    throw new Failure('NOT_FOUND', { regionIds: 'not_found' })
  }
  await replaceRegions(tx, productId, regionIds)
  await touchProduct(tx, productId)
  return written(tx, adminId, 'product.regions', before)
}

/** Names the game currency of a product in one of its regions; blank means the product's own. */
export async function setProductCurrency(
  tx: Tx,
  adminId: number,
  place: { productId: number; regionId: number },
  wanted: { gameCurrency: string | null; version?: number | undefined },
): Promise<EditedProduct> {
  const before = await holdProduct(tx, place.productId)
  requireVersion(before, wanted.version)
  const found = await setRegionCurrency(tx, place.productId, place.regionId, wanted.gameCurrency || null)
  if (found === 0) throw new Failure('NOT_FOUND', { regionId: 'not_found' })
  await touchProduct(tx, place.productId)
  return written(tx, adminId, 'product.currency', before)
}
