import { Failure } from '@olmos/contract/failure'
import type { EditedProduct } from '@olmos/contract/products'
import type { Queries, Tx } from '../../platform/database.ts'
import { type EditedProductRow, findEditedProduct, lockProduct } from './edited-product.store.ts'

const noTexts = { name: '', description: '', activationInstructions: '' }

export const shownEditedProduct = (row: EditedProductRow): EditedProduct => ({
  ...row,
  ...noTexts,
  ...row.translations.ru,
  created_at: row.created_at.toISOString(),
})

function found(row: EditedProductRow | undefined): EditedProduct {
  if (!row) throw new Failure('NOT_FOUND')
  return shownEditedProduct(row)
}

/** A product as it is edited. Refuses one that is not there, or no more: NOT_FOUND. */
export const readProduct = async (queries: Queries, productId: number): Promise<EditedProduct> =>
  found(await findEditedProduct(queries, productId))

/** The same, and nobody else changes it until the transaction ends. */
export const holdProduct = async (tx: Tx, productId: number): Promise<EditedProduct> =>
  found(await lockProduct(tx, productId, 'toChange'))

/** The same, and nobody changes it until the transaction ends, while others may use it too. */
export const holdProductToUse = async (tx: Tx, productId: number): Promise<EditedProduct> =>
  found(await lockProduct(tx, productId, 'toUse'))
