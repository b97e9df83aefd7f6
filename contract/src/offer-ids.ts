/**
 * The `offer_id` of top-ups that are no single offer: several UC packages at once, or any amount of Steam. Stands apart
 * from the schemas because pages need the values without loading those.
 */
export const offerIds = { ucCombination: -1, steamAmount: 0 } as const
