/** Within how many hours somebody answers until the owner promises another time. */
export const firstReplyHours = 24

/** Numbers that an owner would change, and that customers see or the browser computes with. Money is in minor units. */
export const BUSINESS = {
  /** The most that the shop adds to a rate. */
  rateMarkupPercentMax: 50,
  /** RUB and USD of one package that differ by more, at the rate in force, have to be confirmed. */
  priceSpreadPercent: 30,
  /** A price that changes by more, up or down, has to be confirmed. */
  priceJumpPercent: 50,

  balanceTopupMin: 500,
  /** Over how many days the pace of sales is measured. */
  paceDays: 7,
  /** Over how many days it is measured how long deliveries take. */
  measuredDays: 7,
  /** Within how many minutes a top-up is promised to arrive. */
  topupMinutes: 15,
  /** By the currency the customer names the amount in, in its minor units: 1 of each, as the specification says. */
  steamAmountMin: { usd: 100, rub: 100, kzt: 100 },
  /** The most that arrives by one Steam top-up, in cents and without commission. */
  steamUsdMax: 50_000,
  /** An equal top-up within so many seconds has to be confirmed. */
  repeatSeconds: 60,

  /** How long after it was written a review may be changed or withdrawn. */
  reviewChangeDays: 30,
  reviewLengthMax: 1_000,
  /** A list says how a product is rated from so many reviews on. */
  ratingShownFrom: 3,
} as const
