/** Numbers that an owner would change and that only the server knows. Money is in minor units. */
export const SERVER_BUSINESS = {
  sessionDays: 30,
  /** How long an admin's session lasts from the login, and from the last call; calls are recorded once a minute. */
  adminSession: { hours: 12, idleMinutes: 30, noteAfterSeconds: 60 },
  /** Banks have holidays, of ten days at New Year; older quotes mean that their source has stopped. */
  rateStaleDays: 14,
  summaryDays: 30,
  /** A product with fewer deliveries says nothing about how long they take. */
  measuredDeliveriesMin: 20,
  /** How long a supplier's rate is used before the shop's own apply. */
  steamRateMinutes: 60,
  /** A supplier's rate further than this from the shop's own is a mistake. */
  steamRateOffPercent: 30,

  /** Counted from when it was placed: the longest an order waits, however often its payment is declined and renewed. */
  orderMinutesMax: 30,
  /** Late money for Steam is accepted at its old rate up to this loss, in percent. */
  lateLossPercent: 1,

  /** Codes of one offer that may be under way from a supplier at a time. */
  onDemandUnits: 10,
  /** The most a code may cost at a supplier, in percent of its price in USD. */
  onDemandCostPercent: 80,
  /** When an account at a supplier is low, in hundredths of its currency, where the store keeps no rate of that. */
  supplierFloatLowWithoutRate: { SGD: 6_500, MYR: 21_000 } as Readonly<Record<string, number>>,
  /** How often a supplier's list of what it sells is read. */
  catalogueMinutes: 15,
  /** A cost that is further from the one an operator said yes to closes the source. */
  costMovePercent: 20,
  /** A list that lost more of its products than this since it was last read is not believed. */
  catalogueShrinkPercent: 50,
  /** For how long the costs of suppliers are remembered. */
  supplierCostDays: 90,

  regularBuyerOrders: 10,
  /**
   * How many generated codes one admin copies within these hours before the others are alerted: five runs of the
   * hundred that the form proposes are a day's work for a partner, more is worth a second look, and a thief wants all
   * of them.
   */
  copiesAlert: { codes: 500, hours: 24 },
} as const
