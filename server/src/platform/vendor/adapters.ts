import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { Failure } from '@olmos/contract/failure'
import type { ProviderSetting } from '@olmos/contract/payment-setup'
import type { FastifyBaseLogger } from 'fastify'
import { z } from 'zod'
import { SERVER_LIMITS } from '../../limits.ts'
import { readAddresses } from '../http/headers.ts'
import { StartupError } from '../process.ts'

/**
 * A company that the shop has an account with, or a sandbox in its place: one object in one file, and one line in the list
 * of its kind (`payments/providers.ts`, `topups/suppliers.ts`). The line makes its name a choice and its variables settings.
 */
export interface VendorAdapter<Settings extends z.ZodObject, Deps, Made> {
  /** What it is called in the environment, in the database and in the address of its webhooks. */
  readonly name: string
  /**
   * Its variables of the environment, under their names there. What is given must be right even while the vendor is not
   * chosen; once it is chosen, a variable without a default must be given, and whatever the object refines must hold.
   */
  readonly settings: Settings
  /** Marks a sandbox, and says what is not real about it: 'takes no real money'. No stranger may meet it unasked. */
  readonly unreal?: string
  /** Makes the vendor; called when the store starts, or its account changes, and only with complete settings. */
  create(settings: z.output<Settings>, deps: Deps): Made
}

type AnyAdapter = VendorAdapter<z.ZodObject, never, unknown>

/** A vendor that the environment names, with its settings complete. */
export interface ChosenVendor {
  readonly name: string
  readonly settings: Readonly<Record<string, unknown>>
  readonly isSandbox: boolean
}

/** What the admin area may do with a setting; one without a word here is a secret. */
const uses = z.registry<{ use: 'shown' | 'environment' }>()

/** Marks a setting that is no secret: the admin area shows what was typed. */
export function shownSetting<Schema extends z.ZodType>(schema: Schema): Schema {
  uses.add(schema, { use: 'shown' })
  return schema
}

/** Tells what the admin area may do with a setting: type it unseen, show it too, or neither. */
export const toSettingUse = (schema: z.ZodType): 'secret' | 'shown' | 'environment' => uses.get(schema)?.use ?? 'secret'

/**
 * A variable that leads to the vendor's machines, or in a test to one that stands in for them. The environment alone sets it:
 * whoever could type it could have the shop's credentials sent anywhere.
 */
export const vendorUrl = (usual: string) =>
  z
    .url({ protocol: /^https?$/, error: `must be an address like ${usual}` })
    .default(usual)
    .register(uses, { use: 'environment' })

/** A variable with the addresses and ranges that the vendor sends from, divided by commas. */
export const vendorAddresses = (usual: string) =>
  z
    .string()
    .default(usual)
    .transform((text) => text.split(',').map((entry) => entry.trim()))
    .refine((entries) => readAddresses(entries) !== undefined, 'must be a list of addresses like 185.71.76.0/27')

const splitNames = (text: string) => (text === 'none' ? [] : [...new Set(text.split(',').map((name) => name.trim()))])

/** The variable that chooses from these adapters: their names in the order of preference, or `none`. */
export function vendorNames(adapters: readonly AnyAdapter[]) {
  const known = adapters.map(({ name }) => name)
  return z
    .string()
    .default('sandbox')
    .transform(splitNames)
    .refine((names) => names.every((name) => known.includes(name)), `must be none, or a list of ${known.join(', ')}`)
}

/** The variables of all these adapters, for the schema of the environment. `readVendors` reads what they hold. */
export function vendorFields(adapters: readonly AnyAdapter[]): Readonly<Record<never, z.ZodType>> {
  const fields = adapters.flatMap(({ settings }) => Object.entries(settings.shape))
  return Object.fromEntries(fields.map(([name, field]) => [name, z.optional(field)]))
}

interface Choice {
  /** The variable that chooses, for the sentences of refusals. */
  setting: string
  names: readonly string[]
  /** The environment as it is given, without the variables that are empty. */
  given: Readonly<Record<string, unknown>>
  /** The setting by which strangers come in, who must not meet a sandbox; none where a sandbox is welcome. */
  opening: string | undefined
}

/**
 * Reads the settings of the vendors that were chosen, in the order of the choice. Throws a StartupError whose sentence names
 * the setting to change.
 */
export function readVendors(adapters: readonly AnyAdapter[], choice: Choice): ChosenVendor[] {
  const { setting, names, given, opening } = choice
  const chosen = names.flatMap((name) => adapters.filter((adapter) => adapter.name === name))
  const sandbox = chosen.find(isSandbox)
  if (sandbox && opening !== undefined) {
    const real = adapters.filter((adapter) => !isSandbox(adapter)).map(({ name }) => name)
    throw new StartupError(
      `The setting ${setting} is wrong: the sandbox ${sandbox.unreal} and ${opening} lets strangers in, so set ${real.join(', ')} or none (or ALLOW_SANDBOX=1 for a shop that sells nothing real).`,
    )
  }
  return chosen.map((adapter) => ({
    name: adapter.name,
    settings: readSettings(adapter, setting, given),
    isSandbox: isSandbox(adapter),
  }))
}

const isSandbox = ({ unreal }: AnyAdapter): boolean => unreal !== undefined

function readSettings({ name, settings }: AnyAdapter, setting: string, given: Choice['given']) {
  const result = settings.safeParse(given)
  if (result.success) return result.data
  const [issue] = result.error.issues
  const variable = String(issue?.path[0])
  if (given[variable] === undefined) {
    throw new StartupError(`The setting ${variable} is missing: ${setting} has ${name}.`)
  }
  throw new StartupError(`The setting ${variable} is wrong: it ${issue?.message}.`)
}

/** Makes the vendors that were chosen, in the order of the choice. */
export const createVendors = <Deps, Made>(
  adapters: readonly VendorAdapter<z.ZodObject, Deps, Made>[],
  chosen: readonly ChosenVendor[],
  deps: Deps,
): Made[] =>
  chosen.flatMap(({ name, settings }) =>
    adapters.filter((adapter) => adapter.name === name).map((adapter) => adapter.create(settings, deps)),
  )

/** Settings of an account as texts, by their names in the environment. */
export type AccountSettings = Readonly<Record<string, string>>

/** What the vault seals of an account that was typed in the admin area, as JSON. */
export const storedSettings = z.record(z.string(), z.string())

/** Maps a setting to the key of its fault. */
export type WrongSettings = Record<string, 'required' | 'invalid'>

/** Merges what was typed into what is stored; a blank setting is cleared. */
export const mergeSettings = (before: AccountSettings | undefined, typed: AccountSettings): AccountSettings =>
  Object.fromEntries(Object.entries({ ...before, ...typed }).filter(([, value]) => value !== ''))

/** Says which settings no account can be made of. */
export function toWrongSettings(settings: AccountSettings, { issues }: z.ZodError): WrongSettings {
  const names = issues.map(({ path }) => String(path[0]))
  return Object.fromEntries(names.map((name) => [name, settings[name] === undefined ? 'required' : 'invalid']))
}

/** Picks the settings of these adapters from an environment. */
export function pickSettings(
  adapters: readonly VendorAdapter<z.ZodObject, never, unknown>[],
  environment: Readonly<Record<string, unknown>>,
): AccountSettings {
  const known = Object.keys(vendorFields(adapters))
  return Object.fromEntries(
    known.flatMap((name) => (environment[name] === undefined ? [] : [[name, String(environment[name])]])),
  )
}

interface SetWhere {
  /** By the environment. */
  given: AccountSettings
  /** In the admin area. */
  typed: AccountSettings
}

/** Shows what there is to set and which of it is set where; never a secret. */
export const shownSettings = ({ shape }: z.ZodObject, { given, typed }: SetWhere): ProviderSetting[] =>
  Object.entries(shape).map(([name, schema]) => {
    const use = toSettingUse(schema as z.ZodType)
    const isRequired = !(schema as z.ZodType).safeParse(undefined).success
    const value = given[name] ?? typed[name]
    const unset = isRequired ? 'missing' : 'default'
    return {
      name,
      use,
      is_required: isRequired,
      origin: given[name] !== undefined ? 'environment' : typed[name] !== undefined ? 'shop' : unset,
      value: use === 'secret' || value === undefined ? null : value,
    }
  })

/** Refuses settings that there are not, or that are not typed in the admin area. */
export function requireTypable({ shape }: z.ZodObject, given: AccountSettings, typed: AccountSettings): void {
  for (const name of Object.keys(typed)) {
    const schema = shape[name]
    if (!schema) throw new Failure('VALIDATION_FAILED', { [name]: 'unknown_setting' })
    if (given[name] !== undefined || toSettingUse(schema as z.ZodType) === 'environment')
      throw new Failure('VALIDATION_FAILED', { [name]: 'in_environment' })
  }
}

interface Renewal {
  /** Renews them soon. */
  wake(): void
  stop(): void
}

/**
 * Renews vendors when a node notifies, and every half minute in case a notification was lost with the process that sent it.
 * `renew` takes into force what was typed in the admin area.
 */
export function keepVendors(renew: () => Promise<void>, log: Pick<FastifyBaseLogger, 'warn'>): Renewal {
  const wake = () => {
    renew().catch((error) => log.warn({ err: error }, 'vendors not renewed'))
  }
  const timer = setInterval(wake, SERVER_LIMITS.renewVendorsMs)
  return { wake, stop: () => clearInterval(timer) }
}

/** What a vendor sends of its own accord, just as it came in. */
export interface Webhook {
  /** The bytes that a signature is of. */
  body: Buffer
  headers: IncomingHttpHeaders
  /** Who sent it, as far as the proxies in front of the store are believed. */
  address: string
  /** When it came, by the store's clock. */
  now: Date
}

/** What the vendor is answered. Most send a webhook again until the status is one of success. */
export interface HttpReply {
  status: number
  body: string
  /** Plain text without it. */
  type?: 'application/json'
  /** The error that kept the store from answering what was asked, for the log: nobody is told it. */
  failure?: unknown
}

/** How an adapter reads a webhook that it does not trust; whoever sent it is told why. */
export interface ForgedWebhook {
  verified: false
  reply: HttpReply
}

/** The answer to a webhook that is not trusted: 400, with the reason in a few words. */
export const forged = (why: string): ForgedWebhook => ({ verified: false, reply: { status: 400, body: why } })

export const accepted: HttpReply = { status: 200, body: 'ok' }

/** Nobody could be asked whether it is so; the vendor sends it again. */
export const repeatWebhook: HttpReply = { status: 503, body: 'could not be confirmed yet' }

/** Parses a body; undefined where it is no JSON. */
export function toJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}

/** The variables of a sandbox. Without a secret one is made at the start, which nobody outside the store knows. */
export const sandboxSettings = z.object({
  SANDBOX_SECRET: z.string().min(16, 'must have 16 characters or more').optional(),
})

const hmac = (secret: string, signed: string): Buffer => createHmac('sha256', secret).update(signed).digest()

const toSeconds = (time: Date): number => Math.floor(time.getTime() / 1000)

/** What proves that the holder of the secret sent this body at this time: `t=<unix>,v1=<hex>`. */
export function signWebhook(secret: string, body: string, at: Date): string {
  const t = toSeconds(at)
  return `t=${t},v1=${hmac(secret, `${t}.${body}`).toString('hex')}`
}

const header = 'sandbox-signature'

interface SandboxSigner {
  /** The webhook that tells this, as if it came over the net. */
  sign(told: object, now: Date): Webhook
  /** Whether the signature is of this body and neither older nor newer than webhooks may be. Takes equally long for any. */
  isSigned(webhook: Webhook): boolean
}

/** Signs what a sandbox tells the store, and checks it on its way in like the webhooks of any vendor. */
export function sandboxSigner({ SANDBOX_SECRET }: z.output<typeof sandboxSettings>): SandboxSigner {
  const secret = SANDBOX_SECRET ?? randomBytes(32).toString('hex')
  return {
    sign(told, now) {
      const body = JSON.stringify(told)
      const headers = { [header]: signWebhook(secret, body, now) }
      return { body: Buffer.from(body), headers, address: '127.0.0.1', now }
    },

    isSigned({ body, headers, now }) {
      const [, t, hex] = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(String(headers[header])) ?? []
      if (t === undefined || hex === undefined) return false
      const isFresh = Math.abs(toSeconds(now) - Number(t)) <= SERVER_LIMITS.webhookToleranceSeconds
      return timingSafeEqual(hmac(secret, `${t}.${body.toString()}`), Buffer.from(hex, 'hex')) && isFresh
    },
  }
}
