import { Failure } from '@olmos/contract/failure'
import { toMajor } from '@olmos/contract/minor-units'
import type { Currency } from '@olmos/contract/money'
import { type ChosenVendor, createVendors } from '../../platform/vendor/adapters.ts'
import { createVendorFetch } from '../../platform/vendor/vendor.ts'
import type { PaymentProvider, ProviderAdapter, ProviderDeps } from './provider.ts'
import { cryptopay } from './providers/cryptopay.ts'
import { isSandboxProvider, type Sandbox, sandboxProvider } from './providers/sandbox.ts'
import { stripe } from './providers/stripe.ts'
import { tbank } from './providers/tbank.ts'
import { yookassa } from './providers/yookassa.ts'

/** Every provider there is. A new one is its file and a line here. */
export const providerAdapters: readonly ProviderAdapter[] = [sandboxProvider, yookassa, stripe, tbank, cryptopay]

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

/**
 * Chooses the first provider that takes the currency and as little as this, in minor units. Refuses with
 * PAYMENT_PROVIDER_UNAVAILABLE when none takes the currency, and with BELOW_LEAST_AMOUNT when none takes so little.
 */
export function providerFor({ configured }: Providers, currency: Currency, amount: number): PaymentProvider {
  const takers = configured.filter(({ charges }) => charges.includes(currency))
  if (takers.length === 0) throw new Failure('PAYMENT_PROVIDER_UNAVAILABLE', { reason: 'not_configured', currency })
  const toLeast = ({ least }: PaymentProvider) => least?.[currency] ?? 1
  const provider = takers.find((taker) => toLeast(taker) <= amount)
  if (provider) return provider
  throw new Failure('BELOW_LEAST_AMOUNT', { least: toMajor(Math.min(...takers.map(toLeast))), currency })
}
