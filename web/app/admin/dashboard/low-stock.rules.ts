import type { OfferStock } from '@olmos/contract/summary'

/**
 * Tells those that somebody buys, or that have a number of their own, from those with few codes that nobody asks for. Each
 * stay in their order.
 */
export function sortOutLowStock(offers: readonly OfferStock[]): { urgent: OfferStock[]; unsold: OfferStock[] } {
  const isUrgent = ({ days_left, low_stock }: OfferStock) => days_left !== null || low_stock !== null
  return { urgent: offers.filter(isUrgent), unsold: offers.filter((offer) => !isUrgent(offer)) }
}
