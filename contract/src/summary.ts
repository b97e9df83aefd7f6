import { z } from 'zod'
import { profit, profits } from './costs.ts'
import { adminEndpoint } from './endpoint.ts'
import { date, id, regionId, toData, version } from './fields.ts'
import * as LIMITS from './limits.ts'
import { currencies, shownAmountSchema } from './money.ts'

/** A day that is told: the one before the first that can be asked for, too. */
const day = z.iso.date()
const dayMs = 86_400_000

const figures = {
  /** Orders that were paid for, including those refunded since. */
  sales_usd: shownAmountSchema,
  sales_rub: shownAmountSchema,
  orders_usd: z.int(),
  orders_rub: z.int(),
  refunds_usd: shownAmountSchema,
  refunds_rub: shownAmountSchema,
  /** What customers filled their balances with, and how much of that went back to their cards: no sales, and no refunds of any. */
  deposits_usd: shownAmountSchema,
  deposits_rub: shownAmountSchema,
  deposit_refunds_usd: shownAmountSchema,
  deposit_refunds_rub: shownAmountSchema,
  new_users: z.int(),
}

const offerStock = z.object({
  offer_id: id,
  product_id: id,
  product_title: z.string(),
  region_id: regionId,
  region_name: z.string(),
  game_amount: z.int(),
  game_currency: z.string(),
  /** Counted up to `LIMITS.stockCountMax`. */
  available_count: z.int(),
  /** In the last `BUSINESS.paceDays` days. */
  sold_count: z.int(),
  /** How long the stock lasts at that pace; null while nothing is sold. */
  days_left: z.number().nullable(),
  /** With how many codes it runs out; null for the shop's numbers. */
  low_stock: z.int().nullable(),
  /** The version of the package, for who changes its number. */
  version,
})
export type OfferStock = z.infer<typeof offerStock>

export const summary = z.object({
  from: day,
  to: day,
  /** The time zone of the days. */
  timezone: z.string(),
  totals: z.object(figures),
  /** As many days just before them. */
  before: z.object({ from: day, to: day, totals: z.object(figures) }),
  days: z.array(z.object({ date: day, ...figures })),
  stock: z.array(
    z.object({
      product_id: id,
      product_title: z.string(),
      available_count: z.int(),
      packages: z.array(offerStock),
    }),
  ),
  /** Packages on sale that are nearly or wholly sold out, the most urgent first. */
  low_stock: z.array(offerStock),
  /** Units that an operator has to look at; those that go by themselves are not among them. */
  deliveries_with_operator: z.int(),
  /** Orders that wait for a payment, and the codes they have reserved. */
  unpaid_holds: z.object({ orders: z.int(), codes: z.int() }),
  support_open: z.int(),
})
export type Summary = z.infer<typeof summary>

interface Dates {
  from?: string | undefined
  to?: string | undefined
}

const dates = { from: date.optional(), to: date.optional() }
const isInOrder = ({ from, to }: Dates) => !from || !to || from <= to
const isShort = ({ from, to }: Dates) =>
  !from || !to || Date.parse(to) - Date.parse(from) < LIMITS.summaryDaysMax * dayMs
const notInOrder = { path: ['to'], error: 'invalid_range' }
const tooLong = { path: ['to'], error: 'range_too_long' }

export const dateRange = z.strictObject(dates).refine(isInOrder, notInOrder).refine(isShort, tooLong)

/** Days that end with the present one of the shop, or with the one before. */
const summaryPeriods = ['today', 'yesterday', '7', '30', '90'] as const
export type SummaryPeriod = (typeof summaryPeriods)[number]

/** Days by their dates, or else a period, which goes by the date of the shop, whatever the clock of a browser says. */
export const shownDays = z
  .strictObject({ ...dates, period: z.enum(summaryPeriods).optional() })
  .refine(isInOrder, notInOrder)
  .refine(isShort, tooLong)
  .refine(({ from, to, period }) => !period || !(from || to), { path: ['period'], error: 'invalid' })

/** Within how many minutes half of them were done, and within how many almost all; null where there were none. */
const minutes = z.object({ p50: z.int(), p95: z.int() }).nullable()

/** How orders, deliveries and conversations of some days went. */
const serviceReport = z.object({
  from: day,
  to: day,
  /** The time zone of the days. */
  timezone: z.string(),
  /** By what the orders were paid, the most first. */
  methods: z.array(
    z.object({
      /** The name of a method, or `balance`, or `code`. */
      method: z.string(),
      currency: z.enum(currencies),
      orders: z.int(),
      amount: shownAmountSchema,
      /** Payments that came to nothing. */
      failed: z.int(),
      /** What these orders earned. */
      profit,
    }),
  ),
  /** Why payments came to nothing, the most frequent first and no more than `LIMITS.failuresShownMax`. */
  failures: z.array(
    z.object({
      /** The name of a method, and of the provider whose payments have it. */
      method: z.string(),
      provider: z.string(),
      /** A `CancelReason`, or the provider's own word; null where nobody said why. */
      reason: z.string().nullable(),
      payments: z.int(),
    }),
  ),
  /**
   * How many minutes of these days are over, from the first that the store noted, and in how many of them it was there: a
   * node could sell, and few answers were of 5xx. Null where nothing was noted.
   */
  availability: z.object({ minutes: z.int(), up: z.int() }).nullable(),
  /** Who delivered top-ups, the most first; null where it was done by hand. */
  suppliers: z.array(
    z.object({
      supplier: z.string().nullable(),
      units: z.int(),
      minutes,
      /** What these units earned; of each what it took, by the rate of its moment. */
      profit: profits,
    }),
  ),
  /** What was refunded then by the reason that was given, the most orders first and no more than `LIMITS.failuresShownMax`. */
  refunds: z.array(
    z.object({ reason: z.string(), currency: z.enum(currencies), orders: z.int(), amount: shownAmountSchema }),
  ),
  /** Payments that banks began to dispute then. */
  disputes: z.int(),
  /** Those by the reason that the bank gave, the most frequent first. */
  dispute_reasons: z.array(z.object({ reason: z.string(), payments: z.int() })),
  /** Conversations that were opened, how many of them were answered, and how long the first answer took. */
  answers: z.object({ conversations: z.int(), answered: z.int(), minutes }),
})
export type ServiceReport = z.infer<typeof serviceReport>

export const summaryApi = {
  read: adminEndpoint('GET /admin/summary', {
    operationId: 'readSummary',
    permission: 'reports.read',
    summary:
      'What was sold, what runs out and what is stuck; the last 30 days unless `period`, or `from` and `to`, say otherwise',
    query: shownDays,
    answer: toData(summary),
  }),
  service: adminEndpoint('GET /admin/service', {
    operationId: 'readService',
    permission: 'reports.read',
    summary:
      'By what orders were paid and what they earned, why payments failed and money was refunded or disputed, how long the store was there, who delivered, how long it took and what it earned, and how long customers waited for an answer; the days as in `readSummary`',
    query: shownDays,
    answer: toData(serviceReport),
  }),
}
