import { Failure } from '@olmos/contract/failure'
import type { ReceiptMode, ReceiptSubject, ReceiptTax } from '@olmos/contract/fiscal'
import type { FiscalSettings } from '@olmos/contract/fiscal-settings'
import type { ContactNeed } from '@olmos/contract/payments'
import { type Queries, sql, type Tx } from '../../platform/database/queries.ts'
import { type FrozenReceipt, makeCodedLines, toAdvanceTax, toChargedItems } from './fiscal-receipt.rules.ts'
import type { CodedLine, PaymentProvider, ProviderMethod } from './provider.ts'

export type FiscalSettingsRow = Omit<FiscalSettings, 'available'>

const columns = sql`providers, tax_system, tax, subject, mode, ikpu, package_code, vat_percent, version`

export const readFiscalSettings = (queries: Queries) =>
  queries.one<FiscalSettingsRow>(sql`SELECT ${columns} FROM fiscal_settings`)

export const lockFiscalSettings = (tx: Tx) =>
  tx.one<FiscalSettingsRow>(sql`SELECT ${columns} FROM fiscal_settings FOR UPDATE`)

export const writeFiscalSettings = (tx: Tx, settings: Omit<FiscalSettingsRow, 'version'>) =>
  tx.one<FiscalSettingsRow>(sql`
    UPDATE fiscal_settings SET providers = ${settings.providers}, tax_system = ${settings.tax_system},
      tax = ${settings.tax}, subject = ${settings.subject}, mode = ${settings.mode},
      ikpu = ${settings.ikpu}, package_code = ${settings.package_code}, vat_percent = ${settings.vat_percent}
    RETURNING ${columns}`)

export const toDefaults = ({ tax_system: taxSystem, tax, subject, mode }: FiscalSettingsRow) => ({
  taxSystem,
  tax,
  subject,
  mode,
})

/** What a customer has to be asked for to pay at the provider: nothing where the shop sends it no receipts. */
export const listNeeds = ({ name, needsContact }: PaymentProvider, { providers }: FiscalSettingsRow): ContactNeed[] =>
  needsContact && providers.includes(name) ? [needsContact] : []

/** A receipt whose items are not known yet. */
type PlannedReceipt = Omit<FrozenReceipt, 'items'>

type Contact = { email: string } | undefined

/**
 * Plans the receipt of a payment by the chosen method; undefined where the shop sends its provider none. Refuses with
 * CONTACT_REQUIRED when the customer gave no e-mail for one.
 */
export async function planReceipt(
  queries: Queries,
  { provider, method }: { provider: PaymentProvider; method: ProviderMethod },
  contact: Contact,
): Promise<PlannedReceipt | undefined> {
  if (!provider.needsContact) return undefined
  const settings = await readFiscalSettings(queries)
  const needs = listNeeds(provider, settings)
  if (needs.length === 0) return undefined
  if (!contact) throw new Failure('CONTACT_REQUIRED', { method: method.name, needs })
  return { contact: { email: contact.email }, defaults: toDefaults(settings) }
}

/**
 * Whether a payment that was created before has the receipt that one created now would have: one at all, where the shop
 * sends its provider receipts, and to the e-mail the customer gives now, if any.
 */
export async function hasRightReceipt(
  queries: Queries,
  provider: PaymentProvider | undefined,
  { receipt }: { receipt: FrozenReceipt | null },
  contact: Contact,
): Promise<boolean> {
  if (!provider?.needsContact) return true
  if (listNeeds(provider, await readFiscalSettings(queries)).length === 0) return true
  const known = receipt && 'email' in receipt.contact ? receipt.contact.email : undefined
  return known !== undefined && (contact === undefined || contact.email === known)
}

interface ItemName {
  name: string
  quantity: number
  unit_price: number
}

interface ItemRow extends ItemName {
  tax: ReceiptTax | null
  subject: ReceiptSubject | null
  mode: ReceiptMode | null
}

/** What a receipt calls an item, in Russian, how many there are, and for how much each. */
const itemName = sql`
  concat_ws(', ', texts.title, coalesce(nullif(order_item.offer_name, ''), nullif(offer.name, ''),
    concat_ws(' ', coalesce(offer.game_amount, trim_scale(target.steam_amount / 100.0)), order_item.game_currency))) AS name,
  order_item.quantity, order_item.unit_price`

const itemsFrom = (orderId: string) => sql`
  FROM order_item
  LEFT JOIN offer ON offer.id = order_item.offer_id
  LEFT JOIN topup_target AS target ON target.order_item_id = order_item.id
  JOIN product ON product.id = coalesce(order_item.product_id, offer.product_id)
  LEFT JOIN product_text AS texts ON texts.product_id = product.id AND texts.language = 'ru'
  WHERE order_item.order_id = ${orderId} ORDER BY order_item.position`

/** How a receipt names the one line of a filling. */
const fillingName = 'Пополнение баланса (аванс)'

/**
 * Reads an order's items as a receipt names them, each with what its product's receipts say. A filling is one line, an
 * advance: nobody knows yet what will be bought for it.
 */
const readItems = (queries: Queries, orderId: string) =>
  queries.rows<ItemRow>(sql`
    (SELECT ${itemName}, product.receipt_tax AS tax, product.receipt_subject AS subject, product.receipt_mode AS mode
    ${itemsFrom(orderId)})
    UNION ALL
    SELECT ${fillingName}, 1, total, NULL, 'payment', 'advance' FROM orders WHERE id = ${orderId} AND purpose = 'balance'`)

interface ChargedAmounts {
  /** What the payment is to bring for what is bought, and for the way to pay. */
  goods: number
  fee: number
}

const chargedAmounts = sql`payment.amount - payment.fee_amount AS goods, payment.fee_amount AS fee`

/** Freezes what the receipt of the order's latest payment is made from. The items of the order are stored already. */
export async function freezeReceipt(tx: Tx, orderId: string, planned: PlannedReceipt): Promise<void> {
  const rows = await readItems(tx, orderId)
  const paid = await tx.one<ChargedAmounts>(
    sql`SELECT ${chargedAmounts} FROM payment WHERE order_id = ${orderId} ORDER BY id DESC LIMIT 1`,
  )
  const ordered = rows.map(({ unit_price, ...row }) => ({
    ...row,
    amount: unit_price * row.quantity,
    ...(row.mode === 'advance' && row.tax === null && { tax: toAdvanceTax(planned.defaults.tax) }),
  }))
  const { items, fee } = toChargedItems(ordered, paid)
  const frozen: FrozenReceipt = { ...planned, items: [...items, ...fee] }
  await tx.run(sql`
    UPDATE payment SET receipt = ${JSON.stringify(frozen)}
    WHERE id = (SELECT max(id) FROM payment WHERE order_id = ${orderId})`)
}

/** Reads the e-mail that the receipt of an order's latest payment goes to; null without a receipt. */
export async function findReceiptEmail(queries: Queries, orderId: string): Promise<string | null> {
  const row = await queries.maybe<{ email: string | null }>(sql`
    SELECT receipt -> 'contact' ->> 'email' AS email FROM payment
    WHERE order_id = ${orderId} AND receipt IS NOT NULL ORDER BY id DESC LIMIT 1`)
  return row?.email ?? null
}

interface CodedItemRow extends ItemName {
  ikpu: string | null
  package_code: string | null
  vat_percent: number | null
}

/** Reads an order's items with what the receipts of their products say in Uzbekistan. */
const readCodedItems = (queries: Queries, orderId: string) =>
  queries.rows<CodedItemRow>(sql`
    SELECT ${itemName}, product.receipt_ikpu AS ikpu, product.receipt_package_code AS package_code,
      product.receipt_vat_percent AS vat_percent ${itemsFrom(orderId)}`)

/**
 * Lists what a charge of an order pays for, as receipts in Uzbekistan want it; undefined unless the shop's settings or the
 * product's say the codes of each line.
 */
export async function readCodedLines(
  queries: Queries,
  orderId: string,
  charged: number,
): Promise<CodedLine[] | undefined> {
  const ordered = (await readCodedItems(queries, orderId)).map(({ unit_price, ...row }) => ({
    ...row,
    amount: unit_price * row.quantity,
  }))
  const paid = await queries.maybe<ChargedAmounts>(sql`
    SELECT ${chargedAmounts} FROM payment
    WHERE order_id = ${orderId} AND coalesce(charge_amount, amount) = ${charged} ORDER BY id DESC LIMIT 1`)
  if (!paid || ordered.length === 0) return undefined
  const { items, fee } = toChargedItems(ordered, paid)
  const ofShop = { ikpu: null, package_code: null, vat_percent: null }
  const lines = [...items, ...fee.map((line) => ({ ...line, ...ofShop }))]
  return makeCodedLines({ items: lines, charged, defaults: await readFiscalSettings(queries) })
}
