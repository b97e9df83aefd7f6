import { type AuditEntry, auditApi } from '@olmos/contract/audit'
import type { QueryParams } from '@olmos/contract/endpoint'
import type { Context } from '../../platform/context.ts'
import { allConditions, countAll, direction, toPage, withTotal } from '../../platform/database/lists.ts'
import { containing, type Queries, sql, type Tx } from '../../platform/database/queries.ts'
import type { Vault } from '../../platform/security/vault.ts'
import { auditSeals } from '../proof/invariants-of-states.ts'
import type { InvariantResult } from '../proof/ledger-proof.ts'

interface AuditRow extends Omit<AuditEntry, 'created_at'> {
  created_at: Date
}

type AuditList = QueryParams<typeof auditApi.list>

const isListed = ({ search, actorId, action, subject, from, to }: AuditList) =>
  allConditions(
    actorId ? sql`actor_id = ${actorId}` : undefined,
    action ? sql`action = ${action}` : undefined,
    subject ? sql`subject = ${subject}` : undefined,
    from ? sql`audit_entry.created_at >= ${from}` : undefined,
    to ? sql`audit_entry.created_at <= ${to}` : undefined,
    search
      ? sql`(action LIKE ${containing(search.toLowerCase())} OR lower(subject) LIKE ${containing(search.toLowerCase())}
          OR actor_id IN (
            SELECT id FROM users WHERE id IN (SELECT actor_id FROM audit_entry)
              AND nickname_key LIKE ${containing(search.toLowerCase())}))`
      : undefined,
  )

const listAudit = (queries: Queries, list: AuditList) =>
  queries.rows<AuditRow>(sql`
    SELECT audit_entry.id, audit_entry.created_at, actor_id, users.nickname AS actor, action, subject, before, after
    FROM audit_entry LEFT JOIN users ON users.id = actor_id
    WHERE ${isListed(list)} ORDER BY audit_entry.id ${direction(list.order)} ${toPage(list)}`)

const countAudit = (queries: Queries, list: AuditList) =>
  countAll(queries, sql`SELECT FROM audit_entry WHERE ${isListed(list)}`, list.search)

interface Seal {
  id: number
  entry_id: number
  entry_hash: Buffer
  seal: Buffer
}

interface SealedEntry extends Seal {
  /** The present hash; null when the entry is gone. */
  hash: Buffer | null
}

/** The end of the audit trail. */
export interface AuditHead {
  id: number
  hash: Buffer
}

/** Seals a position, the entry's hash and the previous seal, and so everything that was sealed until then. */
const sealOver = (vault: Vault, seal: Omit<Seal, 'seal'>, before: Buffer | undefined): Buffer =>
  vault.sealAudit(
    JSON.stringify([seal.id, seal.entry_id, seal.entry_hash.toString('hex'), before?.toString('hex') ?? '']),
  )

const sampleSize = 5

/**
 * Checks every seal against its key, the previous seal and the entry it names. The entries between two seals are
 * covered by the chain (invariant 19). Call it in the snapshot in which the chain is checked; `head` is where the trail
 * ended then.
 */
export async function checkSeals(
  queries: Queries,
  vault: Vault,
): Promise<{ result: InvariantResult; head: AuditHead | undefined }> {
  const seals = await queries.rows<SealedEntry>(sql`
    SELECT audit_seal.id, entry_id, entry_hash, seal, audit_entry.hash
    FROM audit_seal LEFT JOIN audit_entry ON audit_entry.id = entry_id ORDER BY audit_seal.id`)
  const head = await queries.maybe<AuditHead>(sql`SELECT id, hash FROM audit_entry ORDER BY id DESC LIMIT 1`)
  const broken = seals.filter((seal, index) => {
    const before = seals[index - 1]
    const isInOrder = seal.id === index + 1 && seal.entry_id > (before?.entry_id ?? 0)
    return !isInOrder || !seal.hash?.equals(seal.entry_hash) || !sealOver(vault, seal, before?.seal).equals(seal.seal)
  })
  const sample = broken.slice(0, sampleSize).map(({ id, entry_id }) => `seal ${id} of audit entry ${entry_id}`)
  return { result: { ...auditSeals, offenders: broken.length, sample }, head }
}

/**
 * Seals the audit trail up to an entry that was checked; returns the new seal, or undefined when it is sealed already.
 */
export async function sealTrail(tx: Tx, vault: Vault, head: AuditHead): Promise<Seal | undefined> {
  // A statement of its own, before the last seal is read: another node may be making the next one.
  await tx.run(sql`SELECT pg_advisory_xact_lock(hashtext('audit_seal'))`)
  const last = await tx.maybe<Seal>(sql`
    SELECT id, entry_id, entry_hash, seal FROM audit_seal ORDER BY id DESC LIMIT 1`)
  if (last && last.entry_id >= head.id) return undefined
  const next = { id: (last?.id ?? 0) + 1, entry_id: head.id, entry_hash: head.hash }
  const seal = sealOver(vault, next, last?.seal)
  await tx.run(sql`
    INSERT INTO audit_seal (id, entry_id, entry_hash, seal)
    VALUES (${next.id}, ${next.entry_id}, ${next.entry_hash}, ${seal})`)
  return { ...next, seal }
}

export function auditAdmin({ serve, database }: Context): void {
  serve(auditApi.list, async ({ query }) => {
    const { rows, total } = await withTotal(query, listAudit(database, query), () => countAudit(database, query))
    return { data: rows.map((row) => ({ ...row, created_at: row.created_at.toISOString() })), total }
  })
}
