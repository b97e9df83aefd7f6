import { Failure } from '@olmos/contract/failure'
import type { Database } from '../../platform/database/database.ts'
import { type Queries, sql, type Tx } from '../../platform/database/queries.ts'
import { writeAudit, writeAuditChange } from '../../platform/security/audit.ts'
import type { Vault } from '../../platform/security/vault.ts'
import { type AccountSettings, mergeSettings, storedSettings } from '../../platform/vendor/adapters.ts'
import type { SupplierName } from './supplier.ts'

/** How the owner wants a supplier asked, and the account there as it was typed in the admin area. */
export interface SupplierAccount {
  supplier: SupplierName
  /** Null where nobody has switched it: on where the environment names it, else off. */
  isOn: boolean | null
  /** Null after those that were moved. */
  position: number | null
  /** Whether an account was typed, which the vault may not open. */
  isThere: boolean
  settings: AccountSettings | undefined
  version: number
  changedAt: Date | null
  /** The admin's nickname. */
  changedBy: string | null
}

interface AccountRow {
  supplier: SupplierName
  is_on: boolean | null
  position: number | null
  key_id: number | null
  ciphertext: Buffer | null
  version: number
  changed_at: Date | null
  changed_by: string | null
}

const selectAccounts = sql`
  SELECT supplier, is_on, position, key_id, ciphertext, supplier_account.version, changed_at, nickname AS changed_by
  FROM supplier_account LEFT JOIN users ON users.id = changed_by`

const sealedFor = (supplier: SupplierName) => `supplier_account:${supplier}`

async function openAccount(vault: Vault, row: AccountRow): Promise<SupplierAccount> {
  const { supplier, is_on: isOn, position, key_id: keyId, ciphertext, version } = row
  const plain =
    keyId === null || ciphertext === null
      ? undefined
      : await vault.unseal({ keyId, ciphertext }, sealedFor(supplier)).catch(() => undefined)
  const settings = plain === undefined ? undefined : storedSettings.parse(JSON.parse(plain))
  const change = { version, changedAt: row.changed_at, changedBy: row.changed_by }
  return { supplier, isOn, position, isThere: keyId !== null, settings, ...change }
}

/** Reads every supplier that was ever touched, with its secrets. */
export async function readSupplierAccounts(queries: Queries, vault: Vault): Promise<SupplierAccount[]> {
  const rows = await queries.rows<AccountRow>(sql`${selectAccounts} ORDER BY supplier`)
  return Promise.all(rows.map((row) => openAccount(vault, row)))
}

/** Locks a supplier until the transaction ends, and reads it; one that was never touched is empty. */
async function lockAccount(tx: Tx, vault: Vault, supplier: SupplierName): Promise<SupplierAccount> {
  await tx.run(sql`INSERT INTO supplier_account (supplier) VALUES (${supplier}) ON CONFLICT DO NOTHING`)
  await tx.run(sql`SELECT FROM supplier_account WHERE supplier = ${supplier} FOR UPDATE`)
  return openAccount(vault, await tx.one<AccountRow>(sql`${selectAccounts} WHERE supplier = ${supplier}`))
}

/**
 * Changes the account at a supplier and notifies every node. A setting that is left out stays, and a blank one is cleared;
 * null clears the account, and one that is typed after that is off until it is switched on. `check` refuses what the supplier
 * can't be made of. The audit log keeps which settings changed, never what they are. Answers whether it did: nothing changes
 * where another version than the present one was seen.
 */
export async function changeSupplierAccount(
  tx: Tx,
  vault: Vault,
  adminId: number,
  wanted: {
    supplier: SupplierName
    typed: AccountSettings | null
    version: number | undefined
    check(settings: AccountSettings | undefined): Promise<void>
  },
): Promise<boolean> {
  const { supplier, typed, version } = wanted
  const before = await lockAccount(tx, vault, supplier)
  if (version !== undefined && version !== before.version) return false
  const settings = typed === null ? undefined : mergeSettings(before.settings, typed)
  await wanted.check(settings)
  const seal = settings && (await vault.sealer(tx))
  const sealed = seal?.(JSON.stringify(settings), sealedFor(supplier))
  await tx.run(sql`
    UPDATE supplier_account SET is_on = ${settings ? before.isOn : null}::boolean, key_id = ${sealed?.keyId ?? null}::int,
      ciphertext = ${sealed?.ciphertext ?? null}::bytea, version = version + 1, changed_at = now(), changed_by = ${adminId}
    WHERE supplier = ${supplier}`)
  await writeAudit(tx, {
    actorId: adminId,
    action: settings ? 'supplier_account.set' : 'supplier_account.clear',
    subject: `supplier:${supplier}`,
    after: { settings: Object.keys(typed ?? before.settings ?? {}) },
  })
  tx.notify('supplier', supplier)
  return true
}

/**
 * Switches a supplier on or off and notifies every node. Answers whether it did: nothing changes where another version than
 * the present one was seen.
 */
export async function switchSupplier(
  tx: Tx,
  vault: Vault,
  adminId: number,
  wanted: { supplier: SupplierName; isOn: boolean; isOnByDefault: boolean; version: number | undefined },
): Promise<boolean> {
  const { supplier, isOn, isOnByDefault, version } = wanted
  const before = await lockAccount(tx, vault, supplier)
  if (version !== undefined && version !== before.version) return false
  await tx.run(sql`
    UPDATE supplier_account SET is_on = ${isOn}, version = version + 1, changed_at = now(), changed_by = ${adminId}
    WHERE supplier = ${supplier}`)
  const entry = { actorId: adminId, action: 'supplier.switch', subject: `supplier:${supplier}` } as const
  await writeAuditChange(tx, entry, { is_on: before.isOn ?? isOnByDefault }, { is_on: isOn })
  tx.notify('supplier', supplier)
  return true
}

/**
 * Puts the suppliers in another order and notifies every node. `present` are those that there are, as this node has them in
 * order. Refuses a list that does not name each of them once, and one that was made from another order than the one in force.
 */
export async function orderSuppliers(
  tx: Tx,
  adminId: number,
  present: readonly SupplierName[],
  { names, seen }: { names: readonly string[]; seen?: readonly string[] | undefined },
): Promise<void> {
  await tx.run(sql`
    INSERT INTO supplier_account (supplier) SELECT name FROM unnest(${present}::text[]) AS new (name)
    ORDER BY name ON CONFLICT DO NOTHING`)
  const rows = await tx.rows<{ supplier: SupplierName; position: number | null }>(sql`
    SELECT supplier, position FROM supplier_account WHERE supplier = ANY (${present}) ORDER BY supplier FOR UPDATE`)
  const before = inShopsOrder(present, rows)
  if (seen !== undefined && seen.join() !== before.join())
    throw new Failure('STATE_CONFLICT', { reason: 'changed_meanwhile', current: { names: before } })
  const isEachOnce = new Set(names).size === names.length && names.every((name) => before.includes(name))
  if (!isEachOnce || names.length !== before.length) throw new Failure('VALIDATION_FAILED', { names: 'invalid' })
  await tx.run(sql`
    UPDATE supplier_account SET position = new.position
    FROM unnest(${names}::text[]) WITH ORDINALITY AS new (name, position) WHERE supplier = new.name`)
  await writeAudit(tx, {
    actorId: adminId,
    action: 'suppliers.order',
    subject: 'suppliers',
    before: { names: before },
    after: { names },
  })
  tx.notify('supplier', 'order')
}

/** Sorts names by the positions that the owner gave; those without one stay in their order, after them. */
export function inShopsOrder(
  names: readonly SupplierName[],
  rows: readonly Pick<SupplierAccount, 'supplier' | 'position'>[],
): SupplierName[] {
  const places = new Map(rows.map(({ supplier, position }) => [supplier, position]))
  const place = (name: SupplierName) => places.get(name) ?? Number.MAX_SAFE_INTEGER
  return names.toSorted((one, other) => place(one) - place(other))
}

/** Reseals accounts that are sealed with a key older than `keyId`. There are as many as suppliers: a few. */
export async function resealSupplierAccounts(database: Database, vault: Vault, keyId: number): Promise<void> {
  const old = await database.rows<{ supplier: SupplierName }>(
    sql`SELECT supplier FROM supplier_account WHERE key_id < ${keyId}`,
  )
  for (const { supplier } of old) {
    await database.transaction(async (tx) => {
      const { settings } = await lockAccount(tx, vault, supplier)
      if (!settings) throw new Error(`the account at ${supplier} was altered in the database and does not open`)
      const seal = await vault.sealer(tx)
      const sealed = seal(JSON.stringify(settings), sealedFor(supplier))
      await tx.run(sql`
        UPDATE supplier_account SET key_id = ${sealed.keyId}, ciphertext = ${sealed.ciphertext}
        WHERE supplier = ${supplier}`)
    })
  }
}
