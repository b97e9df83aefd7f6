import type { deliveriesApi } from '@olmos/contract/deliveries'
import type { ShopSupplier, supplierSetupApi } from '@olmos/contract/supplier-setup'
import { caller } from '../../api/client.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { useMay } from '../../session/profile.ts'
import { useAdminRead } from '../list/use-admin-list.ts'
import { type ProviderValues, typedSettings } from '../payment-methods/payment-methods.queries.ts'
import type { History } from '../shop/Versions.tsx'

const read = caller<typeof deliveriesApi.suppliers>('GET /admin/suppliers')
const accounts = caller<typeof supplierSetupApi.accounts>('GET /admin/suppliers/accounts')
const setAccount = caller<typeof supplierSetupApi.setAccount>('PUT /admin/suppliers/:name/account')
const askAccount = caller<typeof supplierSetupApi.tryAccount>('POST /admin/suppliers/:name/account/try')
const turn = caller<typeof supplierSetupApi.switch>('PUT /admin/suppliers/:name')
const versions = caller<typeof supplierSetupApi.versions>('GET /admin/suppliers/versions')
const restore = caller<typeof supplierSetupApi.restore>('POST /admin/suppliers/restore')
const order = caller<typeof supplierSetupApi.order>('POST /admin/suppliers/order')

/** How those that are on are, and what is left there; none for who may not look at them. */
export function useSuppliers() {
  const enabled = useMay()('catalogue.read')
  return useAdminRead(queryKeys.admin.noun('suppliers'), read, {}, { enabled })
}

/** All there are, in the order in which they are asked. */
export const useSupplierAccounts = () => useAdminRead(queryKeys.admin.noun('suppliers', 'accounts'), accounts, {})

export const saveSupplier = (supplier: ShopSupplier, values: ProviderValues, version: number | undefined) =>
  setAccount({
    params: { name: supplier.name },
    body: { settings: typedSettings(supplier, values), ...(version && { version }) },
  })

export const clearSupplier = ({ name, version }: ShopSupplier) =>
  setAccount({ params: { name }, body: { settings: null, version } })

export const trySupplier = ({ name }: ShopSupplier, settings: Record<string, string>) =>
  askAccount({ params: { name }, body: { settings } })

/** Who is asked and in which order; no version has an account in it. */
export const supplierHistory: History = {
  noun: 'suppliers',
  key: 'asked',
  permission: 'suppliers.setup',
  read: versions,
  restore: (restored, version) => restore({ body: { restored, version } }),
}

export const switchSupplier = ({ name, version }: ShopSupplier, is_on: boolean) =>
  turn({ params: { name }, body: { is_on, version } })

/** Moves a supplier one place up or down. */
export const moveSupplier = (seen: readonly string[], from: number, to: number) =>
  order({ body: { names: seen.with(from, seen[to] as string).with(to, seen[from] as string), seen: [...seen] } })
