import { SERVER_LIMITS } from '../../limits.ts'
import { sql, type Tx } from '../../platform/database/queries.ts'
import { raiseAlert } from '../../platform/live/alert.ts'
import { changeOptions } from '../catalogue/account-fields.ts'
import type { VendorField } from '../topups/supplier.ts'
import { type FieldsOfTopup, lockFieldsOfTopup } from '../topups/topup-products.ts'
import {
  type Choices,
  type ChoiceValues,
  followOptions,
  isOther,
  takesAnything,
  toChoices,
  toValues,
} from './options.rules.ts'

interface LinkRow {
  product_id: number
  service_id: number
  /** Whether it is a game of the supplier that was read. */
  is_read: boolean
  fields: VendorField[]
  field_names: Record<string, string>
  options: Record<string, string[]> | null
}

/** Reads all suppliers' games of the products that are games of this supplier. */
const readLinks = (tx: Tx, supplier: string) =>
  tx.rows<LinkRow>(sql`
    SELECT link.product_id, link.service_id, service.supplier = ${supplier} AS is_read, service.fields,
      service.field_names, link.options
    FROM product_service AS link JOIN supplier_service AS service ON service.id = link.service_id
    JOIN product ON product.id = link.product_id
    WHERE service.gone_at IS NULL AND product.deleted_at IS NULL AND product.kind = 'topup' AND link.product_id IN (
      SELECT product_id FROM product_service JOIN supplier_service AS its ON its.id = service_id
      WHERE its.supplier = ${supplier})
    ORDER BY link.product_id, link.service_id`)

const setSeen = (tx: Tx, { product_id, service_id, options }: LinkRow, seen: ChoiceValues) =>
  tx.run(sql`
    UPDATE product_service SET options = ${JSON.stringify({ ...options, ...seen })}
    WHERE product_id = ${product_id} AND service_id = ${service_id}`)

interface Link extends LinkRow {
  choices: Choices
}

/**
 * Brings what customers choose from in line with what a supplier tells now: what is gone can't be chosen any more, what is
 * new can. Open orders and receipts keep what was chosen. An alert says so where the product is on sale. Returns whether
 * there may be more to do: it does a part at a time.
 */
export async function followSupplierOptions(tx: Tx, supplier: string): Promise<boolean> {
  const links = (await readLinks(tx, supplier)).map((row): Link => ({ ...row, choices: toChoices(row) }))
  const changed = links.filter(({ is_read, choices, options }) => is_read && isOther(toValues(choices), options))
  const productIds = [...new Set(changed.map(({ product_id }) => product_id))].slice(0, SERVER_LIMITS.sourcesAtOnce)
  for (const productId of productIds) {
    const games = links.filter(({ product_id }) => product_id === productId)
    await followProduct(tx, await lockFieldsOfTopup(tx, productId), games)
    for (const link of changed.filter(({ product_id }) => product_id === productId))
      await setSeen(tx, link, toValues(link.choices))
  }
  return productIds.length > 0
}

async function followProduct(tx: Tx, product: FieldsOfTopup, games: readonly Link[]): Promise<void> {
  const all: { field: string; added: string[]; gone: string[] }[] = []
  for (const { key, type, label, options: own } of product.fields) {
    const told = games.flatMap(({ choices }) => choices[key] ?? [])
    if (type !== 'select' || told.length === 0 || games.some((game) => takesAnything(key, game))) continue
    const values = own.map(({ value }) => value)
    const before = games.flatMap((game) => (game.choices[key] ? (game.options?.[key] ?? values) : []))
    const followed = followOptions(own, unique(told), before)
    if (!followed) continue
    const { options, added, gone } = followed
    await changeOptions(tx, product.id, key, options)
    all.push({ field: label.ru ?? key, added, gone })
  }
  if (all.length === 0 || !product.is_active) return
  const details = {
    product: product.title,
    field: all.map(({ field }) => field),
    added: all.flatMap(({ added }) => added),
    gone: all.flatMap(({ gone }) => gone),
  }
  await raiseAlert(tx, { kind: 'product.options', subject: `product:${product.id}`, details })
}

const unique = (options: Choices[string]): Choices[string] => [
  ...new Map(options.map((option) => [option.value, option])).values(),
]
