import { createHmac, timingSafeEqual } from 'node:crypto'
import { LIMITS } from '@olmos/contract/limits'
import { toMajor } from '@olmos/contract/minor-units'
import type { TopupService } from '@olmos/contract/topup-data'
import { z } from 'zod'
import { vendorUrl } from '../../../platform/vendor/adapters.ts'
import {
  askVendor,
  done,
  type Outcome,
  rejected,
  toHundredths,
  unknown,
  vendorName,
  vendorWords,
} from '../../../platform/vendor/vendor.ts'
import { accepted, forged, toJson, type Webhook } from '../../../platform/vendor/webhooks.ts'
import { type Decimal, one, parseDecimal } from '../../rates/rate.rules.ts'
import {
  refuseTooDear,
  type Supplier,
  type SupplierAdapter,
  type SupplierDeps,
  type SupplierOrder,
  type SupplierRequest,
  toTrouble,
} from '../supplier.ts'

const settings = z.object({
  FAZERCARDS_API_KEY: z.string(),
  FAZERCARDS_WEBHOOK_SECRET: z.string(),
  FAZERCARDS_BASE_URL: vendorUrl('https://api.fzr.cards/api/v2'),
})

/** The vendor's pages: reseller.fazercards.com/en/docs, api.fzr.cards/public/docs/openapi.json. */
const name = z.union([vendorName(128), z.int()]).transform(String)
const decimal = z
  .union([z.string(), z.number()])
  .transform(String)
  .pipe(z.string().regex(/^\d{1,12}(\.\d{1,8})?$/))

const outcome = {
  status: vendorName(64),
  /** Untyped in the vendor's pages: texts, or objects around one. */
  cards: z.array(z.unknown()).nullish(),
  failReason: vendorWords(500).nullish(),
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

/** What is sold of a category, each with its price in USD. Cards are named by `card_id`, top-ups by `offer_id`. */
const offersAnswer = z.object({
  ok: z.literal(true),
  offers: z.array(z.object({ offer_id: name.nullish(), card_id: name.nullish(), price_usd: z.unknown() })),
})
const loginAnswer = z.object({ ok: z.literal(true), can_refill: z.boolean() })

const playerAnswer = z.object({
  ok: z.literal(true),
  valid: z.boolean(),
  player_name: vendorWords(200).nullish(),
})
const balanceAnswer = z.object({ ok: z.literal(true), balance: decimal, currency: vendorName(8) })
const ratesAnswer = z.object({
  ok: z.literal(true),
  base: z.literal('USD'),
  rates: z.object({ RUB: decimal, KZT: decimal }),
})

/** A no, which may come with any status. */
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

/** Answers none for a status that nobody has heard of. A code order can be complete for a moment before its codes are there. */
function toOrderBy(
  { id, status, cards, failReason }: z.infer<typeof order>,
  { wantsCodes }: { wantsCodes: boolean },
): SupplierOrder | undefined {
  const known = statuses.get(status)
  if (known === undefined) return undefined
  const codes = (cards ?? []).flatMap((one) => card.safeParse(one).data ?? [])
  if (known === 'done' && wantsCodes) {
    return codes.length > 0
      ? { supplierOrderId: id, status: 'done', codes }
      : { supplierOrderId: id, status: 'pending' }
  }
  return { supplierOrderId: id, status: known, ...(known === 'failed' && { why: failReason || status }) }
}

/** '0.8800' or 0.88 of a USD; undefined for what is no price. */
function toPrice(told: unknown): Decimal | undefined {
  const text = decimal.safeParse(told).data
  return text === undefined ? undefined : parseDecimal(text)
}

/** What so much Steam balance costs at a rate of units for one USD, rounded up. */
const steamCost = (minorUnits: number, rate: Decimal): Decimal =>
  (BigInt(minorUnits) * one * one + 100n * rate - 1n) / (100n * rate)

/** An offer is named by its category and its own name there: 'pubg_mobile_auto/60_uc'. */
function toParts(item: string | null): { category: string; offer: string } | undefined {
  const [category = '', offer = '', ...more] = item?.split('/') ?? []
  return category && offer && more.length === 0 ? { category, offer } : undefined
}

/** Ids of games whose players can be looked for; another namespace than that of what is bought. */
const games: Partial<Record<TopupService, string>> = { pubg: 'pubg_mobile', freefire: 'free_fire' }

/** A replay of a key answers with the original order for 24 hours; close to that nothing is sent again. */
const replaySeconds = 20 * 3_600

/** Top-ups, Steam balance and gift cards by FazerCards, API version 2 (reseller.fazercards.com/en/docs). */
export const fazercards = { name: 'fazercards', settings, create: createFazercards } satisfies SupplierAdapter<
  typeof settings
>

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

  const asOrder = (answer: Outcome<z.infer<typeof orderAnswer>>, { wanted }: SupplierRequest) => {
    if (answer.kind !== 'done') return answer
    const order = toOrderBy(answer.value.order, { wantsCodes: wanted === 'code' })
    return order ? done<SupplierOrder>(order) : unknown('unknown_status')
  }

  /** What one unit costs there now. The price is read before every order, as the vendor takes no limit with one. */
  const readCost = async ({ path, category, offer, steam }: VendorOrder): Promise<Outcome<Decimal>> => {
    if (steam) {
      const answer = await call(ratesAnswer, '/steam-topup/rates')
      if (answer.kind !== 'done') return answer
      const rate =
        steam.currency === 'usd' ? one : toPrice(answer.value.rates[steam.currency === 'rub' ? 'RUB' : 'KZT'])
      return rate === undefined ? unknown('bad_answer') : done(steamCost(steam.amount, rate))
    }
    const list = path === '/giftcards/order' ? '/giftcards/cards' : '/topups/offers'
    const answer = await call(offersAnswer, `${list}?category_id=${encodeURIComponent(category)}`)
    if (answer.kind !== 'done') return answer
    const found = answer.value.offers.find(({ offer_id, card_id }) => (offer_id ?? card_id) === offer)
    if (!found) return rejected('OFFER_NOT_FOUND')
    const cost = toPrice(found.price_usd)
    return cost === undefined ? unknown('bad_answer') : done(cost)
  }

  const send = async (request: SupplierRequest): Promise<Outcome<SupplierOrder>> => {
    const order = orderFor(request)
    if (!order) return rejected('no_item')
    const cost = await readCost(order)
    if (cost.kind !== 'done') return cost
    const dear = refuseTooDear(cost.value, request.costAtMost, 'USD')
    if (dear) return dear
    return asOrder(await call(orderAnswer, order.path, { key: request.key, post: order.body }), request)
  }

  return {
    name: 'fazercards',
    sells: ['pubg', 'freefire', 'steam', 'code'],
    redeemsCodes: false,
    needsItem: true,
    // An order that is not known by its name is asked for by its key, which never says that it is not there.
    settlesWithinSeconds: 0,

    async checkPlayer(service, playerId) {
      const category_id = games[service]
      if (category_id === undefined) return unknown('no_such_check')
      const answer = await call(playerAnswer, '/topups/validate-id', {
        post: { category_id, fields: { player_id: playerId } },
      })
      // 422 is 'could not confirm', and any other no says nothing about the player either.
      if (answer.kind !== 'done') return unknown(answer.kind === 'rejected' ? answer.code : answer.why)
      const { valid, player_name } = answer.value
      return valid ? done({ name: player_name || playerId }) : rejected('not_found')
    },

    async checkSteamLogin(login) {
      const answer = await call(loginAnswer, '/steam-topup/check-login', { post: { steamLogin: login } })
      // A login that is new to it comes as `unverified`, and can be topped up all the same. A no to the question itself says
      // nothing of the login.
      if (answer.kind !== 'done') return unknown(answer.kind === 'rejected' ? answer.code : answer.why)
      return done({ canRefill: answer.value.can_refill })
    },

    order: send,

    async lookUp(request, { supplierOrderId, ageSeconds }) {
      if (supplierOrderId !== null) {
        const answer = await call(orderAnswer, `/orders/${encodeURIComponent(supplierOrderId)}`)
        // It gave the order this name: that it does not find it now proves nothing.
        return answer.kind === 'rejected' ? unknown(answer.code) : asOrder(answer, request)
      }
      if (ageSeconds > replaySeconds) return unknown('too_old')
      const replayed = await send(request)
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
      if (!read.success) return forged('not a notice')
      const { event_id: eventKey, data } = read.data
      return { verified: true, events: [{ eventKey, about: { supplierOrderId: data.order_id } }], reply: accepted }
    },
  }
}

interface VendorOrder {
  path: string
  body: object
  /** The category that the offer is in; empty for Steam. */
  category: string
  offer: string
  steam?: SupplierRequest['steam']
}

function orderFor({ wanted, account, item, steam, code }: SupplierRequest): VendorOrder | undefined {
  if (code !== undefined) return undefined
  if (wanted === 'steam') {
    if (!steam) return undefined
    const body = { steamLogin: account, currency: steam.currency.toUpperCase(), amount: toMajor(steam.amount) }
    return { path: '/steam-topup/order', body, category: '', offer: '', steam }
  }
  const parts = toParts(item)
  if (!parts) return undefined
  const { category: category_id, offer } = parts
  const of = { category: category_id, offer }
  return wanted === 'code'
    ? { ...of, path: '/giftcards/order', body: { category_id, card_id: offer, quantity: 1 } }
    : { ...of, path: '/topups/order', body: { category_id, offer_id: offer, fields: { player_id: account } } }
}

/** Both headers of the vendor's pages: `X-Webhook-Signature: sha256=<hex>` and `X-FazerCards-Signature: <hex>`. */
function isSigned(secret: string, { body, headers }: Webhook): boolean {
  const told = headers['x-webhook-signature'] ?? headers['x-fazercards-signature']
  const hex = typeof told === 'string' ? /^(?:sha256=)?([0-9a-f]{64})$/.exec(told)?.[1] : undefined
  return (
    hex !== undefined && timingSafeEqual(createHmac('sha256', secret).update(body).digest(), Buffer.from(hex, 'hex'))
  )
}
