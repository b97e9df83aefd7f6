import { z } from 'zod'
import { BUSINESS } from './business.ts'
import { adminEndpoint, endpoint } from './endpoint.ts'
import { byId, emptyBody, id, time, timeOfDay, toData, version } from './fields.ts'
import * as LIMITS from './limits.ts'
import { chargeCurrencies } from './money.ts'

export const rateSources = ['cbr', 'cbu', 'fixed'] as const
export type RateSourceName = (typeof rateSources)[number]

const rateValue = z.number().min(LIMITS.rateMin, 'invalid_amount').max(LIMITS.rateMax, 'invalid_amount')

export const currencyRate = z.object({
  id,
  from_currency: z.string(),
  to_currency: z.string(),
  rate: z.number(),
  source: z.string(),
  auto_update: z.boolean(),
  last_updated: time,
  /** A new rate that jumped too far and is pending approval. */
  held_rate: z.number().nullable(),
  held_at: time.nullable(),
  version,
})
export type CurrencyRate = z.infer<typeof currencyRate>

/** A currency that prices can be shown in: the shop has a rate for it. */
const shownCurrencyRate = z.object({
  currency: z.enum(chargeCurrencies),
  /** How much of it one dollar is: a decimal. */
  rate: z.string(),
})
export type ShownCurrencyRate = z.infer<typeof shownCurrencyRate>

/** Whether it names a time zone. A mere offset names none: PostgreSQL reads its sign the other way round. */
export function isTimeZone(name: string): boolean {
  if (/^[+-]/.test(name)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

export const timeZone = z.string().max(64, 'too_long').refine(isTimeZone, 'invalid_timezone')

const settingsFields = {
  auto_update: z.boolean(),
  /** Time of day, in `timezone`. */
  update_time: timeOfDay,
  timezone: timeZone,
  source: z.enum(rateSources),
  max_jump_percent: z.number().min(0.01, 'invalid_amount').max(999, 'invalid_amount'),
  markup_percent: z.number().min(0, 'invalid_amount').max(BUSINESS.rateMarkupPercentMax, 'invalid_amount'),
}

export const currencySettings = z.object({
  ...settingsFields,
  /** May be one that was kept before it came to be refused. */
  timezone: z.string(),
  last_run_at: time.nullable(),
  last_error: z.string().nullable(),
  last_success_at: time.nullable(),
  version,
})
export type CurrencySettings = z.infer<typeof currencySettings>

/** Details of RATE_JUMP: the rate in force, the new one, and how far a rate may move without confirmation. */
export const rateJump = z.object({ was: z.number(), rate: z.number(), max_jump_percent: z.number() })
export type RateJump = z.infer<typeof rateJump>

export const ratesApi = {
  shown: endpoint('GET /currency-rates', {
    operationId: 'listShownRates',
    access: 'visitor',
    tag: 'catalogue',
    summary: 'The currencies that prices can be shown in, at the rates by which payments are charged',
    answer: toData(z.array(shownCurrencyRate)),
  }),
  list: adminEndpoint('GET /admin/currency-rates', {
    operationId: 'listRates',
    permission: 'catalogue.read',
    summary: 'Currency rates in force, and those that wait to be approved',
    answer: toData(z.array(currencyRate)),
  }),
  change: adminEndpoint('PUT /admin/currency-rates/:id', {
    operationId: 'changeRate',
    permission: 'prices.write',
    refusals: ['RATE_JUMP', 'STATE_CONFLICT'],
    summary: 'Sets a rate by hand, which also decides one that is held, or switches its daily update',
    params: byId,
    body: z.strictObject({
      rate: rateValue.optional(),
      auto_update: z.boolean().optional(),
      /** Without it a rate further from the one in force than `max_jump_percent` is refused with 409 RATE_JUMP. */
      confirmJump: z.boolean().optional(),
      version: version.optional(),
    }),
    answer: toData(currencyRate),
    confirmed: true,
  }),
  refresh: adminEndpoint('POST /admin/currency-rates/refresh', {
    operationId: 'refreshRates',
    permission: 'prices.write',
    refusals: ['SUPPLIER_UNAVAILABLE'],
    summary: 'Asks the source for today’s rates now',
    body: emptyBody,
    answer: toData(z.array(currencyRate)),
    confirmed: true,
  }),
  history: adminEndpoint('GET /admin/currency-rates/:id/history', {
    operationId: 'listRateHistory',
    permission: 'catalogue.read',
    summary: 'The last hundred rates that were in force, newest first',
    params: byId,
    answer: toData(z.array(z.object({ rate: z.number(), source: z.string(), created_at: time }))),
  }),
  settings: adminEndpoint('GET /currency-settings/settings', {
    operationId: 'readRateSettings',
    permission: 'catalogue.read',
    summary: 'How rates are kept',
    answer: toData(currencySettings),
  }),
  changeSettings: adminEndpoint('POST /currency-settings/settings', {
    operationId: 'changeRateSettings',
    permission: 'prices.write',
    refusals: ['STATE_CONFLICT'],
    summary: 'Changes how rates are kept',
    body: z.strictObject({ ...settingsFields, version }).partial(),
    answer: toData(currencySettings),
    confirmed: true,
  }),
}
