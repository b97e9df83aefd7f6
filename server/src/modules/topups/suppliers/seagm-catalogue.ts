import { z } from 'zod'
import { done, type Outcome, rejected, vendorName, vendorPrice, vendorWords } from '../../../platform/vendor/vendor.ts'
import {
  createPace,
  createReadAhead,
  cutPage,
  readRows,
  readServicePage,
  type Supplier,
  type VendorField,
  type VendorProduct,
  vendorCount,
  vendorTitle,
} from '../supplier.ts'

/** A category of top-ups takes a call of its own for its fields. */
const perPage = { recharge: 10, card: 200 }
/** No page says how many calls a minute are allowed; who makes too many is banned, for up to three days. */
const pace = { burst: 50, perMinute: 60 }

/** Makes a signed call of the vendor's, a GET, and reads the `data` of its envelope. */
type Read = <T>(schema: z.ZodType<T>, path: string) => Promise<Outcome<T>>

/** A top-up is of a recharge type, a code of a card type; both are numbered, perhaps by the same numbers. */
export type SeagmKind = 'recharge' | 'card'

const id = z.union([z.int().min(0), z.string().regex(/^\d{1,18}$/)]).transform(String)
const list = z.array(z.unknown())
const category = z.object({ id, name: vendorTitle })

/** No page shows what a list to choose from looks like; these are the two shapes that others have. */
const option = z.union([
  vendorTitle.transform((value) => ({ value, label: value })),
  z
    .object({ value: z.union([vendorName(200), z.int()]).transform(String), label: vendorTitle.nullish() })
    .transform(({ value, label }) => ({ value, label: label ?? value })),
])
/** No customer is asked for a secret, so what wants one is left out. */
const field = z
  .object({
    name: z.string().regex(/^(?!.*(passw|secret))\w{1,64}$/i),
    label: vendorWords(100).nullish(),
    type: z.string().max(64).nullish(),
    options: z.array(option).max(500).nullish().catch(undefined),
  })
  .transform(
    ({ name: key, label, type, options }): VendorField => ({
      key,
      label: label || key,
      type: options?.length ? 'select' : type === 'number' ? 'digits' : 'text',
      isRequired: true,
      ...(options?.length && { options }),
    }),
  )

/** Undefined where some can't be read: nobody could fill them in. */
const readFields = (told: unknown): VendorField[] | undefined =>
  z
    .array(field)
    .max(12)
    .safeParse(told ?? []).data

/** What can be bought. A top-up lists the fields that it wants filled in; a card has none. */
const type = z.object({
  id: id.nullish(),
  name: vendorTitle.nullish(),
  unit_price: vendorPrice.nullable().catch(null),
  currency: z.string().regex(/^[A-Z]{3}$/),
  fields: z.unknown().optional().transform(readFields),
  min_amount: vendorCount,
  max_amount: vendorCount,
  has_stock: z.boolean().nullish().catch(undefined),
})
type Type = z.output<typeof type>

function toProduct({ id, name, unit_price, currency, ...more }: Type): VendorProduct | undefined {
  if (!id || unit_price === null) return undefined
  const { min_amount: quantityMin, max_amount: quantityMax } = more
  return {
    reference: id,
    name: name ?? id,
    cost: unit_price,
    currency,
    ...(more.has_stock === false && { stock: 0 }),
    ...(typeof quantityMin === 'number' && { quantityMin }),
    ...(typeof quantityMax === 'number' && { quantityMax }),
  }
}

const toFieldNames = (fields: readonly VendorField[]): string =>
  fields
    .map(({ key }) => key)
    .toSorted()
    .join(' ')

/**
 * The catalogue of SEAGM: its recharge categories, then its card categories, which are called `recharge/756` and `card/181`
 * here, as their types are. The lists have no pages, so they are cut into some. A category of top-ups has the fields of its
 * first type; another type that wants other fields is left out, as one form could not fill in both.
 */
export function createSeagmCatalogue(call: Read) {
  const wait = createPace(pace)
  const read: Read = async (schema, path) => {
    await wait()
    return call(schema, path)
  }
  const ahead = createReadAhead<z.output<typeof list>>()

  const readTypes = (service: string): Promise<Outcome<z.output<typeof list>>> => {
    const [, kind, number] = /^(recharge|card)\/(\d{1,18})$/.exec(service) ?? []
    if (!kind) return Promise.resolve(rejected('no_such_service'))
    return read(list, `/v1/${kind}-categories/${number}/${kind}-types`)
  }

  const readCategories = async (kind: SeagmKind) => {
    const answer = await read(list, `/v1/${kind}-categories`)
    if (answer.kind !== 'done') return answer
    return readRows(answer.value, (row) => {
      const read = category.safeParse(row).data
      return read && { reference: `${kind}/${read.id}`, title: read.name }
    })
  }

  /** Undefined for a category that sells nothing, and for one of which no form can be made. */
  const readForm = async (service: string): Promise<Outcome<readonly VendorField[] | undefined>> => {
    const answer = await readTypes(service)
    if (answer.kind !== 'done') return answer
    ahead.keep(service, answer.value)
    const forms = answer.value.map((row) => type.safeParse(row).data?.fields)
    return done(forms.find((fields) => fields !== undefined && fields.length > 0))
  }

  return {
    /** Reads one type; `rejected('no_such_type')` when it is not sold. */
    async readType(kind: SeagmKind, number: string): Promise<Outcome<Type>> {
      const answer = await call(type, `/v1/${kind}-types/${number}`)
      return answer.kind === 'rejected' && answer.code === 'not_found' ? rejected('no_such_type') : answer
    },

    async listServices(cursor = 'recharge:') {
      const kind: SeagmKind = cursor.startsWith('card:') ? 'card' : 'recharge'
      const listed = await readCategories(kind)
      if (listed.kind !== 'done') return listed
      const { items, next } = cutPage(listed.value, cursor.replace(/^\w+:/, '') || undefined, perPage[kind])
      const end = kind === 'recharge' ? { next: 'card:' } : {}
      const page = { items, ...(next === undefined ? end : { next: `${kind}:${next}` }) }
      return readServicePage(page, async ({ reference, title }) => {
        if (kind === 'card') return done({ reference, title, kind: 'code', fields: [] })
        const fields = await readForm(reference)
        return fields.kind === 'done'
          ? done(fields.value && { reference, title, kind: 'topup', fields: fields.value })
          : fields
      })
    },

    async listProducts(service: string) {
      const kept = ahead.take(service)
      const answer = kept ? done(kept) : await readTypes(service)
      if (answer.kind !== 'done') return answer
      const kind = service.replace(/\/.*/, '')
      let form: string | undefined
      const products = readRows(answer.value, (row) => {
        const read = type.safeParse(row).data
        if (!read?.fields) return undefined
        const fieldNames = toFieldNames(read.fields)
        form ??= fieldNames || undefined
        if (kind === 'recharge' && (fieldNames === '' || fieldNames !== form)) return null
        const product = toProduct(read)
        return product && { ...product, reference: `${kind}/${product.reference}` }
      })
      return products.kind === 'done' ? done({ items: products.value }) : products
    },

    async listOptions(service: string, key: string) {
      const fields = await readForm(service)
      if (fields.kind !== 'done') return fields
      return done(fields.value?.find((field) => field.key === key)?.options ?? [])
    },
  } satisfies Partial<Supplier> & Record<string, unknown>
}
