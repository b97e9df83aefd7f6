import { z } from 'zod'
import { StartupError } from '../../platform/closing.ts'
import { readAddresses } from './webhook-auth.rules.ts'

const providerNames = ['sandbox', 'yookassa', 'stripe'] as const
export type ProviderName = (typeof providerNames)[number]

export interface YookassaSettings {
  shopId: string
  secretKey: string
  baseUrl: string
  /** The addresses its webhooks come from. */
  addresses: readonly string[]
}

export interface StripeSettings {
  secretKey: string
  webhookSecret: string
  baseUrl: string
}

export interface PaymentSettings {
  /** In order of preference. */
  providers: readonly ProviderName[]
  /** The secret of the sandbox's webhooks; made up at the start if undefined. */
  sandboxSecret: string | undefined
  yookassa: YookassaSettings | undefined
  stripe: StripeSettings | undefined
}

export const isProviderName = (name: string): name is ProviderName => providerNames.some((known) => known === name)
const namesIn = (text: string) => (text === 'none' ? [] : [...new Set(text.split(',').map((name) => name.trim()))])

/** The addresses YooKassa sends from: yookassa.ru/developers/using-api/webhooks. */
const yookassaAddresses =
  '185.71.76.0/27,185.71.77.0/27,77.75.153.0/25,77.75.156.11,77.75.156.35,77.75.154.128/25,2a02:5180::/32'
const address = (name: string) =>
  z.url({ protocol: /^https?$/, error: `must be an address like ${name}` }).default(name)

/** The part of the environment that is about payments. */
export const paymentSettings = {
  PAYMENT_PROVIDERS: z
    .string()
    .default('sandbox')
    .transform((text) => namesIn(text))
    .refine((names) => names.every(isProviderName), `must be none, or a list of ${providerNames.join(', ')}`)
    .transform((names) => names.filter(isProviderName)),
  SANDBOX_SECRET: z.string().min(16, 'must have 16 characters or more').optional(),
  YOOKASSA_SHOP_ID: z.string().optional(),
  YOOKASSA_SECRET_KEY: z.string().optional(),
  YOOKASSA_BASE_URL: address('https://api.yookassa.ru/v3'),
  YOOKASSA_ADDRESSES: z
    .string()
    .default(yookassaAddresses)
    .transform((text) => text.split(',').map((entry) => entry.trim()))
    .refine((entries) => readAddresses(entries) !== undefined, 'must be a list of addresses like 185.71.76.0/27'),
  STRIPE_SECRET_KEY: z.string().optional(),
  STRIPE_WEBHOOK_SECRET: z.string().optional(),
  STRIPE_BASE_URL: address('https://api.stripe.com'),
}

type Given = z.infer<z.ZodObject<typeof paymentSettings>>

/**
 * Reads the payment settings. Throws a StartupError that names the setting a provider lacks. `opening` is the setting
 * that lets strangers in, and so refuses the sandbox, where anybody pays for anything with nothing.
 */
export function readPaymentSettings(given: Given, opening: string | undefined): PaymentSettings {
  const providers = given.PAYMENT_PROVIDERS
  if (providers.includes('sandbox') && opening !== undefined) {
    throw new StartupError(
      `The setting PAYMENT_PROVIDERS is wrong: the sandbox takes no real money and ${opening} lets strangers in, so set yookassa, stripe or none (or ALLOW_SANDBOX=1 for a shop that sells nothing real).`,
    )
  }
  const needed = (provider: ProviderName, name: keyof Given): string => {
    const value = given[name]
    if (typeof value === 'string') return value
    throw new StartupError(`The setting ${name} is missing: PAYMENT_PROVIDERS has ${provider}.`)
  }
  return {
    providers,
    sandboxSecret: given.SANDBOX_SECRET,
    yookassa: providers.includes('yookassa')
      ? {
          shopId: needed('yookassa', 'YOOKASSA_SHOP_ID'),
          secretKey: needed('yookassa', 'YOOKASSA_SECRET_KEY'),
          baseUrl: given.YOOKASSA_BASE_URL,
          addresses: given.YOOKASSA_ADDRESSES,
        }
      : undefined,
    stripe: providers.includes('stripe')
      ? {
          secretKey: needed('stripe', 'STRIPE_SECRET_KEY'),
          webhookSecret: needed('stripe', 'STRIPE_WEBHOOK_SECRET'),
          baseUrl: given.STRIPE_BASE_URL,
        }
      : undefined,
  }
}
