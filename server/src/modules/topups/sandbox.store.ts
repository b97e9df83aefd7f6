import { LIMITS } from '@olmos/contract/limits'
import { type Queries, sql, type Tx } from '../../platform/database.ts'
import type { SupplierRequest } from './supplier.ts'

export interface SandboxTopup {
  id: string
  key: string
  account: string
  item: string
  status: 'pending' | 'done' | 'failed' | 'lost'
}

const columns = sql`id, key, account, item, status`

const itemOf = ({ item, steam, code }: SupplierRequest): string => {
  if (steam) return `${steam.amount} ${steam.currency}`
  return code === undefined ? (item ?? '') : 'code'
}

/** None when there is an order under the key. */
export const insertTopup = (tx: Tx, request: SupplierRequest, status: SandboxTopup['status']) =>
  tx.maybe<SandboxTopup>(sql`
    INSERT INTO sandbox_topup (key, service, account, item, status, done_at)
    VALUES (${request.key}, ${request.wanted}, ${request.account}, ${itemOf(request)}, ${status},
      CASE WHEN ${status} = 'pending' THEN now() + make_interval(secs => ${LIMITS.sandboxDelaySeconds}) END)
    ON CONFLICT (key) DO NOTHING RETURNING ${columns}`)

export const lockTopup = (tx: Tx, key: string) =>
  tx.one<SandboxTopup>(sql`SELECT ${columns} FROM sandbox_topup WHERE key = ${key} FOR UPDATE`)

export const reviveTopup = (tx: Tx, key: string) =>
  tx.one<SandboxTopup>(sql`UPDATE sandbox_topup SET status = 'done' WHERE key = ${key} RETURNING ${columns}`)

export const insertExecution = (tx: Tx, { key, account, item }: SandboxTopup) =>
  tx.run(sql`INSERT INTO sandbox_execution (key, account, item) VALUES (${key}, ${account}, ${item})`)

/** Delivers what was promised for by now. */
export const deliverTheLate = (queries: Queries) =>
  queries.run(sql`
    WITH delivered AS (
      UPDATE sandbox_topup SET status = 'done' WHERE status = 'pending' AND done_at <= now()
      RETURNING key, account, item)
    INSERT INTO sandbox_execution (key, account, item) SELECT key, account, item FROM delivered`)

export const findTopup = (queries: Queries, key: string) =>
  queries.maybe<SandboxTopup>(sql`SELECT ${columns} FROM sandbox_topup WHERE key = ${key}`)

/** The late ones that were delivered and not told of; told from now on. */
export const takeUntold = (queries: Queries) =>
  queries.rows<{ id: string }>(sql`
    UPDATE sandbox_topup SET told = 2 WHERE status = 'done' AND done_at IS NOT NULL AND told = 0 RETURNING id`)
