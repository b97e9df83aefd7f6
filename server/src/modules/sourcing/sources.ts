import { Failure } from '@olmos/contract/failure'
import type { EditedSources, OfferSource, SourceKind, WantedSource } from '@olmos/contract/sourcing'
import { requireVersion } from '../../platform/database/lists.ts'
import { type Queries, sql, type Tx } from '../../platform/database/queries.ts'
import { writeAudit, writeAuditChange } from '../../platform/security/audit.ts'
import { referenceAt } from '../pricing/delivered.ts'
import { lockPrices, repriceOffers } from '../pricing/reprice.ts'
import { type DollarRates, dollarRates, toDollars } from '../rates/rates.ts'
import type { VendorField } from '../topups/supplier.ts'
import { manual, type Suppliers } from '../topups/suppliers.ts'
import { resolveSourceAlerts } from './follow-supplier.ts'
import { findUnfilled, guessFieldNames } from './take-over.rules.ts'

interface OfferRow {
  id: number
  product_id: number
  kind: 'code' | 'topup'
  /** What the product asks its customers for. */
  keys: string[]
  sources_version: number
}

/**
 * Locks an offer of the shop until the transaction ends: nobody else changes who delivers it, or prices it. Buyers don't
 * wait.
 */
async function lockOffer(tx: Tx, offerId: number): Promise<OfferRow> {
  await lockPrices(tx)
  await tx.run(sql`SELECT FROM offer WHERE id = ${offerId} FOR NO KEY UPDATE`)
  return readOffer(tx, offerId)
}

async function readOffer(queries: Queries, offerId: number): Promise<OfferRow> {
  const offer = await queries.maybe<OfferRow>(sql`
    SELECT offer.id, offer.product_id, product.kind, offer.sources_version,
      (SELECT coalesce(array_agg(key), '{}') FROM account_field
        WHERE product_id = product.id AND retired_at IS NULL) AS keys
    FROM offer JOIN product ON product.id = offer.product_id AND product.deleted_at IS NULL
    WHERE offer.id = ${offerId} AND offer.deleted_at IS NULL`)
  if (!offer) throw new Failure('OFFER_NOT_FOUND')
  return offer
}

type BoughtProduct = Omit<NonNullable<OfferSource['product']>, 'cost_usd' | 'gone_at'> & { gone_at: string | null }

interface SourceRow extends Omit<OfferSource, 'product' | 'closed_at'> {
  closed_at: Date | null
  product: BoughtProduct | null
}

const readRows = (queries: Queries, offerId: number) =>
  queries.rows<SourceRow>(sql`
    SELECT source.id, source.kind, source.rank, source.is_on, trim_scale(source.cost_at_most)::text AS cost_at_most,
      source.closed_reason, source.closed_at,
      CASE WHEN bought.id IS NOT NULL THEN json_build_object('id', bought.id, 'supplier', bought.supplier,
        'reference', bought.reference, 'name', bought.name, 'service_title', service.title,
        'cost', trim_scale(bought.cost)::text, 'currency', bought.currency, 'stock', bought.stock,
        'gone_at', bought.gone_at, 'accepted_cost', trim_scale(source.accepted_cost)::text,
        'accepted_currency', source.accepted_currency) END AS product
    FROM offer_source AS source LEFT JOIN supplier_product AS bought ON bought.id = source.supplier_product_id
    LEFT JOIN supplier_service AS service ON service.id = bought.service_id
    WHERE source.offer_id = ${offerId} ORDER BY source.rank, source.id`)

const shownSource = ({ product, closed_at, ...row }: SourceRow, rates: DollarRates): OfferSource => ({
  ...row,
  closed_at: closed_at?.toISOString() ?? null,
  product: product && {
    ...product,
    cost_usd: toDollars(product, rates),
    gone_at: product.gone_at && new Date(product.gone_at).toISOString(),
  },
})

/** Reads who delivers an offer, in their order. Refuses a missing offer with OFFER_NOT_FOUND. */
export async function readSources(queries: Queries, offerId: number): Promise<EditedSources> {
  const { sources_version: version } = await readOffer(queries, offerId)
  const rows = await readRows(queries, offerId)
  const rates = await dollarRates(queries)
  return { sources: rows.map((row) => shownSource(row, rates)), version }
}

interface SoldProduct {
  id: number
  kind: 'code' | 'topup'
  name: string
  service_id: number | null
  quantity_min: number | null
}

const readSold = (tx: Tx, ids: readonly number[]) =>
  tx.rows<SoldProduct>(sql`
    SELECT id, kind, name, service_id, quantity_min FROM supplier_product WHERE id = ANY (${ids}::bigint[]) ORDER BY service_id`)

/**
 * Refuses what can't deliver the offer: a code for a top-up, what is sold only by several pieces, as one is ordered at a
 * time, or a supplier that asks for what no customer is asked.
 */
async function requireFit(tx: Tx, offer: OfferRow, sold: SoldProduct): Promise<void> {
  const { kind, name, service_id } = sold
  if (kind !== offer.kind) throw new Failure('STATE_CONFLICT', { reason: 'source_of_another_kind', product: name })
  if ((sold.quantity_min ?? 1) > 1) throw new Failure('STATE_CONFLICT', { reason: 'source_quantity', product: name })
  if (kind === 'code' || service_id === null) return
  const fields = await fitService(tx, service_id, { id: offer.product_id, keys: offer.keys })
  if (fields.length > 0) throw new Failure('STATE_CONFLICT', { reason: 'source_fields_missing', product: name, fields })
  await linkServices(tx, offer.product_id, [service_id])
}

const lockService = (tx: Tx, serviceId: number, productId: number) =>
  tx.one<{ fields: VendorField[]; field_names: Record<string, string>; is_linked_elsewhere: boolean }>(sql`
    SELECT fields, field_names, EXISTS (
      SELECT FROM product_service JOIN product ON product.id = product_id AND product.deleted_at IS NULL
      WHERE service_id = service.id AND product_id <> ${productId}) AS is_linked_elsewhere
    FROM supplier_service AS service WHERE id = ${serviceId} FOR NO KEY UPDATE`)

/**
 * Finds what a supplier asks for and the product does not. Where nobody has said what the supplier's fields are filled with,
 * and it can be guessed, that is stored.
 */
export async function fitService(
  tx: Tx,
  serviceId: number,
  product: { id: number; keys: readonly string[] },
): Promise<string[]> {
  const { fields, field_names, is_linked_elsewhere } = await lockService(tx, serviceId, product.id)
  const unfilled = findUnfilled(fields, field_names, product.keys)
  const isSaid = Object.keys(field_names).length > 0 || is_linked_elsewhere
  const guessed = unfilled.length === 0 || isSaid ? undefined : guessFieldNames(fields, product.keys)
  if (!guessed) return unfilled
  await tx.run(sql`UPDATE supplier_service SET field_names = ${JSON.stringify(guessed)} WHERE id = ${serviceId}`)
  return []
}

/** Links the products of the shop with what suppliers call their games, by which their players are looked for, too. */
export const linkServices = (tx: Tx, productId: number, serviceIds: readonly number[]) =>
  tx.run(sql`
    INSERT INTO product_service (product_id, service_id)
    SELECT ${productId}, service_id FROM unnest(${serviceIds}::bigint[]) AS service_id ON CONFLICT DO NOTHING`)

/** A source whose cost nobody has seen yet is accepted at what it costs now. */
const upsertSource = (tx: Tx, offerId: number, rank: number, { kind, productId, isOn, costAtMost }: WantedSource) =>
  tx.one<{ id: number }>(sql`
    INSERT INTO offer_source (offer_id, kind, supplier_product_id, rank, is_on, cost_at_most, accepted_cost,
      accepted_currency, closed_reason, closed_at)
    SELECT ${offerId}, ${kind}, ${productId ?? null}, ${rank}, ${isOn}, ${costAtMost}, bought.cost, bought.currency,
      CASE WHEN bought.gone_at IS NOT NULL THEN 'gone' END, bought.gone_at
    FROM (SELECT) AS always LEFT JOIN supplier_product AS bought ON bought.id = ${productId ?? null}
    ON CONFLICT (offer_id, kind, supplier_product_id)
    DO UPDATE SET rank = excluded.rank, is_on = excluded.is_on, cost_at_most = excluded.cost_at_most
    RETURNING id`)

const deleteOthers = (tx: Tx, offerId: number, kept: readonly number[]) =>
  tx.rows<{ id: number }>(sql`
    DELETE FROM offer_source WHERE offer_id = ${offerId} AND id <> ALL (${kept}::bigint[]) RETURNING id`)

const countChange = (tx: Tx, offerId: number) =>
  tx.run(sql`UPDATE offer SET sources_version = sources_version + 1 WHERE id = ${offerId}`)

/** What an audit entry shows. */
const audited = ({ sources }: EditedSources) => ({
  sources: sources.map(({ kind, is_on, cost_at_most, product }) => ({
    kind,
    is_on,
    ...(cost_at_most !== null && { cost_at_most }),
    ...(product && { supplier: product.supplier, reference: product.reference }),
  })),
})

/**
 * Sets who delivers an offer, the first to be asked first. What the sync has closed stays closed. Refuses a product that is
 * not there with NOT_FOUND, and one that can't deliver it with STATE_CONFLICT.
 */
export async function setSources(
  tx: Tx,
  adminId: number,
  offerId: number,
  wanted: { sources: readonly WantedSource[]; version?: number | undefined },
): Promise<EditedSources> {
  const offer = await lockOffer(tx, offerId)
  const before = await readSources(tx, offerId)
  requireVersion(before, wanted.version)
  const ids = wanted.sources.flatMap(({ productId }) => productId ?? [])
  const sold = await readSold(tx, ids)
  if (sold.length < ids.length) throw new Failure('NOT_FOUND', { productId: 'not_found' })
  for (const product of sold) await requireFit(tx, offer, product)
  const kept: number[] = []
  for (const [index, source] of wanted.sources.entries()) {
    kept.push((await upsertSource(tx, offerId, index + 1, source)).id)
  }
  for (const { id } of await deleteOthers(tx, offerId, kept)) await resolveSourceAlerts(tx, id)
  await countChange(tx, offerId)
  const after = await readSources(tx, offerId)
  const entry = { actorId: adminId, action: 'offer.sources', subject: `offer:${offerId}` } as const
  await repriceOffers(tx, { offerIds: [offerId] }, { adminId, because: 'offer' })
  await writeAuditChange(tx, entry, audited(before), audited(after))
  tx.notify('catalogue', `product:${offer.product_id}`)
  return after
}

/** Reads who has delivered an offer so far: by its own sources, or as what is called like its item at suppliers. */
const readFormer = (tx: Tx, offerId: number, suppliers: readonly string[]) =>
  tx.one<{ kinds: SourceKind[]; has_pool: boolean; products: number[] }>(sql`
    SELECT ARRAY(SELECT kind FROM offer_source WHERE offer_id = offer.id ORDER BY rank, id) AS kinds,
      product.kind = 'topup' AND EXISTS (SELECT FROM code WHERE offer_id = offer.id) AS has_pool,
      (SELECT coalesce(json_agg(sold.id ORDER BY place), '[]')
        FROM unnest(${suppliers}::text[]) WITH ORDINALITY AS seller (supplier, place) JOIN supplier_product AS sold
          ON sold.supplier = seller.supplier AND sold.reference = ${referenceAt(sql`seller.supplier`)}
            AND sold.kind = product.kind) AS products
    FROM offer JOIN product ON product.id = offer.product_id WHERE offer.id = ${offerId}`)

/**
 * Adds a supplier's product to those who deliver an offer, before an operator who is the last of them. An offer that had no
 * sources was delivered by the shop's suppliers: its pool and what is called like its item stay, before the new one, and the
 * operator, if the shop has one, after it. The caller has locked the product, and knows that the source fits.
 */
export async function joinSources(
  tx: Tx,
  offerId: number,
  { configured }: Suppliers,
  productId: number,
): Promise<void> {
  const names = configured.map(({ name }) => name)
  const { kinds, has_pool, products } = await readFormer(tx, offerId, names)
  const isFirst = kinds.length === 0
  const added: WantedSource[] = []
  const add = (kind: SourceKind, id?: number) =>
    added.push({ kind, isOn: true, costAtMost: null, ...(id !== undefined && { productId: id }) })
  if (isFirst && has_pool) add('pool')
  for (const id of isFirst ? products : []) if (id !== productId) add('supplier', id)
  add('supplier', productId)
  if (isFirst && names.includes(manual.name)) add('operator')
  const isBeforeLast = kinds.at(-1) === 'operator'
  if (isBeforeLast)
    await tx.run(sql`UPDATE offer_source SET rank = rank + 1 WHERE offer_id = ${offerId} AND kind = 'operator'`)
  const first = kinds.length + (isBeforeLast ? 0 : 1)
  for (const [index, source] of added.entries()) await upsertSource(tx, offerId, first + index, source)
  await countChange(tx, offerId)
}

/** Returns none when it costs something else by now. */
const acceptCost = (tx: Tx, sourceId: number, seen: { cost: string; currency: string }) =>
  tx.run(sql`
    UPDATE offer_source SET closed_reason = NULL, closed_at = NULL, accepted_cost = bought.cost,
      accepted_currency = bought.currency
    FROM supplier_product AS bought
    WHERE offer_source.id = ${sourceId} AND bought.id = supplier_product_id
      AND bought.cost = ${seen.cost}::numeric AND bought.currency = ${seen.currency}`)

/**
 * Opens a source that the sync closed, at the cost that the operator saw. Refuses what the supplier does not sell any more
 * or wants more fields for, and a cost that is another by now, with STATE_CONFLICT.
 */
export async function reopenSource(
  tx: Tx,
  adminId: number,
  { offerId, sourceId }: { offerId: number; sourceId: number },
  seen: { cost: string; currency: string },
): Promise<EditedSources> {
  const offer = await lockOffer(tx, offerId)
  const before = await readSources(tx, offerId)
  const source = before.sources.find(({ id }) => id === sourceId)
  if (!source?.product) throw new Failure('NOT_FOUND')
  const { product, closed_reason } = source
  if (product.gone_at !== null) throw new Failure('STATE_CONFLICT', { reason: 'source_gone', product: product.name })
  if (closed_reason === 'fields') for (const sold of await readSold(tx, [product.id])) await requireFit(tx, offer, sold)
  if ((await acceptCost(tx, sourceId, seen)) === 0)
    throw new Failure('STATE_CONFLICT', { reason: 'changed_meanwhile', current: { ...before } })
  await resolveSourceAlerts(tx, sourceId)
  await countChange(tx, offerId)
  await repriceOffers(tx, { offerIds: [offerId] }, { adminId, because: 'offer' })
  await writeAudit(tx, {
    actorId: adminId,
    action: 'source.reopen',
    subject: `offer:${offerId}`,
    before: { closed_reason, cost: product.accepted_cost, currency: product.accepted_currency },
    after: { supplier: product.supplier, reference: product.reference, ...seen },
  })
  tx.notify('catalogue', `product:${offer.product_id}`)
  return readSources(tx, offerId)
}
