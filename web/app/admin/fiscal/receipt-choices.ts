import { receiptModes, receiptSubjects, receiptTaxes, taxSystems } from '@olmos/contract/fiscal'
import type { TFunction } from 'i18next'

/** What may be chosen of a receipt's words, by the names the tax service has for them. */
export const receiptChoices = (t: TFunction) => ({
  tax_system: taxSystems.map((value) => ({ value, label: t(`admin.fiscal.taxSystems.${value}`) })),
  tax: receiptTaxes.map((value) => ({ value, label: t(`admin.fiscal.taxes.${value}`) })),
  subject: receiptSubjects.map((value) => ({ value, label: t(`admin.fiscal.subjects.${value}`) })),
  mode: receiptModes.map((value) => ({ value, label: t(`admin.fiscal.modes.${value}`) })),
})
