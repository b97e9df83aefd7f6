import { type ChosenVendor, createVendors } from '../../platform/vendor/adapters.ts'
import { createVendorFetch } from '../../platform/vendor/vendor.ts'
import type { PaymentProvider, ProviderAdapter, ProviderDeps } from './provider.ts'
import { click } from './providers/click.ts'
import { cryptopay } from './providers/cryptopay.ts'
import { payme } from './providers/payme.ts'
import { isSandboxProvider, type Sandbox, sandboxProvider } from './providers/sandbox.ts'
import { stripe } from './providers/stripe.ts'
import { tbank } from './providers/tbank.ts'
import { yookassa } from './providers/yookassa.ts'

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

/** The providers this shop has an account with, the preferred one first. */
export interface Providers {
  configured: readonly PaymentProvider[]
  sandbox: Sandbox | undefined
}

/** Makes the providers that the environment chooses. Called once, when the store starts. */
export function createProviders(
  chosen: readonly ChosenVendor[],
  deps: Pick<ProviderDeps, 'database' | 'publicUrl'>,
): Providers {
  const configured = createVendors(providerAdapters, chosen, { ...deps, fetchVendor: createVendorFetch() })
  return { configured, sandbox: configured.find(isSandboxProvider) }
}

/** Whether there is such a provider at all, configured here or not. */
export const isProviderName = (name: string): boolean => providerAdapters.some((adapter) => adapter.name === name)

/** The provider of that name; none where this shop does not have it configured. */
export const providerNamed = ({ configured }: Providers, name: string): PaymentProvider | undefined =>
  configured.find((provider) => provider.name === name)
