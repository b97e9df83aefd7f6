import type { Tx } from '../../platform/database.ts'
import type { OfferDraft, OfferPlace } from './offer.ts'
import { insertOffer, insertProduct, insertProductRegion, insertProductText } from './product.store.ts'
import type { ProductDraft } from './product.ts'

/** Adds a product, active unless said otherwise, with its texts and regions; answers its id. */
export async function addProduct(tx: Tx, product: ProductDraft): Promise<number> {
  const id = await insertProduct(tx, product)
  for (const [language, text] of Object.entries(product.texts)) await insertProductText(tx, id, language, text)
  for (const region of product.regions) await insertProductRegion(tx, id, region)
  return id
}

/** Adds an active offer to a product; answers its id. */
export const addOffer = (tx: Tx, place: OfferPlace, offer: OfferDraft): Promise<number> => insertOffer(tx, place, offer)
