/**
 * Numbers of the server that no browser needs to know. Times are in milliseconds unless the name says otherwise, money
 * in minor units.
 */
export const SERVER_LIMITS = {
  sessionRenewAfterHours: 1,
  /** A user's sessions, most recently used first. */
  sessionsShownMax: 50,
  recoveryCodes: 10,
  /** How long one statement that makes prices may take; a hundred thousand of them take a few seconds. */
  repricingMs: 60_000,
  /** The rate limits: how many calls within how many seconds. */
  rates: {
    registrationsPerAddress: { points: 20, seconds: 3_600 },
    loginsPerAddress: { points: 60, seconds: 600 },
    /** Per user and network; a right password is not counted. */
    loginsPerNetwork: { points: 10, seconds: 900 },
    /** Per user and device on which that user has logged in before. */
    loginsPerDevice: { points: 10, seconds: 900 },
    passwordChangesPerUser: { points: 10, seconds: 900 },
    secondFactorTriesPerUser: { points: 10, seconds: 3_600 },
    supportMessagesPerAddress: { points: 10, seconds: 3_600 },
    /** Messages in a conversation that is open already, and readings of one by its link. */
    repliesPerConversation: { points: 30, seconds: 900 },
    linkedReadsPerAddress: { points: 600, seconds: 300 },
    playerChecksPerAddress: { points: 30, seconds: 300 },
    /**
     * Counts codes that do not exist or are spent; a right one is not counted, and doesn't make up for wrong ones
     * either.
     */
    activationsPerUser: { points: 10, seconds: 900 },
    /**
     * Plain codes one admin may reveal one by one: enough to help a few customers, or to try a batch. A stock of
     * thousands would take days, and reaching the limit alerts the other admins first.
     */
    codeRevealsPerAdmin: { points: 20, seconds: 600 },
    /** Passwords one admin may set of others: who sets somebody's can spend the balance and see the codes. */
    passwordResetsPerAdmin: { points: 20, seconds: 3_600 },
    /** Coupons that do not exist; one that does is not counted. */
    couponsPerUser: { points: 20, seconds: 900 },
    couponsPerAddress: { points: 100, seconds: 900 },
    /** An open receipt reloads with every step of its order, and every ten seconds while one is awaited. */
    receiptsPerUser: { points: 240, seconds: 300 },
    sharedReceiptsPerAddress: { points: 30, seconds: 300 },
    /** Reviews written, changed and withdrawn. */
    reviewsPerUser: { points: 30, seconds: 3_600 },
    /** Links to the bot of the shop. */
    telegramLinksPerUser: { points: 10, seconds: 3_600 },
    /** Links for a new password that are asked for, and passwords that are set by one. */
    recoveriesPerAddress: { points: 20, seconds: 3_600 },
    recoveryTriesPerAddress: { points: 30, seconds: 3_600 },
    activationsPerAddress: { points: 60, seconds: 600 },
  },

  /**
   * Failed logins of a user from anywhere: how many are free, how long the doubling pause may get, when all is
   * forgotten.
   */
  loginGate: { freeFailures: 10, pauseSecondsMax: 300, forgetHours: 24 },
  /** The link of a receipt ends after so many wrong PINs, and after so many openings. */
  sharedReceipt: { wrongPins: 5, openings: 20, forgottenDays: 7 },
  /** This many refused logins on one node within this time mean that somebody guesses passwords. */
  guessingAlert: { refusals: 200, seconds: 600 },
  /** How many hashes wait for their turn, and how many of these places only logins may take. */
  passwordQueue: { atOnce: 4, waiting: 64, keptForLogins: 32 },
  /** How long a request may take to arrive in full. */
  requestTimeoutMs: 60_000,
  /** How long, before it closes, a node that was told to end closes connections on reads. */
  dropReadsMs: 1_000,
  /** A node ends within this time, or is ended. It fits into what the files of deploy give it. */
  shutdownMs: 25_000,
  /** How long a node may be told to serve on first; what is under way and all that is closed after it have the rest. */
  shutdownGraceSecondsMax: 10,
  /** How long what is under way may take then. */
  endWithinMs: 10_000,
  /**
   * Banks set the rates of the next day. For a bank in Tashkent (UTC+5) that day begins up to this many hours from now
   * in UTC.
   */
  rateAheadHours: 29,
  /** Pauses after a failed reading of the rates: the first, the second, and every later one. */
  rateRetryMinutes: [5, 15, 60],
  cartLinesMax: 50,

  /** For one call to a provider or supplier. */
  vendorTimeoutMs: 8_000,
  vendorBodyBytes: 1024 * 1024,
  /** A supplier that asks for a longer pause is asked again after this one all the same. */
  retryAfterSecondsMax: 600,
  /** Nobody else opens a payment while one attempt may still be under way. */
  attemptSeconds: 30,
  /** Nobody else sends a refund, or decides it, meanwhile: an adapter that reads before and after it sends may need six calls. */
  refundAttemptSeconds: 60,
  /** How long the second of two simultaneous calls waits for the vendor's answer to the first. */
  attemptWaitMs: 12_000,
  /** How long a provider is asked about a payment that nobody makes. */
  openPaymentHours: 24,
  /** A cash register tries for three days: later than that, no answer about a receipt is a failure, and then it is forgotten. */
  receiptLateDays: 4,
  receiptForgottenDays: 14,
  /** A provider remembers a key for 24 hours; a refund is not sent again close to that. */
  refundResendHours: 20,
  webhookToleranceSeconds: 300,
  sandboxDelaySeconds: 20,
  /** How long an account at a provider or a supplier may be out of date where a notification was lost. */
  renewVendorsMs: 30_000,
  /** How long the sandbox refuses everything when it is told to. */
  sandboxRefusalSeconds: 60,
  /** Deliveries handed to the operator in one go. */
  overdueAtOnce: 100,
  /** How many deliveries one node works on at the same time. */
  deliveriesAtOnce: 8,
  /** How often a node looks for work without a notification: one may be lost. */
  deliveryPollMs: 5_000,
  /** The lease of a delivery: a worker makes a few calls meanwhile (`stepRequests`). */
  deliveryLeaseSeconds: 60,
  /** The first pause between two look-ups of a supplier's order; it doubles every time. */
  lookUpSeconds: 5,
  lookUpSecondsMax: 600,
  /** Codes of the pool that are tried for one unit. */
  poolTries: 10,
  /** This many orders in a row without a clear answer put a supplier out of service for a while. */
  breakerFailures: 10,
  breakerSeconds: 30,

  /** The lease of reading a supplier's list; who reads renews it. */
  syncLeaseSeconds: 120,
  /** A reading that was cut short is resumed for so long, and begun again after that. */
  syncResumeHours: 2,
  /** How often a page is asked for before its list is given up. */
  syncTries: 3,
  /** The pause before a page is asked for again. */
  syncRetrySeconds: 60,
  /** Pages of one list that does not tell how many it has; one that is longer never ends. */
  syncPagesMax: 500,
  /** Pages of one list, however many it says it has. */
  syncPagesToldMax: 4_000,
  /** How many rejected rows are kept to be shown. */
  syncRejectedShown: 20,
  /** Readings in a row that come to nothing, or not to the end of what the shop sells, before the operators are alerted. */
  syncFailures: 4,
  /** A list with fewer products may lose any number of them. */
  catalogueShrinkLeast: 20,
  /** Sources that one transaction closes or opens. */
  sourcesAtOnce: 200,
  /** How long a call that starts a reading waits for its end. */
  syncWaitMs: 3_000,

  /** How long a supplier's answer about a player is used. */
  playerKnownSeconds: 300,
  playerUnknownSeconds: 30,
  playersRemembered: 5_000,
  /** How long a buyer waits for a supplier's answer about a Steam login; then the login passes unchecked. */
  loginCheckMs: 3_000,

  /** How often a node looks for alerts and for messages that are due; each look is four statements. */
  messagePollMs: 10_000,
  /** How long a mail server may take for one message, and the lease of a message, which is longer. */
  mailMs: 30_000,
  messageLeaseSeconds: 60,
  /** The first pause before a message is sent again; it doubles every time, up to a maximum. */
  messageRetrySeconds: 30,
  messageRetrySecondsMax: 3_600,
  /** How long a message is tried, and how long one is kept. */
  messageHours: 24,
  messageDays: 90,
  /** The pause between two messages to one recipient about alerts of one kind: what is raised meanwhile comes together. */
  messagePauseMinutes: 5,
  /** The pause between two messages about one thing that breaks and heals by turns. */
  messageFlapMinutes: 60,
  messageReminderHours: 24,
  /** How long a link to the bot connects a chat, and how long the bot is asked at a time whether it was started. */
  telegramStartMinutes: 30,
  telegramPollSeconds: 5,
  telegramPollMs: 50_000,

  /** How long a link for a new password works, and how long one is tried to be sent. */
  recoveryMinutes: 30,
  /** How many links one account is sent within an hour, and how many accounts of one address of e-mail. */
  recoveryLinksPerHour: 3,
  recoveryAccountsMax: 5,

  /**
   * How many pixels an uploaded picture may have, how long drawing it may take, how many wait for it, and how long one of
   * them waits.
   */
  picturePixelsMax: 25_000_000,
  pictureSeconds: 10,
  picturesWaiting: 8,
  pictureTurnMs: 30_000,
  /** How long an uploaded picture stays that nothing shows. */
  unusedPictureDays: 30,
  /** How long an upload into the bucket may take, before what it has put there may be removed. */
  pictureUploadMinutes: 60,
  /** How many pictures a node reads from the bucket at a time, and how many requests may wait for it. */
  picturesReadAtOnce: 16,
  picturesReadWaiting: 128,

  /** How long the link of a visitor opens a conversation after the last message in it. */
  conversationLinkDays: 30,
  /** The last message of a conversation in a list, in characters. */
  excerptLength: 200,
  ownConversationsShown: 50,

  idempotencyKeyDays: 30,
  /** A supplier's webhook that comes once more after so long only asks for another look at what is long decided. */
  supplierEventDays: 90,
  idempotencyKeyLength: 255,

  /** Streams open at once, for one user and on one node; how long each lasts, and how often it sends a heartbeat. */
  liveStreamsPerUser: 5,
  liveStreams: 2_000,
  liveStreamMs: 600_000,
  liveHeartbeatMs: 20_000,
  liveRetryMs: 3_000,
  /** How many bytes a reader may be behind. */
  liveBacklog: 64 * 1024,
  /** How many of an import's codes are read for a search that matches half of the shop's orders. */
  broadSearchCodes: 20_000,
  cheapestOffersShown: 3,
  reviewsPageSize: 10,

  /** How old a rendered page may be; a change of the catalogue renews it at once. */
  pageFreshMs: 5_000,
  /**
   * How long after that it is served while it is renewed. Then requests wait for the new one, unless it can't be
   * rendered.
   */
  pageStaleMs: 60_000,
  /** Rendered pages a node caches. The least recently requested one is evicted first. */
  pagesKept: 1_000,
  /** How long an answer about the catalogue may be given again, if no change of it is heard; and how many a node keeps. */
  answerKeptMs: 1_000,
  answersKept: 100,
  /** How long a cache in front of the store may serve a page that is everybody's without asking again. */
  pageSharedSeconds: 10,
  /** How long a browser may use data it asked for when a link was pointed at. */
  prefetchedSeconds: 5,
  /** Pages a node renders at a time, and how many requests may wait for it. Further ones are refused. */
  pageRendersAtOnce: 2,
  pageRendersWaiting: 32,
  /** How long one of them waits: visitors have left by then, and their turns would be taken for nobody. */
  pageTurnMs: 8_000,
  /** How much the thread that renders them may keep in memory, in MB; it is ended and replaced when that is not enough. */
  renderHeapMb: 128,
  /** How long a page may take before the thread that renders it is ended and replaced, as if it had died. */
  renderMs: 10_000,
  /** How long that thread may take to start, and how long it rests after it did not. */
  renderStartMs: 60_000,
  renderRestartMs: 5_000,
  /** After a render its place stays empty this many times as long as the render took, up to a maximum. */
  pageRenderRest: 6,
  pageRenderRestMsMax: 5_000,
  /**
   * Limits the pages of one client address on one node; as many phones as a mobile carrier puts behind one address must
   * get theirs. A page that is rendered for the request counts as `renderCost`. Requests over the limit are answered
   * late, and later the more of one address wait.
   */
  pageGate: {
    perSecond: 20,
    burst: 200,
    renderCost: 10,
    clientsAtMost: 10_000,
    lateMs: 1_000,
    lateMsPerDelayed: 20,
    delayedOfClientAtMost: 1_000,
    delayedAtMost: 5_000,
  },
  /**
   * How many connections may wait to be accepted. One that finds no room is tried again a second later by the system of
   * who called, and then after two more and four more: a buyer among a crowd. The system's own limit stands above it.
   */
  connectionsToAccept: 4_096,
  /**
   * Limits the pages of one node, whoever asks: to `perSecondMost`, and to fewer while its event loop comes to its work so
   * much too late, which is looked at so often.
   */
  pageLoad: { lateMs: 50, everyMs: 100, perSecondLeast: 50, perSecondMost: 2_000, burst: 200 },
  /** How old the list of slugs may be by which a product's page is declared missing. */
  slugsFreshMs: 1_000,
  /** How old the rates and the owner's settings may be that pages are rendered with; a change of them renews both at once. */
  ratesFreshMs: 60_000,
  shopFreshMs: 60_000,
  /** When to retry what can't be read at the moment. */
  unavailableRetrySeconds: 10,

  /** The payments of one provider on one day that are compared; a day of more is not compared, rather than in part. */
  reconciledPaymentsMax: 50_000,
  /** The calls about single payments that the comparison of a day makes to one provider, and how many at a time. */
  reconciledReadsMax: 5_000,
  reconciledReadsAtOnce: 4,
  /** How long the comparison of one provider's day may take. */
  reconcileMs: 10 * 60_000,
  /** How far around a day a payment is looked for that was captured on one side of midnight and told on the other. */
  reconcileMarginHours: 12,
  /** The differences of a day and provider that are kept; all of them are counted. */
  differencesKept: 500,

  bodyBytes: 256 * 1024,
  copiedCodesMax: 100_000,
} as const
