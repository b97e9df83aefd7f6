/** Numbers that an owner would change, and that customers see or the browser reckons with. Money in minor units. */
export const BUSINESS = {
  /** The most that the shop puts on top of a rate. */
  rateMarkupPercentMax: 50,
  /** RUB and USD of one package that are further apart, by the rate in force, are asked about. */
  priceSpreadPercent: 30,
  /** A price that moves further, up or down, is asked about. */
  priceJumpPercent: 50,

  balanceTopupMin: 500,
  /** Over how many days the pace of sales is taken. */
  paceDays: 7,
  ucPresets: [385, 720, 1_920],
  /** Within how many minutes a top-up is promised to arrive. */
  topupMinutes: 15,
  /** By the currency the customer names the amount in, in its minor units: 1 of each, as the specification says. */
  steamAmountMin: { usd: 100, rub: 100, kzt: 100 },
  /** The most that one top-up of Steam brings, in cents and without commission. */
  steamUsdMax: 50_000,
  /** An equal top-up within so many seconds is bought only when it was meant. */
  repeatSeconds: 60,
  supportReplyHours: 24,
} as const
