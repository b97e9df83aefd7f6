import * as LIMITS from '@olmos/contract/limits'
import type { OfferSource } from '@olmos/contract/sourcing'
import { SERVER_BUSINESS } from '../../business.ts'
import { SERVER_LIMITS } from '../../limits.ts'
import { type Sql, sql, type Tx } from '../../platform/database/queries.ts'
import { raiseAlert, resolveAlert } from '../../platform/live/alert.ts'
import { changeOptions } from '../catalogue/products.ts'
import type { VendorField } from '../topups/supplier.ts'
import { type FieldRow, type FieldsOfTopup, lockFieldsOfTopup } from '../topups/topups.ts'
import { findLeftEmpty } from './take-over.rules.ts'

type Option = NonNullable<VendorField['options']>[number]
/** What can be chosen, by the shop's keys. */
type Choices = Readonly<Record<string, readonly Option[]>>
/** The values of choices. */
type ChoiceValues = Readonly<Record<string, readonly string[]>>

/** A game of a supplier that a product is. */
interface LinkedGame {
  fields: readonly VendorField[]
  /** The supplier's fields as templates over the shop's keys; empty where the names are the same. */
  field_names: Readonly<Record<string, string>>
}

const templateFor = ({ key }: VendorField, { field_names: names }: LinkedGame): string =>
  Object.keys(names).length === 0 ? `{${key}}` : (names[key] ?? '')

const plainKey = (template: string): string | undefined => /^\{(\w+)\}$/.exec(template)?.[1]

/** Finds what a supplier lets be chosen in the fields of the shop: those that go to it as they are. */
export function toChoices(game: LinkedGame): Choices {
  const choices: Record<string, readonly Option[]> = {}
  for (const field of game.fields) {
    const key = plainKey(templateFor(field, game))
    if (key !== undefined && field.type === 'select' && field.options && field.options.length > 0)
      choices[key] = field.options
  }
  return choices
}

/** Whether a supplier takes anything in a field of the shop, or has not told what it takes. */
export const takesAnything = (key: string, game: LinkedGame): boolean =>
  toChoices(game)[key] === undefined && game.fields.some((field) => templateFor(field, game).includes(`{${key}}`))

const toValues = (choices: Choices): ChoiceValues =>
  Object.fromEntries(Object.entries(choices).map(([key, options]) => [key, options.map(({ value }) => value)]))

/** Whether a supplier tells something else than before; a field that it says nothing of now is as it was. */
export const isOther = (now: ChoiceValues, before: ChoiceValues | null): boolean =>
  Object.entries(now).some(([key, values]) => {
    const known = before?.[key]
    return known === undefined || known.length !== values.length || values.some((value) => !known.includes(value))
  })

interface FollowedOptions {
  /** What can be chosen from now on. */
  options: FieldRow['options']
  /** The labels of what is new, and of what is gone. */
  added: string[]
  gone: string[]
}

/**
 * Brings the choices of a field in line with what suppliers tell now: what was there `before` and is not any more is gone,
 * what is new is added at the end. What an operator has put in or taken out of it stays so. Undefined when nothing changes,
 * or nothing would be left to choose.
 */
export function followOptions(
  own: FieldRow['options'],
  told: readonly Option[],
  before: readonly string[],
): FollowedOptions | undefined {
  const isTold = (value: string) => told.some((option) => option.value === value)
  const isOwn = (value: string) => own.some((option) => option.value === value)
  const gone = own.filter(({ value }) => before.includes(value) && !isTold(value))
  const added = told.filter(({ value }) => !before.includes(value) && !isOwn(value))
  const kept = own.filter((option) => !gone.includes(option))
  const options = [...kept, ...added.map(({ value, label }) => ({ value, label: { ru: label } }))]
  if (gone.length + added.length === 0 || options.length === 0) return undefined
  return {
    options: options.slice(0, LIMITS.accountOptionsMax),
    added: added.map(({ label }) => label),
    gone: gone.map(({ value, label }) => label.ru ?? value),
  }
}

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

interface SettledSource {
  id: number
  product_id: number
  is_on: boolean
  /** The shop's product, and the supplier's name for what is bought. */
  product: string
  cost: string
  accepted: string | null
}

/** Selects the sources by a supplier of offers that are not deleted. `bought` is what they buy. */
const sourcesBy = (supplier: string) => sql`
  offer_source AS source JOIN supplier_product AS bought ON bought.id = source.supplier_product_id
  JOIN offer ON offer.id = source.offer_id AND offer.deleted_at IS NULL AND bought.supplier = ${supplier}
  JOIN product ON product.id = offer.product_id AND product.deleted_at IS NULL`

/** How far a cost may be from the accepted one; another currency is another cost. */
const hasMoved = sql`(bought.currency <> source.accepted_currency
  OR abs(bought.cost - source.accepted_cost) * 100 > source.accepted_cost * ${SERVER_BUSINESS.costMovePercent}::int)`

/**
 * Finds the offers whose price may follow what this transaction has learnt of a supplier's products: those bought as one whose
 * cost it has changed, but for those with a cost that has moved so far that its source is about to be closed.
 */
export const findOffersToFollow = (tx: Tx, supplier: string, references: readonly string[]) =>
  tx.rows<{ id: number }>(sql`
    SELECT source.offer_id AS id
    FROM offer_source AS source JOIN supplier_product AS bought ON bought.id = source.supplier_product_id
    WHERE source.is_on AND source.closed_reason IS NULL AND source.offer_id IN (
      SELECT source.offer_id FROM ${sourcesBy(supplier)}
      WHERE bought.reference = ANY (${references}::text[]) AND bought.cost_changed_at = now())
    GROUP BY source.offer_id HAVING NOT coalesce(bool_or(${hasMoved}), false)`)

/** Closes or opens some of the sources that the condition is true of. */
const setClosed = (tx: Tx, supplier: string, reason: OfferSource['closed_reason'], condition: Sql) =>
  tx.rows<SettledSource>(sql`
    WITH due AS (
      SELECT source.id, offer.product_id FROM ${sourcesBy(supplier)}
      WHERE ${condition} ORDER BY source.id LIMIT ${SERVER_LIMITS.sourcesAtOnce}::int FOR UPDATE OF source)
    UPDATE offer_source AS source
    SET closed_reason = ${reason}, closed_at = CASE WHEN ${reason}::text IS NULL THEN NULL ELSE now() END
    FROM due, supplier_product AS bought, product_text AS texts
    WHERE source.id = due.id AND bought.id = source.supplier_product_id
      AND texts.product_id = due.product_id AND texts.language = 'ru'
    RETURNING source.id, due.product_id, source.is_on, texts.title || ': ' || bought.name AS product,
      trim_scale(bought.cost) || ' ' || bought.currency AS cost,
      trim_scale(source.accepted_cost) || ' ' || source.accepted_currency AS accepted`)

/** What a source was bought for first is what its operator said yes to. */
const acceptFirstCosts = (tx: Tx, supplier: string) =>
  tx.run(sql`
    UPDATE offer_source AS source SET accepted_cost = bought.cost, accepted_currency = bought.currency
    FROM supplier_product AS bought
    WHERE bought.id = source.supplier_product_id AND bought.supplier = ${supplier} AND bought.gone_at IS NULL
      AND source.accepted_cost IS NULL`)

interface AskedGame {
  product_id: number
  service_id: number
  title: string
  is_active: boolean
  /** What the product asks its customers for. */
  keys: string[]
  fields: VendorField[]
  field_names: Record<string, string>
  /** Whether an alert about it is open. */
  is_raised: boolean
}

const fieldsSubject = sql`'product:' || link.product_id || ':service:' || link.service_id`

/**
 * Reads what a supplier asks for in each product that is linked to one of its games, and whether an alert about that is
 * open. A game that is gone asks for nothing.
 */
const readAsked = (tx: Tx, supplier: string) =>
  tx.rows<AskedGame>(sql`
    WITH asked AS (
      SELECT link.product_id, link.service_id, texts.title, product.is_active AND product.deleted_at IS NULL AS is_active,
        ARRAY(SELECT key FROM account_field WHERE product_id = product.id AND retired_at IS NULL) AS keys,
        CASE WHEN service.gone_at IS NULL THEN service.fields ELSE '[]' END AS fields, service.field_names,
        EXISTS (SELECT FROM alert WHERE kind = 'product.fields' AND subject = ${fieldsSubject}
          AND resolved_at IS NULL) AS is_raised
      FROM product_service AS link JOIN supplier_service AS service ON service.id = link.service_id
      JOIN product ON product.id = link.product_id AND product.kind = 'topup'
      JOIN product_text AS texts ON texts.product_id = product.id AND texts.language = 'ru'
      WHERE service.supplier = ${supplier})
    SELECT * FROM asked ORDER BY product_id, service_id`)

/**
 * Finds the games in which a supplier asks for what the shop does not ask its customers, and has an alert open about each
 * that is on sale for as long as it does. Returns the condition that a source buys of such a game.
 */
async function findMisfits(tx: Tx, supplier: string): Promise<Sql> {
  const misfits: AskedGame[] = []
  for (const game of await readAsked(tx, supplier)) {
    const field = findLeftEmpty(game.fields, game.field_names, game.keys)
    const subject = `product:${game.product_id}:service:${game.service_id}`
    if (field.length > 0) misfits.push(game)
    if (field.length > 0 && game.is_active)
      await raiseAlert(tx, { kind: 'product.fields', subject, details: { supplier, product: game.title, field } })
    else if (game.is_raised) await resolveAlert(tx, 'product.fields', subject)
  }
  const [products, services] = [misfits.map((game) => game.product_id), misfits.map((game) => game.service_id)]
  return sql`(offer.product_id, bought.service_id) IN (
    SELECT * FROM unnest(${products}::int[], ${services}::bigint[]))`
}

/**
 * Closes the sources whose product is gone, whose cost has moved too far or whose supplier asks for what the shop does not,
 * with an alert for each cause of those in use, and opens those that only were gone or unfit. Alerts about what the shop has
 * deleted are over. Returns whether there may be more to do: it does a part at a time.
 */
export async function settleSources(tx: Tx, supplier: string): Promise<boolean> {
  const isMisfit = await findMisfits(tx, supplier)
  const isOpen = sql`bought.gone_at IS NULL AND source.closed_reason IS NULL`
  const isGoneNoMore = sql`bought.gone_at IS NULL AND source.closed_reason = 'gone'`
  const settled = await tx.pipeline({
    accepted: (tx) => acceptFirstCosts(tx, supplier),
    gone: (tx) => setClosed(tx, supplier, 'gone', sql`bought.gone_at IS NOT NULL AND source.closed_reason IS NULL`),
    back: (tx) => setClosed(tx, supplier, null, isGoneNoMore),
    fit: (tx) => setClosed(tx, supplier, null, sql`source.closed_reason = 'fields' AND NOT (${isMisfit})`),
    misfit: (tx) => setClosed(tx, supplier, 'fields', sql`${isOpen} AND ${isMisfit}`),
    moved: (tx) => setClosed(tx, supplier, 'cost_moved', sql`${isOpen} AND ${hasMoved}`),
    deleted: resolveDeleted,
  })
  for (const { id, is_on, product } of settled.gone) {
    if (!is_on) continue
    await raiseAlert(tx, { kind: 'source.gone', subject: toSubject(id), details: { supplier, product } })
  }
  for (const { id } of settled.back) await resolveAlert(tx, 'source.gone', toSubject(id))
  for (const { id, is_on, product, cost, accepted } of settled.moved) {
    if (!is_on) continue
    const details = { supplier, product, cost: accepted, costs_now: cost }
    await raiseAlert(tx, { kind: 'source.cost_moved', subject: toSubject(id), details, whenChanged: 'refresh' })
  }
  const all = [settled.gone, settled.back, settled.fit, settled.misfit, settled.moved].flat()
  for (const productId of new Set(all.map(({ product_id }) => product_id))) {
    tx.notify('catalogue', `product:${productId}`)
  }
  return all.length > 0
}

const toSubject = (sourceId: number): string => `source:${sourceId}`

/** Closes the alerts about all sources of deleted offers and products, whose deletion knows nothing of sources. */
const resolveDeleted = (tx: Tx) =>
  tx.run(sql`
    UPDATE alert SET resolved_at = now()
    FROM offer_source AS source JOIN offer ON offer.id = source.offer_id JOIN product ON product.id = offer.product_id
    WHERE alert.kind IN ('source.gone', 'source.cost_moved') AND alert.subject = 'source:' || source.id
      AND alert.resolved_at IS NULL AND (offer.deleted_at IS NOT NULL OR product.deleted_at IS NOT NULL)`)

/** Closes the alerts about a source: an operator has opened it, or it is none any more. */
export async function resolveSourceAlerts(tx: Tx, sourceId: number): Promise<void> {
  await resolveAlert(tx, 'source.gone', toSubject(sourceId))
  await resolveAlert(tx, 'source.cost_moved', toSubject(sourceId))
}
