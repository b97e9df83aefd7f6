/** Within how many hours somebody answers until the owner promises another time. */
export const firstReplyHours = 24

/**
 * Numbers of how the shop works that the browser knows too. They are in the scripts of the pages, which no owner changes; what
 * one does is in `shop-numbers.ts`. Money is in minor units.
 */
export const BUSINESS = {
  /** The most that the shop adds to a rate. */
  rateMarkupPercentMax: 50,

  /** The least that the specification lets a customer add to a balance. */
  balanceTopupMin: 500,
  /** Over how many days the pace of sales is measured. */
  paceDays: 7,
  /** Over how many days it is measured how long deliveries take. */
  measuredDays: 7,
  // Each product has its own promise: this one is where a new product begins.
  /** Within how many minutes a top-up is promised to arrive. */
  topupMinutes: 15,

  reviewLengthMax: 1_000,
  // Lists count with it before anything of the shop is asked for.
  /** A list says how a product is rated from so many reviews on. */
  ratingShownFrom: 3,
} as const
