import { z } from 'zod'
import { adminEndpoint } from './endpoint.ts'
import { text, toData, version } from './fields.ts'
import { receiptModes, receiptSubjects, receiptTaxes, taxSystems } from './fiscal.ts'
import * as LIMITS from './limits.ts'
import { amountSchema, shownAmountSchema } from './money.ts'

/** Where a fiscal receipt is sent. */
export const emailAddress = z.string().trim().max(LIMITS.emailLengthMax, 'too_long').pipe(z.email('invalid_email'))

/** Receipts in Uzbekistan name each line by the state's code of goods and services, and by that of its package (tasnif.soliq.uz). */
export const ikpu = z.string().regex(/^\d{17}$/, 'invalid')
export const packageCode = z.string().regex(/^\d{1,20}$/, 'invalid')
export const vatPercent = z.int('invalid').min(0, 'invalid').max(100, 'invalid')

const settingsFields = {
  /** The providers whose payments and refunds have a receipt. */
  providers: z.array(text(1, 32)).max(LIMITS.wordsMax, 'list_too_long'),
  /** Null where the cash register knows it. */
  tax_system: z.enum(taxSystems).nullable(),
  /** What holds for products that say nothing else. */
  tax: z.enum(receiptTaxes),
  subject: z.enum(receiptSubjects),
  mode: z.enum(receiptModes),
  /** What holds in Uzbekistan; null where nothing is said. The first two belong together. */
  ikpu: ikpu.nullable(),
  package_code: packageCode.nullable(),
  vat_percent: vatPercent.nullable(),
}

export const fiscalSettings = z.object({
  ...settingsFields,
  /** The providers of this shop that take receipts, whether they must know the tax system, and the least they take, in roubles. */
  available: z.array(z.object({ name: z.string(), needs_tax_system: z.boolean(), least: shownAmountSchema })),
  version,
})
export type FiscalSettings = z.infer<typeof fiscalSettings>

/** What came of a test payment. */
const fiscalTrial = z.object({
  outcome: z.enum(['accepted', 'refused', 'unknown']),
  /** The provider's words for a refusal, or for why nobody knows, and the parameter it did not like. */
  code: z.string().nullable(),
  parameter: z.string().nullable(),
  /** What becomes of the payment that was opened; nobody has the address of its page. */
  payment: z.enum(['canceled', 'expires']).nullable(),
})
export type FiscalTrial = z.infer<typeof fiscalTrial>

export const fiscalApi = {
  settings: adminEndpoint('GET /admin/fiscal-settings', {
    operationId: 'readFiscalSettings',
    permission: 'payments.read',
    summary: 'Which providers are sent fiscal receipts, and what the receipts say',
    answer: toData(fiscalSettings),
  }),
  change: adminEndpoint('PUT /admin/fiscal-settings', {
    operationId: 'changeFiscalSettings',
    permission: 'payments.setup',
    refusals: ['STATE_CONFLICT'],
    summary: 'Changes which providers are sent fiscal receipts, and what the receipts say',
    body: z.strictObject({ ...settingsFields, version }).partial(),
    answer: toData(fiscalSettings),
    confirmed: true,
  }),
  try: adminEndpoint('POST /admin/fiscal-settings/try', {
    operationId: 'tryFiscalReceipt',
    permission: 'payments.setup',
    refusals: ['BELOW_LEAST_AMOUNT', 'PAYMENT_PROVIDER_UNAVAILABLE'],
    summary: 'Opens a payment of a few roubles with a receipt that nobody will pay, and tells what the provider said',
    body: z.strictObject({
      provider: text(1, 32),
      /** In roubles. */
      amount: amountSchema.refine((amount) => amount >= 1 && amount <= 10, 'invalid_amount'),
      email: emailAddress,
    }),
    answer: toData(fiscalTrial),
    confirmed: true,
  }),
}
