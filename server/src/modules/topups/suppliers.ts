import { isDeepStrictEqual } from 'node:util'
import type { FastifyBaseLogger } from 'fastify'
import { z } from 'zod'
import { measureCalls } from '../../platform/live/metrics.ts'
import type { Vault } from '../../platform/security/vault.ts'
import {
  type AccountSettings,
  type ChosenVendor,
  createVendors,
  toWrongSettings,
  type WrongSettings,
} from '../../platform/vendor/adapters.ts'
import { createVendorFetch, done } from '../../platform/vendor/vendor.ts'
import type { Supplier, SupplierAdapter, SupplierDeps, SupplierName, SupplierOrder } from './supplier.ts'
import { inShopsOrder, readSupplierAccounts, type SupplierAccount } from './supplier-accounts.ts'
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

/** The suppliers this shop buys from. */
export interface Suppliers {
  /** Those that are on, the preferred one first, the operator last. */
  readonly configured: readonly Supplier[]
  /** Those that are off: nothing new is sent there, and what is under way finds its supplier here. */
  readonly off: readonly Supplier[]
  readonly sandbox: SandboxSupplier | undefined
}

/** The suppliers as they are in force; that changes when they are renewed, so nobody keeps what they answer. */
export interface SuppliersInForce extends Suppliers {
  /** The names of all of them, on and off, in the order in which they are asked. */
  readonly order: readonly SupplierName[]
  /** Reads accounts and switches again; they are in force once this resolves. Rejects, and changes nothing, without a database. */
  renew(): Promise<void>
  /** Whether the environment names the supplier: no account that is typed counts then. */
  isInEnvironment(name: SupplierName): boolean
  /** What the environment says of the supplier's settings, whether or not it names the supplier. */
  readonly given: AccountSettings
  /** Makes a supplier of settings that were typed, beneath those of the environment; else names the settings that are wrong. */
  make(adapter: SupplierAdapter, typed: AccountSettings): Supplier | { wrong: WrongSettings }
}

const needsNoAccount = ({ settings: { shape } }: SupplierAdapter): boolean => Object.keys(shape).length === 0

/** Makes the suppliers that the environment chooses; those that were typed are there once they are renewed. */
export function createSuppliers(
  { chosen, given }: { chosen: readonly ChosenVendor[]; given: AccountSettings },
  deps: Omit<SupplierDeps, 'fetchVendor'> & { vault: Vault; log: Pick<FastifyBaseLogger, 'error'> },
): SuppliersInForce {
  const { database, vault, log } = deps
  const supplierDeps: SupplierDeps = { ...deps, fetchVendor: createVendorFetch() }
  const measure = (supplier: Supplier) => measureCalls(supplier, 'supplier', database.meters)
  const fromEnvironment = createVendors(supplierAdapters, chosen, supplierDeps).map(measure)
  const isInEnvironment = (name: SupplierName) => chosen.some((vendor) => vendor.name === name)

  const make = (adapter: SupplierAdapter, typed: AccountSettings) => {
    const settings = { ...typed, ...given }
    const read = adapter.settings.safeParse(settings)
    return read.success
      ? measure(adapter.create(read.data, supplierDeps))
      : { wrong: toWrongSettings(settings, read.error) }
  }

  const arrange = (typed: readonly Supplier[], accounts: readonly SupplierAccount[]) => {
    const all = [...fromEnvironment, ...typed]
    const names = inShopsOrder(
      all.map(({ name }) => name),
      accounts,
    )
    const isLast = (name: SupplierName) => Number(name === manual.name)
    const ordered = names
      .toSorted((one, other) => isLast(one) - isLast(other))
      .flatMap((name) => all.filter((supplier) => supplier.name === name))
    const isOn = ({ name }: Supplier) =>
      accounts.find(({ supplier }) => supplier === name)?.isOn ?? isInEnvironment(name)
    return {
      order: ordered.map(({ name }) => name),
      configured: ordered.filter(isOn),
      off: ordered.filter((supplier) => !isOn(supplier)),
    }
  }

  let inForce = arrange([], [])
  /** Those made of typed accounts: one whose settings stay is not made again, and keeps what it has learned. */
  let made = new Map<SupplierName, { settings: AccountSettings; supplier: Supplier }>()

  const makeTyped = (adapter: SupplierAdapter, account: SupplierAccount | undefined) => {
    const settings = needsNoAccount(adapter) ? {} : account?.settings
    const known = made.get(adapter.name)
    if (known && settings && isDeepStrictEqual(known.settings, settings)) return known
    const supplier = settings && make(adapter, settings)
    if (supplier && !('wrong' in supplier)) return { settings, supplier }
    log.error(
      { supplier: adapter.name, wrong: supplier?.wrong ?? 'sealed' },
      'a supplier can not be made of its account',
    )
    return undefined
  }

  const read = async () => {
    const accounts = await readSupplierAccounts(database, vault)
    const typed = new Map<SupplierName, { settings: AccountSettings; supplier: Supplier }>()
    for (const adapter of supplierAdapters) {
      const account = accounts.find(({ supplier }) => supplier === adapter.name)
      if (isInEnvironment(adapter.name) || adapter.unreal !== undefined) continue
      if (!account?.isThere && !needsNoAccount(adapter)) continue
      const one = makeTyped(adapter, account)
      if (one) typed.set(adapter.name, one)
    }
    made = typed
    inForce = arrange(
      [...typed.values()].map(({ supplier }) => supplier),
      accounts,
    )
  }

  // One after the other, so that what was read later is what stays in force.
  let last: Promise<void> = Promise.resolve()
  return {
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
    renew() {
      last = last.catch(() => {}).then(read)
      return last
    },
    isInEnvironment,
    given,
    make,
  }
}

/** The supplier of that name, on or off; none where this shop does not have it set up. */
export const supplierNamed = (
  { configured, off }: Pick<Suppliers, 'configured' | 'off'>,
  name: string,
): Supplier | undefined => [...configured, ...off].find((supplier) => supplier.name === name)

/** Whether there is such a supplier at all, configured here or not. */
export const isSupplierName = (name: string): boolean => supplierAdapters.some((adapter) => adapter.name === name)
