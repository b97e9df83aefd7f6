import { Failure } from '@olmos/contract/failure'
import type { Language } from '@olmos/contract/fields'
import { toMajor, toMinor } from '@olmos/contract/minor-units'
import type { Currency } from '@olmos/contract/money'
import { type FeeBearer, type MethodChange, paymentSetupApi, type ShopMethod } from '@olmos/contract/payment-setup'
import type { RestoredVersion } from '@olmos/contract/versions'
import { z } from 'zod'
import { requireNewOrder, requireVersion } from '../../platform/database/lists.ts'
import { type Queries, sql, type Tx } from '../../platform/database/queries.ts'
import { writeAudit, writeAuditChange } from '../../platform/security/audit.ts'
import { findOlder, keepVersion, readAgain } from '../shop/versions.ts'
import type { FeeTerms } from './charge.rules.ts'
import type { PaymentProvider, ProviderMethod } from './provider.ts'

/** How the owner wants a way to pay offered. Amounts are minor units of the order's currency. */
interface MethodRules {
  isOn: boolean
  titles: Partial<Record<Language, string>>
  least: Partial<Record<Currency, number>>
  most: Partial<Record<Currency, number>>
  /** The percents in hundredths. */
  fee: { percent: number; fixed: Record<Currency, number>; bearer: FeeBearer; isRefunded: boolean }
  version: number
}

/** A way to pay with the provider that takes the money, and the owner's rules. */
export interface MethodInForce {
  method: ProviderMethod
  provider: PaymentProvider
  rules: MethodRules
}

/** Amounts are in minor units, percents in hundredths. */
export interface MethodRow extends Omit<ShopMethod, 'provider' | 'mark' | 'charge_currencies' | 'titles'> {
  position: number | null
  title_ru: string | null
  title_en: string | null
  title_uz: string | null
}

const columns = sql`
  name, is_on, position, title_ru, title_en, title_uz, least_usd, least_rub, most_usd, most_rub,
  (fee_percent * 100)::int AS fee_percent, fee_usd, fee_rub, fee_bearer, is_fee_refunded, version`

/** Reads the methods that were ever changed or moved. */
export const readMethodRows = (queries: Queries) =>
  queries.rows<MethodRow>(sql`SELECT ${columns} FROM payment_method ORDER BY position NULLS LAST, name`)

/** Reads what customers pay for each way to pay that costs them something, by its name, in an order's currency. */
export async function readFeeTerms(queries: Queries, currency: Currency): Promise<ReadonlyMap<string, FeeTerms>> {
  const rows = await queries.rows<FeeTerms & { name: string }>(sql`
    SELECT name, (fee_percent * 100)::int AS percent, CASE ${currency} WHEN 'USD' THEN fee_usd ELSE fee_rub END AS fixed,
      is_fee_refunded AS "isRefunded"
    FROM payment_method WHERE fee_bearer = 'customer'`)
  return new Map(rows.map(({ name, ...terms }) => [name, terms]))
}

const amounts = (usd: number | null, rub: number | null): Partial<Record<Currency, number>> => ({
  ...(usd !== null && { USD: usd }),
  ...(rub !== null && { RUB: rub }),
})

const withoutNulls = (titles: Record<Language, string | null>): Partial<Record<Language, string>> =>
  Object.fromEntries(Object.entries(titles).filter(([, title]) => title !== null))

const toRules = (row: MethodRow): MethodRules => ({
  isOn: row.is_on,
  titles: withoutNulls({ ru: row.title_ru, en: row.title_en, uz: row.title_uz }),
  least: amounts(row.least_usd, row.least_rub),
  most: amounts(row.most_usd, row.most_rub),
  fee: {
    percent: row.fee_percent,
    fixed: { USD: row.fee_usd, RUB: row.fee_rub },
    bearer: row.fee_bearer,
    isRefunded: row.is_fee_refunded,
  },
  version: row.version,
})

/** The rules of a method that was never changed. */
const unchanged = (isOn: boolean): MethodRules => ({
  isOn,
  titles: {},
  least: {},
  most: {},
  fee: { percent: 0, fixed: { USD: 0, RUB: 0 }, bearer: 'shop', isRefunded: false },
  version: 1,
})

/**
 * Puts the methods of these providers in the shop's order, each with its rules. One that nobody has touched comes after
 * those that were moved, and is on only where the environment names its provider: an account that was typed is tried first.
 */
export function toShopMethods(
  providers: readonly { provider: PaymentProvider; isInEnvironment: boolean }[],
  rows: readonly MethodRow[],
): MethodInForce[] {
  const methods = providers.flatMap(({ provider, isInEnvironment }) =>
    provider.methods.map((method) => {
      const row = rows.find(({ name }) => name === method.name)
      const position = row?.position ?? Number.MAX_SAFE_INTEGER
      return { method, provider, rules: row ? toRules(row) : unchanged(isInEnvironment), position }
    }),
  )
  return methods.toSorted((one, other) => one.position - other.position).map(({ position: _, ...method }) => method)
}

/** How the admin area shows a method. */
export function shownMethod({ method, provider, rules }: MethodInForce): ShopMethod {
  const { titles, least, most, fee, version } = rules
  const shown = (amount: number | undefined) => (amount === undefined ? null : toMajor(amount))
  return {
    name: method.name,
    provider: provider.name,
    mark: method.mark,
    charge_currencies: [...(method.charges ?? provider.charges)],
    is_on: rules.isOn,
    titles,
    least_usd: shown(least.USD),
    least_rub: shown(least.RUB),
    most_usd: shown(most.USD),
    most_rub: shown(most.RUB),
    fee_percent: toMajor(fee.percent),
    fee_usd: toMajor(fee.fixed.USD),
    fee_rub: toMajor(fee.fixed.RUB),
    fee_bearer: fee.bearer,
    is_fee_refunded: fee.isRefunded,
    version,
  }
}

/** Locks the rows of these methods until the transaction ends; those that were never changed get one. */
async function lockMethods(tx: Tx, methods: readonly MethodInForce[]): Promise<MethodInForce[]> {
  const names = methods.map(({ method }) => method.name)
  await tx.run(sql`
    INSERT INTO payment_method (name, is_on)
    SELECT name, is_on FROM unnest(${names}::text[], ${methods.map(({ rules }) => rules.isOn)}::boolean[]) AS new (name, is_on)
    ORDER BY name ON CONFLICT DO NOTHING`)
  await tx.run(sql`SELECT FROM payment_method WHERE name = ANY (${names}) ORDER BY name FOR UPDATE`)
  const rows = await readMethodRows(tx)
  const rulesNow = new Map(rows.map((row) => [row.name, toRules(row)]))
  return methods.map((method) => ({ ...method, rules: rulesNow.get(method.method.name) ?? method.rules }))
}

/** What the audit log and the versions keep of a method. */
const audited = ({ name: _, provider: __, mark: ___, charge_currencies: ____, ...fields }: ShopMethod) => fields

const toKept = (method: ShopMethod): object => {
  const { version: _, ...kept } = audited(method)
  return kept
}

/** Refuses limits between which no order can be. */
function requireRange({ least_usd, most_usd, least_rub, most_rub }: ShopMethod): void {
  const isEmpty = (least: number | null, most: number | null) => least !== null && most !== null && least > most
  if (isEmpty(least_usd, most_usd)) throw new Failure('VALIDATION_FAILED', { most_usd: 'below_least' })
  if (isEmpty(least_rub, most_rub)) throw new Failure('VALIDATION_FAILED', { most_rub: 'below_least' })
}

/** Changes how a method is offered and notifies every node. Refuses an edit of another version than the present one. */
export async function changeMethod(
  tx: Tx,
  adminId: number,
  method: MethodInForce,
  { version, titles, ...change }: MethodChange,
): Promise<ShopMethod> {
  const [locked = method] = await lockMethods(tx, [method])
  const before = shownMethod(locked)
  requireVersion(before, version)
  const { name } = before
  const wanted: ShopMethod = { ...before, ...withoutMissing(change), titles: { ...before.titles, ...titles } }
  requireRange(wanted)
  const title = (language: Language) => wanted.titles[language] || null
  const minor = (amount: number | null) => (amount === null ? null : toMinor(amount))
  await tx.run(sql`
    UPDATE payment_method SET is_on = ${wanted.is_on}, title_ru = ${title('ru')}, title_en = ${title('en')},
      title_uz = ${title('uz')}, least_usd = ${minor(wanted.least_usd)}, least_rub = ${minor(wanted.least_rub)},
      most_usd = ${minor(wanted.most_usd)}, most_rub = ${minor(wanted.most_rub)}, fee_percent = ${toMinor(wanted.fee_percent)}::int / 100.0,
      fee_usd = ${toMinor(wanted.fee_usd)}, fee_rub = ${toMinor(wanted.fee_rub)}, fee_bearer = ${wanted.fee_bearer},
      is_fee_refunded = ${wanted.is_fee_refunded}, version = version + 1
    WHERE name = ${name}`)
  const [changed = method] = await lockMethods(tx, [method])
  const after = shownMethod(changed)
  const entry = { actorId: adminId, action: 'payment_method.update', subject: `payment_method:${name}` } as const
  await writeAuditChange(tx, entry, audited(before), audited(after))
  await keepVersion(tx, entry.subject, { before: toKept(before), after: toKept(after) }, adminId)
  tx.notify('payment', `method:${name}`)
  return after
}

/** Offers a method as an older version says, by what a change to that has to pass. */
export async function restoreMethod(
  tx: Tx,
  adminId: number,
  method: MethodInForce,
  wanted: RestoredVersion,
): Promise<ShopMethod> {
  await lockMethods(tx, [method])
  const { older } = await findOlder(tx, `payment_method:${method.method.name}`, wanted)
  const change = readAgain(paymentSetupApi.changeMethod.body, older.value)
  // A change leaves titles that it does not name.
  return changeMethod(tx, adminId, method, { ...change, titles: { ru: '', en: '', uz: '', ...change.titles } })
}

const withoutMissing = <T extends object>(change: T): T =>
  Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) as T

/**
 * Puts the methods in another order and notifies every node. Refuses a list that does not name each of them once, and one
 * that was made from another order than the present one.
 */
export async function orderMethods(
  tx: Tx,
  adminId: number,
  methods: readonly MethodInForce[],
  { names, seen }: { names: readonly string[]; seen?: readonly string[] | undefined },
): Promise<void> {
  const present = await lockOrder(tx, methods)
  requireNewOrder(present, { names, seen })
  await setOrder(tx, adminId, { present, names })
}

/** Puts the methods in an older order and notifies every node. Those that have come since stay after the others. */
export async function restoreOrder(
  tx: Tx,
  adminId: number,
  methods: readonly MethodInForce[],
  wanted: RestoredVersion,
): Promise<void> {
  const present = await lockOrder(tx, methods)
  const { older } = await findOlder(tx, 'payment_methods', wanted)
  const known = readAgain(orderOfMethods, older.value).names.filter((name) => present.includes(name))
  await setOrder(tx, adminId, { present, names: [...known, ...present.filter((name) => !known.includes(name))] })
}

const orderOfMethods = z.object({ names: z.array(z.string()) })

/** Locks the methods until the transaction ends, and names them in their order. */
async function lockOrder(tx: Tx, methods: readonly MethodInForce[]): Promise<readonly string[]> {
  await lockMethods(tx, methods)
  const rows = await readMethodRows(tx)
  const places = new Map(rows.flatMap(({ name, position }) => (position === null ? [] : [[name, position] as const])))
  const place = (name: string) => places.get(name) ?? Number.MAX_SAFE_INTEGER
  return methods.map(({ method }) => method.name).toSorted((one, other) => place(one) - place(other))
}

async function setOrder(
  tx: Tx,
  adminId: number,
  { present, names }: { present: readonly string[]; names: readonly string[] },
): Promise<void> {
  await tx.run(sql`
    UPDATE payment_method SET position = new.position
    FROM unnest(${names}::text[]) WITH ORDINALITY AS new (name, position) WHERE payment_method.name = new.name`)
  await writeAudit(tx, {
    actorId: adminId,
    action: 'payment_methods.order',
    subject: 'payment_methods',
    before: { names: present },
    after: { names },
  })
  await keepVersion(tx, 'payment_methods', { before: { names: present }, after: { names } }, adminId)
  tx.notify('payment', 'methods')
}
