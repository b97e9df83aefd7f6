import { z } from 'zod'
import * as LIMITS from './limits.ts'
import { toMajor, toMinor } from './minor-units.ts'

/** The currencies of a wallet. Amounts are integer minor units (cents, kopecks) everywhere but on the wire. */
export const currencies = ['USD', 'RUB'] as const
export type Currency = (typeof currencies)[number]

/** What prices of orders in dollars can be shown in, at the rate in force. */
export const convertedCurrencies = ['UZS', 'KZT'] as const

/** What a payment may be charged in. Each has a hundred minor units: cents, kopecks, tiyin, tiyn. */
export const chargeCurrencies = [...currencies, ...convertedCurrencies] as const
export type ChargeCurrency = (typeof chargeCurrencies)[number]

/** The specification's `currency` fields: the code, in either case. */
export const currencySchema = z.enum(['USD', 'RUB', 'usd', 'rub']).transform((text) => text.toUpperCase() as Currency)

export const lowerCurrencySchema = z.enum(['usd', 'rub'])
type LowerCurrency = z.infer<typeof lowerCurrencySchema>

export const lowerCurrency = (currency: Currency): LowerCurrency => (currency === 'USD' ? 'usd' : 'rub')

/** Returns the price that counts for an order in the currency. */
export const priceIn = (row: { price_usd: number; price_rub: number }, currency: Currency): number =>
  currency === 'USD' ? row.price_usd : row.price_rub

/** Exact: a hundredth of a whole number is the very number that JSON reads from its two decimals. */
const hasAtMostTwoDecimals = (amount: number) => toMajor(toMinor(amount)) === amount

/** Money on the wire: major units, never negative, at most two decimals. */
export const amountSchema = z
  .number({ error: 'invalid_amount' })
  .min(0, 'invalid_amount')
  .max(LIMITS.amountMax / 100, 'invalid_amount')
  .refine(hasAtMostTwoDecimals, 'invalid_amount')

/** Money in an answer: major units; a refund in a history is negative. */
export const shownAmountSchema = z.number()
