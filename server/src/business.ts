/**
 * Numbers of how the shop works that only the server knows, and that nobody has to change on a working day: what an owner
 * changes is in `shop-numbers.ts` of the contract. Money is in minor units.
 */
export const SERVER_BUSINESS = {
  /** Stays in code, as the next do, because it is a promise about safety: a shop where somebody made it longer is no safer. */
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

  /** When an account at a supplier is low, in hundredths of its currency, where the store keeps no rate of that. */
  supplierFloatLowWithoutRate: { SGD: 6_500, MYR: 21_000 } as Readonly<Record<string, number>>,
  // What follows says when an answer of a supplier is a mistake, whatever is sold; a source has its own limit of cost.
  /** How often a supplier's list of what it sells is read. */
  catalogueMinutes: 15,
  /** A cost that is further from the one an operator said yes to closes the source. */
  costMovePercent: 20,
  /** A list that lost more of its products than this since it was last read is not believed. */
  catalogueShrinkPercent: 50,
  /** For how long the costs of suppliers are remembered. */
  supplierCostDays: 90,
} as const
