import { z } from 'zod'
import { date, text } from './fields.ts'
import * as LIMITS from './limits.ts'
import { shownAmountSchema } from './money.ts'

/** A decimal with up to eight places, as invoices have it; 0 is a gift, which is something else than unknown. */
const costSchema = z
  .string()
  .trim()
  .regex(/^\d{1,9}([.,]\d{1,8})?$/, 'invalid_cost')
  .transform((cost) => cost.replace(',', '.'))

/** A currency that the shop has a rate for. */
const costCurrency = z.string().regex(/^[A-Z]{3,5}$/, 'unknown_currency')

/** What one unit cost the shop. */
export const unitCost = z.strictObject({ amount: costSchema, currency: costCurrency })

/** How the shop came by the codes of an import. A change of it leaves as it is what is left out. */
export const boughtCodes = z
  .strictObject({
    /** What one code cost; null while it is unknown. */
    cost: costSchema.nullish(),
    currency: costCurrency.nullish(),
    /** Who sold them. */
    supplier: text(0, LIMITS.sellerMax).optional(),
    invoice: text(0, LIMITS.invoiceMax).optional(),
    /** The last day on which they can be activated: they are sold until it is over. */
    expires_on: date.nullish(),
  })
  .refine(({ cost, currency }) => (cost == null) === (currency == null), { path: ['currency'], error: 'required' })
export type BoughtCodes = z.infer<typeof boughtCodes>
/** As it is sent. */
export type SentBought = z.input<typeof boughtCodes>

/** What was earned, in one currency. */
export const profit = z.object({
  /** What customers paid, less what was refunded of it since. */
  revenue: shownAmountSchema,
  /** What the units cost of which it is known; null while it is known of none. */
  cost: shownAmountSchema.nullable(),
  /** What these units earned: their share of the revenue less their cost; null while it is known of none. */
  margin: shownAmountSchema.nullable(),
  /** The rest of the revenue: nobody knows what these units cost. */
  unknown_revenue: shownAmountSchema,
  /** Codes and deliveries that it took, or still takes. */
  units: z.int(),
  /** How many of them have a known cost. */
  known_units: z.int(),
})
export type Profit = z.infer<typeof profit>

/** What was earned in each currency of the shop: they are never added up. */
export const profits = z.object({ usd: profit, rub: profit })
export type Profits = z.infer<typeof profits>
