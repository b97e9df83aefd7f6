/** Numbers of the pages. Times in milliseconds unless the name says otherwise. */
export const WEB_LIMITS = {
  /** A second press of the same button within this time counts as the first one: a double tap. */
  samePressMs: 600,
  /**
   * An equal press within this time after one whose answer was lost, or after the store said that something was done by it, may
   * be that one, and says so by its key.
   */
  unansweredPressMs: 60_000,
  /** From then on an order that the checkout leads to may be one of an earlier press, and says when it was bought. */
  paidEarlierMs: 10 * 60_000,
  /** The pause in typing after which an amount is calculated. */
  steamCalculationDelayMs: 500,

  ordersPageSize: 6,
  ordersRefreshMs: 10_000,
  ordersStaleMs: 5_000,
  ordersCacheMs: 60_000,
  gridPageSize: 9,
  freshMs: 60_000,
  /** How often a page that shows converted prices reads the rates again. */
  ratesRefreshMs: 60_000,
  cacheMs: 300_000,
  queryRetries: 3,
  queryRetryDelayMs: 1_000,
  mutationRetries: 1,
  moneyCallTimeoutMs: 20_000,
  /** The checkout waits so long for the ways to pay, and then does without a choice. */
  paymentMethodsTimeoutMs: 5_000,

  toastMs: 5_000,
  /** How long the toast after logging in stays; the page shows it anyway. */
  loginToastMs: 3_000,
  toastsAtOnce: 3,
  registerShakeMs: 400,
} as const
