import type { RestoredVersion } from '@olmos/contract/versions'
import { z } from 'zod'
import { requireNewOrder } from '../../platform/database/lists.ts'
import { type Queries, sql, type Tx } from '../../platform/database/queries.ts'
import { writeAudit, writeAuditChange } from '../../platform/security/audit.ts'
import { findOlder, keepVersion, readAgain } from '../shop/versions.ts'
import type { SupplierName } from './supplier.ts'

/** How the owner wants a supplier asked. */
export interface SupplierChoice {
  supplier: SupplierName
  /** Null where nobody has switched it: on where the environment names it, else off. */
  is_on: boolean | null
  /** Null after those that were moved. */
  position: number | null
}

/** Reads how every supplier that was ever touched is asked. */
export const readChoices = (queries: Queries) =>
  queries.rows<SupplierChoice>(sql`SELECT supplier, is_on, position FROM supplier_account ORDER BY supplier`)

/** An account that was cleared leaves no choice: one that is typed after that is off until it is switched on. */
export const forgetSwitch = (tx: Tx, supplier: SupplierName) =>
  tx.run(sql`UPDATE supplier_account SET is_on = NULL WHERE supplier = ${supplier}`)

/** The suppliers that are set up, on and off, and the operator; and what is on where no admin has switched it. */
export interface SetUpSuppliers {
  order: readonly SupplierName[]
  isInEnvironment(name: SupplierName): boolean
}

/** Who is asked and in which order: what versions are kept of. The operator is asked last, and stands in no order. */
const askedSuppliers = z.object({
  names: z.array(z.string()),
  is_on: z.record(z.string(), z.boolean()),
})
type AskedSuppliers = z.infer<typeof askedSuppliers>

/** Locks the suppliers until the transaction ends, and reads how they are asked. */
async function lockSuppliers(tx: Tx, { order, isInEnvironment }: SetUpSuppliers): Promise<AskedSuppliers> {
  await tx.run(sql`
    INSERT INTO supplier_account (supplier) SELECT name FROM unnest(${order}::text[]) AS new (name)
    ORDER BY name ON CONFLICT DO NOTHING`)
  const rows = await tx.rows<SupplierChoice>(sql`
    SELECT supplier, position, is_on FROM supplier_account WHERE supplier = ANY (${order}) ORDER BY supplier FOR UPDATE`)
  return {
    names: inShopsOrder(order, rows).filter((name) => name !== 'manual'),
    is_on: Object.fromEntries(rows.map(({ supplier, is_on }) => [supplier, is_on ?? isInEnvironment(supplier)])),
  }
}

async function setSwitch(
  tx: Tx,
  adminId: number,
  { supplier, wasOn, isOn }: { supplier: SupplierName; wasOn: boolean; isOn: boolean },
): Promise<void> {
  await tx.run(sql`
    UPDATE supplier_account SET is_on = ${isOn}, version = version + 1, changed_at = now(), changed_by = ${adminId}
    WHERE supplier = ${supplier}`)
  const entry = { actorId: adminId, action: 'supplier.switch', subject: `supplier:${supplier}` } as const
  await writeAuditChange(tx, entry, { is_on: wasOn }, { is_on: isOn })
  tx.notify('supplier', supplier)
}

async function setOrder(
  tx: Tx,
  adminId: number,
  { before, names }: { before: AskedSuppliers; names: readonly string[] },
): Promise<void> {
  await tx.run(sql`
    UPDATE supplier_account SET position = new.position
    FROM unnest(${names}::text[]) WITH ORDINALITY AS new (name, position) WHERE supplier = new.name`)
  await writeAudit(tx, {
    actorId: adminId,
    action: 'suppliers.order',
    subject: 'suppliers',
    before: { names: before.names },
    after: { names },
  })
  tx.notify('supplier', 'order')
}

/**
 * Switches a supplier on or off and notifies every node. Answers whether it did: nothing changes where another version than
 * the present one was seen.
 */
export async function switchSupplier(
  tx: Tx,
  adminId: number,
  shop: SetUpSuppliers,
  wanted: { supplier: SupplierName; isOn: boolean; version: number | undefined },
): Promise<boolean> {
  const { supplier, isOn, version } = wanted
  const before = await lockSuppliers(tx, shop)
  await tx.run(sql`INSERT INTO supplier_account (supplier) VALUES (${supplier}) ON CONFLICT DO NOTHING`)
  const row = await tx.one<{ version: number; is_on: boolean | null }>(sql`
    SELECT version, is_on FROM supplier_account WHERE supplier = ${supplier} FOR UPDATE`)
  if (version !== undefined && version !== row.version) return false
  await setSwitch(tx, adminId, { supplier, wasOn: row.is_on ?? shop.isInEnvironment(supplier), isOn })
  const isSetUp = before.is_on[supplier] !== undefined
  const after = isSetUp ? { ...before, is_on: { ...before.is_on, [supplier]: isOn } } : before
  await keepVersion(tx, 'suppliers', { before, after }, adminId)
  return true
}

/**
 * Puts the suppliers in another order and notifies every node. Refuses a list that does not name each of them once, and one
 * that was made from another order than the one in force.
 */
export async function orderSuppliers(
  tx: Tx,
  adminId: number,
  shop: SetUpSuppliers,
  { names, seen }: { names: readonly string[]; seen?: readonly string[] | undefined },
): Promise<void> {
  const before = await lockSuppliers(tx, shop)
  requireNewOrder(before.names, { names, seen })
  await setOrder(tx, adminId, { before, names })
  await keepVersion(tx, 'suppliers', { before, after: { ...before, names } }, adminId)
}

/**
 * Asks the suppliers as an older version says and notifies every node. What is not set up any more stays so, and what has been
 * set up since stays as it is, after the others.
 */
export async function restoreSuppliers(
  tx: Tx,
  adminId: number,
  shop: SetUpSuppliers,
  wanted: RestoredVersion,
): Promise<void> {
  const before = await lockSuppliers(tx, shop)
  const { older } = await findOlder(tx, 'suppliers', wanted)
  const { names: olderNames, is_on: olderOn } = readAgain(askedSuppliers, older.value)
  const after: AskedSuppliers = { names: [], is_on: { ...before.is_on } }
  for (const supplier of shop.order) {
    const [wasOn = false, isOn = wasOn] = [before.is_on[supplier], olderOn[supplier]]
    after.is_on[supplier] = isOn
    if (isOn !== wasOn) await setSwitch(tx, adminId, { supplier, wasOn, isOn })
  }
  const known = olderNames.filter((name) => before.names.includes(name))
  after.names = [...known, ...before.names.filter((name) => !known.includes(name))]
  if (after.names.join() !== before.names.join()) await setOrder(tx, adminId, { before, names: after.names })
  await keepVersion(tx, 'suppliers', { before, after }, adminId)
}

/** Sorts names by the positions that the owner gave; those without one stay in their order, after them. */
export function inShopsOrder(
  names: readonly SupplierName[],
  rows: readonly Pick<SupplierChoice, 'supplier' | 'position'>[],
): SupplierName[] {
  const places = new Map(rows.map(({ supplier, position }) => [supplier, position]))
  const place = (name: SupplierName) => places.get(name) ?? Number.MAX_SAFE_INTEGER
  return names.toSorted((one, other) => place(one) - place(other))
}
