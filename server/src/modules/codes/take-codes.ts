import type { Tx } from '../../platform/database.ts'
import { type CodeSale, sellCodes } from './codes.store.ts'

/**
 * Sells the codes of one order item that is already written. Answers how many were on the shelf: with fewer than
 * wanted the caller refuses, which gives all of them back. May travel together with other statements.
 */
export const takeCodes = (tx: Tx, sale: CodeSale): Promise<number> => sellCodes(tx, sale)
