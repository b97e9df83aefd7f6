import type pg from 'pg'

/** The buyers have the ids from here on, and the tokens `readToken` says. */
export const firstBuyer = 1_000_001
export const readToken = (buyer: number): string => `bench-${buyer}`
export const tokenHashSql = (buyer: string): string => `sha256(('bench-' || ${buyer})::bytea)`

export type Client = pg.PoolClient
