import type { SourcingShop } from '../src/modules/sourcing/sync.ts'
import type {
  Supplier,
  SupplierOrder,
  SupplierRequest,
  VendorField,
  VendorProduct,
} from '../src/modules/topups/supplier.ts'
import { sql } from '../src/platform/database/queries.ts'
import { done, type Outcome } from '../src/platform/vendor/vendor.ts'
import type { TestShop } from './shop.ts'

/** A game of a test's supplier. */
export interface TestWare {
  title: string
  kind?: 'topup' | 'code'
  checkReference?: string
  fields: VendorField[]
  products: Record<string, Partial<VendorProduct> & { name: string; cost: string }>
}

export const userId: VendorField = { key: 'user_id', label: 'User ID', type: 'digits', isRequired: true }
export const zoneId: VendorField = { key: 'zone_id', label: 'Zone', type: 'digits', isRequired: true }

/** Makes the products of a game: '60 UC' costs 0.88. */
export const priced = (game: string, costs: Record<string, string>): TestWare['products'] =>
  Object.fromEntries(Object.entries(costs).map(([name, cost]) => [`${game}/${name}`, { name, cost }]))

export interface ListedSupplier {
  supplier: Supplier & Required<Pick<Supplier, 'listServices' | 'listProducts'>>
  /** What it sells, by its references; a test may change it. */
  wares: Record<string, TestWare>
  /** What it was asked, one after the other. */
  calls: string[]
  /** What it answers to a call ('services 0', 'products pubg 0') instead of its list, or does before it answers with that. */
  instead: Map<string, () => Promise<Outcome<never> | undefined> | Outcome<never>>
  orders: SupplierRequest[]
}

interface Wish {
  pageSize?: number
  /** Whether each page says how many there are. */
  countsPages?: boolean
  sells?: Supplier['sells']
  redeemsCodes?: boolean
  answer?: (request: SupplierRequest) => Outcome<SupplierOrder> | Promise<Outcome<SupplierOrder>>
}

/** Makes a supplier that tells what it sells, page by page, and does with orders what it is told. */
export function listedSupplier(name: string, wares: Record<string, TestWare>, wish: Wish = {}): ListedSupplier {
  const { pageSize = 2, countsPages = false, sells = ['topup', 'code'], redeemsCodes = false } = wish
  const listed: Omit<ListedSupplier, 'supplier'> = { wares, calls: [], instead: new Map(), orders: [] }
  const answer = async <Item>(call: string, all: readonly Item[], page: number) => {
    listed.calls.push(`${call} ${page}`)
    const other = await listed.instead.get(`${call} ${page}`)?.()
    if (other) return other
    const items = all.slice(page * pageSize, (page + 1) * pageSize)
    const pages = Math.ceil(all.length / pageSize)
    return done({ items, ...(page + 1 < pages && { next: String(page + 1) }), ...(countsPages && { pages }) })
  }
  const supplier: ListedSupplier['supplier'] = {
    name,
    sells,
    redeemsCodes,
    needsItem: true,
    settlesWithinSeconds: 0,
    remembers: 'own_reference',
    listServices: (cursor = '0') =>
      answer(
        'services',
        Object.entries(listed.wares).map(([reference, { products: _, kind = 'topup', ...ware }]) => ({
          reference,
          kind,
          ...ware,
        })),
        Number(cursor),
      ),
    listProducts: (service, cursor = '0') =>
      answer(
        `products ${service}`,
        Object.entries(listed.wares[service]?.products ?? {}).map(([reference, product]) => ({
          reference,
          currency: 'USD',
          ...product,
        })),
        Number(cursor),
      ),
    order: async (request) => {
      listed.orders.push(request)
      return (await wish.answer?.(request)) ?? done({ supplierOrderId: `${name}-${request.key}`, status: 'done' })
    },
    lookUp: async (request) =>
      (await wish.answer?.(request)) ?? done({ supplierOrderId: `${name}-${request.key}`, status: 'done' }),
  }
  return Object.assign(listed, { supplier })
}

/** Makes what reading a list needs, with these suppliers. */
export const shopWith = (shop: TestShop, ...suppliers: Supplier[]): SourcingShop => ({
  database: shop.database,
  log: shop.log,
  suppliers: { configured: suppliers, off: [], sandbox: undefined },
})

/** Has the running store deal with this supplier, too. */
export function addSupplier(shop: TestShop, supplier: Supplier): void {
  ;(shop.suppliers.configured as Supplier[]).unshift(supplier)
}

/** Has the catalogue know that a supplier of these is on, as a running store does. */
export const noteSeller = (
  { database }: Pick<TestShop, 'database'>,
  { name, sells, needsItem, redeemsCodes }: Pick<Supplier, 'name' | 'sells' | 'needsItem' | 'redeemsCodes'>,
) =>
  database.run(sql`
    INSERT INTO supplier_health (supplier, sells, needs_item, redeems_codes)
    VALUES (${name}, ${sells}::text[], ${needsItem}, ${redeemsCodes})
    ON CONFLICT (supplier) DO UPDATE SET sells = excluded.sells`)

/** Lets the lease of a supplier's reading end, and its quarter of an hour pass. */
export const passSyncTime = (shop: TestShop, supplier: string, minutes = 16) =>
  shop.database.run(sql`
    UPDATE supplier_sync SET leased_until = leased_until - make_interval(mins => ${minutes}),
      started_at = started_at - make_interval(mins => ${minutes}) WHERE supplier = ${supplier}`)
