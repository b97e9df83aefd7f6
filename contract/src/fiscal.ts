/**
 * The words of fiscal receipts (54-FZ), by the tax service's own formats; each provider has its own numbers or names for
 * them. Which of them hold for a shop and a product is its accountant's to say.
 */

/** The tax system of the shop. */
export const taxSystems = ['osn', 'usn_income', 'usn_income_outcome', 'esn', 'patent'] as const
export type TaxSystem = (typeof taxSystems)[number]

/** The value added tax of a line: a rate, or a rate that is contained in a sum that was paid ahead. */
export const receiptTaxes = [
  'none',
  'vat0',
  'vat5',
  'vat7',
  'vat10',
  'vat20',
  'vat22',
  'vat105',
  'vat107',
  'vat110',
  'vat120',
  'vat122',
] as const
export type ReceiptTax = (typeof receiptTaxes)[number]

/** What a line sells. */
export const receiptSubjects = ['commodity', 'service', 'payment', 'intellectual_activity', 'another'] as const
export type ReceiptSubject = (typeof receiptSubjects)[number]

/** How a line is paid. */
export const receiptModes = ['full_prepayment', 'full_payment', 'advance'] as const
export type ReceiptMode = (typeof receiptModes)[number]
