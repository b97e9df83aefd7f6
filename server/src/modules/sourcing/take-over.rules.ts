import type { EditedField } from '@olmos/contract/account-fields'
import { one, parseDecimal } from '@olmos/contract/decimal'
import * as LIMITS from '@olmos/contract/limits'
import { toMinor } from '@olmos/contract/minor-units'
import type { ShopNumbers } from '@olmos/contract/shop-numbers'
import type { TakenOffer, TakenRefusal } from '@olmos/contract/take-over'
import { doubtsAbout, type PriceBounds } from '../catalogue/product.rules.ts'
import type { FieldDraft } from '../catalogue/products.ts'
import type { DollarRates } from '../rates/rates.ts'
import type { VendorField } from '../topups/supplier.ts'

/** '1,000' and '1 000' are a thousand; '9.99' is no amount. */
const amount = /(?<![\d.,])(\d{1,3}(?:[ ,.\u00a0]\d{3})+|\d{1,10})(?![.,]?\d)/
const sum = new RegExp(`${amount.source}(?:\\s*\\+\\s*${amount.source})?`)

const toNumber = (digits: string | undefined): number => Number((digits ?? '').replace(/\D/g, ''))

/** Reads how much of a game's currency a package has from its name: '325 + 25 UC' has 350. Undefined where it doesn't say. */
export function readAmount(name: string): number | undefined {
  const match = sum.exec(name)
  if (!match) return undefined
  const value = toNumber(match[1]) + toNumber(match[2])
  return value > 0 && value <= LIMITS.gameAmountMax ? value : undefined
}

/** Reads what a game's currency is called from the names of its packages, where all that have an amount agree. */
export function readUnit(names: readonly string[]): string {
  const units = names.filter((name) => sum.test(name)).map((name) => name.replace(sum, '').replace(/\s+/g, ' ').trim())
  const [unit = ''] = units
  return unit.length <= 40 && units.every((one) => one === unit) ? unit : ''
}

interface Cost {
  /** A decimal. */
  cost: string
  currency: string
}

interface Prices {
  /** In minor units. */
  priceUsd: number
  priceRub: number
}

const hundredths = 10_000n
const ceil = (dividend: bigint, divisor: bigint): number => Number((dividend + divisor - 1n) / divisor)

/**
 * Prices what costs so much with a margin in percent on top, at these rates, rounded up to the cent and the kopeck.
 * `no_rate` without a rate of its currency, or of the rouble; `price` when it is more than an offer may cost.
 */
export function priceByMargin(
  { cost, currency }: Cost,
  marginPercent: number,
  rates: DollarRates,
): Prices | 'no_rate' | 'price' {
  const [amount, rate, rubles] = [parseDecimal(cost), rates.get(currency), rates.get('RUB')]
  if (rate === undefined || rubles === undefined) return 'no_rate'
  if (amount === undefined) return 'price'
  const cents = amount * (hundredths + BigInt(Math.round(marginPercent * 100))) * 100n
  const priceUsd = ceil(cents, rate * hundredths)
  const priceRub = ceil(cents * rubles, rate * hundredths * one)
  return Math.max(priceUsd, priceRub) > LIMITS.amountMax ? 'price' : { priceUsd, priceRub }
}

/** Whether one of the prices does not pay for what is bought. */
export function isUnderCost({ priceUsd, priceRub }: Prices, cost: Cost, rates: DollarRates): boolean {
  const least = priceByMargin(cost, 0, rates)
  return typeof least === 'string' || priceUsd < least.priceUsd || priceRub < least.priceRub
}

/** Something that a supplier sells. */
export interface SoldRow {
  id: number
  reference: string
  service_id: number | null
  name: string
  cost: string
  currency: string
  quantity_min: number | null
  is_gone: boolean
}

/** What a product has already. */
export interface OfferRow {
  id: number
  region_id: number | null
  game_amount: number
  /** What its sources buy. */
  bought: number[]
}

/** What becomes of a supplier's product: a new offer, one more source of an offer, or nothing. */
export type Plan =
  | { outcome: 'make'; sold: SoldRow; gameAmount: number; priceUsd: number; priceRub: number }
  | { outcome: 'join'; sold: SoldRow; offerId: number }
  | { outcome: 'unchanged'; reference: string; offerId: number }
  | { outcome: 'refused'; reference: string; reason: TakenRefusal; offerId: number | null }

/** Where new prices come from. */
export interface TakenPricing {
  marginPercent: number | undefined
  /** Whether new offers are priced by the nearest rule, and not by the margin. */
  isByRule: boolean
  /** Whether prices in both currencies that are far apart are meant so. */
  isConfirmed: boolean
  rates: DollarRates
  numbers: PriceBounds & Pick<ShopNumbers, 'on_demand_cost_percent'>
}

interface Ground {
  service: { id: number; kind: 'topup' | 'code' }
  offers: readonly OfferRow[]
  pricing: TakenPricing
}

/** Decides about each product. Amounts that are new in this call count for those that follow. */
export function planOffers(wanted: readonly TakenOffer[], sold: readonly SoldRow[], ground: Ground): Plan[] {
  const amounts = new Map<number, number | null>()
  for (const { id, region_id, game_amount } of ground.offers) if (region_id === null) amounts.set(game_amount, id)
  return wanted.map((offer) => {
    const plan = planOffer(
      offer,
      sold.find(({ reference }) => reference === offer.reference),
      amounts,
      ground,
    )
    if (plan.outcome === 'make') amounts.set(plan.gameAmount, null)
    return plan
  })
}

function planOffer(
  wanted: TakenOffer,
  sold: SoldRow | undefined,
  amounts: ReadonlyMap<number, number | null>,
  { service, offers, pricing }: Ground,
): Plan {
  const refuse = (reason: TakenRefusal, offerId: number | null = null): Plan => ({
    outcome: 'refused',
    reference: wanted.reference,
    reason,
    offerId,
  })
  if (!sold) return refuse('product_not_found')
  const known = offers.find(({ bought }) => bought.includes(sold.id))
  if (known) return { outcome: 'unchanged', reference: sold.reference, offerId: known.id }
  if (sold.is_gone) return refuse('gone')
  if (sold.service_id !== service.id) return refuse('other_service')
  if ((sold.quantity_min ?? 1) > 1) return refuse('quantity')
  if (wanted.offerId !== undefined) {
    const isThere = offers.some(({ id }) => id === wanted.offerId)
    return isThere ? { outcome: 'join', sold, offerId: wanted.offerId } : refuse('offer_not_found')
  }
  const gameAmount = wanted.gameAmount ?? readAmount(sold.name) ?? freeAmount(service, amounts)
  if (gameAmount === undefined) return refuse('amount_needed')
  if (amounts.has(gameAmount)) return refuse('amount_taken', amounts.get(gameAmount) ?? null)
  const prices = priceTaken(wanted, sold, { ...pricing, kind: service.kind })
  return typeof prices === 'string' ? refuse(prices) : { outcome: 'make', sold, gameAmount, ...prices }
}

/** Finds an amount for what has a name and no amount, such as a pass: the first that is free. A code needs its own amount. */
function freeAmount({ kind }: Ground['service'], amounts: ReadonlyMap<number, number | null>): number | undefined {
  if (kind === 'code') return undefined
  let amount = 1
  while (amounts.has(amount)) amount++
  return amount
}

/** The margin, in percent, at which a cost is `share` percent of its price; rounded up to what a margin has of places. */
const marginFor = (share: number): number => Math.ceil((100 * 100 * 100) / share - 100 * 100) / 100

/**
 * Takes the given prices, or makes some by the margin, of codes by one at which they can be bought on demand. What a rule will
 * price begins at its cost.
 */
function priceTaken(
  { priceUsd, priceRub }: TakenOffer,
  sold: SoldRow,
  pricing: TakenPricing & { kind: 'topup' | 'code' },
) {
  const { marginPercent, isByRule, isConfirmed, rates, numbers, kind } = pricing
  if (isByRule) return priceByMargin(sold, 0, rates)
  if (priceUsd === undefined || priceRub === undefined) {
    if (marginPercent === undefined) return 'price'
    const least = kind === 'code' ? marginFor(numbers.on_demand_cost_percent) : 0
    return priceByMargin(sold, Math.max(marginPercent, least), rates)
  }
  if (!rates.has(sold.currency)) return 'no_rate'
  const prices = { priceUsd: toMinor(priceUsd), priceRub: toMinor(priceRub) }
  if (isUnderCost(prices, sold, rates)) return 'under_cost'
  if (isConfirmed) return prices
  const doubts = doubtsAbout({ gameAmount: 1, ...prices, was: undefined }, rates.get('RUB'), numbers)
  return doubts.length > 0 ? 'price_doubtful' : prices
}

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
 * Finds the required fields of a supplier that an order would leave empty. An account of one value fills the one field
 * that has to be filled, whatever either is called.
 */
export function findLeftEmpty(
  fields: readonly VendorField[],
  fieldNames: Readonly<Record<string, string>>,
  keys: readonly string[],
): string[] {
  const templates = Object.entries(fieldNames)
  const isFilled = (template: string) => template !== '' && keysIn(template).every((name) => keys.includes(name))
  const sent = templates.length === 0 ? keys : templates.flatMap(([key, text]) => (isFilled(text) ? [key] : []))
  const required = fields.filter(({ isRequired }) => isRequired).map(({ key }) => key)
  const isForOne = sent.length === 1 && required.length === 1 && !fields.some(({ key }) => key === sent[0])
  return isForOne ? [] : required.filter((key) => !sent.includes(key))
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

/** Leaves the names of fields out where the supplier's are all the shop's own. */
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

/** Makes one of several fields that fill one of the supplier's together, whose form says nothing of its parts. */
const toPartDraft = (key: string, field: VendorField): FieldDraft => ({
  key,
  ...toTexts(key, field),
  type: key.endsWith('_id') ? 'digits' : 'text',
  isRequired: field.isRequired,
  lengthMax: 32,
})
