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
  /** For how many minutes an order waits for its payment and keeps its codes; never longer than prices are kept. */
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
} as const satisfies Record<string, NumberRange>

export type NumberName = keyof typeof numberRanges
export type ShopNumbers = Record<NumberName, number>

export const numberNames = Object.keys(numberRanges) as NumberName[]

/** Pairs of which the first is at most the second: a limit for some is none above the limit for all. */
const pairs = [
  ['reserved_codes_per_new_user', 'reserved_codes_per_user'],
  ['reserved_codes_per_user', 'reserved_codes_per_offer'],
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
