import type { ReceiptMode, ReceiptSubject, ReceiptTax, TaxSystem } from '@olmos/contract/fiscal'
import type { FiscalSettings, fiscalApi } from '@olmos/contract/fiscal-settings'
import { caller } from '../../api/client.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { useAdminQuery } from '../list/use-admin-list.ts'

const settings = caller<typeof fiscalApi.settings>('GET /admin/fiscal-settings')
const change = caller<typeof fiscalApi.change>('PUT /admin/fiscal-settings')
const attempt = caller<typeof fiscalApi.try>('POST /admin/fiscal-settings/try')

export const useFiscalSettings = () =>
  useAdminQuery(queryKeys.admin.noun('fiscal', 'settings'), async (signal) => (await settings({}, { signal })).data)

/** The values of the form; no tax system is blank. */
export interface FiscalValues extends Record<string, unknown> {
  providers: string[]
  tax_system: TaxSystem | ''
  tax: ReceiptTax
  subject: ReceiptSubject
  mode: ReceiptMode
}

export const toFiscalValues = ({ providers, tax_system, tax, subject, mode }: FiscalSettings): FiscalValues => ({
  providers,
  tax_system: tax_system ?? '',
  tax,
  subject,
  mode,
})

export const saveFiscalSettings = (
  { providers, tax_system, tax, subject, mode }: FiscalValues,
  version: number | undefined,
) => change({ body: { providers, tax_system: tax_system || null, tax, subject, mode, ...(version && { version }) } })

export const tryReceipt = async (wanted: { provider: string; amount: number; email: string }) =>
  (await attempt({ body: wanted })).data
