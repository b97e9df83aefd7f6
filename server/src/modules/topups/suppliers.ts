import type { FastifyBaseLogger } from 'fastify'
import { z } from 'zod'
import type { Vault } from '../../platform/security/vault.ts'
import { makeVendors, type VendorsInForce } from '../../platform/vendor/accounts.ts'
import type { AccountSettings, ChosenVendor } from '../../platform/vendor/adapters.ts'
import { createVendorFetch, done } from '../../platform/vendor/vendor.ts'
import type { Supplier, SupplierAdapter, SupplierDeps, SupplierName, SupplierOrder } from './supplier.ts'
import { inShopsOrder, readChoices, type SupplierChoice } from './supplier-choices.ts'
import { fazercards } from './suppliers/fazercards.ts'
import { g2bulk } from './suppliers/g2bulk.ts'
import { kinguin } from './suppliers/kinguin.ts'
import { isSandboxSupplier, type SandboxSupplier, sandboxSupplier } from './suppliers/sandbox.ts'
import { seagm } from './suppliers/seagm.ts'

const settings = z.object({})

/** The operator of the shop: whatever it is asked for waits in a queue until somebody has done it by hand. */
export const manual = {
  name: 'manual',
  settings,
  account: [],
  create: createManual,
} satisfies SupplierAdapter<typeof settings>

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

const markBytes = 16

/** Lets the suppliers that an adapter makes tell at which account they ask: the same one has the same mark on every node. */
function markAccount(adapter: SupplierAdapter, vault: Vault): SupplierAdapter {
  const { name, account } = adapter
  if (account.length === 0) return adapter
  const toMark = (settings: Readonly<Record<string, unknown>>) =>
    vault.fingerprint(JSON.stringify(['supplier account', name, ...account.map((setting) => settings[setting])]))
  return {
    ...adapter,
    create: (settings, deps) =>
      Object.assign(adapter.create(settings, deps), {
        accountMark: toMark(settings).subarray(0, markBytes).toString('hex'),
      }),
  }
}

/** The suppliers this shop buys from. */
export interface Suppliers {
  /** Those that are on, the preferred one first, the operator last. */
  readonly configured: readonly Supplier[]
  /** Those that are off: nothing new is sent there, and what is under way finds its supplier here. */
  readonly off: readonly Supplier[]
  readonly sandbox: SandboxSupplier | undefined
}

/** The suppliers as they are in force; that changes when they are renewed, so nobody keeps what they answer. */
export interface SuppliersInForce extends Suppliers, VendorsInForce<SupplierAdapter, Supplier> {
  /** The names of all of them, on and off, in the order in which they are asked. */
  readonly order: readonly SupplierName[]
}

/** Makes the suppliers that the environment chooses; those that were typed are there once they are renewed. */
export function createSuppliers(
  environment: { chosen: readonly ChosenVendor[]; given: AccountSettings },
  deps: Omit<SupplierDeps, 'fetchVendor'> & { vault: Vault; log: Pick<FastifyBaseLogger, 'error'> },
): SuppliersInForce {
  const { database, vault, log } = deps
  const { fromEnvironment, ...vendors } = makeVendors<SupplierDeps, Supplier>({
    kind: 'supplier',
    adapters: supplierAdapters.map((adapter) => markAccount(adapter, vault)),
    ...environment,
    deps: { ...deps, fetchVendor: createVendorFetch() },
    vault,
    log,
    async arrange(typed) {
      inForce = toArranged(typed, await readChoices(database))
    },
  })

  const toArranged = (typed: readonly Supplier[], choices: readonly SupplierChoice[]) => {
    const all = [...fromEnvironment, ...typed]
    const names = inShopsOrder(
      all.map(({ name }) => name),
      choices,
    )
    const isLast = (name: SupplierName) => Number(name === manual.name)
    const ordered = names
      .toSorted((one, other) => isLast(one) - isLast(other))
      .flatMap((name) => all.filter((supplier) => supplier.name === name))
    const isOn = ({ name }: Supplier) =>
      choices.find(({ supplier }) => supplier === name)?.is_on ?? vendors.isInEnvironment(name)
    return {
      order: ordered.map(({ name }) => name),
      configured: ordered.filter(isOn),
      off: ordered.filter((supplier) => !isOn(supplier)),
    }
  }

  let inForce = toArranged([], [])
  return {
    ...vendors,
    get configured() {
      return inForce.configured
    },
    get off() {
      return inForce.off
    },
    get order() {
      return inForce.order
    },
    sandbox: fromEnvironment.find(isSandboxSupplier),
  }
}

/** The supplier of that name, on or off; none where this shop does not have it set up. */
export const supplierNamed = (
  { configured, off }: Pick<Suppliers, 'configured' | 'off'>,
  name: string,
): Supplier | undefined => [...configured, ...off].find((supplier) => supplier.name === name)

/** Whether there is such a supplier at all, configured here or not. */
export const isSupplierName = (name: string): boolean => supplierAdapters.some((adapter) => adapter.name === name)
