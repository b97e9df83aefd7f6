import { createHmac } from 'node:crypto'
import { parseDecimal } from '@olmos/contract/decimal'
import { z } from 'zod'
import { isSecret } from '../../../platform/security/tokens.ts'
import { accepted, forged, toJson, vendorUrl } from '../../../platform/vendor/adapters.ts'
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
  vendorPrice,
  vendorWords,
} from '../../../platform/vendor/vendor.ts'
import {
  canRepeat,
  cutPage,
  fillFields,
  readRows,
  readServicePage,
  refuseTooDear,
  type Supplier,
  type SupplierAdapter,
  type SupplierDeps,
  type SupplierOrder,
  type SupplierRequest,
  toCost,
  tooDear,
  toTrouble,
  type VendorField,
  type VendorOption,
  vendorTitle,
} from '../supplier.ts'

const settings = z.object({
  G2BULK_API_KEY: z.string(),
  G2BULK_BASE_URL: vendorUrl('https://api.g2bulk.com/v1'),
})

const id = z.union([z.int().min(0), vendorName(64)]).transform(String)

const order = z.object({
  order_id: id,
  status: vendorName(64),
  message: vendorWords(500).nullish(),
  price: vendorPrice.nullish().catch(undefined),
})
type Order = z.infer<typeof order>
const orderAnswer = z.object({ success: z.literal(true), order })

const listAnswer = z.object({ success: z.literal(true), orders: z.array(z.unknown()) })
const listedOrder = order.extend({ remark: vendorName(500) })
const playerAnswer = z.object({ valid: vendorName(32), name: vendorWords(200).nullish() })
const balanceAnswer = z.object({ success: z.literal(true), balance: vendorDecimal })
const refusal = z.object({ message: vendorWords(500).nullish(), error_code: vendorWords(100).nullish() })
const webhook = z.object({ status: vendorName(64), remark: vendorName(500) })

/** Statuses of the vendor's pages; the list of orders writes them in small letters. A failed order is refunded there. */
const statuses: ReadonlyMap<string, SupplierOrder['status']> = new Map(
  Object.entries({ PENDING: 'pending', PROCESSING: 'pending', COMPLETED: 'done', FAILED: 'failed' } as const),
)

/** An order's key; what is sent under it within 30 minutes is answered as the first was. */
const remembers = { keySeconds: 1_800 }

/** Repeated calls with a wrong key ban the shop's address for good, so a key that was refused rests. */
const refusedKeyRestsMs = 3_600_000

const listLimits = { perPage: 100, pagesMax: 3 }

/** Splits an item, such as 'pubgm/60 UC', into the code of its game and its name in the catalogue of that game. */
function toParts(item: string | null): { game: string; name: string } | undefined {
  const [game = '', ...rest] = item?.split('/') ?? []
  const name = rest.join('/')
  return game && name ? { game, name } : undefined
}

/** An order's name is a number there, and one that is sent as a text is not understood. */
const toOrderId = (name: string): number | string => (/^\d{1,15}$/.test(name) ? Number(name) : name)

function toOutcome<T>(schema: z.ZodType<T>, answer: VendorAnswer): Outcome<T> {
  if (answer.status < 200 || answer.status > 299) {
    const told = refusal.safeParse(answer.body).data
    return toTrouble(answer, told?.message || told?.error_code || undefined)
  }
  const read = schema.safeParse(answer.body)
  return read.success ? done(read.data) : unknown('bad_answer')
}

function toSupplierOrder({ order_id: supplierOrderId, status, message, price }: Order): Outcome<SupplierOrder> {
  const known = statuses.get(status.toUpperCase())
  if (known === undefined) return unknown('unknown_status')
  if (known === 'failed') return done({ supplierOrderId, status: known, why: message || status })
  const took = parseDecimal(price ?? '')
  return done({ supplierOrderId, status: known, ...(took !== undefined && { cost: toCost(took, 'USD') }) })
}

/**
 * Top-ups by G2Bulk, API version 1. An item is named by the code of its game and its name in the game's catalogue:
 * 'pubgm/60 UC'. Money is USD throughout.
 *
 * It follows github.com/botsgalaxy/G2Bulk-Public-API-DOC, as of 12 March 2026 (keys, prices, fields, orders and their
 * statuses), and what customers copied from api.g2bulk.com/docs in May and July 2026 (servers, the name of a character, the
 * list of orders, the remark in webhooks) or saw (the answer to a look-up, an order's number that must not be a text, the 400
 * for a player that nobody is, the 404 for a game without fields). Nothing was tried with an account. Not verified: how the
 * vendor words that no money is left (a reason with 'insufficient' is taken for it), how long a remark may be, whether the
 * list of orders shows it, and which side of its list of servers an order names.
 */
export const g2bulk = {
  name: 'g2bulk',
  settings,
  account: ['G2BULK_API_KEY', 'G2BULK_BASE_URL'],
  create: createG2bulk,
} satisfies SupplierAdapter<typeof settings>

function createG2bulk(
  { G2BULK_API_KEY, G2BULK_BASE_URL }: z.output<typeof settings>,
  { fetchVendor, publicUrl }: Pick<SupplierDeps, 'fetchVendor' | 'publicUrl'>,
): Supplier {
  // A shop without https gets no webhooks, and looks its orders up.
  const webhookUrl = publicUrl.startsWith('https:') && new URL('/api/supplier/webhook/g2bulk', publicUrl).href
  let keyRestsUntil = 0

  /** Calls that are public are made without the key, and so can't be refused for it. */
  const askPublic = (path: string, post?: object) =>
    askVendor(fetchVendor, `${G2BULK_BASE_URL}${path}`, { headers: {}, post })

  const catalogue = createG2bulkCatalogue(async (schema, path, post) => {
    const answer = await askPublic(path, post)
    return 'kind' in answer ? answer : toOutcome(schema, answer)
  })

  const call = async <T>(
    schema: z.ZodType<T>,
    path: string,
    { key, post }: { key?: string; post?: object } = {},
  ): Promise<Outcome<T>> => {
    if (performance.now() < keyRestsUntil) return rejected('not_allowed')
    const headers = { 'x-api-key': G2BULK_API_KEY, ...(key && { 'x-idempotency-key': key }) }
    const answer = await askVendor(fetchVendor, `${G2BULK_BASE_URL}${path}`, { headers, post })
    if ('kind' in answer) return answer
    if (answer.status === 401) keyRestsUntil = performance.now() + refusedKeyRestsMs
    return toOutcome(schema, answer)
  }

  /**
   * Makes an order's remark: the shop's key, and a proof that only somebody with the API key can make. A webhook repeats it,
   * and has no signature.
   */
  const toRemark = (key: string) =>
    `${key}.${createHmac('sha256', G2BULK_API_KEY).update(key).digest('base64url').slice(0, 22)}`

  const isOwnRemark = (remark: string, key: string): boolean => isSecret(toRemark(key), remark)

  /** Buys one unit, or repeats the vendor's first answer for as long as it remembers the key. */
  const send = async ({ key, account, item, code, costAtMost }: SupplierRequest): Promise<Outcome<SupplierOrder>> => {
    const parts = toParts(item)
    if (!parts || code !== undefined) return rejected('no_item')
    const fields = fillFields(g2bulkFields, account)
    if (!fields) return rejected('other_fields')
    // The price is read before every order, as the vendor takes no limit with one.
    const price = await catalogue.readPrice(parts.game, parts.name)
    if (price.kind !== 'done') return beforeSending(price)
    const cost = parseDecimal(price.value ?? '')
    if (cost === undefined) return beforeSending(unknown('bad_answer'))
    const dear = refuseTooDear(cost, costAtMost, 'USD')
    if (dear) return dear
    const post = {
      catalogue_name: parts.name,
      ...fields,
      remark: toRemark(key),
      ...(webhookUrl && { callback_url: webhookUrl }),
    }
    const answer = await call(orderAnswer, `/games/${encodeURIComponent(parts.game)}/order`, { key, post })
    return answer.kind === 'done' ? toSupplierOrder(answer.value.order) : answer
  }

  /**
   * Looks the shop's key up among the latest orders. That it is not there proves nothing, because no page of the vendor's
   * says that the list shows remarks.
   */
  const findInList = async (key: string): Promise<Outcome<SupplierOrder>> => {
    for (let page = 1; page <= listLimits.pagesMax; page++) {
      const answer = await call(listAnswer, `/games/orders?page=${page}&limit=${listLimits.perPage}`)
      if (answer.kind !== 'done') return answer.kind === 'rejected' ? unknown(answer.code) : answer
      const { orders } = answer.value
      const own = orders
        .flatMap((one) => listedOrder.safeParse(one).data ?? [])
        .filter((one) => one.remark.startsWith(key))
      const [first] = own
      if (first) return own.length === 1 ? toSupplierOrder(first) : unknown('several_orders')
      if (orders.length < listLimits.perPage) break
    }
    return unknown('not_in_list')
  }

  const readStatus = async ({ item }: SupplierRequest, supplierOrderId: string): Promise<Outcome<SupplierOrder>> => {
    const parts = toParts(item)
    if (!parts) return unknown('no_item')
    const post = { order_id: toOrderId(supplierOrderId), game: parts.game }
    const answer = await call(orderAnswer, '/games/order/status', { post })
    // It gave the order this name: that it does not find it now proves nothing.
    if (answer.kind !== 'done') return answer.kind === 'rejected' ? unknown(answer.code) : answer
    const { order } = answer.value
    return order.order_id === supplierOrderId ? toSupplierOrder(order) : unknown('other_order')
  }

  return {
    name: 'g2bulk',
    sells: ['topup'],
    redeemsCodes: false,
    needsItem: true,
    // No look-up ever says that an order is not there.
    settlesWithinSeconds: 0,
    remembers,

    listServices: catalogue.listServices,
    listProducts: catalogue.listProducts,
    listOptions: catalogue.listOptions,

    async checkPlayer(game, account) {
      const fields = fillFields(g2bulkFields, account)
      if (!fields) return unknown('other_fields')
      const { player_id: user_id, ...others } = fields
      const answer = await askPublic('/games/checkPlayerId', { game, user_id, ...others })
      if ('kind' in answer) return answer
      const player = playerAnswer.safeParse(answer.body).data
      if (answer.status === 200 && player?.valid === 'valid') return done({ name: player.name || null })
      // An id that nobody has was seen to be answered with 400; the vendor's pages only show one that somebody has.
      if ([200, 400].includes(answer.status) && player?.valid === 'invalid') return rejected('not_found')
      if (answer.status === 200) return unknown('bad_answer')
      return unknown(`http_${answer.status}`, { retryAfterSeconds: answer.retryAfterSeconds })
    },

    order: send,

    async lookUp(request, { supplierOrderId, ageSeconds }) {
      if (supplierOrderId !== null) return readStatus(request, supplierOrderId)
      if (!canRepeat(remembers, ageSeconds)) return findInList(request.key)
      const repeated = await send(request)
      if (repeated.kind !== 'rejected') return repeated
      const open = unknown(repeated.code, { facts: repeated.facts })
      if (repeated.code !== tooDear) return open
      // It may have been bought before it became too dear to be sent again.
      const found = await findInList(request.key)
      return found.kind === 'done' ? found : open
    },

    async readBalance() {
      const answer = await call(balanceAnswer, '/getMe')
      return answer.kind === 'done' ? done({ amount: toHundredths(answer.value.balance), currency: 'USD' }) : answer
    },

    readWebhook({ body }) {
      const read = webhook.safeParse(toJson(body))
      if (!read.success) return forged('not a webhook')
      const { status, remark } = read.data
      const [key = ''] = remark.split('.')
      if (!isOwnRemark(remark, key)) return forged('wrong remark')
      return { verified: true, events: [{ eventKey: `${key}:${status}`, about: { key } }], reply: accepted }
    },
  }
}

/** Makes a public call of the vendor's: a POST if there is something to post. */
type Ask = <T>(schema: z.ZodType<T>, path: string, post?: object) => Promise<Outcome<T>>

const games = z.object({ success: z.literal(true), games: z.array(z.unknown()) })
const game = z
  .object({ code: vendorName(64).regex(/^[^/]+$/), name: vendorTitle })
  .transform(({ code, name }) => ({ reference: code, title: name }))

/** What is sold of a game: `amount` is the price in USD, and `name` is what an order names. */
const catalogue = z.object({ success: z.literal(true), catalogues: z.array(z.unknown()) })
const listedOffer = z.object({ name: vendorName(200), amount: vendorPrice.nullable().catch(null) })

const fieldsAnswer = z.object({
  info: z.object({ fields: z.array(z.string().max(64)).max(12), notes: vendorWords(100).nullish() }),
})
/** By what an order has to name; the vendor's example has the same text on both sides. */
const serversAnswer = z.object({ servers: z.record(vendorName(200), vendorTitle) })

/** What the vendor lists as a field, and how an order and a check call it. */
const fieldNames: ReadonlyMap<string, { key: string; label: string }> = new Map([
  ['userid', { key: 'player_id', label: 'User ID' }],
  ['serverid', { key: 'server_id', label: 'Server ID' }],
  ['charname', { key: 'charname', label: 'Character name' }],
])

/** The fields of every order: the player and, where the game has them, a server and what else its notes say. */
const g2bulkFields = [
  { key: 'player_id', isRequired: true },
  { key: 'server_id', isRequired: false },
  { key: 'charname', isRequired: false },
]

/** Each takes a call for its fields, and perhaps one for its servers. */
const gamesPerPage = 20

/**
 * The catalogue of G2Bulk, which is public: games by their codes, and of each what its own catalogue names. The list of games
 * has no pages, so it is cut into some; a game takes a call for its fields, and one more for its servers if it has any.
 */
function createG2bulkCatalogue(ask: Ask) {
  /** Empty for a game whose server, if it wants one, is not chosen from a list: that is told by 403. */
  const readServers = async (game: string): Promise<Outcome<readonly VendorOption[]>> => {
    const answer = await ask(serversAnswer, '/games/servers', { game })
    if (answer.kind === 'rejected') return done([])
    if (answer.kind === 'unknown') return answer
    return done(Object.entries(answer.value.servers).map(([value, label]) => ({ value, label })))
  }

  /** Undefined for a game with a field that an order can't carry, which is left out: nobody could buy it. */
  const readFields = async (game: string): Promise<Outcome<VendorField[] | undefined>> => {
    const answer = await ask(fieldsAnswer, '/games/fields', { game })
    if (answer.kind === 'unknown') return answer
    const { fields: told, notes } = answer.kind === 'done' ? answer.value.info : { fields: [], notes: '' }
    const fields: VendorField[] = []
    // A game that lists no fields was seen to be told 404, and to want the player alone.
    for (const name of told.length > 0 ? told : ['userid']) {
      const known = fieldNames.get(name.toLowerCase().replaceAll('_', ''))
      if (!known) return done(undefined)
      const options = known.key === 'server_id' ? await readServers(game) : done([])
      if (options.kind !== 'done') return options
      const hasOptions = options.value.length > 0
      fields.push({
        key: known.key,
        // What a character's name stands for differs from game to game, and only the notes say it.
        label: known.key === 'charname' ? notes || known.label : known.label,
        type: hasOptions ? 'select' : 'text',
        isRequired: true,
        ...(hasOptions && { options: options.value }),
      })
    }
    return done(fields.some(({ key }) => key === 'player_id') ? fields : undefined)
  }

  return {
    /** What an offer costs, told as a text; null for what is no price, `rejected('no_such_offer')` where it is not sold. */
    async readPrice(game: string, name: string): Promise<Outcome<string | null>> {
      const answer = await ask(catalogue, `/games/${encodeURIComponent(game)}/catalogue`)
      if (answer.kind !== 'done') return answer
      const offers = answer.value.catalogues.map((row) => listedOffer.safeParse(row).data)
      const offer = offers.find((one) => one?.name === name)
      return offer ? done(offer.amount) : rejected('no_such_offer')
    },

    async listServices(cursor?: string) {
      const answer = await ask(games, '/games')
      if (answer.kind !== 'done') return answer
      const listed = readRows(answer.value.games, (row) => game.safeParse(row).data)
      if (listed.kind !== 'done') return listed
      return readServicePage(cutPage(listed.value, cursor, gamesPerPage), async ({ reference, title }) => {
        const fields = await readFields(reference)
        if (fields.kind !== 'done') return fields
        return done(
          fields.value && { reference, title, kind: 'topup', checkReference: reference, fields: fields.value },
        )
      })
    },

    async listProducts(game: string) {
      const answer = await ask(catalogue, `/games/${encodeURIComponent(game)}/catalogue`)
      if (answer.kind !== 'done') return answer
      const products = readRows(answer.value.catalogues, (row) => {
        const { name, amount } = listedOffer.safeParse(row).data ?? {}
        if (name === undefined || !amount) return undefined
        return { reference: `${game}/${name}`, name, cost: amount, currency: 'USD' }
      })
      return products.kind === 'done' ? done({ items: products.value }) : products
    },

    listOptions: async (game: string, field: string) => (field === 'server_id' ? readServers(game) : done([])),
  } satisfies Partial<Supplier> & Record<string, unknown>
}
