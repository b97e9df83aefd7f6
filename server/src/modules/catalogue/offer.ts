/** Where an offer stands: a product, and a region or none. One game amount has one offer in a place. */
export interface OfferPlace {
  productId: number
  regionId: number | null
}

export interface OfferPrice {
  gameAmount: number
  /** Minor units. */
  priceUsd: number
  priceRub: number
}

export interface OfferDraft extends OfferPrice {
  isPopular: boolean
  /** What the supplier of a top-up calls it. */
  itemId?: string
}
