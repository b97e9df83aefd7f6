import type { Resources } from '../../platform/context.ts'
import { type SandboxSupplier, sandbox } from './sandbox.ts'
import type { Supplier } from './supplier.ts'
import { manual } from './suppliers/manual.ts'

/** The suppliers this shop buys from, the preferred one first, the operator last. */
export interface Suppliers {
  configured: readonly Supplier[]
  sandbox: SandboxSupplier | undefined
}

export function createSuppliers({ config, database }: Pick<Resources, 'config' | 'database'>): Suppliers {
  const { suppliers, sandboxSecret: secret } = config.suppliers
  const made = {
    sandbox: suppliers.includes('sandbox') ? sandbox({ database, secret }) : undefined,
    fazercards: undefined,
    kinguin: undefined,
    manual: suppliers.includes('manual') ? manual() : undefined,
  }
  const isLast = (supplier: Supplier) => Number(supplier.name === 'manual')
  const configured = suppliers
    .map((name) => made[name])
    .filter((supplier) => supplier !== undefined)
    .toSorted((a, b) => isLast(a) - isLast(b))
  return { configured, sandbox: made.sandbox }
}
