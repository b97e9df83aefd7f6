import { Failure } from '@olmos/contract/failure'
import { toMajor } from '@olmos/contract/minor-units'
import type { Currency } from '@olmos/contract/money'
import type { Resources } from '../../platform/context.ts'
import { createVendorFetch } from '../../platform/vendor/vendor.ts'
import type { PaymentProvider } from './provider.ts'
import { type Sandbox, sandbox } from './providers/sandbox.ts'
import { stripe } from './providers/stripe.ts'
import { yookassa } from './providers/yookassa.ts'

/** The providers this shop has an account with, the preferred one first. */
export interface Providers {
  configured: readonly PaymentProvider[]
  sandbox: Sandbox | undefined
}

export function createProviders({ config, database }: Pick<Resources, 'config' | 'database'>): Providers {
  const { payments, publicUrl } = config
  const fetchVendor = createVendorFetch()
  const made = {
    sandbox: payments.providers.includes('sandbox')
      ? sandbox({ database, publicUrl, secret: payments.sandboxSecret })
      : undefined,
    yookassa: payments.yookassa && yookassa(payments.yookassa, fetchVendor),
    stripe: payments.stripe && stripe(payments.stripe, fetchVendor),
  }
  const configured = payments.providers.map((name) => made[name]).filter((provider) => provider !== undefined)
  return { configured, sandbox: made.sandbox }
}

export const providerNamed = ({ configured }: Providers, name: string): PaymentProvider | undefined =>
  configured.find((provider) => provider.name === name)

/**
 * Chooses the first provider that takes the currency and as little as this, in minor units. Refuses with
 * PAYMENT_PROVIDER_UNAVAILABLE when none takes the currency, and with BELOW_LEAST_AMOUNT when none takes so little.
 */
export function providerFor({ configured }: Providers, currency: Currency, amount: number): PaymentProvider {
  const takers = configured.filter(({ currencies }) => currencies.includes(currency))
  if (takers.length === 0) throw new Failure('PAYMENT_PROVIDER_UNAVAILABLE', { reason: 'not_configured', currency })
  const toLeast = ({ amountAtLeast }: PaymentProvider) => amountAtLeast?.[currency] ?? 1
  const provider = takers.find((taker) => toLeast(taker) <= amount)
  if (provider) return provider
  throw new Failure('BELOW_LEAST_AMOUNT', { least: toMajor(Math.min(...takers.map(toLeast))), currency })
}
