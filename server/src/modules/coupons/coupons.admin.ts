import { type Coupon, type CouponChange, couponsApi, type NewCoupon } from '@olmos/contract/coupons'
import { Failure } from '@olmos/contract/failure'
import { toMajor, toMinor } from '@olmos/contract/minor-units'
import type { Context } from '../../platform/context.ts'
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
import { containing, join, type Queries, type Sql, sql, type Tx } from '../../platform/database/queries.ts'
import { writeAudit, writeAuditChange } from '../../platform/security/audit.ts'

/** Money in minor units, the percentage in hundredths. */
interface CouponRow extends Omit<Coupon, 'starts_at' | 'ends_at' | 'created_at'> {
  starts_at: Date | null
  ends_at: Date | null
  created_at: Date
}

const given = (currency: 'USD' | 'RUB'): Sql => sql`
  (SELECT coalesce(sum(discount), 0)::bigint FROM orders
    WHERE coupon_id = coupon.id AND currency = ${currency} AND status NOT IN ('awaiting_payment', 'expired'))`

const columns = sql`
  coupon.id, coupon.code, coupon.percent, coupon.amount_usd, coupon.amount_rub, coupon.product_ids, coupon.least_usd,
  coupon.least_rub, coupon.is_first_order, coupon.max_uses, coupon.max_uses_each, coupon.starts_at, coupon.ends_at,
  coupon.is_active, coupon.note, coupon.used, coupon.created_at, coupon.version,
  ${given('USD')} AS given_usd, ${given('RUB')} AS given_rub`

const toColumn = {
  id: sql`coupon.id`,
  code: sql`coupon.code`,
  used: sql`coupon.used`,
  is_active: sql`coupon.is_active`,
  ends_at: sql`coupon.ends_at`,
  created_at: sql`coupon.created_at`,
}

type CouponList = SortedList<typeof couponsApi.list>

const isListed = ({ search }: CouponList) =>
  allConditions(
    sql`coupon.archived_at IS NULL`,
    search
      ? sql`(coupon.code LIKE ${containing(search.toUpperCase())} OR note ILIKE ${containing(search)})`
      : undefined,
  )

const listCoupons = (queries: Queries, list: CouponList) =>
  queries.rows<CouponRow>(sql`
    SELECT ${columns} FROM coupon WHERE ${isListed(list)}
    ORDER BY ${toColumn[list.sort]} ${direction(list.order)} NULLS LAST, coupon.id ${toPage(list)}`)

const countCoupons = (queries: Queries, list: CouponList) =>
  countAll(queries, sql`SELECT FROM coupon WHERE ${isListed(list)}`)

const findCoupon = (queries: Queries, couponId: number) =>
  queries.maybe<CouponRow>(sql`SELECT ${columns} FROM coupon WHERE id = ${couponId} AND archived_at IS NULL`)

const orNull = (minor: number | null): number | null => minor && toMajor(minor)

const shownCoupon = ({ percent, starts_at, ends_at, created_at, ...row }: CouponRow): Coupon => ({
  ...row,
  percent: percent && percent / 100,
  amount_usd: orNull(row.amount_usd),
  amount_rub: orNull(row.amount_rub),
  least_usd: toMajor(row.least_usd),
  least_rub: toMajor(row.least_rub),
  given_usd: toMajor(row.given_usd),
  given_rub: toMajor(row.given_rub),
  starts_at: starts_at?.toISOString() ?? null,
  ends_at: ends_at?.toISOString() ?? null,
  created_at: created_at.toISOString(),
})

const toStored = (amount: number | null): number | null => amount && toMinor(amount)

/** The columns that an admin types, with their values. */
const typed = (coupon: NewCoupon) =>
  [
    [sql`code`, sql`${coupon.code}`],
    [sql`percent`, sql`${coupon.percent && Math.round(coupon.percent * 100)}::int`],
    [sql`amount_usd`, sql`${toStored(coupon.amount_usd)}::bigint`],
    [sql`amount_rub`, sql`${toStored(coupon.amount_rub)}::bigint`],
    [sql`product_ids`, sql`${coupon.product_ids}::int[]`],
    [sql`least_usd`, sql`${toMinor(coupon.least_usd)}::bigint`],
    [sql`least_rub`, sql`${toMinor(coupon.least_rub)}::bigint`],
    [sql`is_first_order`, sql`${coupon.is_first_order}`],
    [sql`max_uses`, sql`${coupon.max_uses}::int`],
    [sql`max_uses_each`, sql`${coupon.max_uses_each}::int`],
    [sql`starts_at`, sql`${coupon.starts_at}::timestamptz`],
    [sql`ends_at`, sql`${coupon.ends_at}::timestamptz`],
    [sql`is_active`, sql`${coupon.is_active}`],
    [sql`note`, sql`${coupon.note}`],
  ] as const

/**
 * Refuses terms that contradict each other, and products that do not exist, unless the coupon had them before they were
 * deleted: VALIDATION_FAILED.
 */
async function requireTerms(
  tx: Tx,
  { percent, amount_usd, amount_rub, ...coupon }: NewCoupon,
  before?: Coupon,
): Promise<void> {
  if (percent !== null && (amount_usd !== null || amount_rub !== null))
    throw new Failure('VALIDATION_FAILED', { percent: 'invalid' })
  if (percent === null && amount_usd === null) throw new Failure('VALIDATION_FAILED', { amount_usd: 'required' })
  if (percent === null && amount_rub === null) throw new Failure('VALIDATION_FAILED', { amount_rub: 'required' })
  const { starts_at, ends_at, product_ids } = coupon
  if (starts_at && ends_at && new Date(starts_at) >= new Date(ends_at))
    throw new Failure('VALIDATION_FAILED', { ends_at: 'invalid_time' })
  const added = new Set(product_ids?.filter((id) => !before?.product_ids?.includes(id)))
  if (added.size === 0) return
  const known = await tx.rows<{ id: number }>(
    sql`SELECT id FROM product WHERE id = ANY (${[...added]}::int[]) AND deleted_at IS NULL`,
  )
  if (known.length !== added.size) throw new Failure('VALIDATION_FAILED', { product_ids: 'invalid' })
}

async function readCoupon(tx: Tx, couponId: number): Promise<Coupon> {
  const row = await findCoupon(tx, couponId)
  if (!row) throw new Failure('NOT_FOUND')
  return shownCoupon(row)
}

async function lockCoupon(tx: Tx, couponId: number): Promise<Coupon> {
  await tx.run(sql`SELECT FROM coupon WHERE id = ${couponId} FOR UPDATE`)
  return readCoupon(tx, couponId)
}

async function createCoupon(tx: Tx, adminId: number, wanted: NewCoupon): Promise<Coupon> {
  await requireTerms(tx, wanted)
  const fields = typed(wanted)
  const { id } = await orDuplicate(
    tx.one<{ id: number }>(sql`
      INSERT INTO coupon (${join(fields.map(([column]) => column))})
      VALUES (${join(fields.map(([, value]) => value))}) RETURNING id`),
    'coupon_code',
    'code',
  )
  const after = await readCoupon(tx, id)
  await writeAudit(tx, { actorId: adminId, action: 'coupon.create', subject: `coupon:${id}`, after })
  return after
}

async function changeCoupon(
  tx: Tx,
  adminId: number,
  couponId: number,
  { version, ...change }: CouponChange,
): Promise<Coupon> {
  const before = await lockCoupon(tx, couponId)
  requireVersion(before, version)
  const wanted: NewCoupon = { ...before, ...change }
  await requireTerms(tx, wanted, before)
  await orDuplicate(
    tx.run(sql`
      UPDATE coupon SET ${join(typed(wanted).map(([column, value]) => sql`${column} = ${value}`))}
      WHERE id = ${couponId}`),
    'coupon_code',
    'code',
  )
  const after = await readCoupon(tx, couponId)
  const entry = { actorId: adminId, action: 'coupon.update', subject: `coupon:${couponId}` } as const
  await writeAuditChange(tx, entry, before, after)
  tx.notify('catalogue', `coupon:${couponId}`)
  return after
}

/** Takes a coupon away from everybody. Promotions no longer carry it; orders keep it. */
async function removeCoupon(tx: Tx, adminId: number, couponId: number): Promise<void> {
  const before = await lockCoupon(tx, couponId)
  await tx.run(sql`UPDATE coupon SET archived_at = now() WHERE id = ${couponId}`)
  await writeAudit(tx, { actorId: adminId, action: 'coupon.delete', subject: `coupon:${couponId}`, before })
  tx.notify('catalogue', `coupon:${couponId}`)
}

export function couponsAdmin({ serve, database }: Context): void {
  serve(couponsApi.list, async ({ query }) => {
    const list = { ...query, sort: query.sort ?? 'id' }
    const { rows, total } = await withTotal(list, listCoupons(database, list), () => countCoupons(database, list))
    return { data: rows.map(shownCoupon), total }
  })

  serve(couponsApi.add, async ({ user, body }) => ({
    data: await database.transaction((tx) => createCoupon(tx, user.id, body)),
  }))

  serve(couponsApi.change, async ({ user, params, body }) => ({
    data: await database.transaction((tx) => changeCoupon(tx, user.id, params.id, body)),
  }))

  serve(couponsApi.remove, async ({ user, params }) => {
    await database.transaction((tx) => removeCoupon(tx, user.id, params.id))
    return { data: { id: params.id } }
  })
}
