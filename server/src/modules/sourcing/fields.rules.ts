import type { EditedField } from '@olmos/contract/account-fields'
import * as LIMITS from '@olmos/contract/limits'
import type { FieldDraft } from '../catalogue/products.ts'
import type { VendorField } from '../topups/supplier.ts'

type Labels = EditedField['labels']

/** How the shop asks for what many games ask for; the rest is asked for in the supplier's words. */
const known: Readonly<Record<string, { labels: Labels; hints?: Labels }>> = {
  user_id: {
    labels: { ru: 'ID пользователя', en: 'User ID', uz: 'Foydalanuvchi ID raqami' },
    hints: {
      ru: 'Его видно в профиле игры',
      en: 'It is shown in the profile of the game',
      uz: 'U oʻyin profilida koʻrinadi',
    },
  },
  player_id: { labels: { ru: 'ID игрока', en: 'Player ID', uz: 'Oʻyinchi ID raqami' } },
  role_id: { labels: { ru: 'ID персонажа', en: 'Character ID', uz: 'Qahramon ID raqami' } },
  account_id: { labels: { ru: 'ID аккаунта', en: 'Account ID', uz: 'Hisob ID raqami' } },
  zone_id: {
    labels: { ru: 'ID зоны', en: 'Zone ID', uz: 'Zona ID raqami' },
    hints: {
      ru: 'Число в скобках после ID',
      en: 'The number in brackets after the ID',
      uz: 'ID dan keyingi qavs ichidagi raqam',
    },
  },
  server: { labels: { ru: 'Сервер', en: 'Server', uz: 'Server' } },
  server_id: { labels: { ru: 'ID сервера', en: 'Server ID', uz: 'Server ID raqami' } },
  region: { labels: { ru: 'Регион', en: 'Region', uz: 'Mintaqa' } },
  platform: { labels: { ru: 'Платформа', en: 'Platform', uz: 'Platforma' } },
  username: { labels: { ru: 'Имя пользователя', en: 'Username', uz: 'Foydalanuvchi nomi' } },
  nickname: { labels: { ru: 'Никнейм', en: 'Nickname', uz: 'Taxallus' } },
  character: { labels: { ru: 'Имя персонажа', en: 'Character name', uz: 'Qahramon nomi' } },
  login: { labels: { ru: 'Логин', en: 'Login', uz: 'Login' } },
  email: { labels: { ru: 'Электронная почта', en: 'Email', uz: 'Elektron pochta' } },
  phone: { labels: { ru: 'Номер телефона', en: 'Phone number', uz: 'Telefon raqami' } },
}

/** Spellings of one key that are met at suppliers. */
const spellings: Readonly<Record<string, string>> = {
  userid: 'user_id',
  uid: 'user_id',
  id: 'user_id',
  playerid: 'player_id',
  roleid: 'role_id',
  accountid: 'account_id',
  zoneid: 'zone_id',
  zone: 'zone_id',
  serverid: 'server_id',
  server_name: 'server',
  user_name: 'username',
  nick: 'nickname',
  character_name: 'character',
  charname: 'character',
  phone_number: 'phone',
  mail: 'email',
}

/** Keys that may be one and the same thing, where a supplier and a product of the shop use different ones. */
const alike = [
  ['user_id', 'player_id', 'role_id', 'account_id'],
  ['server', 'server_id', 'zone_id', 'region'],
  ['username', 'nickname', 'login', 'character'],
]

/** A shop never asks for what opens an account. */
const secrets = /passw|passcode|pwd|secret|2fa|backup.?code|(^|[^a-z])(otp|pin|token)([^a-z]|$)/i

/** Makes the shop's key of a supplier's: 'userId' becomes `user_id`. */
function toKey(vendorKey: string): string {
  const words = vendorKey.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase()
  const key = words.replace(/[^a-z0-9]+/g, '_').replace(/^[_0-9]+|_+$/g, '')
  return (spellings[key] ?? key).slice(0, 32) || 'field'
}

const keysIn = (template: string): string[] => [...template.matchAll(/\{(\w+)\}/g)].flatMap(([, key]) => key ?? [])

/** Whether a template is one key of the shop and nothing else. */
const isPlain = (template: string): boolean => /^\{\w+\}$/.test(template)

/** Finds the required fields of a supplier that are filled with nothing of what a product asks for. */
export function findUnfilled(
  fields: readonly VendorField[],
  fieldNames: Readonly<Record<string, string>>,
  keys: readonly string[],
): string[] {
  const isSame = Object.keys(fieldNames).length === 0
  const isFilled = ({ key }: VendorField) => {
    const wanted = isSame ? [key] : keysIn(fieldNames[key] ?? '')
    return wanted.length > 0 && wanted.every((name) => keys.includes(name))
  }
  return fields.filter((field) => field.isRequired && !isFilled(field)).map(({ key }) => key)
}

/**
 * Guesses which key of a product fills each field of a supplier: the only one there is, the same one,
 * another spelling of it, or the only one that can mean it. Undefined where a required field has none.
 */
export function guessFieldNames(
  fields: readonly VendorField[],
  keys: readonly string[],
): Record<string, string> | undefined {
  const names: Record<string, string> = {}
  const [only, ...more] = fields.filter(({ isRequired }) => isRequired)
  const [single, ...others] = keys
  if (only && single !== undefined && more.length + others.length === 0)
    return withoutSame({ [only.key]: `{${single}}` })
  for (const { key, isRequired } of fields) {
    const wanted = toKey(key)
    const similar = keys.filter((one) => alike.some((group) => group.includes(one) && group.includes(wanted)))
    const found =
      keys.find((one) => one === key) ??
      keys.find((one) => one === wanted) ??
      (similar.length === 1 ? similar[0] : undefined)
    if (found !== undefined) names[key] = `{${found}}`
    else if (isRequired) return undefined
  }
  return withoutSame(names)
}

/** What a new product asks for, and what the supplier's fields are filled with; or why no product can ask for it. */
export type AskedFields =
  | { fields: FieldDraft[]; fieldNames: Record<string, string> }
  | { refused: 'asks_secret' | 'options_unknown' | 'too_many_fields'; fields: string[] }

/**
 * Makes the fields of a new product from a supplier's. Where the shop has said before what those are filled with, `said`,
 * the product asks for exactly that.
 */
export function toAskedFields(fields: readonly VendorField[], said: Readonly<Record<string, string>>): AskedFields {
  const secret = fields.filter(({ key, label }) => secrets.test(key) || secrets.test(label))
  if (secret.length > 0) return { refused: 'asks_secret', fields: secret.map(({ key }) => key) }
  const fieldNames = Object.keys(said).length > 0 ? { ...said } : inventNames(fields)
  const drafts = new Map<string, FieldDraft>()
  for (const field of fields) {
    const template = fieldNames[field.key] ?? ''
    for (const key of keysIn(template)) {
      if (!drafts.has(key)) drafts.set(key, isPlain(template) ? toDraft(key, field) : toPartDraft(key, field))
    }
  }
  const open = [...drafts.values()].filter(({ type, options = [] }) => type === 'select' && options.length === 0)
  if (open.length > 0) return { refused: 'options_unknown', fields: open.map(({ key }) => key) }
  if (drafts.size > LIMITS.accountFieldsMax) return { refused: 'too_many_fields', fields: fields.map(({ key }) => key) }
  return { fields: [...drafts.values()], fieldNames: withoutSame(fieldNames) }
}

/** Gives each field a key of its own, also where two are spelled alike. */
function inventNames(fields: readonly VendorField[]): Record<string, string> {
  const keys = new Map<string, string>()
  for (const { key: vendorKey } of fields) {
    const key = toKey(vendorKey)
    const isTaken = [...keys.values()].includes(key)
    keys.set(vendorKey, isTaken ? `${key.slice(0, 29)}_${keys.size + 1}` : key)
  }
  return Object.fromEntries([...keys].map(([vendorKey, key]) => [vendorKey, `{${key}}`]))
}

/** Names that are all the same need not be said. */
const withoutSame = (names: Record<string, string>): Record<string, string> =>
  Object.entries(names).every(([key, template]) => template === `{${key}}`) ? {} : names

const toTexts = (key: string, { label }: VendorField) => ({
  labels: known[key]?.labels ?? { ru: label },
  hints: known[key]?.hints ?? {},
})

const toDraft = (key: string, field: VendorField): FieldDraft => ({
  key,
  ...toTexts(key, field),
  type: field.type,
  isRequired: field.isRequired,
  lengthMax: field.type === 'digits' ? 32 : 100,
  ...(field.type === 'select' && {
    options: (field.options ?? []).map(({ value, label }) => ({ value, labels: { ru: label } })),
  }),
})

/** One of several that are put together: what the supplier says of the whole says nothing of its parts. */
const toPartDraft = (key: string, field: VendorField): FieldDraft => ({
  key,
  ...toTexts(key, field),
  type: key.endsWith('_id') ? 'digits' : 'text',
  isRequired: field.isRequired,
  lengthMax: 32,
})
