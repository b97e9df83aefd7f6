import type { ReceiptMode, ReceiptSubject, ReceiptTax, TaxSystem } from '@olmos/contract/fiscal'
import { splitSum } from '@olmos/contract/minor-units'
import type { CodedLine, FiscalLine, FiscalReceipt } from './provider.ts'

/** What the shop's accountant has said, for products that say nothing else. */
export interface ReceiptDefaults {
  /** Null where the cash register knows it. */
  taxSystem: TaxSystem | null
  tax: ReceiptTax
  subject: ReceiptSubject
  mode: ReceiptMode
}

/** A line of an order, or a part of it that is refunded. */
export interface ReceiptItem {
  name: string
  /** How many units, one or more. */
  quantity: number
  /** For all of them, in minor units of the order's currency. */
  amount: number
  tax?: ReceiptTax | null
  subject?: ReceiptSubject | null
  mode?: ReceiptMode | null
  /** Whether it is what the buyer pays for the way to pay. */
  isFee?: boolean
}

interface ReceiptWish {
  contact: FiscalReceipt['contact']
  items: readonly ReceiptItem[]
  /** What is charged or refunded for these items together, in minor units of the charge. */
  charged: number
  defaults: ReceiptDefaults
}

/**
 * What a payment's receipt and those of its refunds are made from, as it was when the payment was created: all items of the
 * order, in their order.
 */
export type FrozenReceipt = Omit<ReceiptWish, 'charged'>

const nameLength = 128

/**
 * Makes what a charge is for: of each item the share that is charged, in proportion where the balance pays the rest, and
 * beside them the fee of the way to pay, if there is one. Amounts are minor units of the order's currency.
 */
export function toChargedItems<Item extends Pick<ReceiptItem, 'amount'>>(
  items: readonly Item[],
  { goods, fee }: { goods: number; fee: number },
) {
  const shares = splitSum(
    goods,
    items.map(({ amount }) => amount),
  )
  const charged = items.map((item, index) => ({ ...item, amount: shares[index] ?? 0 }))
  const line = { name: feeName, quantity: 1, amount: fee, subject: 'service', isFee: true } as const
  return { items: charged, fee: fee > 0 ? [line] : [] }
}

/** How a receipt names what the buyer pays for the way to pay. */
const feeName = 'Сервисный сбор'

/** Adds to what is refunded of an order the line of its fee, if any of that goes back. */
export function withFee(
  { items }: Pick<FrozenReceipt, 'items'>,
  parts: readonly RefundedPart[],
  fee: number,
): readonly RefundedPart[] {
  const item = items.findIndex(({ isFee }) => isFee)
  return fee === 0 || item < 0 ? parts : [...parts, { item, quantity: 1, amount: fee }]
}

/**
 * Makes the receipt of a charge, or of a refund of these items. The charge is spread over the items by what each costs, and
 * the lines add up to it exactly, whatever was rounded when it was converted. An item that less than one minor unit falls
 * on has no line.
 */
export function makeReceipt({ contact, items, charged, defaults }: ReceiptWish): FiscalReceipt {
  const shares = splitSum(
    charged,
    items.map(({ amount }) => amount),
  )
  const lines = items.map((item, index): FiscalLine => {
    const amount = shares[index] ?? 0
    return {
      name: toLineName(item.name),
      quantity: item.quantity,
      unitPrice: Math.floor(amount / item.quantity),
      amount,
      tax: item.tax ?? defaults.tax,
      subject: item.subject ?? defaults.subject,
      mode: item.mode ?? defaults.mode,
    }
  })
  return { contact, taxSystem: defaults.taxSystem ?? undefined, lines: lines.filter(({ amount }) => amount > 0) }
}

const toLineName = (name: string): string => [...name.trim()].slice(0, nameLength).join('')

/** What the shop or a product says in Uzbekistan; the codes belong together. */
interface Codes {
  ikpu: string | null
  package_code: string | null
  vat_percent: number | null
}

/**
 * Makes the lines of a receipt in Uzbekistan, each its quantity times one price; they add up to the charge. Undefined where
 * a line has no codes: a receipt that lacks one is none.
 */
export function makeCodedLines(wish: {
  items: readonly (Pick<ReceiptItem, 'name' | 'quantity' | 'amount'> & Codes)[]
  /** In minor units of the charge. */
  charged: number
  defaults: Codes
}): CodedLine[] | undefined {
  const shares = splitSum(
    wish.charged,
    wish.items.map(({ amount }) => amount),
  )
  const lines = wish.items.map((item, index) => {
    const { ikpu, package_code: packageCode } = item.ikpu === null ? wish.defaults : item
    const vatPercent = item.vat_percent ?? wish.defaults.vat_percent
    if (ikpu === null || packageCode === null || vatPercent === null) return undefined
    const [amount, { quantity }] = [shares[index] ?? 0, item]
    return { name: toLineName(item.name), quantity, unitPrice: 0, amount, ikpu, packageCode, vatPercent }
  })
  const coded = lines.filter((line) => line !== undefined)
  return coded.length === 0 || coded.length < lines.length
    ? undefined
    : splitUnits(coded.filter(({ amount }) => amount > 0))
}
const advanceTaxes: Partial<Record<ReceiptTax, ReceiptTax>> = {
  vat5: 'vat105',
  vat7: 'vat107',
  vat10: 'vat110',
  vat20: 'vat120',
  vat22: 'vat122',
}

/** The rate of a sum that is paid ahead: the tax is contained in it, as article 164.4 of the tax code has it. */
export const toAdvanceTax = (tax: ReceiptTax): ReceiptTax => advanceTaxes[tax] ?? tax

/** What a refund takes of one of an order's items. */
export interface RefundedPart {
  /** The place of the item in the order. */
  item: number
  /** How many units; undefined for a part of the price for which no unit comes back. */
  quantity?: number | undefined
  /** In minor units of the order's currency. */
  amount: number
}

/** Makes the receipt of a refund, in whole or in part: its lines are what is refunded, and add up to `charged`. */
export function makeRefundReceipt(wish: ReceiptWish & { parts: readonly RefundedPart[] }): FiscalReceipt {
  const items = wish.parts.flatMap(({ item, quantity = 1, amount }) => {
    const ordered = wish.items[item]
    return ordered ? [{ ...ordered, quantity, amount }] : []
  })
  return makeReceipt({ ...wish, items })
}

/**
 * Merges the last lines that sell alike into one, until there are no more than a receipt may have. The lines that come out
 * add up to the ones that went in; what was merged is one unit with all their names, as far as they fit.
 */
function mergeLines(lines: readonly FiscalLine[], most: number): FiscalLine[] {
  const alike = ({ tax, subject, mode }: FiscalLine) => `${tax} ${subject} ${mode}`
  const merged = [...lines]
  while (merged.length > most) {
    const kinds = merged.map(alike)
    const at = merged.findLastIndex((_, index) => kinds.indexOf(kinds[index] ?? '') < index)
    const line = merged[at]
    const into = at < 1 ? -1 : kinds.lastIndexOf(kinds[at] ?? '', at - 1)
    const before = merged[into]
    if (!line || !before) return merged
    const amount = before.amount + line.amount
    merged[into] = { ...before, name: joinNames(before.name, line.name), quantity: 1, unitPrice: amount, amount }
    merged.splice(at, 1)
  }
  return merged
}

/** Joins the names of what stands in one line; one that is there already, or does not fit, is left out. */
function joinNames(names: string, name: string): string {
  const joined = `${names}; ${name}`
  return names.split('; ').includes(name) || [...joined].length > nameLength ? names : joined
}

/**
 * Splits lines whose amount is not their quantity times one price, which cash registers multiply: three units for 10.00
 * become two at 3.33 and one at 3.34. The lines that come out add up to the ones that went in, and are no more than `most`
 * as long as enough of them sell alike.
 */
export const toUnitLines = (lines: readonly FiscalLine[], most: number): FiscalLine[] =>
  mergeLines(splitUnits(lines), most)

function splitUnits<Line extends Pick<FiscalLine, 'quantity' | 'unitPrice' | 'amount'>>(
  lines: readonly Line[],
): Line[] {
  return lines.flatMap((line) => {
    const { quantity, amount } = line
    const price = Math.floor(amount / quantity)
    const dearer = amount - price * quantity
    if (price === 0) return [{ ...line, quantity: 1, unitPrice: amount }]
    const at = (unitPrice: number, units: number) => ({
      ...line,
      quantity: units,
      unitPrice,
      amount: unitPrice * units,
    })
    return dearer === 0 ? [at(price, quantity)] : [at(price, quantity - dearer), at(price + 1, dearer)]
  })
}
