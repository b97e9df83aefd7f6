/** Numbers of the server, which no browser needs to know. Times in milliseconds unless the name says otherwise, money in minor units. */
export const SERVER_LIMITS = {
  sessionRenewAfterHours: 1,
  /** Of one's own sessions, the ones that were used last. */
  sessionsShownMax: 50,
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
  /** Banks set the rates of the next day. Of a bank in Tashkent (UTC+5) that day begins up to so many hours from now in UTC. */
  rateAheadHours: 29,
  /** Pauses after a reading of the rates that failed: the first, the second, and every later one. */
  rateRetryMinutes: [5, 15, 60],
  cartLinesMax: 50,

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
  webhookToleranceSeconds: 300,
  sandboxDelaySeconds: 20,
  /** How long the sandbox refuses everything when it is told to. */
  sandboxRefusalSeconds: 60,
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
  /** So many submits in a row without a clear answer take a supplier out, for so long. */
  breakerFailures: 10,
  breakerSeconds: 30,

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
  /** Codes of an import that are looked at for a search that half of the shop's orders fit. */
  broadSearchCodes: 20_000,
  cheapestOffersShown: 3,

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

  bodyBytes: 256 * 1024,
  copiedCodesMax: 100_000,
} as const
