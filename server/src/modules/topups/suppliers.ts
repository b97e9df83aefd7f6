import type { Resources } from '../../platform/context.ts'
import { createVendorFetch } from '../../platform/vendor/vendor.ts'
import { rateToBuyBy } from '../rates/rates.ts'
import type { Supplier } from './supplier.ts'
import { fazercards } from './suppliers/fazercards.ts'
import { kinguin } from './suppliers/kinguin.ts'
import { manual } from './suppliers/manual.ts'
import { type SandboxSupplier, sandbox } from './suppliers/sandbox.ts'

/** The suppliers this shop buys from, the preferred one first, the operator last. */
export interface Suppliers {
  configured: readonly Supplier[]
  sandbox: SandboxSupplier | undefined
}

export function createSuppliers({ config, database }: Pick<Resources, 'config' | 'database'>): Suppliers {
  const { suppliers, sandboxSecret: secret, ...vendors } = config.suppliers
  const fetchVendor = createVendorFetch()
  const made = {
    sandbox: suppliers.includes('sandbox') ? sandbox({ database, secret }) : undefined,
    fazercards: vendors.fazercards && fazercards(vendors.fazercards, fetchVendor),
    kinguin: vendors.kinguin && kinguin(vendors.kinguin, fetchVendor, { euroRate: () => rateToBuyBy(database, 'EUR') }),
    manual: suppliers.includes('manual') ? manual() : undefined,
  }
  const isLast = (supplier: Supplier) => Number(supplier.name === 'manual')
  const configured = suppliers
    .map((name) => made[name])
    .filter((supplier) => supplier !== undefined)
    .toSorted((a, b) => isLast(a) - isLast(b))
  return { configured, sandbox: made.sandbox }
}
