/** Numbers that an owner would change and that only the server knows. Money in minor units. */
export const SERVER_BUSINESS = {
  sessionDays: 30,
  /** Of an admin, from the login on, and from the last call on; a call is noted once a minute. */
  adminSession: { hours: 12, idleMinutes: 30, noteAfterSeconds: 60 },
  /** Banks have holidays, of ten days at New Year; quotes that are older say that their source has stopped. */
  rateStaleDays: 14,
  lowStockCodes: 10,
  lowStockDays: 3,
  summaryDays: 30,
  /** Of the amount that arrives, on top of it. */
  steamCommissionPercent: 3,
  /** For so long what a supplier said it reckons with is believed; afterwards the shop's own rates hold. */
  steamRateMinutes: 60,
  /** A supplier's rate so far from the shop's own is a mistake of somebody's. */
  steamRateOffPercent: 30,

  reservationMinutes: 15,
  /** From when it was placed: so long an order waits at most, however often its payment is declined and made anew. */
  orderMinutesMax: 30,
  /** Money for Steam that comes after the time of its order is taken at its old rate up to such a loss, in per cent. */
  lateLossPercent: 1,
  reservedCodesPerUser: 20,
  /** Of one who never paid for an order. */
  reservedCodesPerNewUser: 3,
  reservedCodesPerOffer: 200,
  /** Of what is on the shelf of an offer, rounded up: the rest is sold to who pays at once. */
  reservedSharePercent: 50,

  /** Codes of one offer that may be on their way from a supplier at a time. */
  onDemandUnits: 10,
  /** A code is bought for so much of its price in USD at most, in the money that the supplier counts in. */
  onDemandCostPercent: 80,
  /** In hundredths of whatever the supplier keeps the shop's money in. */
  supplierFloatLow: 5_000,

  regularBuyerOrders: 10,
  /**
   * Generated codes that one admin copies within so long before the others are told: five runs of the hundred that the
   * form proposes are a day's work for a partner, more is worth a second look, and what a thief wants is all of them.
   */
  copiesAlert: { codes: 500, hours: 24 },
} as const
