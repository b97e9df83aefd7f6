/** Every number of the business, once. Times in milliseconds unless the name says otherwise, money in minor units. */
export const LIMITS = {
  nicknameMin: 3,
  nicknameMax: 32,
  passwordMin: 8,
  passwordMax: 128,
  adminPasswordMin: 6,
  sessionDays: 30,
  sessionRenewAfterHours: 1,
  /** Of an admin, from the login on, and from the last call on; a call is noted once a minute. */
  adminSession: { hours: 12, idleMinutes: 30, noteAfterSeconds: 60 },
  /** Of one's own sessions, the ones that were used last. */
  sessionsShownMax: 50,
  /** How long a second factor that was given is not asked for again. */
  confirmedMinutes: 10,
  recoveryCodes: 10,
  /** How many calls within how many seconds. */
  rates: {
    registrationsPerAddress: { points: 20, seconds: 3_600 },
    loginsPerAddress: { points: 60, seconds: 600 },
    /** Of one user from one network; what was right is not counted. */
    loginsPerNetwork: { points: 10, seconds: 900 },
    /** Of one user from a device on which that user has logged in before. */
    loginsPerDevice: { points: 10, seconds: 900 },
    passwordChangesPerUser: { points: 10, seconds: 900 },
    secondFactorTriesPerUser: { points: 10, seconds: 3_600 },
    supportMessagesPerAddress: { points: 10, seconds: 3_600 },
    playerChecksPerAddress: { points: 30, seconds: 300 },
    /** Of codes that are none, or no longer; a right one is not counted, and doesn't make up for wrong ones either. */
    activationsPerUser: { points: 10, seconds: 900 },
    /**
     * Plain codes one admin is shown, one by one: enough to help a few customers, or to try a batch. A stock of
     * thousands would take days, and the other admins are told when the limit is reached first.
     */
    codeRevealsPerAdmin: { points: 20, seconds: 600 },
    /** An open receipt reads itself anew with every step of its order, and every ten seconds while one is awaited. */
    receiptsPerUser: { points: 240, seconds: 300 },
    activationsPerAddress: { points: 60, seconds: 600 },
  },

  /** Failed logins of a user from anywhere: how many are free, how long the doubling pause may get, when all is forgotten. */
  loginGate: { freeFailures: 10, pauseSecondsMax: 300, forgetHours: 24 },
  /** So many refused logins on one node within so long say that somebody guesses passwords. */
  guessingAlert: { refusals: 200, seconds: 600 },
  /** Of hashes: how many wait for their turn, and how many of these places only logins may take. */
  passwordQueue: { atOnce: 4, waiting: 64, keptForLogins: 32 },
  /** Until a request must have come in whole. */
  requestTimeoutMs: 60_000,

  /** Of a currency rate; it is kept with eight decimals, and a smaller one would be none. */
  rateMin: 0.000_000_01,
  rateMax: 1_000_000_000,
  /** Banks have holidays, of ten days at New Year; quotes that are older say that their source has stopped. */
  rateStaleDays: 14,
  /** Banks set the rates of the next day. Of a bank in Tashkent (UTC+5) that day begins up to so many hours from now in UTC. */
  rateAheadHours: 29,
  /** Pauses after a reading of the rates that failed: the first, the second, and every later one. */
  rateRetryMinutes: [5, 15, 60],
  /** The most that the shop puts on top of a rate. */
  rateMarkupPercentMax: 50,
  /** RUB and USD of one package that are further apart, by the rate in force, are asked about. */
  priceSpreadPercent: 30,
  /** A price that moves further, up or down, is asked about. */
  priceJumpPercent: 50,

  balanceTopupMin: 500,
  amountMax: 1_000_000_000,

  /** Of one line. What is in stock is the limit; this one only keeps an order to a size that one transaction can carry. */
  quantityMax: 1_000,
  /** Of one line of top-ups, which never run out; each unit is a delivery of its own. */
  topupUnitsMax: 100,
  /** A second press of the same button within so long is the same press: two taps of one finger. */
  samePressMs: 600,
  /** Lines of an order that one refund names. */
  refundLinesMax: 100,
  cartLinesMax: 50,
  /** Stock is counted no further than a line can hold. */
  stockShownMax: 1_000,
  /** For the operator, who wants to know more precisely. */
  stockCountMax: 2_000,
  lowStockCodes: 10,
  lowStockDays: 3,
  /** Over how many days the pace of sales is taken. */
  paceDays: 7,
  summaryDays: 30,
  summaryDaysMax: 366,

  playerIdMax: 32,
  steamLoginMax: 64,
  ucMax: 100_000,
  ucPresets: [385, 720, 1_920],
  /** Of the amount that arrives, on top of it. */
  steamCommissionPercent: 3,
  /** How long after the last change of the amount it is calculated. */
  steamCalculationDelayMs: 500,
  /** Within how many minutes a top-up is promised to arrive. */
  topupMinutes: 15,
  /** By the currency the customer names the amount in, in its minor units: 1 of each, as the specification says. */
  steamAmountMin: { usd: 100, rub: 100, kzt: 100 },
  /** The most that one top-up of Steam brings, in cents and without commission. */
  steamUsdMax: 50_000,
  /** For so long what a supplier said it reckons with is believed; afterwards the shop's own rates hold. */
  steamRateMinutes: 60,
  /** A supplier's rate so far from the shop's own is a mistake of somebody's. */
  steamRateOffPercent: 30,
  /** Different packages in one PUBG top-up. */
  topupPackagesMax: 100,
  /** An equal top-up within so many seconds is bought only when it was meant. */
  repeatSeconds: 60,

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

  /** Of one call to a provider or supplier. */
  vendorTimeoutMs: 8_000,
  vendorBodyBytes: 1024 * 1024,
  /** A supplier that wants to be left alone for longer is asked again all the same. */
  retryAfterSecondsMax: 600,
  /** Nobody else opens a payment or sends a refund while one attempt may still be under way. */
  attemptSeconds: 30,
  /** How long the second of two simultaneous calls waits for the vendor's answer to the first. */
  attemptWaitMs: 12_000,
  /** How long a provider is asked about a payment that nobody makes. */
  openPaymentHours: 24,
  /** A provider remembers a key for 24 hours; a refund is not sent again close to that. */
  refundResendHours: 20,
  /**
   * What providers take in one payment at least: docs.stripe.com/currencies#minimum-and-maximum-charge-amounts, and
   * one rouble by YooKassa.
   */
  paymentAtLeast: { stripe: { USD: 50 }, yookassa: { RUB: 100 } },
  webhookToleranceSeconds: 300,
  sandboxDelaySeconds: 20,
  /** How long the sandbox refuses everything when it is told to. */
  sandboxRefusalSeconds: 60,

  /** Within which a top-up is promised; what takes longer is the operator's, too. */
  deliveryMinutes: 15,
  /** Deliveries that become the operator's in one go. */
  overdueAtOnce: 100,
  /** How many deliveries one node works on at the same time. */
  deliveriesAtOnce: 8,
  /** How often a node looks for work that nobody told it of. */
  deliveryPollMs: 1_000,
  /** Nobody else works on a delivery while one worker may still be at it: it makes two calls at most. */
  deliveryLeaseSeconds: 60,
  /** Pauses between two looks at a supplier's order: doubled every time. */
  lookUpSeconds: 5,
  lookUpSecondsMax: 600,
  /** Codes of the pool that are tried for one unit. */
  poolTries: 10,
  /** Codes of one offer that may be on their way from a supplier at a time. */
  onDemandUnits: 10,
  /** A code is bought for so much of its price in USD at most, in the money that the supplier counts in. */
  onDemandCostPercent: 80,
  /** So many submits in a row without a clear answer take a supplier out, for so long. */
  breakerFailures: 10,
  breakerSeconds: 30,
  /** In hundredths of whatever the supplier keeps the shop's money in. */
  supplierFloatLow: 5_000,

  /** How long what a supplier said about a player is believed. */
  playerKnownSeconds: 300,
  playerUnknownSeconds: 30,
  playersRemembered: 5_000,
  /** A buyer waits no longer for what a supplier says of a Steam login; then the login passes unchecked. */
  loginCheckMs: 3_000,

  idempotencyKeyDays: 30,
  idempotencyKeyLength: 255,

  /** Open at once, for one user and on one node; each for so long, with a sign of life so often. */
  liveStreamsPerUser: 5,
  liveStreams: 2_000,
  liveStreamMs: 600_000,
  liveHeartbeatMs: 20_000,
  liveRetryMs: 3_000,
  /** Bytes a reader may be behind. */
  liveBacklog: 64 * 1024,

  ordersPageSize: 6,
  ordersRefreshMs: 10_000,
  ordersStaleMs: 5_000,
  ordersCacheMs: 60_000,
  gridPageSize: 9,
  gridColumns: 3,
  listPageSize: 50,
  listPageSizeMax: 200,
  /** Totals of long lists are counted so far; nobody pages further through what a search finds. */
  listCountMax: 100_000,
  searchCountMax: 2_000,
  /** Codes of an import that are looked at for a search that half of the shop's orders fit. */
  broadSearchCodes: 20_000,
  customerPageSizeMax: 100,
  cheapestOffersShown: 3,

  slugLengthMax: 100,
  wordsMax: 100,
  wordLengthMax: 60,

  /** How old a rendered page may be; a change of the catalogue renews it at once. */
  pageFreshMs: 5_000,
  /** For so long after that it is still served while it is renewed. Then it is waited for, unless it can't be rendered. */
  pageStaleMs: 60_000,
  /** Rendered pages a node keeps. The one that was asked for least lately goes first. */
  pagesKept: 1_000,
  /** Pages a node renders at a time, and how many more may wait for it. Who comes after them is refused. */
  pageRendersAtOnce: 2,
  pageRendersWaiting: 32,
  /** So many times as long as a page took to render its place stays empty, up to so long. */
  pageRenderRest: 6,
  pageRenderRestMsMax: 5_000,
  /**
   * Pages of one client address on one node; as many phones as a mobile carrier puts behind one address must get theirs.
   * A page that is rendered for the request counts as `renderCost`. What is beyond it is answered so late, and later
   * the more of the same address wait.
   */
  pageGate: {
    perSecond: 20,
    burst: 200,
    renderCost: 10,
    clientsAtMost: 10_000,
    lateMs: 1_000,
    lateMsPerHeld: 20,
    heldOfClientAtMost: 1_000,
    heldAtMost: 5_000,
  },
  /** How old the list of slugs may be by which a product's page is said not to be there. */
  slugsFreshMs: 1_000,
  /** When to come back for what can't be read at the moment. */
  unavailableRetrySeconds: 10,
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
  heroHeightPx: 510,

  regularBuyerOrders: 10,
  supportReplyHours: 24,

  bodyBytes: 256 * 1024,
  bulkBodyBytes: 10 * 1024 * 1024,
  importLinesMax: 100_000,
  /** A long import is sent in parts of so many lines, or characters. */
  importPartLines: 5_000,
  importPartLength: 2_000_000,
  /** Of an import's lines that need a look, so many are shown. */
  importProblemsShown: 200,
  /** Of the buyers of a recalled batch for whom nothing could be done. */
  notMendedShown: 200,
  codeLengthMax: 4_000,
  /** Of one call. */
  generatedCodesMax: 10_000,
  copiedCodesMax: 100_000,
  /**
   * Generated codes that one admin copies within so long before the others are told: five runs of the hundred that the
   * form proposes are a day's work for a partner, more is worth a second look, and what a thief wants is all of them.
   */
  copiesAlert: { codes: 500, hours: 24 },
  codePrefixMax: 20,
  typedCodeMax: 64,
  denominationNameMax: 100,
  itemIdMax: 64,
  gameAmountMax: 1_000_000_000,
} as const
