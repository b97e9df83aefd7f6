import { z } from 'zod'
import { StartupError } from '../../platform/closing.ts'

const supplierNames = ['sandbox', 'fazercards', 'kinguin', 'manual'] as const
export type SupplierName = (typeof supplierNames)[number]

export interface FazercardsSettings {
  apiKey: string
  webhookSecret: string
  baseUrl: string
}

export interface KinguinSettings {
  apiKey: string
  webhookSecret: string
  baseUrl: string
}

export interface SupplierSettings {
  /** In the order in which they are asked. */
  suppliers: readonly SupplierName[]
  /** What the sandbox signs its webhooks with; none: made at the start. */
  sandboxSecret: string | undefined
  fazercards: FazercardsSettings | undefined
  kinguin: KinguinSettings | undefined
}

export const isSupplierName = (name: string): name is SupplierName => supplierNames.some((known) => known === name)
const namesIn = (text: string) => (text === 'none' ? [] : [...new Set(text.split(',').map((name) => name.trim()))])

const address = (url: string) => z.url({ protocol: /^https?$/, error: `must be an address like ${url}` }).default(url)

/** The part of the environment that is about suppliers. */
export const supplierSettings = {
  SUPPLIERS: z
    .string()
    .default('sandbox')
    .transform((text) => namesIn(text))
    .refine((names) => names.every(isSupplierName), `must be none, or a list of ${supplierNames.join(', ')}`)
    .transform((names) => names.filter(isSupplierName)),
  FAZERCARDS_API_KEY: z.string().optional(),
  FAZERCARDS_WEBHOOK_SECRET: z.string().optional(),
  FAZERCARDS_BASE_URL: address('https://api.fzr.cards/api/v2'),
  KINGUIN_API_KEY: z.string().optional(),
  KINGUIN_WEBHOOK_SECRET: z.string().optional(),
  KINGUIN_BASE_URL: address('https://gateway.kinguin.net/esa/api'),
}

type Given = z.infer<z.ZodObject<typeof supplierSettings>> & { SANDBOX_SECRET?: string | undefined }

/**
 * Throws a StartupError that names the setting a supplier lacks. `opening` is the setting that lets strangers in, and so
 * refuses the sandbox, which would take their money and deliver nothing.
 */
export function readSupplierSettings(given: Given, opening: string | undefined): SupplierSettings {
  const suppliers = given.SUPPLIERS
  if (suppliers.includes('sandbox') && opening !== undefined) {
    throw new StartupError(
      `The setting SUPPLIERS is wrong: the sandbox delivers nothing real and ${opening} lets strangers in, so set fazercards, kinguin, manual or none (or ALLOW_SANDBOX=1 for a shop that sells nothing real).`,
    )
  }
  const needed = (supplier: SupplierName, name: keyof Given): string => {
    const value = given[name]
    if (typeof value === 'string') return value
    throw new StartupError(`The setting ${name} is missing: SUPPLIERS has ${supplier}.`)
  }
  return {
    suppliers,
    sandboxSecret: given.SANDBOX_SECRET,
    fazercards: suppliers.includes('fazercards')
      ? {
          apiKey: needed('fazercards', 'FAZERCARDS_API_KEY'),
          webhookSecret: needed('fazercards', 'FAZERCARDS_WEBHOOK_SECRET'),
          baseUrl: given.FAZERCARDS_BASE_URL,
        }
      : undefined,
    kinguin: suppliers.includes('kinguin')
      ? {
          apiKey: needed('kinguin', 'KINGUIN_API_KEY'),
          webhookSecret: needed('kinguin', 'KINGUIN_WEBHOOK_SECRET'),
          baseUrl: given.KINGUIN_BASE_URL,
        }
      : undefined,
  }
}
