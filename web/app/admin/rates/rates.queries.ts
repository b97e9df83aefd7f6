import type { CurrencyRate, CurrencySettings, ratesApi } from '@olmos/contract/rates'
import { caller } from '../../api/client.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { useAdminRead } from '../list/use-admin-list.ts'

const list = caller<typeof ratesApi.list>('GET /admin/currency-rates')
const change = caller<typeof ratesApi.change>('PUT /admin/currency-rates/:id')
const refresh = caller<typeof ratesApi.refresh>('POST /admin/currency-rates/refresh')
const history = caller<typeof ratesApi.history>('GET /admin/currency-rates/:id/history')
const settings = caller<typeof ratesApi.settings>('GET /currency-settings/settings')
const changeSettings = caller<typeof ratesApi.changeSettings>('POST /currency-settings/settings')

export const useRates = () => useAdminRead(queryKeys.admin.noun('rates', 'list'), list, {})

export const useRateSettings = () => useAdminRead(queryKeys.admin.noun('rates', 'settings'), settings, {})

export const useRateHistory = (rateId: number) =>
  useAdminRead(queryKeys.admin.noun('rates', 'history', rateId), history, { params: { id: String(rateId) } })

export const changeRate = (rate: CurrencyRate, body: { rate?: number; auto_update?: boolean; confirmJump?: boolean }) =>
  change({ params: { id: String(rate.id) }, body: { ...body, version: rate.version } })

export const refreshRates = () => refresh({ body: {} })

export type SettingsValues = Omit<CurrencySettings, 'last_run_at' | 'last_error' | 'last_success_at' | 'version'>
export const saveSettings = (values: SettingsValues, version: number | undefined) =>
  changeSettings({ body: { ...values, ...(version && { version }) } })
