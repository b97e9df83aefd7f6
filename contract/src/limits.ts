/** Numbers that the server and the browser must agree on. Times are in milliseconds unless the name says otherwise. */
export const LIMITS = {
  nicknameMin: 3,
  nicknameMax: 32,
  passwordMin: 8,
  passwordMax: 128,
  adminPasswordMin: 6,
  /** How long a second factor that was given is not asked for again. */
  confirmedMinutes: 10,

  /** For a currency rate; it is stored with eight decimals, and a smaller one would be zero. */
  rateMin: 0.000_000_01,
  rateMax: 1_000_000_000,
  amountMax: 1_000_000_000,

  marginPercentMax: 1_000,
  paymentPercentMax: 50,
  /** A way to pay as customers read it, how many there are, and one setting of a provider. */
  methodTitleMax: 60,
  shopMethodsMax: 100,
  settingLengthMax: 4_000,
  /** The most that one change of many prices takes off them. */
  priceCutPercentMax: 90,
  /** Packages that are ticked for one change. */
  selectedOffersMax: 1_000,

  /** Per line. The stock is the real limit; this one only keeps an order to a size that one transaction can carry. */
  quantityMax: 1_000,
  /** Per line of top-ups, which are never out of stock; each unit is a delivery of its own. */
  topupUnitsMax: 100,
  /** Lines of an order that one refund names. */
  refundLinesMax: 100,
  /** Stock is counted no further than a line's quantity may go. */
  stockShownMax: 1_000,
  /** For the operator, who wants to know more precisely. */
  stockCountMax: 2_000,
  summaryDaysMax: 366,
  /** Lines of one file of sales. */
  exportLinesMax: 50_000,

  playerIdMax: 32,
  accountFieldsMax: 8,
  accountValueMax: 256,
  accountPatternMax: 100,
  accountOptionsMax: 200,
  steamLoginMax: 64,
  ucMax: 100_000,
  /** Different packages in one PUBG top-up. */
  topupPackagesMax: 100,
  listPageSize: 50,
  listPageSizeMax: 200,
  /** How far the totals of long lists are counted; nobody paginates further through what a search finds. */
  listCountMax: 100_000,
  searchCountMax: 2_000,
  customerPageSizeMax: 100,

  shopNameMax: 24,
  workingHoursMax: 80,
  /** A text of the pages in the owner's words, its key, and how many of them a language has. */
  ownTextMax: 2_000,
  textKeyMax: 120,
  ownTextsMax: 500,

  slugLengthMax: 100,
  emailLengthMax: 254,
  wordsMax: 100,
  wordLengthMax: 60,
  bulkBodyBytes: 10 * 1024 * 1024,
  importLinesMax: 100_000,
  sellerMax: 100,
  invoiceMax: 100,
  codeLengthMax: 4_000,
  /** Per call. */
  generatedCodesMax: 10_000,
  codePrefixMax: 20,
  typedCodeMax: 64,
  denominationNameMax: 100,
  itemIdMax: 64,
  gameAmountMax: 1_000_000_000,

  /** A supplier's name for what it sells, and a title there. */
  vendorReferenceMax: 200,
  vendorTitleMax: 200,
  offerSourcesMax: 20,
  /** Games of a supplier's catalogue that one call takes over, and packages of each. */
  takenGamesMax: 50,
  takenOffersMax: 100,
} as const
