import {
  type ReceiptMode,
  type ReceiptSubject,
  type ReceiptTax,
  receiptModes,
  receiptSubjects,
  receiptTaxes,
  type TaxSystem,
  taxSystems,
} from '@olmos/contract/fiscal'
import type { FiscalSettings, fiscalApi } from '@olmos/contract/fiscal-settings'
import type { TFunction } from 'i18next'
import { caller } from '../../api/client.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { useAdminRead } from '../list/use-admin-list.ts'

const settings = caller<typeof fiscalApi.settings>('GET /admin/fiscal-settings')
const change = caller<typeof fiscalApi.change>('PUT /admin/fiscal-settings')
const attempt = caller<typeof fiscalApi.try>('POST /admin/fiscal-settings/try')

export const useFiscalSettings = () => useAdminRead(queryKeys.admin.noun('fiscal', 'settings'), settings, {})

/** The values of the form; no tax system is blank. */
export interface FiscalValues extends Record<string, unknown> {
  providers: string[]
  tax_system: TaxSystem | ''
  tax: ReceiptTax
  subject: ReceiptSubject
  mode: ReceiptMode
  /** Blank where nothing is said. */
  ikpu: string
  package_code: string
  vat_percent: number | string
}

export const toFiscalValues = (settings: FiscalSettings): FiscalValues => ({
  providers: settings.providers,
  tax_system: settings.tax_system ?? '',
  tax: settings.tax,
  subject: settings.subject,
  mode: settings.mode,
  ikpu: settings.ikpu ?? '',
  package_code: settings.package_code ?? '',
  vat_percent: settings.vat_percent ?? '',
})

export const saveFiscalSettings = (
  { providers, tax_system, tax, subject, mode, ikpu, package_code, vat_percent }: FiscalValues,
  version: number | undefined,
) =>
  change({
    body: {
      providers,
      tax_system: tax_system || null,
      tax,
      subject,
      mode,
      ikpu: ikpu.trim() || null,
      package_code: package_code.trim() || null,
      vat_percent: vat_percent === '' ? null : Number(vat_percent),
      ...(version && { version }),
    },
  })

export const tryReceipt = async (wanted: { provider: string; amount: number; email: string }) =>
  (await attempt({ body: wanted })).data

/** What may be chosen of a receipt's words, by the names the tax service has for them. */
export const receiptChoices = (t: TFunction) => ({
  tax_system: taxSystems.map((value) => ({ value, label: t(`admin.fiscal.taxSystems.${value}`) })),
  tax: receiptTaxes.map((value) => ({ value, label: t(`admin.fiscal.taxes.${value}`) })),
  subject: receiptSubjects.map((value) => ({ value, label: t(`admin.fiscal.subjects.${value}`) })),
  mode: receiptModes.map((value) => ({ value, label: t(`admin.fiscal.modes.${value}`) })),
})
