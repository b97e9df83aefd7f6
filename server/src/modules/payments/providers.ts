import type { FastifyBaseLogger } from 'fastify'
import type { Vault } from '../../platform/security/vault.ts'
import { makeVendors, type VendorsInForce } from '../../platform/vendor/accounts.ts'
import type { AccountSettings, ChosenVendor } from '../../platform/vendor/adapters.ts'
import { createVendorFetch } from '../../platform/vendor/vendor.ts'
import type { PaymentProvider, ProviderAdapter, ProviderDeps } from './provider.ts'
import { click } from './providers/click.ts'
import { cryptopay } from './providers/cryptopay.ts'
import { payme } from './providers/payme.ts'
import { isSandboxProvider, type Sandbox, sandboxProvider } from './providers/sandbox.ts'
import { stripe } from './providers/stripe.ts'
import { tbank } from './providers/tbank.ts'
import { yookassa } from './providers/yookassa.ts'
import { type MethodInForce, readMethodRows, toShopMethods } from './shop-methods.ts'

/** Every provider there is. A new one is its file and a line here. */
export const providerAdapters: readonly ProviderAdapter[] = [
  sandboxProvider,
  yookassa,
  stripe,
  payme,
  click,
  tbank,
  cryptopay,
]

/**
 * The providers this shop has an account with: those the environment names, then those whose account was typed in the admin
 * area. What is in force, their methods too, changes when they are renewed, so nobody keeps what they answer.
 */
export interface Providers extends VendorsInForce<ProviderAdapter, PaymentProvider> {
  /** Whether their methods are on or off: what is under way finds its provider here. */
  readonly configured: readonly PaymentProvider[]
  /** Every way to pay at them, on or off, in the order in which customers see them. */
  readonly methods: readonly MethodInForce[]
  readonly sandbox: Sandbox | undefined
}

/** Makes the providers that the environment chooses; those that were typed are there once they are renewed. */
export function createProviders(
  environment: { chosen: readonly ChosenVendor[]; given: AccountSettings },
  deps: Pick<ProviderDeps, 'database' | 'publicUrl'> & { vault: Vault; log: Pick<FastifyBaseLogger, 'error'> },
): Providers {
  const { database, vault, log } = deps
  const { fromEnvironment, ...vendors } = makeVendors<ProviderDeps, PaymentProvider>({
    kind: 'provider',
    adapters: providerAdapters,
    ...environment,
    deps: { ...deps, fetchVendor: createVendorFetch() },
    vault,
    log,
    async arrange(typed) {
      const rows = await readMethodRows(database)
      inForce = { configured: [...fromEnvironment, ...typed], methods: arrangeMethods(typed, rows) }
    },
  })

  const arrangeMethods = (typed: readonly PaymentProvider[], rows: Parameters<typeof toShopMethods>[1]) =>
    toShopMethods(
      [
        ...fromEnvironment.map((provider) => ({ provider, isInEnvironment: true })),
        ...typed.map((provider) => ({ provider, isInEnvironment: false })),
      ],
      rows,
    )

  let inForce = { configured: fromEnvironment, methods: arrangeMethods([], []) }
  return {
    ...vendors,
    get configured() {
      return inForce.configured
    },
    get methods() {
      return inForce.methods
    },
    sandbox: fromEnvironment.find(isSandboxProvider),
  }
}

/** Whether there is such a provider at all, configured here or not. */
export const isProviderName = (name: string): boolean => providerAdapters.some((adapter) => adapter.name === name)

/** The provider of that name; none where this shop does not have it configured. */
export const providerNamed = (
  { configured }: Pick<Providers, 'configured'>,
  name: string,
): PaymentProvider | undefined => configured.find((provider) => provider.name === name)
