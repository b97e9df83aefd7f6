import type pg from 'pg'
import { StartupError } from './startup-error.ts'

/** Settings PostgreSQL runs with. Given on its command line, so that nothing in the data folder overrides them. */
export type Settings = Record<string, string>

const durable = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' }

/** For a small store on a machine that PostgreSQL shares with the server. */
export const defaultSettings: Settings = {
  ...durable,
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  cluster_name: 'olmos',
  max_connections: '100',
  shared_buffers: '128MB',
  effective_cache_size: '512MB',
  work_mem: '8MB',
  maintenance_work_mem: '64MB',
  max_wal_size: '1GB',
  random_page_cost: '1.1',
  jit: 'off',
  TimeZone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  // Statements and the details of errors hold customers' data, which doesn't belong into a log.
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
}

/** Refuses a database that would forget a paid order in a power cut; `chosen` are the settings asked for on purpose. */
export async function proveDurable(client: pg.Client, chosen: Settings): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    "SELECT name FROM pg_settings WHERE name = ANY ($1) AND setting = 'off'",
    [Object.keys(durable).filter((name) => !(name in chosen))],
  )
  if (rows.length === 0) return
  throw new StartupError(`PostgreSQL may lose paid orders: ${rows.map((row) => row.name).join(', ')} must be on.`)
}
