import { z } from 'zod'
import {
  done,
  type Outcome,
  rejected,
  unknown,
  vendorName,
  vendorPrice,
  vendorWords,
} from '../../../platform/vendor/vendor.ts'
import {
  type Account,
  createPace,
  createReadAhead,
  readRows,
  readServicePage,
  type Supplier,
  type VendorField,
  type VendorProduct,
  vendorCount,
  vendorTitle,
} from '../supplier.ts'

/** Makes a call of the vendor's, a GET. */
type Read = <T>(schema: z.ZodType<T>, path: string) => Promise<Outcome<T>>

const name = z.union([vendorName(128), z.int()]).transform(String)

const page = z.object({
  ok: z.literal(true),
  items: z.array(z.unknown()),
  meta: z.object({ next_cursor: vendorName(500).nullish(), has_more: z.boolean().nullish() }).nullish(),
})
const category = z.object({ category_id: name, name: vendorTitle })

/** Options are texts, or objects of a value and what it is called. */
const option = z.union([
  vendorTitle.transform((value) => ({ value, label: value })),
  z
    .object({ value: name.nullish(), id: name.nullish(), label: vendorTitle.nullish(), name: vendorTitle.nullish() })
    .transform(({ value, id, label, name }) => ({
      value: value ?? id ?? label ?? '',
      label: label ?? name ?? value ?? '',
    }))
    .refine(({ value, label }) => value !== '' && label !== ''),
])
/** No customer is asked for a secret, so a game that wants one is left out. */
const field = z.object({
  key: vendorName(64).refine((key) => !/passw|secret/i.test(key)),
  label: vendorWords(100).nullish(),
  type: z
    .string()
    .max(64)
    .refine((type) => type !== 'password')
    .nullish(),
  required: z.boolean().nullish(),
  options: z.array(option).max(500).nullish(),
})

const toField = ({ key, label, type, required, options }: z.infer<typeof field>): VendorField => ({
  key,
  label: label || key,
  type: options?.length ? 'select' : type === 'number' ? 'digits' : 'text',
  isRequired: required ?? true,
  ...(options?.length && { options }),
})

const readFields = (told: unknown): VendorField[] | undefined =>
  z.array(field).max(12).nullish().safeParse(told).data?.map(toField)

/** What is sold of a category, in USD. Cards are named by `card_id`, top-ups by `offer_id`. */
const offers = z.object({ ok: z.literal(true), offers: z.array(z.unknown()), fields: z.unknown().optional() })
const offer = z
  .object({
    offer_id: name.nullish(),
    card_id: name.nullish(),
    name: vendorTitle.nullish(),
    price_usd: vendorPrice.nullable().catch(null),
    stock: vendorCount,
    min_order_quantity: vendorCount,
    max_order_quantity: vendorCount,
  })
  .transform(({ offer_id, card_id, ...rest }) => ({ ...rest, id: offer_id ?? card_id ?? '' }))
type Offer = z.output<typeof offer>

const checkable = z.object({ category_id: name, fields: z.array(z.object({ key: vendorName(64) })).max(12) })

/** Where gift cards are; the categories of top-ups have names of their own. */
const giftcards = 'giftcards/'
const perPage = { topups: 10, giftcards: 100 }
/** The vendor allows 120 reads of its catalogue a minute, of which every order takes one. */
const pace = { burst: 50, perMinute: 60 }

const steam = {
  reference: 'steam',
  title: 'Steam',
  kind: 'topup',
  checkReference: 'steam',
  fields: [{ key: 'login', label: 'Steam login', type: 'text', isRequired: true }],
} as const

const checksLastMs = 3_600_000

function toProduct(category: string, { id, name, price_usd, ...offer }: Offer): VendorProduct | undefined {
  // An order names a category and an offer, with a slash in between.
  if (price_usd === null || id === '' || id.includes('/')) return undefined
  const { stock, min_order_quantity: quantityMin, max_order_quantity: quantityMax } = offer
  return {
    reference: `${category}/${id}`,
    name: name ?? id,
    cost: price_usd,
    currency: 'USD',
    ...(typeof stock === 'number' && { stock }),
    ...(typeof quantityMin === 'number' && { quantityMin }),
    ...(typeof quantityMax === 'number' && { quantityMax }),
  }
}

/** What one offer of a category costs, and which fields an order of it has to fill. */
interface PricedOffer {
  /** Null for what is no price. */
  price: string | null
  /** Undefined for fields that nobody can fill in; empty where it names none. */
  fields: readonly VendorField[] | undefined
}

/**
 * The catalogue of FazerCards: categories of top-ups, Steam, then those of gift cards, which it calls `giftcards/<category>`
 * here. Its pages are those of the vendor; the fields of a category come with its offers, in a call of their own.
 */
export function createFazercardsCatalogue(call: Read) {
  const wait = createPace(pace)
  const read: Read = async (schema, path) => {
    await wait()
    return call(schema, path)
  }
  const ahead = createReadAhead<z.output<typeof offers>>()
  let checks: { games: ReadonlyMap<string, readonly string[]>; until: number } | undefined

  const toOffers = (category: string) => `/topups/offers?category_id=${encodeURIComponent(category)}`
  const toCards = (category: string) => `/giftcards/cards?category_id=${encodeURIComponent(category)}`

  /** The games whose players can be looked for, with the fields of an account: another namespace than what is sold. */
  const readChecks = async (): Promise<Outcome<ReadonlyMap<string, readonly string[]>>> => {
    if (checks && checks.until > performance.now()) return done(checks.games)
    const answer = await call(page, '/topups/validate-id')
    if (answer.kind !== 'done') return answer
    const known = answer.value.items.flatMap((item) => checkable.safeParse(item).data ?? [])
    const games = new Map(known.map(({ category_id, fields }) => [category_id, fields.map(({ key }) => key)]))
    checks = { games, until: performance.now() + checksLastMs }
    return done(games)
  }

  const readTopup = async (category: string, title: string, games: Iterable<string>) => {
    const answer = await read(offers, toOffers(category))
    if (answer.kind !== 'done') return answer
    ahead.keep(category, answer.value)
    const fields = readFields(answer.value.fields ?? [])
    const checkReference = findCheck(category, games)
    // What asks for no account could be bought for nobody.
    if (!fields?.length) return done(undefined)
    return done({
      reference: category,
      title,
      kind: 'topup' as const,
      fields,
      ...(checkReference && { checkReference }),
    })
  }

  return {
    /** Finds one offer or card of a category; `rejected('OFFER_NOT_FOUND')` when it is not sold. */
    async readOffer(kind: 'topup' | 'code', category: string, id: string): Promise<Outcome<PricedOffer>> {
      const answer = await call(offers, kind === 'code' ? toCards(category) : toOffers(category))
      if (answer.kind !== 'done') return answer
      const sold = answer.value.offers.map((row) => offer.safeParse(row).data).find((one) => one?.id === id)
      if (!sold) return rejected('OFFER_NOT_FOUND')
      return done({ price: sold.price_usd, fields: kind === 'code' ? [] : readFields(answer.value.fields ?? []) })
    },

    /**
     * Puts an account into the names that the check of a game has for its fields: `zone_id`, where an order of the same game
     * has `server_id`. Those that are called differently are taken in their order.
     */
    async toCheckFields(service: string, account: Account): Promise<Account> {
      const games = await readChecks()
      const wanted = games.kind === 'done' ? games.value.get(service) : undefined
      if (!wanted) return account
      const given = new Map(Object.entries(account))
      const others = [...given.keys()].filter((key) => !wanted.includes(key))
      return Object.fromEntries(
        wanted.flatMap((key) => {
          const value = given.get(given.has(key) ? key : (others.shift() ?? ''))
          return value === undefined ? [] : [[key, value]]
        }),
      )
    },

    async listServices(cursor = 'topups:') {
      const [shelf, place] = [
        cursor.startsWith('giftcards:') ? 'giftcards' : 'topups',
        cursor.replace(/^\w+:/, ''),
      ] as const
      const query = new URLSearchParams({ limit: String(perPage[shelf]), ...(place && { cursor: place }) })
      const answer = await read(page, `/${shelf}?${query}`)
      // A plan without gift cards is told 403; it sells top-ups all the same.
      if (shelf === 'giftcards' && answer.kind === 'rejected' && answer.code === 'not_allowed')
        return done({ items: [] })
      if (answer.kind !== 'done') return answer
      const { next_cursor, has_more } = answer.value.meta ?? {}
      if (has_more && (!next_cursor || next_cursor === place)) return unknown('bad_answer')
      const listed = readRows(answer.value.items, (row) => {
        const read = category.safeParse(row).data
        return read && !read.category_id.includes('/') ? { reference: read.category_id, title: read.name } : undefined
      })
      if (listed.kind !== 'done') return listed
      const end = shelf === 'topups' ? { next: 'giftcards:' } : {}
      const next = next_cursor && has_more !== false ? { next: `${shelf}:${next_cursor}` } : end
      if (shelf === 'giftcards') {
        const toShelf = ({ reference, title }: { reference: string; title: string }) =>
          ({ reference: giftcards + reference, title, kind: 'code', fields: [] }) as const
        return done({ items: listed.value.map(toShelf), ...next })
      }
      const checks = await readChecks()
      if (checks.kind === 'unknown') return checks
      const games = checks.kind === 'done' ? [...checks.value.keys()] : []
      const services = await readServicePage({ items: listed.value, ...next }, ({ reference, title }) =>
        readTopup(reference, title, games),
      )
      if (services.kind !== 'done' || place) return services
      return done({ ...services.value, items: [steam, ...services.value.items] })
    },

    async listProducts(service: string) {
      if (service === steam.reference) return done({ items: [] })
      const isCards = service.startsWith(giftcards)
      const category = isCards ? service.slice(giftcards.length) : service
      const kept = ahead.take(service)
      const answer = kept ? done(kept) : await read(offers, isCards ? toCards(category) : toOffers(category))
      if (answer.kind !== 'done') return answer
      const products = readRows(answer.value.offers, (row) => {
        const read = offer.safeParse(row).data
        return read && toProduct(category, read)
      })
      return products.kind === 'done' ? done({ items: products.value }) : products
    },

    async listOptions(service: string, key: string) {
      if (service === steam.reference || service.startsWith(giftcards)) return done([])
      const answer = await read(offers, toOffers(service))
      if (answer.kind !== 'done') return answer
      const fields = readFields(answer.value.fields ?? [])
      return fields ? done(fields.find((field) => field.key === key)?.options ?? []) : unknown('bad_answer')
    },
  } satisfies Partial<Supplier> & Record<string, unknown>
}

/** Players of `pubg_mobile_auto` are looked for in `pubg_mobile`: the longest name that a category's begins with. */
function findCheck(category: string, games: Iterable<string>): string | undefined {
  return [...games]
    .filter((game) => category === game || category.startsWith(`${game}_`))
    .toSorted((one, other) => other.length - one.length)[0]
}
