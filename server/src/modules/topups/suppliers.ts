import { z } from 'zod'
import { measureCalls } from '../../platform/live/metrics.ts'
import { type ChosenVendor, createVendors } from '../../platform/vendor/adapters.ts'
import { createVendorFetch, done } from '../../platform/vendor/vendor.ts'
import type { Supplier, SupplierAdapter, SupplierDeps, SupplierOrder } from './supplier.ts'
import { fazercards } from './suppliers/fazercards.ts'
import { g2bulk } from './suppliers/g2bulk.ts'
import { kinguin } from './suppliers/kinguin.ts'
import { isSandboxSupplier, type SandboxSupplier, sandboxSupplier } from './suppliers/sandbox.ts'
import { seagm } from './suppliers/seagm.ts'

const settings = z.object({})

/** The operator of the shop: whatever it is asked for waits in a queue until somebody has done it by hand. */
export const manual = { name: 'manual', settings, create: createManual } satisfies SupplierAdapter<typeof settings>

function createManual(): Supplier {
  const waiting = async ({ key }: { key: string }) => done<SupplierOrder>({ supplierOrderId: key, status: 'pending' })
  return {
    name: 'manual',
    sells: ['topup', 'amount'],
    redeemsCodes: false,
    needsItem: false,
    settlesWithinSeconds: 0,
    // An order is called by the shop's key, and nothing is bought by asking for it.
    remembers: 'own_reference',
    order: waiting,
    lookUp: waiting,
  }
}

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
  const configured = createVendors(supplierAdapters, chosen, { ...deps, fetchVendor: createVendorFetch() }).map(
    (supplier) => measureCalls(supplier, 'supplier', deps.database.meters),
  )
  return {
    configured: configured.toSorted((a, b) => isLast(a) - isLast(b)),
    sandbox: configured.find(isSandboxSupplier),
  }
}

/** Whether there is such a supplier at all, configured here or not. */
export const isSupplierName = (name: string): boolean => supplierAdapters.some((adapter) => adapter.name === name)
