import { Failure } from '@olmos/contract/failure'
import type { ProviderSetting } from '@olmos/contract/payment-setup'
import { z } from 'zod'
import { toSettingUse, type VendorAdapter, vendorFields } from './adapters.ts'

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

/** Shows what there is to set and what of it is set where; never a secret. */
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
