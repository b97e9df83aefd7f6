import { createHmac, timingSafeEqual } from 'node:crypto'
import { type Decimal, one, parseDecimal } from '@olmos/contract/decimal'
import * as LIMITS from '@olmos/contract/limits'
import { toMajor } from '@olmos/contract/minor-units'
import { z } from 'zod'
import { accepted, forged, toJson, vendorUrl, type Webhook } from '../../../platform/vendor/adapters.ts'
import {
  askVendor,
  beforeSending,
  done,
  type Outcome,
  rejected,
  toHundredths,
  unknown,
  vendorDecimal,
  vendorName,
  vendorPrice,
  vendorWords,
} from '../../../platform/vendor/vendor.ts'
import {
  type Account,
  canRepeat,
  fillFields,
  type Player,
  refuseTooDear,
  type Supplier,
  type SupplierAdapter,
  type SupplierDeps,
  type SupplierOrder,
  type SupplierRequest,
  toCost,
  toTrouble,
} from '../supplier.ts'
import { createFazercardsCatalogue } from './fazercards-catalogue.ts'

const settings = z.object({
  FAZERCARDS_API_KEY: z.string(),
  FAZERCARDS_WEBHOOK_SECRET: z.string(),
  FAZERCARDS_BASE_URL: vendorUrl('https://api.fzr.cards/api/v2'),
})

/** The vendor's pages: reseller.fazercards.com/en/docs, api.fzr.cards/public/docs/openapi.json. */
const name = z.union([vendorName(128), z.int()]).transform(String)

const outcome = {
  status: vendorName(64),
  /** Untyped in the vendor's pages: texts, or objects around one. */
  cards: z.array(z.unknown()).nullish(),
  failReason: vendorWords(500).nullish(),
  chargedUsd: vendorPrice.nullish().catch(undefined),
}
const order = z.object({ id: name, ...outcome })

/** The documented answer to an order, and the flat one that was seen, with its status or without; both stand for the same. */
const orderAnswer = z.union([
  z.object({ ok: z.literal(true), order }),
  z
    .object({ ok: z.literal(true), order_id: name, ...outcome, status: outcome.status.nullish() })
    .transform(({ ok, order_id: id, status, ...rest }) => ({
      ok,
      order: { id, status: status ?? 'created', ...rest },
    })),
])

const loginAnswer = z.object({ ok: z.literal(true), can_refill: z.boolean() })

const playerAnswer = z.object({
  ok: z.literal(true),
  valid: z.boolean(),
  player_name: vendorWords(200).nullish(),
})
const balanceAnswer = z.object({ ok: z.literal(true), balance: vendorDecimal, currency: vendorName(8) })
const ratesAnswer = z.object({
  ok: z.literal(true),
  base: z.literal('USD'),
  rates: z.object({ RUB: vendorPrice, KZT: vendorPrice }),
})

/** A rejection, which may come with any status. */
const refusal = z.object({
  ok: z.literal(false),
  error: vendorWords(500).optional(),
  code: vendorWords(100).optional(),
})

const webhook = z.object({ event_id: vendorName(128), data: z.object({ order_id: name }) })

const statuses: ReadonlyMap<string, SupplierOrder['status']> = new Map(
  Object.entries({
    created: 'pending',
    processing: 'pending',
    pending: 'pending',
    completed: 'done',
    failed: 'failed',
    refunded: 'failed',
    refund: 'failed',
  } as const),
)

/** A code that was changed on its way is no code. */
const code = vendorName(LIMITS.codeLengthMax)
const card = z.union([
  code,
  z.object({ code }).transform((one) => one.code),
  z.object({ pin: code }).transform((one) => one.pin),
])

/**
 * Answers none for a status that nobody has heard of. A code order can be complete for a moment before its codes are there.
 * It took the price that was read before, unless it says another.
 */
function toOrderBy(
  { id, status, cards, failReason, chargedUsd }: z.infer<typeof order>,
  { wantsCodes, price }: { wantsCodes: boolean; price: Decimal | undefined },
): SupplierOrder | undefined {
  const known = statuses.get(status)
  if (known === undefined) return undefined
  if (known === 'failed') return { supplierOrderId: id, status: known, why: failReason || status }
  const charged = parseDecimal(chargedUsd ?? '') ?? price
  const taken = { supplierOrderId: id, ...(charged !== undefined && { cost: toCost(charged, 'USD') }) }
  if (known !== 'done' || !wantsCodes) return { ...taken, status: known }
  const codes = (cards ?? []).flatMap((one) => card.safeParse(one).data ?? [])
  return codes.length > 0 ? { ...taken, status: 'done', codes } : { ...taken, status: 'pending' }
}

/** What so much Steam balance costs at a rate of units for one USD, rounded up. */
const steamCost = (minorUnits: number, rate: Decimal): Decimal =>
  (BigInt(minorUnits) * one * one + 100n * rate - 1n) / (100n * rate)

/** An offer is named by its category and its own name there: 'pubg_mobile_auto/60_uc'. */
function toParts(item: string | null): { category: string; offer: string } | undefined {
  const [category = '', offer = '', ...more] = item?.split('/') ?? []
  return category && offer && more.length === 0 ? { category, offer } : undefined
}

/** A replay of a key answers with the original order for 24 hours. */
const remembers = { keySeconds: 86_400 }

/** Top-ups, Steam balance and gift cards by FazerCards, API version 2 (reseller.fazercards.com/en/docs). */
export const fazercards = {
  name: 'fazercards',
  settings,
  account: ['FAZERCARDS_API_KEY', 'FAZERCARDS_BASE_URL'],
  webhookEvents: [],
  create: createFazercards,
} satisfies SupplierAdapter<typeof settings>

function createFazercards(
  { FAZERCARDS_API_KEY, FAZERCARDS_WEBHOOK_SECRET, FAZERCARDS_BASE_URL }: z.output<typeof settings>,
  { fetchVendor }: Pick<SupplierDeps, 'fetchVendor'>,
): Supplier {
  const call = async <T>(schema: z.ZodType<T>, path: string, sent: { key?: string; post?: object } = {}) => {
    const headers = { 'x-api-key': FAZERCARDS_API_KEY, ...(sent.key && { 'idempotency-key': sent.key }) }
    const answer = await askVendor(fetchVendor, `${FAZERCARDS_BASE_URL}${path}`, { headers, post: sent.post })
    if ('kind' in answer) return answer
    const no = refusal.safeParse(answer.body).data
    const reason = no && (no.code ?? no.error)
    if (answer.status < 200 || answer.status > 299) return toTrouble(answer, reason)
    if (no) return toTrouble({ ...answer, status: 400 }, reason ?? 'refused')
    const read = schema.safeParse(answer.body)
    return read.success ? done(read.data) : unknown('bad_answer')
  }

  const catalogue = createFazercardsCatalogue(call)

  const asOrder = (
    answer: Outcome<z.infer<typeof orderAnswer>>,
    { wanted }: SupplierRequest,
    price?: Decimal,
  ): Outcome<SupplierOrder> => {
    if (answer.kind !== 'done') return answer
    const order = toOrderBy(answer.value.order, { wantsCodes: wanted === 'code', price })
    return order ? done(order) : unknown('unknown_status')
  }

  const prepareSteam = async ({ account, steam }: SupplierRequest): Promise<Outcome<PreparedOrder>> => {
    const { login } = account
    if (!steam) return rejected('no_item')
    if (!login) return rejected('other_fields')
    const answer = await call(ratesAnswer, '/steam-topup/rates')
    if (answer.kind !== 'done') return answer
    const { RUB, KZT } = answer.value.rates
    const rate = parseDecimal({ usd: '1', rub: RUB, kzt: KZT }[steam.currency])
    if (rate === undefined) return unknown('bad_answer')
    const body = { steamLogin: login, currency: steam.currency.toUpperCase(), amount: toMajor(steam.amount) }
    return done({ path: '/steam-topup/order', body, price: steamCost(steam.amount, rate) })
  }

  const prepareOffer = async ({ wanted, account, item }: SupplierRequest): Promise<Outcome<PreparedOrder>> => {
    const parts = toParts(item)
    if (!parts) return rejected('no_item')
    const { category: category_id, offer } = parts
    const sold = await catalogue.readOffer(wanted === 'code' ? 'code' : 'topup', category_id, offer)
    if (sold.kind !== 'done') return sold
    const price = parseDecimal(sold.value.price ?? '')
    if (price === undefined) return unknown('bad_answer')
    if (wanted === 'code') {
      return done({ path: '/giftcards/order', body: { category_id, card_id: offer, quantity: 1 }, price })
    }
    const { fields: wantedFields } = sold.value
    const fields = wantedFields?.length === 0 ? account : wantedFields && fillFields(wantedFields, account)
    if (!fields) return rejected('other_fields')
    return done({ path: '/topups/order', body: { category_id, offer_id: offer, fields }, price })
  }

  /**
   * Buys one unit, or repeats the vendor's first answer. The price is read every time, as it takes no limit with an order;
   * what a repeat reads is not what the first one took.
   */
  const send = async (request: SupplierRequest, { isRepeat = false } = {}): Promise<Outcome<SupplierOrder>> => {
    const { key, wanted, code, costAtMost } = request
    if (code !== undefined) return rejected('no_item')
    const prepared = await (wanted === 'amount' ? prepareSteam(request) : prepareOffer(request))
    if (prepared.kind !== 'done') return beforeSending(prepared)
    const { path, body, price } = prepared.value
    const dear = refuseTooDear(price, costAtMost, 'USD')
    if (dear) return dear
    return asOrder(await call(orderAnswer, path, { key, post: body }), request, isRepeat ? undefined : price)
  }

  const checkLogin = async ({ login }: Account): Promise<Outcome<Player>> => {
    if (!login) return unknown('other_fields')
    const answer = await call(loginAnswer, '/steam-topup/check-login', { post: { steamLogin: login } })
    // A login that is new to it comes as `unverified`, and can be topped up all the same. A rejection of the
    // question itself says nothing about the login.
    if (answer.kind !== 'done') return unknown(answer.kind === 'rejected' ? answer.code : answer.why)
    return answer.value.can_refill ? done({ name: null }) : rejected('not_found')
  }

  return {
    name: 'fazercards',
    sells: ['topup', 'amount', 'code'],
    redeemsCodes: false,
    needsItem: true,
    // An order that is not known by its name is asked for by its key, which never says that it is not there.
    settlesWithinSeconds: 0,
    remembers,

    listServices: catalogue.listServices,
    listProducts: catalogue.listProducts,
    listOptions: catalogue.listOptions,

    async checkPlayer(service, account) {
      if (service === 'steam') return checkLogin(account)
      const fields = await catalogue.toCheckFields(service, account)
      const answer = await call(playerAnswer, '/topups/validate-id', { post: { category_id: service, fields } })
      // 422 is 'could not confirm', and any other no says nothing about the player either.
      if (answer.kind !== 'done') return unknown(answer.kind === 'rejected' ? answer.code : answer.why)
      const { valid, player_name } = answer.value
      return valid ? done({ name: player_name || null }) : rejected('not_found')
    },

    order: (request) => send(request),

    async lookUp(request, { supplierOrderId, ageSeconds }) {
      if (supplierOrderId !== null) {
        const answer = await call(orderAnswer, `/orders/${encodeURIComponent(supplierOrderId)}`)
        // It gave the order this name: that it does not find it now proves nothing.
        return answer.kind === 'rejected' ? unknown(answer.code) : asOrder(answer, request)
      }
      if (!canRepeat(remembers, ageSeconds)) return unknown('too_old')
      const replayed = await send(request, { isRepeat: true })
      return replayed.kind === 'rejected' ? unknown(replayed.code, { facts: replayed.facts }) : replayed
    },

    async readBalance() {
      const answer = await call(balanceAnswer, '/balance')
      if (answer.kind !== 'done') return answer
      return done({ amount: toHundredths(answer.value.balance), currency: answer.value.currency })
    },

    async readSteamRates() {
      const answer = await call(ratesAnswer, '/steam-topup/rates')
      if (answer.kind !== 'done') return answer
      const { RUB, KZT } = answer.value.rates
      return done({ usd: '1', rub: RUB, kzt: KZT })
    },

    readWebhook(told) {
      if (!isSigned(FAZERCARDS_WEBHOOK_SECRET, told)) return forged('wrong signature')
      const read = webhook.safeParse(toJson(told.body))
      if (!read.success) return forged('not a webhook')
      const { event_id: eventKey, data } = read.data
      return { verified: true, events: [{ eventKey, about: { supplierOrderId: data.order_id } }], reply: accepted }
    },
  }
}

/** An order that is ready to be sent, and what it costs now. */
interface PreparedOrder {
  path: string
  body: object
  price: Decimal
}

/** Both headers of the vendor's pages: `X-Webhook-Signature: sha256=<hex>` and `X-FazerCards-Signature: <hex>`. */
function isSigned(secret: string, { body, headers }: Webhook): boolean {
  const told = headers['x-webhook-signature'] ?? headers['x-fazercards-signature']
  const hex = typeof told === 'string' ? /^(?:sha256=)?([0-9a-f]{64})$/.exec(told)?.[1] : undefined
  return (
    hex !== undefined && timingSafeEqual(createHmac('sha256', secret).update(body).digest(), Buffer.from(hex, 'hex'))
  )
}
