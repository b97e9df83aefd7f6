import { Failure } from '@olmos/contract/failure'
import { toMajor, toMinor } from '@olmos/contract/minor-units'
import type { NewPriceRule, PriceRule, PriceRuleChange, priceRulesApi, RuleScope } from '@olmos/contract/price-rules'
import {
  allConditions,
  countAll,
  direction,
  orDuplicate,
  requireVersion,
  type SortedList,
  toPage,
  withTotal,
} from '../../platform/database/lists.ts'
import { containing, type Queries, type Sql, sql, type Tx } from '../../platform/database/queries.ts'
import { writeAudit, writeAuditChange } from '../../platform/security/audit.ts'
import { lockPrices, repriceOffers, requireSeenPreview } from './reprice.ts'
import { type OffersToPrice, type RuleFigures, rules } from './wanted-prices.ts'

/** Least margins are in minor units, percentages are decimals. */
interface RuleRow
  extends Omit<PriceRule, 'margin_percent' | 'payment_percent' | 'changed_at'>,
    Record<'margin_percent' | 'payment_percent', string> {
  changed_at: Date
}

const source = sql`
  price_rule AS rule LEFT JOIN offer ON offer.id = rule.offer_id
  LEFT JOIN product ON product.id = coalesce(rule.product_id, offer.product_id)
  LEFT JOIN product_text AS texts ON texts.product_id = product.id AND texts.language = 'ru'
  LEFT JOIN users ON users.id = rule.changed_by`

const isInForce = sql`rule.deleted_at IS NULL AND offer.deleted_at IS NULL AND product.deleted_at IS NULL`

const rulesWhere = (condition: Sql) => sql`
  SELECT rule.id, rule.scope, rule.category, rule.product_id, rule.offer_id, texts.title AS product_title,
    offer.game_amount, product.game_currency, rule.margin_percent, rule.least_usd, rule.least_rub, rule.payment_percent,
    rule.rounding_usd, rule.rounding_rub, rule.version, rule.changed_at, users.nickname AS changed_by
  FROM ${source} WHERE ${isInForce} AND ${condition}`

/** Sorts rules by how much they are for, the widest first. */
const byWidth = sql`array_position(ARRAY['shop', 'amount', 'category', 'product', 'offer'], rule.scope)`

const toColumn = { id: sql`rule.id`, scope: byWidth, changed_at: sql`rule.changed_at` }

type RuleList = SortedList<typeof priceRulesApi.list>

const isListed = ({ search }: RuleList) =>
  allConditions(
    search ? sql`(rule.category ILIKE ${containing(search)} OR texts.title ILIKE ${containing(search)})` : undefined,
  )

export async function listPriceRules(queries: Queries, list: RuleList): Promise<{ data: PriceRule[]; total: number }> {
  const { rows, total } = await withTotal(
    list,
    queries.rows<RuleRow>(sql`
      ${rulesWhere(isListed(list))} ORDER BY ${toColumn[list.sort]} ${direction(list.order)}, rule.id ${toPage(list)}`),
    () => countAll(queries, sql`SELECT FROM ${source} WHERE ${isInForce} AND ${isListed(list)}`, list.search),
  )
  return { data: rows.map(shownRule), total }
}

type Figures = Pick<RuleRow, 'margin_percent' | 'payment_percent' | 'least_usd' | 'least_rub' | 'changed_at'>

const shownFigures = ({ margin_percent, payment_percent, least_usd, least_rub, changed_at }: Figures) => ({
  margin_percent: Number(margin_percent),
  payment_percent: Number(payment_percent),
  least_usd: toMajor(least_usd),
  least_rub: toMajor(least_rub),
  changed_at: changed_at.toISOString(),
})

const shownRule = (row: RuleRow): PriceRule => ({ ...row, ...shownFigures(row) })

type RuleVersionRow = Omit<
  RuleRow,
  'id' | 'scope' | 'category' | 'product_id' | 'offer_id' | 'product_title' | 'game_amount' | 'game_currency'
>

/** Reads the latest hundred versions of a rule, newest first. */
export async function listRuleVersions(queries: Queries, ruleId: number) {
  const rows = await queries.rows<RuleVersionRow>(sql`
    SELECT margin_percent, least_usd, least_rub, payment_percent, rounding_usd, rounding_rub, price_rule_version.version,
      changed_at, users.nickname AS changed_by
    FROM price_rule_version LEFT JOIN users ON users.id = changed_by
    WHERE rule_id = ${ruleId} ORDER BY price_rule_version.version DESC LIMIT 100`)
  if (rows.length === 0) throw new Failure('NOT_FOUND')
  return rows.map((row) => ({ ...row, ...shownFigures(row) }))
}

/** Reads a rule in force. Refuses another one with NOT_FOUND. */
export async function readRule(queries: Queries, ruleId: number): Promise<PriceRule> {
  const row = await queries.maybe<RuleRow>(rulesWhere(sql`rule.id = ${ruleId}`))
  if (!row) throw new Failure('NOT_FOUND')
  return shownRule(row)
}

type Target = Pick<PriceRule, 'scope' | 'category' | 'product_id' | 'offer_id'>

/** Finds the offers that a rule may be the nearest of. */
export function toOffers({ scope, category, product_id, offer_id }: Target): OffersToPrice {
  if (category !== null) return { category }
  if (product_id !== null) return { productId: product_id }
  if (offer_id !== null) return { offerIds: [offer_id] }
  return scope === 'amount' ? { offerIds: [] } : 'all'
}

export const toTarget = ({ scope, category, product_id, offer_id }: NewPriceRule): Target => ({
  scope,
  category: category ?? null,
  product_id: product_id ?? null,
  offer_id: offer_id ?? null,
})

/**
 * Refuses a rule for what is not there, and more than a commission for what is priced by amount: what arrives is exact, so
 * nothing is rounded.
 */
export async function requireTarget(queries: Queries, target: Target, figures: RuleFigures): Promise<void> {
  const { is_known, is_amount } = await queries.one<{ is_known: boolean; is_amount: boolean }>(sql`
    SELECT CASE ${target.scope}::text
      WHEN 'product' THEN EXISTS (SELECT FROM product WHERE id = ${target.product_id}::int AND deleted_at IS NULL)
      WHEN 'offer' THEN EXISTS (SELECT FROM offer WHERE id = ${target.offer_id}::int AND deleted_at IS NULL)
      ELSE true END AS is_known,
      ${target.scope}::text = 'amount'
        OR EXISTS (SELECT FROM product WHERE id = ${target.product_id}::int AND pricing = 'amount') AS is_amount`)
  if (!is_known) {
    throw target.scope === 'offer'
      ? new Failure('OFFER_NOT_FOUND')
      : new Failure('NOT_FOUND', { productId: 'not_found' })
  }
  if (!is_amount) return
  if (figures.payment_percent > 0) throw new Failure('VALIDATION_FAILED', { payment_percent: 'not_of_amounts' })
  for (const field of ['rounding_usd', 'rounding_rub'] as const) {
    if (figures[field] !== 'hundredth') throw new Failure('VALIDATION_FAILED', { [field]: 'not_of_amounts' })
  }
}

const toFigures = ({
  margin_percent,
  least_usd,
  least_rub,
  payment_percent,
  rounding_usd,
  rounding_rub,
}: RuleFigures): RuleFigures => ({ margin_percent, least_usd, least_rub, payment_percent, rounding_usd, rounding_rub })

/** Names a rule for the audit log. */
const audited = (rule: PriceRule) => ({
  scope: rule.scope,
  ...(rule.category !== null && { category: rule.category }),
  ...(rule.product_id !== null && { product_id: rule.product_id }),
  ...(rule.offer_id !== null && { offer_id: rule.offer_id }),
  ...toFigures(rule),
})

/** Merges a change into the figures of a rule; what is left out stays. */
export function mergeFigures(rule: RuleFigures, change: Partial<RuleFigures>): RuleFigures {
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
  return toFigures({ ...rule, ...given })
}

const refuseTakenTarget = <T>(write: Promise<T>): Promise<T> => orDuplicate(write, 'price_rule_target', 'scope')

/**
 * Adds a rule and prices by it. Refuses a second one for the same (DUPLICATE), one for what is not there, and prices that
 * are not those that were seen (PRICE_CHANGED).
 */
export async function addRule(tx: Tx, adminId: number, { seen, ...wanted }: NewPriceRule): Promise<PriceRule> {
  await lockPrices(tx)
  const target = toTarget(wanted)
  await requireTarget(tx, target, wanted)
  const which = toOffers(target)
  await requireSeenPreview(tx, { which, by: rules.withNew(wanted) }, seen)
  const { id } = await refuseTakenTarget(
    tx.one<{ id: number }>(sql`
      INSERT INTO price_rule (scope, category, product_id, offer_id, margin_percent, least_usd, least_rub, payment_percent,
        rounding_usd, rounding_rub, changed_by)
      VALUES (${target.scope}, ${target.category}, ${target.product_id}, ${target.offer_id}, ${wanted.margin_percent},
        ${toMinor(wanted.least_usd)}, ${toMinor(wanted.least_rub)}, ${wanted.payment_percent}, ${wanted.rounding_usd},
        ${wanted.rounding_rub}, ${adminId}) RETURNING id`),
  )
  const rule = await readRule(tx, id)
  await repriceOffers(tx, which, { adminId, because: 'rule', isConfirmed: seen !== undefined })
  // A commission has no offers, and stands on a page all the same.
  tx.notify('catalogue', 'prices')
  await writeAudit(tx, {
    actorId: adminId,
    action: 'price_rule.create',
    subject: `price_rule:${id}`,
    after: audited(rule),
  })
  return rule
}

/** Changes the figures of a rule and prices by it; refuses as `addRule` does. */
export async function changeRule(
  tx: Tx,
  adminId: number,
  ruleId: number,
  { version, seen, ...change }: PriceRuleChange,
): Promise<PriceRule> {
  await lockPrices(tx)
  const before = await readRule(tx, ruleId)
  requireVersion(before, version)
  const figures = mergeFigures(before, change)
  await requireTarget(tx, before, figures)
  const which = toOffers(before)
  await requireSeenPreview(tx, { which, by: rules.withFigures(ruleId, figures) }, seen)
  await tx.run(sql`
    UPDATE price_rule SET margin_percent = ${figures.margin_percent}, least_usd = ${toMinor(figures.least_usd)},
      least_rub = ${toMinor(figures.least_rub)}, payment_percent = ${figures.payment_percent},
      rounding_usd = ${figures.rounding_usd}, rounding_rub = ${figures.rounding_rub}, changed_by = ${adminId},
      changed_at = now()
    WHERE id = ${ruleId}`)
  const after = await readRule(tx, ruleId)
  await repriceOffers(tx, which, { adminId, because: 'rule', isConfirmed: seen !== undefined })
  tx.notify('catalogue', 'prices')
  const entry = { actorId: adminId, action: 'price_rule.update', subject: `price_rule:${ruleId}` } as const
  await writeAuditChange(tx, entry, audited(before), audited(after))
  return after
}

const shopScopes: readonly RuleScope[] = ['shop', 'amount']

/**
 * Ends a rule; what it has priced is priced by the next nearest one. The shop's own never end. Refuses prices that are not
 * those that were seen: PRICE_CHANGED.
 */
export async function removeRule(tx: Tx, adminId: number, ruleId: number, seen: string | undefined): Promise<void> {
  await lockPrices(tx)
  const rule = await readRule(tx, ruleId)
  if (shopScopes.includes(rule.scope)) throw new Failure('STATE_CONFLICT', { reason: 'rule_of_shop' })
  const which = toOffers(rule)
  await requireSeenPreview(tx, { which, by: rules.without(ruleId) }, seen)
  await tx.run(sql`
    UPDATE price_rule SET deleted_at = now(), changed_at = now(), changed_by = ${adminId} WHERE id = ${ruleId}`)
  const entry = { actorId: adminId, action: 'price_rule.delete', subject: `price_rule:${ruleId}` } as const
  await repriceOffers(tx, which, { adminId, because: 'rule', isConfirmed: seen !== undefined })
  tx.notify('catalogue', 'prices')
  await writeAudit(tx, { ...entry, before: audited(rule) })
}

/** What is added to an amount that is topped up. */
export interface Commission {
  rule: { id: number; version: number }
  /** In hundredths of a percent. */
  hundredths: number
  /** The least of it, in minor units. */
  leastUsd: number
  leastRub: number
}

interface CommissionRow {
  id: number
  version: number
  product_id: number | null
  hundredths: number
  least_usd: number
  least_rub: number
}

/** Reads the commissions in force: by product, and under null for all others. */
export async function readCommissions(queries: Queries): Promise<(productId: number) => Commission> {
  const rows = await queries.rows<CommissionRow>(sql`
    SELECT rule.id, rule.version, rule.product_id, (rule.margin_percent * 100)::int AS hundredths, rule.least_usd,
      rule.least_rub
    FROM price_rule AS rule LEFT JOIN product ON product.id = rule.product_id
    WHERE rule.deleted_at IS NULL AND (rule.scope = 'amount' OR product.pricing = 'amount')`)
  return (productId) => {
    const row =
      rows.find(({ product_id }) => product_id === productId) ?? rows.find(({ product_id }) => product_id === null)
    if (!row) throw new Error('the shop has no rule for amounts')
    const { id, version, hundredths, least_usd: leastUsd, least_rub: leastRub } = row
    return { rule: { id, version }, hundredths, leastUsd, leastRub }
  }
}
