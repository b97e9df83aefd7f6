import { firstReplyHours } from './business.ts'

/** A number of the business: what holds at first, and between which bounds an owner may choose. */
interface NumberRange {
  first: number
  least: number
  most: number
}

/** What an owner sets of how the shop does business. */
export const numberRanges = {
  /** Within how many hours somebody answers, as pages promise. */
  support_reply_hours: { first: firstReplyHours, least: 1, most: 720 },
  /** A package runs out with so few codes, or when they last for fewer days at the pace of its sales. */
  low_stock_codes: { first: 10, least: 0, most: 10_000 },
  low_stock_days: { first: 3, least: 0, most: 90 },
  /** How many days before codes expire the operators are alerted. */
  expiry_warning_days: { first: 14, least: 1, most: 365 },
  /** Whole dollars; a balance at a supplier in another currency is compared at the shop's rates. */
  supplier_float_low: { first: 50, least: 0, most: 1_000_000 },
  /** For how many minutes an order waits for its payment and keeps its codes; never longer than it may wait in all. */
  reservation_minutes: { first: 15, least: 5, most: 30 },
  /** How many codes the unpaid order of one customer may reserve, and of one who never paid for an order. */
  reserved_codes_per_user: { first: 20, least: 1, most: 1_000 },
  reserved_codes_per_new_user: { first: 3, least: 1, most: 1_000 },
  reserved_codes_per_offer: { first: 200, least: 1, most: 100_000 },
  /** The share of an offer's stock that unpaid orders may reserve, rounded up: the rest is for buyers who pay at once. */
  reserved_share_percent: { first: 50, least: 1, most: 100 },
  /** How many fillings of one customer's balance may wait for their payment. */
  open_fillings_per_user: { first: 3, least: 1, most: 100 },
  /** For how many hours a request above a colleague's limit waits for a yes. */
  approval_hours: { first: 72, least: 1, most: 720 },
  /** Codes of one offer that may be under way from a supplier at a time; none: what is not in stock is not sold. */
  on_demand_units: { first: 10, least: 0, most: 1_000 },
  /** The most a code may cost at a supplier, in percent of its price in USD. */
  on_demand_cost_percent: { first: 80, least: 1, most: 100 },
  /** How many completed orders make a regular buyer. */
  regular_buyer_orders: { first: 10, least: 1, most: 1_000 },
  /** For how many days after it was written a review may be changed or withdrawn. */
  review_change_days: { first: 30, least: 1, most: 365 },
  /**
   * How many generated codes one admin copies within these hours before the others are alerted: five runs of the hundred
   * that the form proposes are a day's work for a partner, and a thief wants all of them.
   */
  copies_alert_codes: { first: 500, least: 1, most: 100_000 },
  copies_alert_hours: { first: 24, least: 1, most: 720 },
  /** A price that moves by more, up or down, is confirmed by hand, or waits when a rule made it. */
  price_jump_percent: { first: 50, least: 1, most: 1_000 },
  /** How far USD and RUB of one package may be apart at the rate in force. */
  price_spread_percent: { first: 30, least: 1, most: 1_000 },
  /** Within so many seconds of a top-up an equal one has to be confirmed; with none it never has to. */
  repeat_seconds: { first: 60, least: 0, most: 3_600 },
  /**
   * The longest an order waits for its payment, counted from when it was placed, however often that is declined and renewed. An
   * order goes by what was in force when it was placed.
   */
  order_minutes: { first: 30, least: 5, most: 120 },
  /** Up to this loss late money for a top-up by amount is accepted at its old rate. */
  late_loss_percent: { first: 1, least: 0, most: 20 },
  /** The least amount of a top-up by amount, in the currency that the buyer names it in. */
  steam_least_usd: { first: 1, least: 1, most: 100 },
  steam_least_rub: { first: 1, least: 1, most: 10_000 },
  steam_least_kzt: { first: 1, least: 1, most: 50_000 },
  /** The most that arrives by one, in whole dollars and without commission. */
  steam_most_usd: { first: 500, least: 1, most: 10_000 },
} as const satisfies Record<string, NumberRange>

export type NumberName = keyof typeof numberRanges
export type ShopNumbers = Record<NumberName, number>

export const numberNames = Object.keys(numberRanges) as NumberName[]

/** Pairs of which the first is at most the second: a limit for some is none above the limit for all, and the least none above the most. */
const pairs = [
  ['reserved_codes_per_new_user', 'reserved_codes_per_user'],
  ['reserved_codes_per_user', 'reserved_codes_per_offer'],
  ['reservation_minutes', 'order_minutes'],
  ['steam_least_usd', 'steam_most_usd'],
] as const satisfies readonly (readonly [NumberName, NumberName])[]

/** Finds numbers of a change that contradict another one that holds with them. */
export const findContradicting = (numbers: ShopNumbers, changed: readonly string[]): NumberName[] =>
  pairs.flatMap(([less, more]) => {
    const name = changed.includes(less) ? less : more
    return numbers[less] > numbers[more] && changed.includes(name) ? [name] : []
  })

export const firstNumbers = Object.fromEntries(
  numberNames.map((name) => [name, numberRanges[name].first]),
) as ShopNumbers
