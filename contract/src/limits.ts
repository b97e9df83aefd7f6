// Numbers that the server and the browser must agree on. Times are in milliseconds unless the name says otherwise. Imported
// with `import * as LIMITS`, so that a page brings only those it needs.

export const nicknameMin = 3
export const nicknameMax = 32
export const passwordMin = 8
export const passwordMax = 128
export const adminPasswordMin = 6
/** How long a second factor that was given is not asked for again. */
export const confirmedMinutes = 10

/** What a view of the orders is called, and how many one person keeps. */
export const orderViewNameMax = 40
export const orderViewsMax = 20

/** What the shop calls a role of its own. */
export const roleNameMax = 40

/** For a currency rate; it is stored with eight decimals, and a smaller one would be zero. */
export const rateMin = 0.000_000_01
export const rateMax = 1_000_000_000
export const amountMax = 1_000_000_000

export const marginPercentMax = 1_000
export const paymentPercentMax = 50
/** A way to pay as customers read it, how many there are, and one setting of a provider. */
export const methodTitleMax = 60
export const shopMethodsMax = 100
export const shopSuppliersMax = 100
export const settingLengthMax = 4_000
/** The most that one change of many prices takes off them. */
export const priceCutPercentMax = 90
/** Packages that are ticked for one change. */
export const selectedOffersMax = 1_000

/** Per line. The stock is the real limit; this one only keeps an order to a size that one transaction can carry. */
export const quantityMax = 1_000
/** Per line of top-ups, which are never out of stock; each unit is a delivery of its own. */
export const topupUnitsMax = 100
/** Lines of an order that one refund names. */
export const refundLinesMax = 100
/** Stock is counted no further than a line's quantity may go. */
export const stockShownMax = 1_000
/** For the operator, who wants to know more precisely. */
export const stockCountMax = 2_000
export const summaryDaysMax = 366
export const failuresShownMax = 20

export const playerIdMax = 32
export const accountFieldsMax = 8
export const accountValueMax = 256
export const accountPatternMax = 100
export const accountOptionsMax = 200
export const steamLoginMax = 64
export const ucMax = 100_000
/** Different packages in one PUBG top-up. */
export const topupPackagesMax = 100
export const listPageSize = 50
export const listPageSizeMax = 200
/** How far the totals of long lists are counted; nobody paginates further through what a search finds. */
export const listCountMax = 100_000
export const searchCountMax = 2_000
export const customerPageSizeMax = 100

export const couponCodeMax = 32
/** Products that one coupon names. */
export const couponProductsMax = 200

/** Products that one call puts into another order. */
export const orderedProductsMax = 5_000

export const shopNameMax = 24
export const workingHoursMax = 80
/** A text of the pages in the owner's words, its key, and how many of them a language has. */
export const ownTextMax = 2_000
export const textKeyMax = 120
export const ownTextsMax = 500
/** The name of a game's currency, a word for it, and how many of them have words of the owner's. */
export const unitNameMax = 40
export const unitWordMax = 60
export const unitsMax = 100
/** A text of what customers are told, in the owner's words. */
export const notificationTextMax = 500
/** A page of the owner's in one language, and a change of it in all of them. */
export const pageTextBytes = 100_000
export const pageBodyBytes = 1024 * 1024
/** What stands in front of the shop: a link's address, banners, featured products, questions and answers. */
export const linkAddressMax = 500
export const bannerTextMax = 160
export const bannersMax = 20
export const featuredMax = 12
export const questionMax = 150
export const answerMax = 1_500
export const questionsMax = 20

/** A message to the shop or an answer, and how many of the newest are shown, at first and at most. */
export const messageLengthMax = 5_000
export const talkMessages = 100
export const talkMessagesMax = 2_000
export const templateTitleMax = 60
export const templatesMax = 200

/** Whom messages go to, as colleagues know him, and how many there are. */
export const recipientNameMax = 60
export const recipientsMax = 50

export const slugLengthMax = 100
export const emailLengthMax = 254
export const wordsMax = 100
export const wordLengthMax = 60
export const bulkBodyBytes = 10 * 1024 * 1024
export const importLinesMax = 100_000
/** A code may be several lines of its file. */
export const importFileLinesMax = 10_000_000
export const sellerMax = 100
export const invoiceMax = 100
export const codeLengthMax = 4_000
/** Per call. */
export const generatedCodesMax = 10_000
export const codePrefixMax = 20
export const typedCodeMax = 64
export const denominationNameMax = 100
export const itemIdMax = 64
export const gameAmountMax = 1_000_000_000

/** A supplier's name for what it sells, and a title there. */
export const vendorReferenceMax = 200
export const methodNameMax = 64
/** How long a reason may be that an admin gives. */
export const reasonMax = 500
export const vendorTitleMax = 200
export const offerSourcesMax = 20
/** Games of a supplier's catalogue that one call takes over, and packages of each. */
export const takenGamesMax = 50
export const takenOffersMax = 100
