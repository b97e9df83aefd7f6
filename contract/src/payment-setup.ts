import { z } from 'zod'
import { adminEndpoint } from './endpoint.ts'
import { languageSchema, percentBetween, text, time, toData, version } from './fields.ts'
import * as LIMITS from './limits.ts'
import { amountSchema, chargeCurrencies, shownAmountSchema } from './money.ts'
import { paymentMarks } from './orders.ts'
import { keptVersion, restoredVersion } from './versions.ts'

/** Who pays what a payment by a method costs. */
const feeBearers = ['shop', 'customer'] as const
export type FeeBearer = (typeof feeBearers)[number]

const name = text(1, LIMITS.wordLengthMax)

/** What one order may come to; null for no limit of the shop's. */
const limit = amountSchema.refine((amount) => amount > 0, 'invalid_amount').nullable()
const shownLimit = shownAmountSchema.nullable()

/** A way to pay, as the owner wants it offered. */
const shopMethod = z.object({
  name: z.string(),
  provider: z.string(),
  mark: z.enum(paymentMarks),
  charge_currencies: z.array(z.enum(chargeCurrencies)),
  /** Off: not offered any more; what is under way goes on. */
  is_on: z.boolean(),
  /** A language without a title shows the name of the mark. */
  titles: z.partialRecord(languageSchema, z.string()),
  /** By the currency of the order. The provider may have a least of its own besides. */
  least_usd: shownLimit,
  least_rub: shownLimit,
  most_usd: shownLimit,
  most_rub: shownLimit,
  /**
   * What using it costs: percents of what it pays, and a sum by the currency of the order. A customer who bears it pays it
   * on top, as a line of its own.
   */
  fee_percent: z.number(),
  fee_usd: shownAmountSchema,
  fee_rub: shownAmountSchema,
  fee_bearer: z.enum(feeBearers),
  /** Whether a customer's fee goes back when all of an order does; where nothing was delivered, it goes back in any case. */
  is_fee_refunded: z.boolean(),
  version,
})
export type ShopMethod = z.infer<typeof shopMethod>

/** What is left out stays. */
const methodChange = z
  .strictObject({
    is_on: z.boolean(),
    /** A blank title removes it. */
    titles: z.partialRecord(languageSchema, text(0, LIMITS.methodTitleMax)),
    least_usd: limit,
    least_rub: limit,
    most_usd: limit,
    most_rub: limit,
    fee_percent: percentBetween(0, LIMITS.paymentPercentMax),
    fee_usd: amountSchema,
    fee_rub: amountSchema,
    fee_bearer: z.enum(feeBearers),
    is_fee_refunded: z.boolean(),
    version,
  })
  .partial()
export type MethodChange = z.output<typeof methodChange>

/** Where a setting comes from: the environment wins where it is set, `shop` is what was typed in the admin area. */
const settingOrigins = ['environment', 'shop', 'default', 'missing'] as const

/**
 * `secret` is never answered; `shown` is; `environment` can be set there alone, because it leads to other machines than the
 * provider's.
 */
const settingUses = ['secret', 'shown', 'environment'] as const

/** A setting of somebody whom the shop has an account with: a payment provider, or who carries its messages. */
export const providerSetting = z.object({
  /** As the environment has it: `YOOKASSA_SHOP_ID`. */
  name: z.string(),
  use: z.enum(settingUses),
  is_required: z.boolean(),
  origin: z.enum(settingOrigins),
  /** Null for what is a secret, or is not set. */
  value: z.string().nullable(),
})
export type ProviderSetting = z.infer<typeof providerSetting>

/**
 * `on`: a method of it is offered. `off`: it is set up, and none is. `refused`: it does not take the shop's credentials or
 * payments, as an open alert says. `incomplete`: a setting is missing or wrong. `not_set_up`: the shop has no account here.
 */
export const providerStates = ['on', 'off', 'refused', 'incomplete', 'not_set_up'] as const
export type ProviderState = (typeof providerStates)[number]

const shopProvider = z.object({
  name: z.string(),
  state: z.enum(providerStates),
  /** Why it refuses, in its own words, where it said so. */
  refusal: z.object({ reason: z.string().nullable(), parameter: z.string().nullable(), since: time }).nullable(),
  /** Whether PAYMENT_PROVIDERS names it: its account is in the environment then, and can't be changed here. */
  is_in_environment: z.boolean(),
  settings: z.array(providerSetting),
  /** The addresses that the provider has to be told, and which events it has to send there. */
  webhooks: z.array(z.object({ url: z.string(), events: z.array(z.string()) })),
  version,
  changed_at: time.nullable(),
  /** The admin's nickname. */
  changed_by: z.string().nullable(),
})
export type ShopProvider = z.infer<typeof shopProvider>

/** By the names of settings. */
export const settingsByName = z.record(text(1, LIMITS.wordLengthMax), text(0, LIMITS.settingLengthMax))

/**
 * What came of asking a provider something harmless. `works`: it takes the credentials. `refused`: it does not, or refuses for
 * the reason in `code`. `no_answer`: nobody can tell. `not_possible`: this provider can't be asked, it asks the shop.
 */
const triedAccount = z.object({
  result: z.enum(['works', 'refused', 'no_answer', 'not_possible']),
  /** The provider's word for why it refuses, or what went wrong on the way. */
  code: z.string().nullable(),
  /** Whether it is an account for tests, which takes no real money; null where the provider does not say. */
  is_test: z.boolean().nullable(),
  /** Whether the account sends fiscal receipts; null where the provider does not say. */
  has_receipts: z.boolean().nullable(),
})
export type TriedAccount = z.infer<typeof triedAccount>

const byProvider = z.object({ provider: name })
const byMethod = z.object({ method: name.describe('The name of the way to pay.') })

/** Calls about the shop's ways to pay, and its accounts at providers. */
export const paymentSetupApi = {
  providers: adminEndpoint('GET /admin/payment-providers', {
    operationId: 'listPaymentProviders',
    permission: 'payments.read',
    summary: 'The payment providers there are, what each needs to be told and what of it is set; never a secret',
    answer: toData(z.array(shopProvider)),
  }),
  setAccount: adminEndpoint('PUT /admin/payment-providers/:provider', {
    operationId: 'setProviderAccount',
    permission: 'payments.setup',
    refusals: ['STATE_CONFLICT'],
    summary: 'Sets the shop’s account at a provider, or clears it; in force on every node within a second',
    params: byProvider,
    body: z.strictObject({
      /** A setting that is left out stays, a blank one is cleared; null clears the whole account. */
      settings: settingsByName.nullable(),
      version: version.optional(),
    }),
    answer: toData(shopProvider),
    confirmed: true,
  }),
  tryAccount: adminEndpoint('POST /admin/payment-providers/:provider/try', {
    operationId: 'tryProviderAccount',
    permission: 'payments.setup',
    summary: 'Asks a provider something harmless, to learn whether it takes the shop’s credentials',
    params: byProvider,
    body: z.strictObject({
      /** Typed and not stored; what is left out is as it is stored. */
      settings: settingsByName.default({}),
    }),
    answer: toData(triedAccount),
    confirmed: true,
  }),
  methods: adminEndpoint('GET /admin/payment-methods', {
    operationId: 'listShopMethods',
    permission: 'payments.read',
    summary: 'The ways to pay of all providers that are set up, in the order in which customers see them',
    answer: toData(z.array(shopMethod)),
  }),
  changeMethod: adminEndpoint('PUT /admin/payment-methods/:method', {
    operationId: 'changeShopMethod',
    permission: 'payments.setup',
    refusals: ['STATE_CONFLICT'],
    summary: 'Changes how a way to pay is offered; in force on every node within a second',
    params: byMethod,
    body: methodChange,
    answer: toData(shopMethod),
    confirmed: true,
  }),
  methodVersions: adminEndpoint('GET /admin/payment-methods/:method/versions', {
    operationId: 'listShopMethodVersions',
    permission: 'payments.read',
    summary: 'The last fifty versions of how a way to pay is offered, newest first',
    params: byMethod,
    answer: toData(z.array(keptVersion)),
  }),
  restoreMethod: adminEndpoint('POST /admin/payment-methods/:method/restore', {
    operationId: 'restoreShopMethod',
    permission: 'payments.setup',
    refusals: ['STATE_CONFLICT'],
    summary: 'Offers a way to pay as an older version says, if it could be saved today; its place in the order stays',
    params: byMethod,
    body: restoredVersion,
    answer: toData(shopMethod),
    confirmed: true,
  }),
  orderVersions: adminEndpoint('GET /admin/payment-methods/versions', {
    operationId: 'listShopMethodOrders',
    permission: 'payments.read',
    summary: 'The last fifty orders of the ways to pay, newest first',
    answer: toData(z.array(keptVersion)),
  }),
  restoreOrder: adminEndpoint('POST /admin/payment-methods/restore', {
    operationId: 'restoreShopMethodOrder',
    permission: 'payments.setup',
    refusals: ['NOT_FOUND', 'STATE_CONFLICT'],
    summary: 'Puts the ways to pay in an older order; those that have come since stay after the others',
    body: restoredVersion,
    answer: toData(z.array(shopMethod)),
    confirmed: true,
  }),
  orderMethods: adminEndpoint('POST /admin/payment-methods/order', {
    operationId: 'orderShopMethods',
    permission: 'payments.setup',
    refusals: ['STATE_CONFLICT'],
    summary: 'Puts the ways to pay in another order',
    body: z.strictObject({
      /** All of them, in the wanted order. */
      names: z.array(name).min(1, 'required').max(LIMITS.shopMethodsMax),
      /** As the admin saw them: where somebody else has moved one since, it is refused. */
      seen: z.array(name).max(LIMITS.shopMethodsMax).optional(),
    }),
    answer: toData(z.array(shopMethod)),
    confirmed: true,
  }),
}
