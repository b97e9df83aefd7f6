import { isDeepStrictEqual } from 'node:util'
import { Failure } from '@olmos/contract/failure'
import type { PageName } from '@olmos/contract/pages'
import type { ShopSection } from '@olmos/contract/shop'
import type { KeptVersion, RemovedThing, RestoredVersion } from '@olmos/contract/versions'
import type { z } from 'zod'
import { requireVersion } from '../../platform/database/lists.ts'
import { type Queries, type Sql, sql, type Tx } from '../../platform/database/queries.ts'

/** Things of which there are many, whose versions outlive them: one that was removed comes back by its id. */
type RemovableThing = 'staff-role' | 'answer_template'

/**
 * What is in force of these stands in a table of its own, whose row is locked by who changes it; the versions are kept here.
 * The names are the subjects that the audit log has for them.
 */
export type KeptSection = 'suppliers' | 'payment_methods' | `payment_method:${string}` | `${RemovableThing}:${number}`

type OwnSection = ShopSection | PageName
type Section = OwnSection | KeptSection

export interface SettingRow {
  value: object
  /** Whether everybody may see it, of a section that can be published. */
  is_published: boolean
  version: number
  changed_at: Date
  changed_by: string | null
}

const selectVersions = sql`
  SELECT value, is_published, shop_setting.version, changed_at, nickname AS changed_by
  FROM shop_setting LEFT JOIN users ON users.id = changed_by`

const findNewest = (queries: Queries, section: Section): Promise<SettingRow | undefined> =>
  queries.maybe<SettingRow>(sql`
    ${selectVersions} WHERE section = ${section} ORDER BY shop_setting.version DESC LIMIT 1`)

export const readVersion = (queries: Queries, section: Section, version: number): Promise<SettingRow | undefined> =>
  queries.maybe<SettingRow>(sql`${selectVersions} WHERE section = ${section} AND shop_setting.version = ${version}`)

/** Reads what is in force of a section. */
export async function readNewest(queries: Queries, section: OwnSection): Promise<SettingRow> {
  const row = await findNewest(queries, section)
  if (!row) throw new Error(`no version of ${section}`)
  return row
}

/** Lists the last fifty versions, newest first; none of what nobody has changed since its versions are kept. */
export async function listVersions(queries: Queries, section: Section): Promise<KeptVersion[]> {
  const rows = await queries.rows<SettingRow>(sql`
    ${selectVersions} WHERE section = ${section} ORDER BY shop_setting.version DESC LIMIT 50`)
  return rows.map(shownVersion)
}

export const shownVersion = ({ value, version, changed_at, changed_by }: SettingRow): KeptVersion => ({
  value: { ...value },
  version,
  changed_at: changed_at.toISOString(),
  changed_by,
})

/** Locks a section until the transaction ends, and reads what is in force. */
export async function lockSection(tx: Tx, section: OwnSection): Promise<SettingRow> {
  await tx.run(sql`SELECT FROM shop_setting WHERE section = ${section} AND version = 1 FOR UPDATE`)
  return readNewest(tx, section)
}

interface NewVersion {
  section: Section
  version: number
  value: object
  /** Null where nobody knows who it was. */
  adminId: number | null
}

const insertVersion = (tx: Tx, { section, version, value, adminId }: NewVersion) =>
  tx.run(sql`
    INSERT INTO shop_setting (section, version, value, changed_by)
    VALUES (${section}, ${version}, ${JSON.stringify(value)}::jsonb, ${adminId})`)

/** Adds a version to a section that the caller has locked, and has every node render its pages again. */
export async function addVersion(
  tx: Tx,
  { section, value, after }: { section: OwnSection; value: object; after: SettingRow },
  adminId: number,
): Promise<SettingRow> {
  await insertVersion(tx, { section, value, version: after.version + 1, adminId })
  tx.notify('catalogue', 'shop')
  return readNewest(tx, section)
}

const isSame = (one: object, other: object): boolean =>
  isDeepStrictEqual(JSON.parse(JSON.stringify(one)), JSON.parse(JSON.stringify(other)))

/**
 * Keeps what the caller has changed in its own table, whose row it has locked. What was there `before` is kept too where the
 * newest version says something else: it came with the store, or a program that keeps no versions has changed it.
 */
export async function keepVersion(
  tx: Tx,
  section: KeptSection,
  { before, after }: { before: object | undefined; after: object },
  adminId: number,
): Promise<void> {
  if (before && isSame(before, after)) return
  const newest = await findNewest(tx, section)
  let version = (newest?.version ?? 0) + 1
  if (before && !(newest && isSame(newest.value, before)))
    await insertVersion(tx, { section, version: version++, value: before, adminId: null })
  await insertVersion(tx, { section, version, value: after, adminId })
}

/** Finds an older version that is to be in force again, of a section that the caller has locked. */
export async function findOlder(
  tx: Tx,
  section: Section,
  { restored, version }: RestoredVersion,
): Promise<{ older: SettingRow; newest: SettingRow }> {
  const newest = await findNewest(tx, section)
  if (newest) requireVersion(shownVersion(newest), version)
  const older = await readVersion(tx, section, restored)
  if (!newest || !older) throw new Failure('NOT_FOUND')
  return { older, newest }
}

/**
 * Keeps what is about to be removed, whose row the caller has locked, where no version says it: it was never changed since
 * versions are kept.
 */
export async function keepLast(tx: Tx, section: KeptSection, value: object): Promise<void> {
  const newest = await findNewest(tx, section)
  if (newest && isSame(newest.value, value)) return
  await insertVersion(tx, { section, value, version: (newest?.version ?? 0) + 1, adminId: null })
}

/** Locks the versions of what may have no row any more until the transaction ends. */
export const lockVersions = (tx: Tx, section: KeptSection): Promise<number> =>
  tx.run(sql`SELECT FROM shop_setting WHERE section = ${section} ORDER BY version FOR UPDATE`)

/** Lists the last fifty of these that have no row any more, each as it was last. `ids` selects the ids of those that have. */
export async function listRemoved(queries: Queries, thing: RemovableThing, ids: Sql): Promise<RemovedThing[]> {
  const rows = await queries.rows<SettingRow & { id: number }>(sql`
    SELECT * FROM (
      SELECT DISTINCT ON (section) substr(section, ${thing.length + 2})::int AS id, value, is_published,
        shop_setting.version, changed_at, nickname AS changed_by
      FROM shop_setting LEFT JOIN users ON users.id = changed_by
      WHERE starts_with(section, ${`${thing}:`})
      ORDER BY section, shop_setting.version DESC
    ) AS last WHERE id NOT IN (${ids}) ORDER BY changed_at DESC, id DESC LIMIT 50`)
  return rows.map((row) => ({ ...shownVersion(row), id: row.id }))
}

/** Reads what an older version said by the schema of today's changes, which may have other bounds; else says which fields are wrong. */
export function readAgain<Value>(schema: z.ZodType<Value>, value: object): Value {
  const read = schema.safeParse(value)
  if (read.success) return read.data
  const fields = read.error.issues.map(({ path }) => [path.join('.'), 'invalid'] as const)
  throw new Failure('VALIDATION_FAILED', Object.fromEntries(fields))
}
