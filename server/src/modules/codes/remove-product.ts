import type { Belongings } from '@olmos/contract/products'
import { announce } from '../../platform/announce.ts'
import { record } from '../../platform/audit.ts'
import type { Tx } from '../../platform/database.ts'
import { holdProductForDeletion, retireProduct } from '../catalogue/change-product.ts'
import { archiveStockOf } from './removed-codes.store.ts'

/**
 * Takes a product off the shelves for good, and its codes into the archive; what was sold and its receipts stay. Answers
 * what went with it.
 */
export async function removeProduct(tx: Tx, adminId: number, productId: number): Promise<Belongings> {
  const { product, belongings } = await holdProductForDeletion(tx, productId)
  await retireProduct(tx, productId)
  await archiveStockOf(tx, productId)
  const subject = `product:${productId}`
  await record(tx, { actorId: adminId, action: 'product.delete', subject, before: { ...product, belongings } })
  await announce(tx, 'catalogue', subject)
  return belongings
}
