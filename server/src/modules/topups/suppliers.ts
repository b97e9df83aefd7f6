import { type ChosenVendor, createVendors } from '../../platform/vendor/adapters.ts'
import { createVendorFetch } from '../../platform/vendor/vendor.ts'
import type { Supplier, SupplierAdapter, SupplierDeps } from './supplier.ts'
import { fazercards } from './suppliers/fazercards.ts'
import { g2bulk } from './suppliers/g2bulk.ts'
import { kinguin } from './suppliers/kinguin.ts'
import { manual } from './suppliers/manual.ts'
import { isSandboxSupplier, type SandboxSupplier, sandboxSupplier } from './suppliers/sandbox.ts'
import { seagm } from './suppliers/seagm.ts'

/** Every supplier there is. A new one is its file and a line here. */
export const supplierAdapters: readonly SupplierAdapter[] = [
  sandboxSupplier,
  fazercards,
  g2bulk,
  kinguin,
  seagm,
  manual,
]

/** The suppliers this shop buys from, the preferred one first, the operator last. */
export interface Suppliers {
  configured: readonly Supplier[]
  sandbox: SandboxSupplier | undefined
}

/** Makes the suppliers that the environment chooses. Called once, when the store starts. */
export function createSuppliers(chosen: readonly ChosenVendor[], deps: Omit<SupplierDeps, 'fetchVendor'>): Suppliers {
  const isLast = ({ name }: Supplier) => Number(name === manual.name)
  const configured = createVendors(supplierAdapters, chosen, { ...deps, fetchVendor: createVendorFetch() })
  return {
    configured: configured.toSorted((a, b) => isLast(a) - isLast(b)),
    sandbox: configured.find(isSandboxSupplier),
  }
}

/** Whether there is such a supplier at all, configured here or not. */
export const isSupplierName = (name: string): boolean => supplierAdapters.some((adapter) => adapter.name === name)
