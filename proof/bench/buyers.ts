import { randomBytes } from 'node:crypto'
import type pg from 'pg'

/** The buyers have the ids from here on, and the tokens `readToken` says. */
export const firstBuyer = 1_000_001
export const readToken = (buyer: number): string => `bench-${buyer}`
export const tokenHashSql = (buyer: string): string => `sha256(('bench-' || ${buyer})::bytea)`

/** Idempotency-Keys as the page makes them: the time, and then what nobody else draws. */
export const makeKey = (): string => Date.now().toString(16).padStart(12, '0') + randomBytes(10).toString('hex')
export const pastKeySql = (at: string, drawn: string): string =>
  `lpad(to_hex((extract(epoch FROM ${at}) * 1000)::bigint), 12, '0') || left(md5(${drawn}), 20)`

export type Client = pg.PoolClient
