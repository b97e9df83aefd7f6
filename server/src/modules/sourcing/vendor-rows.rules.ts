import * as LIMITS from '@olmos/contract/limits'
import { isStorable } from '@olmos/contract/storable'
import type { RejectedRow, RowFault } from '@olmos/contract/supplier-lists'
import type { VendorField, VendorProduct, VendorService } from '../topups/supplier.ts'

/** A game of a supplier's list as the database takes it. */
export interface ServiceRow {
  reference: string
  title: string
  kind: VendorService['kind']
  check_reference: string | null
  fields: readonly VendorField[]
}

/** A product of a supplier's list as the database takes it; `cost` is a decimal that is above zero and exact. */
export interface ProductRow {
  reference: string
  name: string
  cost: string
  currency: string
  stock: number | null
  quantity_min: number | null
  quantity_max: number | null
  region: string | null
}

/** ISO 4217, and the stablecoin that some suppliers reckon with. */
const currencies: ReadonlySet<string> = new Set([...Intl.supportedValuesOf('currency'), 'USDT'])
const fieldTypes: readonly string[] = ['digits', 'text', 'select'] satisfies VendorField['type'][]
const intMax = 2_147_483_647
const keyMax = 64

const isText = (value: unknown, max: number): value is string =>
  typeof value === 'string' && value.trim() !== '' && value.length <= max && isStorable(value)

/** A reference is sent back letter for letter, so it may not be changed on its way into the database. */
const isReference = (value: unknown): value is string =>
  isText(value, LIMITS.vendorReferenceMax) && value === value.trim()

const isCount = (value: unknown, least: number): value is number =>
  Number.isInteger(value) && (value as number) >= least && (value as number) <= intMax

const toCount = (value: number | undefined, least: number): number | null => (isCount(value, least) ? value : null)

/** Reads '0.88000000' as '0.88'. Commas, signs, exponents and more than eight places are faults, and so is zero. */
function readCost(cost: unknown): { cost: string } | RowFault {
  const match = typeof cost === 'string' ? /^(\d{1,12})(?:\.(\d{1,40}))?$/.exec(cost) : null
  if (!match) return 'cost'
  const decimals = (match[2] ?? '').replace(/0+$/, '')
  if (decimals.length > 8) return 'decimals'
  const whole = match[1]?.replace(/^0+(?=\d)/, '') ?? '0'
  if (whole === '0' && decimals === '') return 'cost'
  return { cost: decimals === '' ? whole : `${whole}.${decimals}` }
}

/** Returns the row, or what is wrong with the product. Whatever its type promises, a vendor may have sent anything. */
export function readProductRow(product: VendorProduct): ProductRow | RowFault {
  if (!isReference(product.reference)) return 'reference'
  if (!isText(product.name, LIMITS.vendorTitleMax)) return 'name'
  const cost = readCost(product.cost)
  if (typeof cost === 'string') return cost
  if (!currencies.has(product.currency)) return 'currency'
  const { quantityMin, quantityMax, region } = product
  const least = toCount(quantityMin, 1)
  const most = toCount(quantityMax, 1)
  if (least !== null && most !== null && least > most) return 'quantity'
  return {
    reference: product.reference,
    name: product.name.trim(),
    cost: cost.cost,
    currency: product.currency,
    stock: toCount(product.stock, 0),
    quantity_min: least,
    quantity_max: most,
    region: isText(region, keyMax) ? region.trim() : null,
  }
}

const isOptionList = (options: VendorField['options']): boolean =>
  options === undefined ||
  (options.length <= LIMITS.accountOptionsMax &&
    new Set(options.map(({ value }) => value)).size === options.length &&
    options.every(({ value, label }) => isText(value, 100) && isText(label, 100)))

/** Whether a field makes sense, with all that may be chosen in it. */
export const isField = ({ key, label, type, options }: VendorField): boolean =>
  isText(key, keyMax) && isText(label, 100) && fieldTypes.includes(type) && isOptionList(options)

/** Returns the row, or what is wrong with the game. */
export function readServiceRow(service: VendorService): ServiceRow | RowFault {
  if (!isReference(service.reference)) return 'reference'
  if (!isText(service.title, LIMITS.vendorTitleMax)) return 'name'
  const { fields, checkReference } = service
  if (!fields.every(isField) || new Set(fields.map(({ key }) => key)).size < fields.length) return 'fields'
  return {
    reference: service.reference,
    title: service.title.trim(),
    kind: service.kind,
    check_reference: isReference(checkReference) ? checkReference : null,
    fields,
  }
}

/** Makes a vendor's text fit to be shown and stored, whatever it was. */
const quoted = (value: unknown): string => String(value).slice(0, 100).replaceAll('\u0000', '\ufffd').toWellFormed()

/**
 * Divides a page into the rows that make sense and those that don't. What comes twice is read once: the second row may
 * say something else.
 */
export function sortRows<Item extends VendorProduct | VendorService, Row extends { reference: string }>(
  items: readonly Item[],
  readRow: (item: Item) => Row | RowFault,
): { rows: Row[]; faulty: RejectedRow[] } {
  const rows = new Map<string, Row>()
  const faulty: RejectedRow[] = []
  for (const item of items) {
    const read = readRow(item)
    const row = typeof read !== 'string' && rows.has(read.reference) ? 'duplicate' : read
    if (typeof row !== 'string') rows.set(row.reference, row)
    else {
      const name = quoted('title' in item ? item.title : item.name)
      faulty.push({ reference: quoted(item.reference), name, reason: row })
    }
  }
  return { rows: [...rows.values()], faulty }
}
