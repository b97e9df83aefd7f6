import { Failure } from '@olmos/contract/failure'
import { toMajor } from '@olmos/contract/minor-units'
import {
  type BulkChange,
  type OfferPriceRow,
  type PendingPrice,
  type PriceDecision,
  type PriceWish,
  priceChangesApi,
} from '@olmos/contract/price-changes'
import { priceRulesApi } from '@olmos/contract/price-rules'
import { SERVER_LIMITS } from '../../limits.ts'
import type { Context } from '../../platform/context.ts'
import {
  allConditions,
  countAll,
  direction,
  type ListPage,
  type SortedList,
  toPage,
  withTotal,
} from '../../platform/database/lists.ts'
import { containing, type Queries, sql, type Tx } from '../../platform/database/queries.ts'
import { writeAudit } from '../../platform/security/audit.ts'
import { isSoldOutByCost } from './delivered.ts'
import {
  addRule,
  changeRule,
  listPriceRules,
  listRuleVersions,
  mergeFigures,
  readRule,
  removeRule,
  requireTarget,
  toOffers,
  toTarget,
} from './price-rules.ts'
import {
  lockChosen,
  lockPrices,
  offerName,
  previewPrices,
  putPricesInForce,
  type Repriced,
  requireSeenPreview,
  waitingPrices,
  withOfferName,
} from './reprice.ts'
import { type OfferPricingRow, shownPricing } from './typed-prices.ts'
import {
  hasDrifted,
  type Pricing,
  pricingColumns,
  rules,
  toChosen,
  tryRule,
  wantedPrices,
  withCost,
  withRubRate,
} from './wanted-prices.ts'

function toPricing(change: BulkChange): Pricing {
  const which = toChosen(change.selection)
  if (change.by === 'rule') return { which, priced: { by: 'rule' } }
  const { percent_usd: percentUsd, percent_rub: percentRub, rounding_usd, rounding_rub } = change
  return {
    which,
    priced: { by: 'percent', percentUsd, percentRub, roundingUsd: rounding_usd, roundingRub: rounding_rub },
  }
}

/** Reads what an operator wants to see the prices of. Refuses a rule that is not there with NOT_FOUND. */
async function readWish(queries: Queries, wish: PriceWish): Promise<Pricing> {
  if (wish.by === 'percent' || wish.by === 'rule') return toPricing(wish)
  if (wish.by === 'new_rule') {
    const target = toTarget(wish.rule)
    await requireTarget(queries, target, wish.rule)
    return { which: toOffers(target), by: rules.withNew(wish.rule) }
  }
  const rule = await readRule(queries, wish.id)
  const which = toOffers(rule)
  if (wish.by === 'removed_rule') return { which, by: rules.without(rule.id) }
  const figures = mergeFigures(rule, wish.rule)
  await requireTarget(queries, rule, figures)
  return { which, by: rules.withFigures(rule.id, figures) }
}

interface ConfirmedChange {
  wish: BulkChange
  /** The digest of the preview that the admin has seen. */
  seen: string
  /** Why some of it is sold under its cost. */
  underFloor?: string | undefined
}

/**
 * Changes many prices exactly as they were previewed, or none of them: PRICE_CHANGED. Prices under cost want a written
 * reason, else FLOOR_PRICE names some of them.
 */
async function changePrices(tx: Tx, adminId: number, { wish, seen, underFloor }: ConfirmedChange): Promise<Repriced> {
  await lockPrices(tx)
  const pricing = toPricing(wish)
  const wanted = wantedPrices(pricing)
  const summary = await requireSeenPreview(tx, pricing, seen)
  const isUnder = summary !== undefined && summary.under_floor > 0
  if (isUnder && underFloor === undefined)
    throw new Failure('FLOOR_PRICE', { prices: await readUnderCost(tx, pricing) })
  if (isUnder && underFloor !== undefined) await writeYeses(tx, { adminId, pricing, reason: underFloor })
  const repriced = await putPricesInForce(tx, pricing.which, wanted, { isConfirmed: true, isAgreed: isUnder })
  await writeAudit(tx, {
    actorId: adminId,
    action: 'prices.change',
    subject: 'prices',
    after: { ...wish, changed: repriced.changed, ...(isUnder && { reason: underFloor }) },
  })
  return repriced
}

const shownOfRefusal = 20

async function readUnderCost(tx: Tx, pricing: Pricing) {
  const rows = await tx.rows<Record<'game_amount' | 'price_usd' | 'price_rub' | 'floor_usd' | 'floor_rub', number>>(sql`
    WITH ${wantedPrices(pricing)}
    SELECT offer.game_amount, wanted.price_usd, wanted.price_rub, wanted.floor_usd, wanted.floor_rub
    FROM wanted JOIN offer ON offer.id = wanted.offer_id WHERE is_moved AND is_under_cost
    ORDER BY offer.id LIMIT ${shownOfRefusal}`)
  return rows.map(({ game_amount, ...prices }) => ({
    game_amount,
    price_usd: toMajor(prices.price_usd),
    price_rub: toMajor(prices.price_rub),
    floor_usd: toMajor(prices.floor_usd),
    floor_rub: toMajor(prices.floor_rub),
  }))
}

interface Yeses {
  adminId: number
  pricing: Pricing
  reason: string
}

/** Writes of each offer that is about to be sold under its cost that an admin has agreed, and why. */
const writeYeses = (tx: Tx, { adminId, pricing, reason }: Yeses) =>
  tx.run(sql`
    WITH ${wantedPrices(pricing)}
    INSERT INTO audit_entry (actor_id, action, subject, after)
    SELECT ${adminId}, 'offer.under_floor', 'offer:' || offer_id, json_build_object('reason', ${reason}::text,
      'price_usd', price_usd / 100.0, 'price_rub', price_rub / 100.0,
      'floor_usd', floor_usd / 100.0, 'floor_rub', floor_rub / 100.0)
    FROM wanted WHERE is_moved AND is_under_cost ORDER BY offer_id`)

/** Prices are in minor units. */
interface OfferPriceListRow extends OfferPricingRow, Omit<OfferPriceRow, keyof OfferPricingRow> {}

const toColumn = { offer_id: sql`offer.id`, price_usd: sql`offer.price_usd`, price_rub: sql`offer.price_rub` }

type OfferPriceList = SortedList<typeof priceChangesApi.offers>

const inState = {
  drifted: hasDrifted,
  off_sale: sql`(offer.under_floor_since IS NOT NULL OR ${isSoldOutByCost})`,
  rule: sql`offer.price_mode = 'rule'`,
  fixed: sql`offer.price_mode = 'fixed'`,
  no_cost: sql`offer.floor_usd IS NULL`,
} as const

const listedOffers = ({ search, state, category, productId }: OfferPriceList) => sql`
  offer JOIN product ON product.id = offer.product_id AND product.deleted_at IS NULL ${withOfferName} ${withRubRate}
  WHERE ${allConditions(
    sql`offer.deleted_at IS NULL`,
    search ? sql`texts.title ILIKE ${containing(search)}` : undefined,
    state && inState[state],
    category ? sql`${category}::text = ANY (product.category)` : undefined,
    productId === undefined ? undefined : sql`offer.product_id = ${productId}`,
  )}`

/** Reads a page of what all packages cost and are sold at, and how many there are. */
async function listOfferPrices(
  queries: Queries,
  list: OfferPriceList,
): Promise<{ data: OfferPriceRow[]; total: number }> {
  const { rows, total } = await withTotal(
    list,
    queries.rows<OfferPriceListRow>(sql`
      SELECT listed.*, ${pricingColumns} FROM (
        SELECT ${offerName}, offer.price_usd, offer.price_rub, offer.is_active FROM ${listedOffers(list)}
        ORDER BY ${toColumn[list.sort]} ${direction(list.order)}, offer.id ${toPage(list)}) AS listed
      JOIN offer ON offer.id = listed.offer_id ${withRubRate} ${withCost}
      ORDER BY ${toColumn[list.sort]} ${direction(list.order)}, offer.id`),
    () => countAll(queries, sql`SELECT FROM ${listedOffers(list)}`, list.search),
  )
  return { data: rows.map(shownOfferPrice), total }
}

const shownOfferPrice = (row: OfferPriceListRow): OfferPriceRow => ({
  ...row,
  ...shownPricing(row),
  price_usd: toMajor(row.price_usd),
  price_rub: toMajor(row.price_rub),
})

/** Prices are in minor units. */
interface PendingRow extends Omit<PendingPrice, 'created_at'> {
  created_at: Date
}

/** Reads a page of the prices that wait for an admin, and how many there are. */
async function listPendingPrices(queries: Queries, list: ListPage): Promise<{ data: PendingPrice[]; total: number }> {
  const source = sql`${waitingPrices} ${withOfferName}`
  const { rows, total } = await withTotal(
    list,
    queries.rows<PendingRow>(sql`
      SELECT pending.id, ${offerName}, pending.was_usd, pending.was_rub, pending.price_usd, pending.price_rub,
        offer.floor_usd, offer.floor_rub, pending.created_at
      FROM ${source} ORDER BY pending.id ${direction(list.order)} ${toPage(list)}`),
    () => countAll(queries, sql`SELECT FROM ${source}`),
  )
  return { data: rows.map(shownPending), total }
}

const shownPending = (row: PendingRow): PendingPrice => ({
  ...row,
  was_usd: toMajor(row.was_usd),
  was_rub: toMajor(row.was_rub),
  price_usd: toMajor(row.price_usd),
  price_rub: toMajor(row.price_rub),
  floor_usd: row.floor_usd && toMajor(row.floor_usd),
  floor_rub: row.floor_rub && toMajor(row.floor_rub),
  created_at: row.created_at.toISOString(),
})

interface Decided {
  decision: PriceDecision
  ids?: readonly number[] | undefined
  /** All of them, up to this id; a proposal that changes gets another id. */
  all?: { up_to: number; count: number } | undefined
}

/**
 * Puts pending prices in force as they were listed, or keeps those that are: their offers are priced by hand from then on.
 * Refuses with STATE_CONFLICT when one of them is wanted no more.
 */
async function decidePendingPrices(
  tx: Tx,
  adminId: number,
  { decision, ids: given = [], all }: Decided,
): Promise<Repriced> {
  await lockPrices(tx)
  const rows = await tx.rows<{ id: number; offer_id: number }>(sql`
    SELECT pending.id, pending.offer_id FROM ${waitingPrices}
    WHERE ${all ? sql`pending.id <= ${all.up_to}` : sql`pending.id = ANY (${given}::bigint[])`}
    ORDER BY pending.offer_id FOR UPDATE OF pending`)
  if (rows.length !== (all?.count ?? new Set(given).size))
    throw new Failure('STATE_CONFLICT', { reason: 'prices_moved' })
  const [ids, which] = [rows.map(({ id }) => id), { offerIds: rows.map(({ offer_id }) => offer_id) }]
  await lockChosen(tx, which)
  const isApproved = decision === 'approve'
  if (!isApproved) await tx.run(sql`UPDATE offer SET price_mode = 'fixed' WHERE id = ANY (${which.offerIds}::int[])`)
  await tx.run(sql`
    UPDATE pending_price SET decision = ${isApproved ? 'approved' : 'rejected'}, decided_at = now(), decided_by = ${adminId}
    WHERE id = ANY (${ids}::bigint[])`)
  const wanted = wantedPrices({ which, priced: isApproved ? { by: 'pending', ids } : { by: 'own' } })
  const repriced = await putPricesInForce(tx, which, wanted, { isConfirmed: true })
  await writeAudit(tx, {
    actorId: adminId,
    action: isApproved ? 'prices.approve' : 'prices.reject',
    subject: 'prices',
    after: { offers: which.offerIds.slice(0, shownOfRefusal), count: rows.length },
  })
  return repriced
}

export function pricingAdmin({ serve, database }: Context): void {
  const price = <T>(work: (tx: Tx) => Promise<T>) =>
    database.transaction(work, { statementMs: SERVER_LIMITS.repricingMs })

  serve(priceRulesApi.list, ({ query }) => {
    const sorted = query.sort ? { sort: query.sort } : { sort: 'scope' as const, order: 'asc' as const }
    return listPriceRules(database, { ...query, ...sorted })
  })

  serve(priceRulesApi.add, async ({ user, body }) => ({
    data: await price((tx) => addRule(tx, user.id, body)),
  }))

  serve(priceRulesApi.change, async ({ user, params, body }) => ({
    data: await price((tx) => changeRule(tx, user.id, params.id, body)),
  }))

  serve(priceRulesApi.remove, async ({ user, params, query }) => {
    await price((tx) => removeRule(tx, user.id, params.id, query.seen))
    return { data: { id: params.id } }
  })

  serve(priceRulesApi.history, async ({ params }) => ({ data: await listRuleVersions(database, params.id) }))

  serve(priceRulesApi.example, async ({ body }) => {
    const prices = await database.maybe<Record<'price_usd' | 'price_rub' | 'floor_usd' | 'floor_rub', number>>(
      tryRule(body.rule, body.cost, body.currency),
    )
    if (!prices) return { data: null }
    return {
      data: {
        price_usd: toMajor(prices.price_usd),
        price_rub: toMajor(prices.price_rub),
        floor_usd: toMajor(prices.floor_usd),
        floor_rub: toMajor(prices.floor_rub),
      },
    }
  })

  serve(priceChangesApi.preview, ({ body }) =>
    database.snapshot(async (queries) => previewPrices(queries, await readWish(queries, body.wish), body.page)),
  )

  serve(priceChangesApi.apply, async ({ user, body }) => ({
    data: await price((tx) => changePrices(tx, user.id, body)),
  }))

  serve(priceChangesApi.offers, ({ query }) => {
    const sorted = query.sort ? { sort: query.sort } : { sort: 'offer_id' as const }
    return listOfferPrices(database, { ...query, ...sorted })
  })

  serve(priceChangesApi.pending, ({ query }) => listPendingPrices(database, query))

  serve(priceChangesApi.decide, async ({ user, body }) => ({
    data: await price((tx) => decidePendingPrices(tx, user.id, body)),
  }))
}
