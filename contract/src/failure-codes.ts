/** Every refusal of the store and the HTTP status it answers with. */
export const failureStatus = {
  VALIDATION_FAILED: 400,
  INVALID_AMOUNT: 400,
  /** The method needs an e-mail for a fiscal receipt. */
  CONTACT_REQUIRED: 400,
  BELOW_LEAST_AMOUNT: 400,
  ABOVE_MOST_AMOUNT: 400,
  /** A colour of the shop in which something could not be read. */
  UNREADABLE_COLOR: 400,
  UNAUTHENTICATED: 401,
  INVALID_CREDENTIALS: 401,
  SECOND_FACTOR_REQUIRED: 401,
  INSUFFICIENT_BALANCE: 402,
  FORBIDDEN: 403,
  /** Somebody else set the password: no call but choosing another is open. */
  PASSWORD_CHANGE_NEEDED: 403,
  /** The link of a shared receipt is right, and its PIN is not. */
  WRONG_PIN: 403,
  /** An admin must have a second factor here, and has none. */
  SECOND_FACTOR_NEEDED_FIRST: 403,
  NOT_FOUND: 404,
  USER_NOT_FOUND: 404,
  OFFER_NOT_FOUND: 404,
  PLAYER_NOT_FOUND: 404,
  CODE_NOT_FOUND: 404,
  NICKNAME_TAKEN: 409,
  PRICE_CHANGED: 409,
  /** A price under what something costs, without a written yes. */
  FLOOR_PRICE: 409,
  RATE_JUMP: 409,
  OUT_OF_STOCK: 409,
  STEAM_LOGIN_REFUSED: 409,
  CART_EMPTY: 409,
  COUPON_REFUSED: 409,
  CODE_ALREADY_USED: 409,
  CODE_ON_HOLD: 409,
  BALANCE_ON_HOLD: 409,
  /** The shop does not offer the method, or not for this currency. */
  METHOD_UNAVAILABLE: 409,
  IDEMPOTENCY_KEY_REUSED: 409,
  STATE_CONFLICT: 409,
  DUPLICATE: 409,
  BODY_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  RATE_LIMITED: 429,
  UNEXPECTED_ERROR: 500,
  SUPPLIER_UNAVAILABLE: 502,
  PAYMENT_PROVIDER_UNAVAILABLE: 502,
  /** The bucket where the shop keeps its pictures does not answer, or takes none. */
  PICTURES_UNAVAILABLE: 503,
  OVERLOADED: 503,
  STARTING: 503,
} as const

export type FailureCode = keyof typeof failureStatus

/** Why a purchase may be refused with STATE_CONFLICT: a page that sells has a text for each. */
export const purchaseReasons = [
  'repeat',
  'too_many_codes',
  'shelf_reserved',
  'payment_canceled',
  'filling_off',
  'currency_off',
  'too_many_fillings',
] as const
export type PurchaseReason = (typeof purchaseReasons)[number]

/** The `item_id` by which refusals name what is bought without a cart. */
export const pastTheCart = -1

/** What no customer is ever refused, so that its text is not in the first page of the store. */
export type OperatorsCode = Extract<
  FailureCode,
  'DUPLICATE' | 'FLOOR_PRICE' | 'PICTURES_UNAVAILABLE' | 'RATE_JUMP' | 'SECOND_FACTOR_NEEDED_FIRST' | 'UNREADABLE_COLOR'
>
