/** Within how many hours somebody answers until the owner promises another time. */
export const firstReplyHours = 24

/**
 * Numbers of how the shop works that the browser knows too. They are in the scripts of the pages, which no owner changes; what
 * one does is in `shop-numbers.ts`. Money is in minor units.
 */
export const BUSINESS = {
  /** The most that the shop adds to a rate. */
  rateMarkupPercentMax: 50,
  // The next two decide when a typed price is asked about once more, which costs a click and is no policy of a shop.
  /** RUB and USD of one package that differ by more, at the rate in force, have to be confirmed. */
  priceSpreadPercent: 30,
  /** A price that changes by more, up or down, has to be confirmed. */
  priceJumpPercent: 50,

  /** The least that the specification lets a customer add to a balance. */
  balanceTopupMin: 500,
  /** Over how many days the pace of sales is measured. */
  paceDays: 7,
  /** Over how many days it is measured how long deliveries take. */
  measuredDays: 7,
  // Each product has its own promise: this one is where a new product begins.
  /** Within how many minutes a top-up is promised to arrive. */
  topupMinutes: 15,
  // The form counts with the next two as somebody types, on a page that is shown before any number could be asked for.
  /** By the currency the customer names the amount in, in its minor units: 1 of each, as the specification says. */
  steamAmountMin: { usd: 100, rub: 100, kzt: 100 },
  /** The most that arrives by one Steam top-up, in cents and without commission. */
  steamUsdMax: 50_000,
  // The browser remembers an unanswered press for as long, so that both have to have the same.
  /** An equal top-up within so many seconds has to be confirmed. */
  repeatSeconds: 60,

  reviewLengthMax: 1_000,
  // Lists count with it before anything of the shop is asked for.
  /** A list says how a product is rated from so many reviews on. */
  ratingShownFrom: 3,
} as const
