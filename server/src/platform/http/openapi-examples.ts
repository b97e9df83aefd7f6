import { components } from '@olmos/contract/components'
import type { FailureCode } from '@olmos/contract/failure-codes'
import type { RefusalDetails } from '@olmos/contract/refusal-details'
import { z } from 'zod'

export type JsonSchema = { [keyword: string]: unknown }

const descriptions: Readonly<Record<string, string>> = {
  Money: 'An amount of money in major units (12.5 is 12.50), with at most two decimals; the currency stands beside it.',
  Amount: 'An amount of money in major units (12.5 is 12.50), not negative, with at most two decimals.',
}
for (const [id, schema] of Object.entries(components)) {
  const description = descriptions[id]
  z.globalRegistry.add(schema, { ...schema.meta(), id, ...(description && { description }) })
}

/** Clients may rely on the fields that exist, not on there being no others: answers get new fields. */
function openAnswers({ _zod: { def } }: z.core.$ZodTypes, schema: JsonSchema): void {
  if (def.type === 'object' && def.catchall === undefined) delete schema.additionalProperties
}

/** Declares whole numbers as such, without the bounds that JSON has anyway. */
function tidyNumbers(schema: JsonSchema): void {
  if (schema.type === 'number' && Number.isInteger(schema.const)) schema.type = 'integer'
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
}

/** Converts zod schemas to JSON Schema; schemas with a name become components and are referenced. */
export function createSchemas() {
  const definitions: Record<string, JsonSchema> = {}

  /** A shape that differs between request and answer gets two names. */
  const nameFor = (id: string, schema: JsonSchema, io: 'input' | 'output'): string => {
    const known = definitions[id]
    return known === undefined || JSON.stringify(known) === JSON.stringify(schema) || io === 'output'
      ? id
      : `${id}Input`
  }

  /** `input` is what is sent to the store, `output` what it answers. */
  const toSchema = (schema: z.ZodType, io: 'input' | 'output'): JsonSchema => {
    const { properties, $defs = {} } = z.toJSONSchema(z.object({ it: schema }), {
      io,
      unrepresentable: 'any',
      override: ({ zodSchema, jsonSchema }) => {
        if (io === 'output') openAnswers(zodSchema, jsonSchema as JsonSchema)
        tidyNumbers(jsonSchema as JsonSchema)
      },
    }) as unknown as { properties: { it: JsonSchema }; $defs?: Record<string, JsonSchema> }
    const renamed = new Map<string, string>()
    for (const [id, definition] of Object.entries($defs)) {
      delete definition.id
      renamed.set(id, nameFor(id, referring(definition), io))
    }
    const rename = (part: JsonSchema) => referring(part, (id) => renamed.get(id) ?? id)
    for (const [id, definition] of Object.entries($defs)) definitions[renamed.get(id) ?? id] = rename(definition)
    return rename(properties.it)
  }

  return {
    definitions,
    toSchema,
    /** Parameters are text in an address; digits that are read as a number become an integer. */
    toParameter(schema: z.ZodType): JsonSchema {
      const sent = toSchema(schema, 'input')
      if (sent.type !== 'string' || sent.enum) return sent
      const { type, ...read } = toSchema(schema, 'output')
      return type === 'number' ? { ...read, type: 'integer' } : sent
    },
  }
}

const referring = (schema: JsonSchema, toName: (id: string) => string = (id) => id): JsonSchema =>
  JSON.parse(
    JSON.stringify(schema).replaceAll(
      /"\$ref":"#\/\$defs\/(\w+)"/g,
      (_, id: string) => `"$ref":"#/components/schemas/${toName(id)}"`,
    ),
  )

export type Schemas = ReturnType<typeof createSchemas>

/** What a field of this name contains in the demonstration shop. */
const fields: Readonly<Record<string, unknown>> = {
  nickname: 'lola',
  action_url: '/products/steam',
  // One of them.
  banners: {
    is_on: true,
    kind: 'info',
    texts: { en: 'Prices are lower until Sunday' },
    url: '/products',
    from: null,
    until: '2026-11-29T19:00:00Z',
  },
  password: 'kok-choy-2026',
  confirmPassword: 'kok-choy-2026',
  currentPassword: 'kok-choy-2026',
  token: 'kV3xM0pYt7b1Qe9Zr2uWc5HsJ8nLd4Fg6aXoTiKyEvA',
  device: 'd1.kV3xM0pYt7b1Qe9Z',
  otp: '492039',
  version: '1.0.0',
  build: '3fbacd5d1e2f',
  title: 'Roblox',
  product_title: 'Roblox',
  name: 'Roblox',
  slug: 'roblox',
  product_slug: 'roblox',
  description: 'Codes for Robux',
  activation_instructions: 'Open roblox.com/redeem and enter the code.',
  activationInstructions: 'Open roblox.com/redeem and enter the code.',
  image_url: '/art/roblox.svg',
  imageUrl: '/art/roblox.svg',
  flag: '🇹🇷',
  code: 'RBLX-7F3K-92QD',
  coupon: 'SUMMER-10',
  discount: 0.5,
  game_currency: 'Robux',
  gameCurrency: 'Robux',
  game_amount: 400,
  gameAmount: 400,
  price_usd: 5,
  price_rub: 450,
  priceUsd: 5,
  priceRub: 450,
  price: 5,
  was_usd: 4.5,
  was_rub: 405,
  rub_at_rate: 460,
  amount: 5,
  total_amount: 5,
  total: 5,
  required: 5,
  available: 2,
  least: 1,
  most: 500,
  balanceUsd: 25,
  balanceRub: 1500,
  balance_after: 20,
  quantity: 1,
  ikpu: '10305008002000000',
  receiptIkpu: '10305008002000000',
  package_code: '1514296',
  receiptPackageCode: '1514296',
  requested: 3,
  available_count: 12,
  count: 1,
  stars: 5,
  average: 4.8,
  answer: 'Thank you!',
  author: 'lo…',
  playerID: '5123456789',
  player_id: '5123456789',
  player_name: 'Lola',
  account: '5123456789',
  login: 'lola_steam',
  labels: { ru: 'ID игрока', en: 'Player ID', uz: 'Oʻyinchi ID raqami' },
  offer_name: '100 diamonds',
  message: 'The code does not work',
  contact: 'lola@example.com',
  email: 'lola@example.com',
  messenger_url: 'https://t.me/shop',
  reason: 'The customer asked for it',
  reference: 'PAY-2026-001',
  background_color: '#c2410c',
  color: '#c2410c',
  text: 'Ten per cent more Robux',
  id: 17,
  order_id: '7ZK3M9Q2XB',
  pay_url: 'https://pay.example/7ZK3M9Q2XB',
  return_url: 'https://shop.example/orders/7ZK3M9Q2XB',
  update_time: '09:00',
  updateTime: '09:00',
  timezone: 'Asia/Tashkent',
  time_zone: 'Asia/Tashkent',
  server_time_zone: 'Asia/Tashkent',
  lines: 'RBLX-7F3K-92QD,5.00,450.00,400',
  retryAfterSeconds: 30,
  max_jump_percent: 10,
  rate: 92.5,
  was: 80,
}

const byFormat: Readonly<Record<string, string>> = {
  'date-time': '2026-11-20T09:30:00.000Z',
  date: '2026-11-20',
  uuid: '0198f0a2-6f1e-4c3b-9d7a-2b1c3d4e5f60',
}

/** Values for the contract's patterns; the first that matches is used. */
const byPattern = ['7ZK3M9Q2XB', 'roblox', '5123456789', '#c2410c', 'TR', '09:00', '17', 'home.hero']

/** Makes an example for a JSON Schema from the demonstration shop; for a request, without optional fields. */
export function toExample(
  schema: JsonSchema,
  definitions: Record<string, JsonSchema>,
  field = '',
  isSent = false,
): unknown {
  const inside = (part: unknown, name = field) => toExample(part as JsonSchema, definitions, name, isSent)
  if (typeof schema.$ref === 'string') return inside(definitions[schema.$ref.split('/').at(-1) ?? ''] ?? {})
  if ('const' in schema) return schema.const
  if (Array.isArray(schema.enum)) return schema.enum[0]
  const choice = (schema.anyOf ?? schema.oneOf ?? schema.allOf) as JsonSchema[] | undefined
  if (choice) return inside(choice.find((one) => one.type !== 'null') ?? {})
  if (schema.type === 'object') {
    // What its parts have to do with each other no schema says.
    if (typeof fields[field] === 'object') return fields[field]
    const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>)
    const required = (schema.required ?? []) as string[]
    const shown = isSent ? properties.filter(([name]) => required.includes(name)) : properties
    return Object.fromEntries(shown.map(([name, part]) => [name, inside(part, name)]))
  }
  if (schema.type === 'array') return [inside(schema.items ?? {})]
  return plainValue(schema, field)
}

function plainValue({ type, format, pattern, minimum, maximum }: JsonSchema, field: string): unknown {
  const known = fields[field]
  if (type === 'boolean') return true
  if (type === 'integer' || type === 'number') {
    const isKnown = typeof known === 'number' && known <= Number(maximum ?? Number.MAX_VALUE)
    return isKnown ? known : Math.max(1, Number(minimum ?? 1))
  }
  if (type !== 'string') return null
  if (typeof format === 'string' && byFormat[format] !== undefined) return byFormat[format]
  if (typeof pattern === 'string') {
    const fits = new RegExp(pattern)
    return [known, ...byPattern].find((value) => typeof value === 'string' && fits.test(value)) ?? ''
  }
  return typeof known === 'string' ? known : field.replaceAll('_', ' ')
}

const rule = {
  margin_percent: 15,
  least_usd: 0.1,
  least_rub: 10,
  payment_percent: 3.5,
  rounding_usd: 'ninety_nine',
  rounding_rub: 'whole',
}
const offerWish = { selection: { of: 'offers', offer_ids: [17, 18] }, set: { is_active: true, low_stock: 5 } }

const bulkChange = {
  by: 'percent',
  selection: { of: 'product', product_id: 17 },
  percent_usd: 5,
  percent_rub: 5,
  rounding_usd: 'hundredth',
  rounding_rub: 'whole',
}

const template = {
  title: 'Code replaced',
  texts: {
    ru: 'Здравствуйте, {nickname}! Код в заказе {order} заменён.',
    en: 'Hello, {nickname}! The code of order {order} is replaced.',
    uz: 'Salom, {nickname}! {order} buyurtmasidagi kod almashtirildi.',
  },
}

/** Bodies that a schema alone can't fill, because one of their fields depends on another. */
export const bodies: Readonly<Record<string, unknown>> = {
  addToCart: {
    productId: 17,
    gameAmount: 400,
    priceUsd: 5,
    priceRub: 450,
    gameCurrency: 'Robux',
    quantity: 2,
    regionId: 3,
  },
  payFromBalance: { currency: 'usd', amount: 10 },
  buyNow: { offerId: 17, quantity: 2, currency: 'usd', amount: 10 },
  openCardPayment: { amount: 10, currency: 'usd', type: 'order' },
  addOrderView: { name: 'Stuck', filters: { status: 'pending', from: '2026-11-01' }, is_shared: true },
  changeOrderView: { name: 'Stuck since Monday', is_shared: false },
  sendSupportMessage: {
    nickname: 'lola',
    userId: '17',
    message: 'The code does not work',
    contact: 'lola@example.com',
  },
  openLinkedConversation: { token: 'kV3xM0pYt7b1Qe9Zr2uWc5HsJ8nLd4Fg', shown: 100 },
  answerConversation: { text: 'The code is replaced: it is in your order.', close: true, version: 3 },
  changeConversation: { state: 'closed', version: 3 },
  addAnswerTemplate: template,
  changeAnswerTemplate: { ...template, version: 2 },
  writeReview: { stars: 5, text: 'The code came at once.' },
  checkCoupon: { coupon: 'SUMMER-10', currency: 'usd' },
  addCoupon: { code: 'SUMMER-10', percent: 10, max_uses: 1000, ends_at: '2026-12-31T19:00:00.000Z' },
  changeCoupon: { max_uses: 2000, version: 3 },
  changePage: { is_published: true, texts: { en: '# Terms\n\nYou pay, and we deliver.' }, version: 3 },
  changeOperatorTexts: { texts: { en: { raised: '{shop}, look: {title}\nThere are {count}.\n{link}' } }, version: 3 },
  changeNotificationTexts: { texts: { en: { delivered: '{shop}: your order {order} is here. {link}' } }, version: 3 },
  changeShopFront: { action_url: '/products/steam', featured: [17, 18], version: 3 },
  changeShopUnit: { name: 'Echo', words: { en: { one: 'Echo', other: 'Echoes' } }, version: 3 },
  previewPage: { text: '# Terms\n\nYou pay, and we deliver.' },
  addRegion: { name: 'Turkey', code: 'TR', flag: '🇹🇷' },
  publishGeneratedCodes: { ids: [17, 18], published: true },
  setBalanceOfUser: { balanceUsd: 25, reason: 'A transfer that came by bank' },
  importCodes: {
    productId: 17,
    regionId: 0,
    rows: [
      { line: 2, code: 'ABCD-EFGH-1234', gameAmount: 400, priceUsd: 4.99, priceRub: 399 },
      { line: 3, code: 'Login: lola\nPassword: 4nf8', gameAmount: 400 },
    ],
    bought: { cost: '3.80', currency: 'USD', supplier: 'Codes Ltd', invoice: '2026-117', expires_on: '2027-12-31' },
  },
  changeProduct: { name: 'Roblox', isActive: true, version: 3 },
  addPriceRule: { ...rule, scope: 'category', category: 'games' },
  tryPriceRule: { rule, cost: '1.25', currency: 'USD' },
  previewPrices: { wish: bulkChange, page: 1 },
  changePrices: { wish: bulkChange, seen: 'd41d8cd98f00b204e9800998ecf8427e' },
  previewOffers: { wish: offerWish, page: 1 },
  changeOffers: { wish: offerWish, seen: 'd41d8cd98f00b204e9800998ecf8427e' },
  decidePendingPrices: { decision: 'approve', ids: [17, 18] },
  setMessageChannel: { settings: { TELEGRAM_BOT_TOKEN: '123456789:AAF…' }, version: 1 },
  addMessageRecipient: {
    name: 'Night shift',
    channel: 'telegram',
    address: '-1001234567890',
    language: 'ru',
    alert_kinds: null,
    quiet_hours: { from: '23:00', to: '08:00' },
    is_on: true,
  },
  changeMessageRecipient: { quiet_hours: null, version: 2 },
  setProviderAccount: { settings: { YOOKASSA_SHOP_ID: '123456', YOOKASSA_SECRET_KEY: 'live_…' }, version: 3 },
  tryProviderAccount: { settings: { YOOKASSA_SECRET_KEY: 'live_…' } },
  changeShopMethod: { is_on: true, titles: { en: 'Bank card' }, least_rub: 100, version: 3 },
  changeFillingSettings: { is_on: true, least_rub: 100, most_rub: 50_000, version: 3 },
  orderProducts: { ids: [17, 18], seen: [18, 17] },
  orderShopMethods: { names: ['yookassa', 'stripe'], seen: ['stripe', 'yookassa'] },
  changeOffer: { priceUsd: 5.5, priceRub: 495, version: 3 },
}

type Optional = { [Code in FailureCode]: undefined extends RefusalDetails[Code] ? Code : never }[FailureCode]

/** Details of every refusal that has any. */
export const details: Readonly<Omit<RefusalDetails, Optional> & Partial<Pick<RefusalDetails, Optional>>> = {
  VALIDATION_FAILED: { quantity: 'invalid_quantity' },
  INVALID_AMOUNT: { amount: 'invalid_amount', least: 1, most: 45_000, currency: 'RUB' },
  UNREADABLE_COLOR: { field: 'accent_dark', pair: 'accent_on_ground', ratio: 1.93, least: 3 },
  BELOW_LEAST_AMOUNT: { least: 50, currency: 'RUB' },
  CONTACT_REQUIRED: { method: 'yookassa_card', needs: ['email'] },
  METHOD_UNAVAILABLE: { method: 'payme', reason: 'no_rate' },
  ABOVE_MOST_AMOUNT: { most: 100_000, currency: 'RUB' },
  INSUFFICIENT_BALANCE: { required: 5, available: 1.5, currency: 'USD' },
  FLOOR_PRICE: { prices: [{ game_amount: 400, price_usd: 4, price_rub: 320, floor_usd: 4.2, floor_rub: 336 }] },
  PRICE_CHANGED: { offer_id: 17, game_amount: 400, price_usd: 5.5, price_rub: 495 },
  RATE_JUMP: { was: 80, rate: 92.5, max_jump_percent: 10 },
  OUT_OF_STOCK: { offer_id: 17, requested: 3, available_count: 1, in_cart: 0 },
  STEAM_LOGIN_REFUSED: { login: 'lola_steam' },
  COUPON_REFUSED: { reason: 'below_minimum', least: 500, currency: 'RUB' },
  STATE_CONFLICT: { reason: 'repeat', order_id: '7ZK3M9Q2XB', seconds: 60 },
  DUPLICATE: { slug: 'duplicate' },
  WRONG_PIN: { triesLeft: 4 },
  RATE_LIMITED: { retryAfterSeconds: 30 },
  PAYMENT_PROVIDER_UNAVAILABLE: { reason: 'not_configured', currency: 'USD' },
  STARTING: { queue: 'down' },
}
