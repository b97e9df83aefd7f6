import { createHmac, timingSafeEqual } from 'node:crypto'
import { one, parseDecimal } from '@olmos/contract/decimal'
import * as LIMITS from '@olmos/contract/limits'
import { z } from 'zod'
import { forged, shownSetting, toJson, vendorUrl } from '../../../platform/vendor/adapters.ts'
import {
  askVendor,
  beforeSending,
  done,
  type Outcome,
  rejected,
  toHundredths,
  unknown,
  type VendorAnswer,
  vendorDecimal,
  vendorName,
  vendorWords,
} from '../../../platform/vendor/vendor.ts'
import {
  fillFields,
  refuseTooDear,
  type Supplier,
  type SupplierAdapter,
  type SupplierDeps,
  type SupplierOrder,
  type SupplierRequest,
  toCost,
  toTrouble,
  type VendorField,
} from '../supplier.ts'
import { createSeagmCatalogue, type SeagmKind } from './seagm-catalogue.ts'

const settings = z.object({
  SEAGM_UID: shownSetting(z.string().regex(/^\d{1,20}$/, 'must be the number of the account')),
  SEAGM_SECRET_KEY: z.string(),
  SEAGM_BASE_URL: vendorUrl('https://openapi.seagm.com'),
})

const name = z.union([vendorName(64), z.int()]).transform(String)
const currency = z.string().regex(/^[A-Z]{3}$/)

/** Every answer has it; 'Specific error codes' of the vendor's page are the values of `code`. */
const envelope = z.object({
  code: z.int(),
  msg: vendorWords(200).nullish().catch(undefined),
  error_info: z
    .object({ info_message: vendorWords(200) })
    .nullish()
    .catch(undefined),
})

const order = z.object({
  id: name,
  mch_order_id: vendorName(128).nullish().catch(undefined),
  status_code: name,
  pay_status_code: name.nullish().catch(undefined),
  pay_amount: vendorDecimal.nullish().catch(undefined),
  currency: currency.nullish().catch(undefined),
  refunded_amount: vendorDecimal.nullish().catch(undefined),
  refunded_reason: vendorWords(500).nullish().catch(undefined),
  /** A code was `pin` in the vendor's page of 2020, and `card_pin` in answers of its sandbox in 2026. */
  cards: z.array(z.object({ pin: z.string().nullish(), card_pin: z.string().nullish() })).nullish(),
})
type Order = z.infer<typeof order>

const me = z.object({ balance: vendorDecimal, currency })

const callbackParams = z.record(z.string(), z.union([z.string(), z.number()]).transform(String))
const callback = z.object({
  id: vendorName(64),
  status_code: vendorName(64),
  timestamp: vendorName(64),
  mch_order_id: z.string().optional(),
})

const statuses: ReadonlyMap<string, 'pending' | 'done' | 'failed' | 'refunded'> = new Map([
  ['10001', 'pending'],
  ['10002', 'pending'],
  ['10003', 'done'],
  ['10004', 'failed'],
  ['10005', 'refunded'],
])
const unpaid = '1'

const pin = vendorName(LIMITS.codeLengthMax)

/**
 * Answers none for a status that nobody has heard of. An order that failed is pending until it was refunded, as no page
 * says that every one is. A card's serial number is not passed on.
 */
function toOrder(answer: Order, { wanted }: SupplierRequest): SupplierOrder | undefined {
  const known = statuses.get(answer.status_code)
  if (known === undefined) return undefined
  const supplierOrderId = answer.id
  if (known === 'refunded' || (known === 'failed' && hasCostNothing(answer))) {
    return { supplierOrderId, status: 'failed', why: answer.refunded_reason || known }
  }
  const took = parseDecimal(answer.pay_amount ?? '')
  const cost = took !== undefined && answer.currency ? { cost: toCost(took, answer.currency) } : {}
  if (known !== 'done') return { supplierOrderId, status: 'pending', ...cost }
  if (wanted !== 'code') return { supplierOrderId, status: 'done', ...cost }
  const codes = (answer.cards ?? []).flatMap((card) => pin.safeParse(card.card_pin ?? card.pin).data ?? [])
  return codes.length > 0
    ? { supplierOrderId, status: 'done', codes, ...cost }
    : { supplierOrderId, status: 'pending', ...cost }
}

function hasCostNothing({ pay_status_code, pay_amount, refunded_amount }: Order): boolean {
  const [paid, refunded] = [parseDecimal(pay_amount ?? ''), parseDecimal(refunded_amount ?? '')]
  return pay_status_code === unpaid || (paid !== undefined && refunded !== undefined && refunded >= paid)
}

type Params = Readonly<Record<string, string>>

/** Parameters that every order has. A field of a game with such a name would be lost among them. */
const ownParams = ['uid', 'timestamp', 'signature', 'type_id', 'buy_amount', 'mch_order_id']

/** Fills the fields that a type wants in; undefined where some stay empty, or can't be sent. */
function toFields({ wanted, account }: SupplierRequest, fields: readonly VendorField[] = []): Params | undefined {
  if (wanted === 'code') return {}
  if (fields.length === 0 || fields.some(({ key }) => ownParams.includes(key))) return undefined
  return fillFields(fields, account)
}

/** A type is named by its number, which may say of which kind it is: '1060', 'card/2010'. */
function toTypeId(item: string | null, kind: SeagmKind): string | undefined {
  const [, said = kind, number] = /^(?:(recharge|card)\/)?(\d{1,18})$/.exec(item ?? '') ?? []
  return said === kind ? number : undefined
}

/**
 * What codes other than a success mean: a rejection only where none of them leaves anything open. The vendor's page seems
 * to have 413 for too many requests; its earlier one has 418 for an address that is banned for them.
 */
function toRefusal(answer: VendorAnswer, codes: readonly number[], said: z.infer<typeof envelope>): Outcome<never> {
  const isOpen = (code: number) =>
    [413, 418].includes(code) || toTrouble({ ...answer, status: code }, '').kind === 'unknown'
  const open = codes.find(isOpen)
  if (open !== undefined) return unknown(`http_${open}`, { retryAfterSeconds: answer.retryAfterSeconds })
  if (codes.includes(402)) return rejected('float_empty')
  if (codes.includes(404)) return rejected('not_found')
  return toTrouble({ ...answer, status: codes[0] ?? 400 }, said.error_info?.info_message || said.msg || undefined)
}

/** The parameters as they are signed: sorted by name, joined as they are. */
const toSigned = (params: Params): string =>
  Object.keys(params)
    .toSorted()
    .map((param) => `${param}=${params[param]}`)
    .join('&')

const sign = (secret: string, text: string): Buffer => createHmac('sha256', secret).update(text).digest()

/**
 * Top-ups and activation codes by the SEAGM Open API; `SEAGM_BASE_URL=https://openapi.seagm.io` is its sandbox. An item is
 * named by its type id: a recharge type for a top-up, a card type for a code. Prices are in the currency of the account.
 *
 * Sources: doc.openapi.seagm.io (2025-06-20) for addresses, envelope, codes and forms; github.com/tommychieng/seagm-api-doc
 * (2020, the vendor's earlier page) for signatures, the window of 120 seconds, `/v1/me` and cards; clients written after the
 * page (github.com/Qeon-Digital-House/seagm, with answers of the sandbox of June 2026, and officetoufiqur/seagm) for
 * statuses, `query_type`, categories, types, fields and callbacks.
 *
 * Not verified: what a repeated `mch_order_id` does (the adapter asks before it believes a refusal, and never repeats one
 * by itself), how long one may be, which of `balance` and `credits` is spent, and whether a player can be checked.
 */
export const seagm = {
  name: 'seagm',
  settings,
  account: ['SEAGM_UID', 'SEAGM_BASE_URL'],
  webhookEvents: [],
  create: createSeagm,
} satisfies SupplierAdapter<typeof settings>

function createSeagm(
  { SEAGM_UID, SEAGM_SECRET_KEY, SEAGM_BASE_URL }: z.output<typeof settings>,
  { fetchVendor, rateToBuyBy }: Pick<SupplierDeps, 'fetchVendor' | 'rateToBuyBy'>,
): Supplier {
  const call = async <T>(
    schema: z.ZodType<T>,
    path: string,
    { query = {}, form }: { query?: Params; form?: Params } = {},
  ): Promise<Outcome<T>> => {
    const unsigned = { ...query, uid: SEAGM_UID, timestamp: String(Math.floor(Date.now() / 1_000)) }
    const signature = sign(SEAGM_SECRET_KEY, toSigned({ ...form, ...unsigned })).toString('hex')
    const url = `${SEAGM_BASE_URL}${path}?${new URLSearchParams({ ...unsigned, signature })}`
    const answer = await askVendor(fetchVendor, url, { headers: {}, post: form && new URLSearchParams(form) })
    if ('kind' in answer) return answer
    const said = envelope.safeParse(answer.body).data
    const { status, retryAfterSeconds } = answer
    // An answer that is not in the vendor's envelope came from something in between.
    if (!said) return unknown(status === 200 ? 'bad_answer' : `http_${status}`, { retryAfterSeconds })
    const codes = [status, said.code].filter((code) => code < 200 || code > 299)
    // A wrong signature is 409, 'Resource conflict'. With an order it could as well be a conflict on its key.
    if (codes.includes(409) && !form) return rejected('not_allowed')
    // The signature was made more than two minutes from the vendor's time, so nothing is accepted until the clock is right.
    if (codes.includes(412)) return rejected('not_allowed')
    if (codes.length > 0) return toRefusal(answer, codes, said)
    const read = z.object({ data: schema }).safeParse(answer.body)
    return read.success ? done(read.data.data) : unknown('bad_answer')
  }

  const catalogue = createSeagmCatalogue(call)

  const asOrder = (answer: Order, request: SupplierRequest): Outcome<SupplierOrder> => {
    const known = toOrder(answer, request)
    return known ? done(known) : unknown('unknown_status')
  }

  const toKind = ({ wanted }: SupplierRequest): SeagmKind => (wanted === 'code' ? 'card' : 'recharge')

  const readOrder = (request: SupplierRequest, id: string, query_type: 'orderId' | 'mchOrderId') =>
    call(order, `/v1/${toKind(request)}-orders/${encodeURIComponent(id)}`, { query: { query_type } })

  const search = async (request: SupplierRequest): Promise<Outcome<SupplierOrder>> => {
    const answer = await readOrder(request, request.key, 'mchOrderId')
    if (answer.kind === 'rejected') return answer.code === 'not_found' ? answer : unknown(answer.code)
    if (answer.kind === 'unknown') return answer
    return answer.value.mch_order_id === request.key ? asOrder(answer.value, request) : unknown('other_order')
  }

  return {
    name: 'seagm',
    sells: ['topup', 'code'],
    redeemsCodes: false,
    needsItem: true,
    // No look-up ever says that an order is not there.
    settlesWithinSeconds: 0,
    // A repeated `mch_order_id` is never sent; the order that has it is looked up.
    remembers: 'own_reference',

    listServices: catalogue.listServices,
    listProducts: catalogue.listProducts,
    listOptions: catalogue.listOptions,

    async order(request) {
      const { wanted, item, code, key, costAtMost } = request
      const number = toTypeId(item, toKind(request))
      if (code !== undefined || wanted === 'amount' || number === undefined) return rejected('no_item')
      const wares = await catalogue.readType(toKind(request), number)
      if (wares.kind !== 'done') return beforeSending(wares)
      const { unit_price, currency, fields: wantedFields } = wares.value
      const fields = toFields(request, wantedFields)
      if (!fields) return rejected('other_fields')
      const rate = currency === 'USD' ? one : await rateToBuyBy(currency)
      if (rate === undefined) return rejected('no_rate')
      const cost = parseDecimal(unit_price ?? '')
      if (cost === undefined) return beforeSending(unknown('bad_answer'))
      const dear = refuseTooDear(cost, (costAtMost * rate) / one, currency)
      if (dear) return dear
      const form = { ...fields, type_id: number, buy_amount: '1', mch_order_id: key }
      const answer = await call(order, `/v1/${toKind(request)}-orders`, { form })
      if (answer.kind === 'done') return asOrder(answer.value, request)
      if (answer.kind === 'unknown') return answer
      // It may be refused because the key was used before, and then it was carried out.
      const earlier = await search(request)
      return earlier.kind === 'rejected' ? answer : earlier
    },

    async lookUp(request, { supplierOrderId }) {
      if (supplierOrderId === null) {
        const found = await search(request)
        // Until somebody has seen the vendor find an order by this key, that it does not find it proves nothing: the order would
        // be sent again, and perhaps bought twice.
        return found.kind === 'rejected' ? unknown(found.code) : found
      }
      const answer = await readOrder(request, supplierOrderId, 'orderId')
      // It gave the order this name: that it does not find it now proves nothing.
      if (answer.kind !== 'done') return answer.kind === 'rejected' ? unknown(answer.code) : answer
      return asOrder(answer.value, request)
    },

    async readBalance() {
      const answer = await call(me, '/v1/me')
      if (answer.kind !== 'done') return answer
      return done({ amount: toHundredths(answer.value.balance), currency: answer.value.currency })
    },

    readWebhook({ body }) {
      const params = toCallbackParams(body)
      if (!params || !isSigned(SEAGM_SECRET_KEY, params)) return forged('wrong signature')
      const told = callback.safeParse(params)
      if (!told.success) return forged('no callback of an order')
      const { id, status_code, timestamp, mch_order_id: key } = told.data
      const about = key ? { key } : { supplierOrderId: id }
      // Any other answer than this word is sent again.
      const reply = { status: 200, body: 'success' }
      return { verified: true, events: [{ eventKey: `${id}:${status_code}:${timestamp}`, about }], reply }
    },
  }
}

/** No page says whether a callback is JSON or a form, so either is read. */
function toCallbackParams(body: Buffer): Params | undefined {
  const json = toJson(body)
  if (json === undefined) return Object.fromEntries(new URLSearchParams(body.toString()))
  return callbackParams.safeParse(json).data
}

/**
 * Whether the vendor made this callback. Whether it signs spaces and the like as they are or as a form writes them differs
 * between the clients that were written after its page, so both are taken; case does not matter.
 */
function isSigned(secret: string, { signature = '', ...params }: Params): boolean {
  if (!/^[0-9a-f]{64}$/i.test(signature)) return false
  const told = Buffer.from(signature, 'hex')
  const form = new URLSearchParams(params)
  form.sort()
  return [toSigned(params), form.toString()].some((text) => timingSafeEqual(sign(secret, text), told))
}
