/** Numbers of the pages. Times in milliseconds unless the name says otherwise. */
export const WEB_LIMITS = {
  /** A second press of the same button within so long is the same press: two taps of one finger. */
  samePressMs: 600,
  /** How long after the last change of the amount it is calculated. */
  steamCalculationDelayMs: 500,

  ordersPageSize: 6,
  ordersRefreshMs: 10_000,
  ordersStaleMs: 5_000,
  ordersCacheMs: 60_000,
  gridPageSize: 9,
  gridColumns: 3,
  freshMs: 60_000,
  cacheMs: 300_000,
  queryRetries: 3,
  queryRetryDelayMs: 1_000,
  mutationRetries: 1,
  moneyCallTimeoutMs: 20_000,

  toastMs: 5_000,
  /** Of having logged in, which the page shows anyway. */
  loginToastMs: 3_000,
  toastsAtOnce: 3,
  registerShakeMs: 400,
  /** A long import is sent in parts of so many lines, or characters. */
  importPartLines: 5_000,
  importPartLength: 2_000_000,
  /** Of an import's lines that need a look, so many are shown. */
  importProblemsShown: 200,
  /** Of the buyers of a recalled batch for whom nothing could be done. */
  notMendedShown: 200,
} as const
