import type { fillingsApi } from '@olmos/contract/fillings'
import type { ProviderSetting, paymentSetupApi, ShopMethod, ShopProvider } from '@olmos/contract/payment-setup'
import { caller } from '../../api/client.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { useAdminRead } from '../list/use-admin-list.ts'
import type { History } from '../shop/Versions.tsx'

const providers = caller<typeof paymentSetupApi.providers>('GET /admin/payment-providers')
const setAccount = caller<typeof paymentSetupApi.setAccount>('PUT /admin/payment-providers/:provider')
const askAccount = caller<typeof paymentSetupApi.tryAccount>('POST /admin/payment-providers/:provider/try')
const methods = caller<typeof paymentSetupApi.methods>('GET /admin/payment-methods')
const change = caller<typeof paymentSetupApi.changeMethod>('PUT /admin/payment-methods/:method')
const methodVersions = caller<typeof paymentSetupApi.methodVersions>('GET /admin/payment-methods/:method/versions')
const restoreMethod = caller<typeof paymentSetupApi.restoreMethod>('POST /admin/payment-methods/:method/restore')
const orderVersions = caller<typeof paymentSetupApi.orderVersions>('GET /admin/payment-methods/versions')
const restoreOrder = caller<typeof paymentSetupApi.restoreOrder>('POST /admin/payment-methods/restore')
const fillings = caller<typeof fillingsApi.settings>('GET /admin/filling-settings')
const changeFillings = caller<typeof fillingsApi.change>('PUT /admin/filling-settings')
const order = caller<typeof paymentSetupApi.orderMethods>('POST /admin/payment-methods/order')

export const useShopProviders = () => useAdminRead(queryKeys.admin.noun('paymentSetup', 'providers'), providers, {})

export const useShopMethods = () => useAdminRead(queryKeys.admin.noun('paymentSetup', 'methods'), methods, {})

export const useFillingSettings = () => useAdminRead(queryKeys.admin.noun('paymentSetup', 'fillings'), fillings, {})

export interface FillingValues extends Record<string, unknown> {
  is_on: boolean
  least_usd: number | string
  least_rub: number | string
  most_usd: number | string
  most_rub: number | string
}

export const saveFillingSettings = (
  { is_on, least_usd, least_rub, most_usd, most_rub }: FillingValues,
  version: number | undefined,
) =>
  changeFillings({
    body: {
      is_on,
      least_usd: Number(least_usd),
      least_rub: Number(least_rub),
      most_usd: Number(most_usd),
      most_rub: Number(most_rub),
      ...(version && { version }),
    },
  })

export const methodHistory = ({ name: method }: ShopMethod): History => ({
  noun: 'paymentSetup',
  key: method,
  permission: 'payments.setup',
  read: (_, options) => methodVersions({ params: { method } }, options),
  restore: (restored, version) => restoreMethod({ params: { method }, body: { restored, version } }),
})

/** The order of all of them; each has versions of its own too. */
export const orderHistory: History = {
  noun: 'paymentSetup',
  key: 'order',
  permission: 'payments.setup',
  read: orderVersions,
  restore: (restored, version) => restoreOrder({ body: { restored, version } }),
}

export const switchMethod = (method: ShopMethod, is_on: boolean) =>
  change({ params: { method: method.name }, body: { is_on, version: method.version } })

/** Moves a method one place up or down. */
export const moveMethod = (shown: readonly ShopMethod[], from: number, to: number) => {
  const seen = shown.map(({ name }) => name)
  return order({ body: { names: seen.with(from, seen[to] as string).with(to, seen[from] as string), seen } })
}

export interface MethodValues extends Record<string, unknown> {
  titles: { ru: string; en: string; uz: string }
  least_usd: number | string
  least_rub: number | string
  most_usd: number | string
  most_rub: number | string
  fee_percent: number | string
  fee_usd: number | string
  fee_rub: number | string
  /** Whether the buyer pays the fee, and not the shop. */
  is_fee_added: boolean
  is_fee_refunded: boolean
}

const toLimit = (typed: number | string) => (typed === '' ? null : Number(typed))

export const saveMethod = (method: ShopMethod, values: MethodValues, version: number | undefined) =>
  change({
    params: { method: method.name },
    body: {
      titles: values.titles,
      least_usd: toLimit(values.least_usd),
      least_rub: toLimit(values.least_rub),
      most_usd: toLimit(values.most_usd),
      most_rub: toLimit(values.most_rub),
      fee_percent: Number(values.fee_percent),
      fee_usd: Number(values.fee_usd),
      fee_rub: Number(values.fee_rub),
      fee_bearer: values.is_fee_added ? 'customer' : 'shop',
      is_fee_refunded: values.is_fee_refunded,
      ...(version && { version }),
    },
  })

/** An account with settings: at a provider, or at a channel of messages. */
export type SetUp = Pick<ShopProvider, 'is_in_environment' | 'settings' | 'changed_at'>

/** What an admin may type: the environment has the others. */
export const typableSettings = ({ is_in_environment, settings }: SetUp): readonly ProviderSetting[] =>
  is_in_environment ? [] : settings.filter(({ use, origin }) => use !== 'environment' && origin !== 'environment')

export interface ProviderValues extends Record<string, unknown> {
  settings: Record<string, string>
  /** When it was last changed, so that another admin's new secret is noticed too. */
  changed_at: string
}

/** What differs from what is stored: a blank secret stays as it is. */
export const typedSettings = (provider: SetUp, { settings }: ProviderValues): Record<string, string> =>
  Object.fromEntries(
    typableSettings(provider).flatMap(({ name, use, origin, value }) => {
      const typed = settings[name]?.trim() ?? ''
      const before = use === 'shown' && origin === 'shop' ? (value ?? '') : ''
      return typed === before ? [] : [[name, typed]]
    }),
  )

export const saveAccount = (provider: ShopProvider, values: ProviderValues, version: number | undefined) =>
  setAccount({
    params: { provider: provider.name },
    body: { settings: typedSettings(provider, values), ...(version && { version }) },
  })

export const clearAccount = ({ name, version }: ShopProvider) =>
  setAccount({ params: { provider: name }, body: { settings: null, version } })

export const tryAccount = (provider: ShopProvider, settings: Record<string, string>) =>
  askAccount({ params: { provider: provider.name }, body: { settings } })
