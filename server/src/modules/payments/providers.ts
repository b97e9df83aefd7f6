import { Failure } from '@olmos/contract/failure'
import type { Currency } from '@olmos/contract/money'
import type { Resources } from '../../platform/context.ts'
import { createVendorFetch } from '../../platform/vendor-fetch.ts'
import type { PaymentProvider } from './provider.ts'
import { stripe } from './providers/stripe.ts'
import { yookassa } from './providers/yookassa.ts'
import { type Sandbox, sandbox } from './sandbox.ts'

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

/** The first that takes the currency. */
export function providerFor({ configured }: Providers, currency: Currency): PaymentProvider {
  const provider = configured.find(({ currencies }) => currencies.includes(currency))
  if (!provider) throw new Failure('PAYMENT_PROVIDER_UNAVAILABLE', { reason: 'not_configured', currency })
  return provider
}
